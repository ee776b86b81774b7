"""All routes of the page, behind the guard."""

from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from controller.web.bodies import REFUSALS
from controller.web.calibration.handlers import CalibrationHandlers
from controller.web.calibration.in_match import explain_block_of_session
from controller.web.guard import Guard
from controller.web.handlers import ApiHandlers
from controller.web.match.replay_handlers import ReplayHandlers
from controller.web.match.ruling_handlers import RulingHandlers
from controller.web.page_context import PageContext
from controller.web.set_up.set_up_handlers import SetUpHandlers
from controller.web.set_up.settings_handlers import SettingsHandlers
from controller.web.socket_feed import feed
from controller.web.statistics_handlers import StatisticsHandlers


def make_application(
    context: PageContext, names: frozenset[str], port: Callable[[], int], more: Sequence[Route] = ()
) -> Guard:
    """`names` are the host names of this machine. `port` is called for each request, because it may be chosen late.

    `more` are routes beside those of a match.
    """

    async def live(socket: WebSocket) -> None:  # starlette passes the socket alone
        await feed(socket, context)

    def explain_calibration_block() -> str:
        return explain_block_of_session(context.calibration_session, context.match.newest.state)

    routes = [
        *ApiHandlers(context).routes,
        *RulingHandlers(context).routes,
        *ReplayHandlers(context).routes,
        *SetUpHandlers(context).routes,
        *SettingsHandlers(context).routes,
        *StatisticsHandlers(context).routes,
        *CalibrationHandlers(context.access, lambda: context.calibration_session, explain_calibration_block).routes,
        *more,
        WebSocketRoute("/api/live", live),
    ]
    inside = Starlette(routes=routes, exception_handlers=REFUSALS)
    inside.state.context = context
    return Guard(inside, names, port, context.access)
