"""The routes of the page, with the guard before them."""

from collections.abc import Callable
from functools import partial

from starlette.applications import Starlette
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from controller.web.answers import Answers
from controller.web.calibration.answers import CalibrationAnswers
from controller.web.calibration.desk import Purpose
from controller.web.calibration.in_match import why_not_now
from controller.web.guard import Guard, guarded
from controller.web.match.replay_answers import ReplayAnswers
from controller.web.set_up.set_up_answers import SetUpAnswers
from controller.web.set_up.settings_answers import SettingsAnswers
from controller.web.show import Show
from controller.web.socket_feed import feed


def application(show: Show, names: frozenset[str], port: Callable[[], int]) -> Guard:
    """`names` are those of this machine; `port` is asked with each request, for it may be chosen late."""
    answers, replay = Answers(show), ReplayAnswers(show)
    read = ["GET"]
    routes = [
        Route("/", answers.page, methods=read),
        Route("/overlay", answers.overlay, methods=read),
        Route("/static/{name:path}", answers.static, methods=read),
        Route("/api/state", answers.state, methods=read),
        Route("/api/events", answers.events, methods=read),
        Route("/api/commands", answers.commands, methods=["POST"]),
        Route("/api/rulings/{number}", answers.ruling, methods=read),
        Route("/api/evidence/{number}/{kind}", answers.evidence, methods=read),
        Route("/api/camera", answers.camera, methods=read),
        Route("/api/replay", replay.turns, methods=read),
        Route("/api/replay", replay.look_at, methods=["POST"]),
        Route("/api/replay/{number}", replay.moment, methods=read),
        *SetUpAnswers(show).routes,
        *SettingsAnswers(show).routes,
        *CalibrationAnswers(show, lambda: show.desk, partial(_why_not, show)).routes,
        WebSocketRoute("/api/live", _feeding(show)),
    ]
    inside = Starlette(routes=routes)
    inside.state.show = show
    return guarded(inside, names, port)


def _why_not(show: Show) -> str:
    """Why the camera may not be calibrated now: a match has it, and plays."""
    if show.desk is None or show.desk.purpose is not Purpose.MATCH:
        return ""
    return why_not_now(show.match.newest.state)


def _feeding(show: Show) -> Callable[[WebSocket], object]:
    async def live(socket: WebSocket) -> None:  # starlette hands over the socket alone
        await feed(socket, show)

    return live
