"""Who asks: the operator, who sends the token, or a spectator. A wrong token is no spectator, and may not be tried often."""

import time
from collections.abc import Sequence
from typing import Protocol

from starlette.requests import Request
from starlette.websockets import WebSocket

from controller.web.guard import client_of
from controller.web.limits import RateLimit
from controller.web.match.visibility import Viewer
from controller.web.operator_token import is_token

_BEARER, _OPERATOR = "Bearer ", "operator."


class AccessPolicy(Protocol):
    """What decides who may come in, and how often he may ask for something."""

    token: str
    wrong_tokens: RateLimit
    order_rate: RateLimit


def identify_request_viewer(request: Request, access: AccessPolicy) -> Viewer | None:
    """None for a wrong token."""
    header = request.headers.get("authorization")
    return _identify_viewer(None if header is None else header.removeprefix(_BEARER), client_of(request.scope), access)


def identify_socket_viewer(socket: WebSocket, access: AccessPolicy) -> Viewer | None:
    """A browser cannot send headers with a socket; the token comes as one of the protocols it offers."""
    offered: Sequence[str] = socket.scope["subprotocols"]
    given = next((one.removeprefix(_OPERATOR) for one in offered if one.startswith(_OPERATOR)), None)
    return _identify_viewer(given, client_of(socket.scope), access)


def _identify_viewer(given: str | None, address: str, access: AccessPolicy) -> Viewer | None:
    if given is None:
        return Viewer.SPECTATOR
    now_s = time.monotonic()
    if not access.wrong_tokens.is_spent(address, now_s) and is_token(given, access.token):
        return Viewer.OPERATOR
    access.wrong_tokens.take(address, now_s)
    return None
