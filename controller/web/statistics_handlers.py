"""The API of the statistics: everybody may look; the operator alone lets GNU Backgammon analyse matches."""

import asyncio
import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.statistics import Halt, StatisticsKeeper
from controller.web.access import identify_request_viewer, read_order, require_operator
from controller.web.bodies import problem, respond_json_text
from controller.web.page_context import PageContext
from controller.web.static_files import page_route

_SUFFIX = ".zmatch"


class StatisticsHandlers:
    """The handlers. No request names a file or a folder: the numbers are those of the program's own data folder."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def routes(self) -> list[Route]:
        return [
            page_route("/statistics", "statistics.html"),
            Route("/api/statistics", self.get_report, methods=["GET"]),
            Route("/api/statistics/analysis", self.post_analysis, methods=["POST"]),
        ]

    async def get_report(self, request: Request) -> Response:
        """The newest report, and what is being done; the first request begins to count."""
        viewer = identify_request_viewer(request, self._context.access)
        keeper = self._require_keeper()
        # A match that goes on would tell a spectator what the mode of play withholds.
        unfinished = self._context.control.unfinished
        left_out = frozenset[str]() if unfinished is None else frozenset({f"{unfinished.name}{_SUFFIX}"})
        await asyncio.to_thread(keeper.refresh, left_out)
        view, has_gnubg = keeper.view, await asyncio.to_thread(keeper.has_gnubg)
        work = {
            "viewer": viewer.value,
            "has_office": self._context.control.settings_store is not None,
            "is_counting": view.is_counting,
            "is_analysing": view.is_analysing,
            "has_gnubg": has_gnubg,
            "halt": None if view.halt is None else view.halt.value,
        }
        return respond_json_text(f'{json.dumps(work)[:-1]},"report":{view.report or "null"}}}')

    async def post_analysis(self, request: Request) -> Response:
        """`run` true: GNU Backgammon analyses every match that has no analysis; false: it stops."""
        require_operator(request, self._context.access)
        keeper = self._require_keeper()
        run = (await read_order(request, self._context.access)).get("run")
        if not isinstance(run, bool):
            raise problem(422, "run is true or false.")
        if not run:
            keeper.stop_analysis()
            return respond_json_text("{}")
        match await asyncio.to_thread(keeper.start_analysis):
            case Halt.NO_PROGRAM:
                sentence = "GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg."
                raise problem(409, sentence)
            case Halt.MATCH:
                raise problem(409, "A match is being played; compute error rates when it is over.")
            case _:
                return respond_json_text("{}")

    def _require_keeper(self) -> StatisticsKeeper:
        keeper = self._context.control.statistics
        if keeper is None:
            raise problem(404, "This page belongs to no data folder.")
        return keeper
