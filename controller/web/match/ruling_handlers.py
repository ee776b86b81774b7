"""The API of the log: the grounds of a ruling, and the pictures that prove it."""

import asyncio
import json
from contextlib import suppress
from functools import partial
from itertools import takewhile

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.match import RemarkMade
from controller.match_log import LoggedEvent, MatchLogError, PictureKind
from controller.match_log.event_json import JsonValue
from controller.match_log.picture import read_places
from controller.web.access import identify_request_viewer
from controller.web.bodies import NOT_STORED, parse_number, problem, respond_json
from controller.web.match.play_moves import make_moves_record
from controller.web.match.ruling_pictures import find_pictures, load_jpeg
from controller.web.match.ruling_record import make_ruling_record
from controller.web.match.visibility import Viewer, is_disputed, may_be_helped, may_see_event
from controller.web.page_context import PageContext
from controller.web.shown_view import PageView

PLACES_HEADER = "X-Board-Places"
"""Where the places of the board lie in a picture, as JSON: name -> shares of its width and height."""


class RulingHandlers:
    """The handlers. A viewer gets nothing about an event that is withheld from him."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/rulings/{number}", self.get_ruling, methods=["GET"]),
            Route("/api/evidence/{number}/{kind}", self.get_evidence, methods=["GET"]),
        ]

    async def get_ruling(self, request: Request) -> Response:
        """The sentences, rules and clauses of an event, and the kinds of its pictures."""
        viewer, view = self._find_view(request)
        logged, number = await self._find_event(request, viewer, view)
        table = view.table
        kinds = find_pictures(logged, number)
        beside = takewhile(lambda event: isinstance(event, RemarkMade), (one.event for one in logged[number:]))
        remarks = tuple(event.remark for event in beside if isinstance(event, RemarkMade))
        record = make_ruling_record(logged[number - 1].event, table, remarks)
        pictures: list[JsonValue] = [kind.value for kind in PictureKind if kind in kinds]
        events = [one.event for one in logged[:number]]
        disputed = is_disputed(view.newest.state)
        moves = await asyncio.to_thread(partial(make_moves_record, events, table, is_disputed=disputed))
        if not may_be_helped(table, viewer, view.newest.state):
            moves["legal"] = []
        return respond_json({"number": number, **record, **moves, "pictures": pictures})

    async def get_evidence(self, request: Request) -> Response:
        """One picture of a ruling as the log keeps it (JPEG)."""
        kind = next((kind for kind in PictureKind if kind.value == request.path_params["kind"]), None)
        viewer, view = self._find_view(request)
        found = await self._find_event(request, viewer, view)
        path, content = view.match.path, None
        if kind is not None and path is not None:
            with suppress(MatchLogError):
                content = await asyncio.to_thread(load_jpeg, path, *found, kind)
        if content is None:
            raise problem(404, "There is no such picture.")
        places = json.dumps(read_places(content), separators=(",", ":"))
        return Response(content, media_type="image/jpeg", headers={**NOT_STORED, PLACES_HEADER: places})

    def _find_view(self, request: Request) -> tuple[Viewer, PageView]:
        viewer = identify_request_viewer(request, self._context.access)
        return viewer, self._context.require_view(viewer).with_whole_log()

    async def _find_event(
        self, request: Request, viewer: Viewer, view: PageView
    ) -> tuple[tuple[LoggedEvent, ...], int]:
        """The log and the number of an event that this viewer may see. Raises RequestRefusedError."""
        number = parse_number(request.path_params["number"])
        logged = await self._context.read_log(view, viewer)
        if number is None or not 1 <= number <= len(logged):
            raise problem(404, "There is no such event.")
        if not may_see_event(logged[number - 1].event, view.table, viewer):
            raise problem(403, "In this mode only the operator may see this event.")
        return logged, number
