"""The routes of the page, with the guard before them."""

from collections.abc import Callable
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from controller.web.calibration.handlers import CalibrationHandlers
from controller.web.calibration.in_match import explain_block
from controller.web.calibration.session import Purpose
from controller.web.guard import Guard, guard_app
from controller.web.handlers import ApiHandlers
from controller.web.match.replay_handlers import ReplayHandlers
from controller.web.page_context import PageContext
from controller.web.set_up.set_up_handlers import SetUpHandlers
from controller.web.set_up.settings_handlers import SettingsHandlers
from controller.web.socket_feed import feed


def make_application(context: PageContext, names: frozenset[str], port: Callable[[], int]) -> Guard:
    """`names` are those of this machine; `port` is asked with each request, for it may be chosen late."""
    answers, replay = ApiHandlers(context), ReplayHandlers(context)
    read = ["GET"]
    routes = [
        Route("/", answers.get_page, methods=read),
        Route("/overlay", answers.get_overlay, methods=read),
        Route("/static/{name:path}", answers.get_static, methods=read),
        Route("/api/state", answers.get_state, methods=read),
        Route("/api/events", answers.get_events, methods=read),
        Route("/api/commands", answers.post_command, methods=["POST"]),
        Route("/api/rulings/{number}", answers.get_ruling, methods=read),
        Route("/api/evidence/{number}/{kind}", answers.get_evidence, methods=read),
        Route("/api/camera", answers.get_camera, methods=read),
        Route("/api/replay", replay.get_turns, methods=read),
        Route("/api/replay", replay.post_cursor, methods=["POST"]),
        Route("/api/replay/{number}", replay.get_moment, methods=read),
        *SetUpHandlers(context).routes,
        *SettingsHandlers(context).routes,
        *CalibrationHandlers(
            context, lambda: context.calibration_session, partial(_explain_calibration_block, context)
        ).routes,
        WebSocketRoute("/api/live", _make_feed(context)),
    ]
    inside = Starlette(routes=routes)
    inside.state.show = context
    return guard_app(inside, names, port)


def _explain_calibration_block(context: PageContext) -> str:
    """Why the camera may not be calibrated now: a match has it, and plays."""
    if context.calibration_session is None or context.calibration_session.purpose is not Purpose.MATCH:
        return ""
    return explain_block(context.match.newest.state)


def _make_feed(context: PageContext) -> Callable[[WebSocket], object]:
    async def live(socket: WebSocket) -> None:  # starlette hands over the socket alone
        await feed(socket, context)

    return live
