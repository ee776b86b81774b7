"""Who sends a request: the operator, who sends the token, or a spectator.

The token is printed where the match is played and kept in the data folder, one for each port, so that links survive a restart. A wrong token
is refused and does not make its sender a spectator; each address may try only a few. The right one is always accepted,
whatever others have tried from the same address.
"""

import hmac
import re
import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope
from starlette.websockets import WebSocket

from controller.private_files import make_private_folder, write_private
from controller.web.bodies import TOO_MANY_TOKENS, WRONG_TOKEN, Record, problem, read_object
from controller.web.limits import MOST_BODY_BYTES, ORDERS, WRONG_TOKENS, RateLimit
from controller.web.match.visibility import Viewer

_TOKEN_FILE = "operator-token-{}"  # noqa: S105 - the name of a file, with the port of the page
_TOKEN_BYTES = 12
TokenOfPort = Callable[[int], str]
"""Gives the token once the port is known."""
_TOKEN_FORM = re.compile(r"[A-Za-z0-9_-]{16,64}")
_BEARER, _OPERATOR = "Bearer ", "operator."


@dataclass(slots=True)
class Access:
    """The token that makes its sender the operator, and how often each address may send a wrong token or an order."""

    token: str
    wrong_tokens: RateLimit = field(default_factory=lambda: RateLimit(WRONG_TOKENS))
    order_rate: RateLimit = field(default_factory=lambda: RateLimit(ORDERS))


def identify_request_viewer(request: Request, access: Access) -> Viewer:
    """Raises RequestRefusedError: a wrong token, or too many of them."""
    return _identify(request, access, WRONG_TOKEN)


def require_operator(request: Request, access: Access, sentence: str = WRONG_TOKEN) -> None:
    """Raises RequestRefusedError with this sentence where the operator's token is missing or wrong."""
    if _identify(request, access, sentence) is not Viewer.OPERATOR:
        raise problem(401, sentence)


def _identify(request: Request, access: Access, sentence: str) -> Viewer:
    viewer = _viewer_of(request.scope, access)
    if viewer is not None:
        return viewer
    if access.wrong_tokens.take(client_of(request.scope), time.monotonic()):
        raise problem(401, sentence)
    raise problem(429, TOO_MANY_TOKENS, access.wrong_tokens.wait_s)


def identify_socket_viewer(socket: WebSocket, access: Access) -> Viewer | None:
    """None for a wrong token, whose browser then asks over HTTP why (`static/feed.js`)."""
    viewer = _viewer_of(socket.scope, access)
    if viewer is None:
        access.wrong_tokens.take(client_of(socket.scope), time.monotonic())
    return viewer


def has_token(scope: Scope, access: Access) -> bool:
    """Whether a request or a socket comes from the operator; a wrong token is not counted here."""
    return _viewer_of(scope, access) is Viewer.OPERATOR


def _viewer_of(scope: Scope, access: Access) -> Viewer | None:
    """None for a wrong token. The right one is compared before any limit."""
    given = _token_of(scope)
    if given is None:
        return Viewer.SPECTATOR
    return Viewer.OPERATOR if is_token(given, access.token) else None


def _token_of(scope: Scope) -> str | None:
    """A browser cannot send headers with a socket: there the token is one of the offered protocols."""
    if scope["type"] == "websocket":
        offered: Sequence[str] = scope["subprotocols"]
        return next((one.removeprefix(_OPERATOR) for one in offered if one.startswith(_OPERATOR)), None)
    header = Headers(scope=scope).get("authorization")
    return None if header is None else header.removeprefix(_BEARER)


def client_of(scope: Scope) -> str:
    """The address of the client; "" where it is unknown."""
    client = scope.get("client")
    return str(client[0]) if client else ""


async def read_order(request: Request, access: Access, most_bytes: int = MOST_BODY_BYTES) -> Record:
    """The JSON object of an order. Raises RequestRefusedError: too many orders, or no JSON object."""
    if not access.order_rate.take(client_of(request.scope), time.monotonic()):
        raise problem(429, "Too many orders; wait a moment.", access.order_rate.wait_s)
    return await read_object(request, most_bytes)


def token_file(data: Path, port: int) -> Path:
    """Tables that share a data folder listen at different ports: who operates one is a spectator of the other."""
    return data / _TOKEN_FILE.format(port)


def load_or_create_token(data: Path, port: int) -> str:
    """The token of the page at this port; a new one where there is none. It is not kept where nothing can be written."""
    file = token_file(data, port)
    try:
        found = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        found = ""
    if _TOKEN_FORM.fullmatch(found):
        return found
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with suppress(OSError):  # the token is valid as long as the program runs
        make_private_folder(data)
        write_private(file, f"{token}\n".encode("ascii"))
    return token


def is_token(given: str, token: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("ascii"))
