"""What every request has to get past, and what every answer carries.

Three things keep other pages in the same browser away: the Host header must name this machine (a name that somebody
else's DNS points here is refused), the Origin header, where there is one, must be this page, and nothing that changes
anything is done without the token, which no other page knows.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.address import is_host_allowed
from controller.web.limits import REQUESTS, RateLimit

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def content_policy(host: str) -> str:
    """`host` was checked. The sockets are named because not every browser takes 'self' for them."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob:",
            f"connect-src 'self' ws://{host}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )


@dataclass(frozen=True, slots=True)
class Guard:
    """`names` are those of this machine, `port` that of the page."""

    app: ASGIApp
    names: frozenset[str]
    port: Callable[[], int]
    requests: RateLimit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        problem = self._find_problem(scope, headers, host)
        if problem is None:
            await self.app(scope, receive, _SecureSend(send, host))
        elif scope["type"] == "websocket":
            await _reject_socket(receive, send)
        else:
            status, sentence = problem
            await PlainTextResponse(sentence, status)(scope, receive, _SecureSend(send, ""))

    def _find_problem(self, scope: Scope, headers: Headers, host: str) -> tuple[int, str] | None:
        if not is_host_allowed(host, self.names, self.port()):
            return 421, "This page has another name; use the address that zarbiter prints.\n"
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return 403, "Other pages may not ask here.\n"
        if not self.requests.take(client_of(scope), time.monotonic()):
            return 429, "Too many requests; wait a moment.\n"
        return None


def guard_app(app: ASGIApp, names: frozenset[str], port: Callable[[], int]) -> Guard:
    return Guard(app, names, port, RateLimit(REQUESTS))


def client_of(scope: Scope) -> str:
    """The address that asks."""
    client = scope.get("client")
    return str(client[0]) if client else ""


@dataclass(frozen=True, slots=True)
class _SecureSend:
    """Sends with the headers that every answer has."""

    send: Send
    host: str

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            headers["Content-Security-Policy"] = content_policy(self.host) if self.host else "default-src 'none'"
        await self.send(message)


async def _reject_socket(receive: Receive, send: Send) -> None:
    """A socket that is refused before it opens: the browser is told 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})
