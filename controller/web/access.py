"""Who sends a request: the operator, who sends the token, or a spectator.

The token is printed where the match is played and kept in the data folder, so that links survive a restart. A wrong token
is refused and does not make its sender a spectator; each address may try only a few.
"""

import hmac
import os
import re
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.websockets import WebSocket

from controller.web.bodies import WRONG_TOKEN, Record, problem, read_object
from controller.web.guard import client_of
from controller.web.limits import MOST_BODY_BYTES, ORDERS, WRONG_TOKENS, RateLimit
from controller.web.match.visibility import Viewer

TOKEN_FILE = "operator-token"  # noqa: S105 - the name of a file
_TOKEN_BYTES = 12
_TOKEN_FORM = re.compile(r"[A-Za-z0-9_-]{16,64}")
_BEARER, _OPERATOR = "Bearer ", "operator."


@dataclass(slots=True)
class Access:
    """The token that makes its sender the operator, and how often each address may send a wrong token or an order."""

    token: str
    wrong_tokens: RateLimit = field(default_factory=lambda: RateLimit(WRONG_TOKENS))
    order_rate: RateLimit = field(default_factory=lambda: RateLimit(ORDERS))


def identify_request_viewer(request: Request, access: Access) -> Viewer:
    """Raises RequestRefusedError for a wrong token."""
    viewer = _identify_viewer(_token_of(request), client_of(request.scope), access)
    if viewer is None:
        raise problem(401, WRONG_TOKEN)
    return viewer


def require_operator(request: Request, access: Access, sentence: str = WRONG_TOKEN) -> None:
    """Raises RequestRefusedError with this sentence where the operator's token is missing or wrong."""
    if _identify_viewer(_token_of(request), client_of(request.scope), access) is not Viewer.OPERATOR:
        raise problem(401, sentence)


def _token_of(request: Request) -> str | None:
    header = request.headers.get("authorization")
    return None if header is None else header.removeprefix(_BEARER)


def identify_socket_viewer(socket: WebSocket, access: Access) -> Viewer | None:
    """None for a wrong token. A browser cannot send headers with a socket: the token is one of the offered protocols."""
    offered: Sequence[str] = socket.scope["subprotocols"]
    given = next((one.removeprefix(_OPERATOR) for one in offered if one.startswith(_OPERATOR)), None)
    return _identify_viewer(given, client_of(socket.scope), access)


def _identify_viewer(given: str | None, address: str, access: Access) -> Viewer | None:
    if given is None:
        return Viewer.SPECTATOR
    now_s = time.monotonic()
    if not access.wrong_tokens.is_spent(address, now_s) and is_token(given, access.token):
        return Viewer.OPERATOR
    access.wrong_tokens.take(address, now_s)
    return None


async def read_order(request: Request, access: Access, most_bytes: int = MOST_BODY_BYTES) -> Record:
    """The JSON object of an order. Raises RequestRefusedError: too many orders, or no JSON object."""
    if not access.order_rate.take(client_of(request.scope), time.monotonic()):
        raise problem(429, "Too many orders; wait a moment.")
    return await read_object(request, most_bytes)


def load_or_create_token(data: Path) -> str:
    """The token of the data folder; a new one where there is none. It is not kept where the folder cannot be written."""
    file = data / TOKEN_FILE
    try:
        found = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        found = ""
    if _TOKEN_FORM.fullmatch(found):
        return found
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with suppress(OSError):  # the token is valid as long as the program runs
        data.mkdir(parents=True, exist_ok=True)
        _write_private(file, token)
    return token


def _write_private(file: Path, token: str) -> None:
    """Writes a file that only its owner can read."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(f"{token}\n")


def is_token(given: str, token: str) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("ascii"))
