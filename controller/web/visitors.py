"""Who asks: the operator, who sends the token, or a spectator. A wrong token is no spectator, and may not be tried often."""

import time
from collections.abc import Sequence

from starlette.requests import Request
from starlette.websockets import WebSocket

from controller.web.guard import client_of
from controller.web.operator_token import is_token
from controller.web.seen_by import Viewer
from controller.web.show import Show

_BEARER, _OPERATOR = "Bearer ", "operator."


def request_viewer(request: Request, show: Show) -> Viewer | None:
    """None for a wrong token."""
    header = request.headers.get("authorization")
    return _viewer(None if header is None else header.removeprefix(_BEARER), client_of(request.scope), show)


def socket_viewer(socket: WebSocket, show: Show) -> Viewer | None:
    """A browser cannot send headers with a socket; the token comes as one of the protocols it offers."""
    offered: Sequence[str] = socket.scope["subprotocols"]
    given = next((one.removeprefix(_OPERATOR) for one in offered if one.startswith(_OPERATOR)), None)
    return _viewer(given, client_of(socket.scope), show)


def _viewer(given: str | None, address: str, show: Show) -> Viewer | None:
    if given is None:
        return Viewer.SPECTATOR
    now_s = time.monotonic()
    if not show.wrong_tokens.is_spent(address, now_s) and is_token(given, show.token):
        return Viewer.OPERATOR
    show.wrong_tokens.take(address, now_s)
    return None
