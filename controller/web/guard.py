"""The checks on every request, and the security headers of every response.

Three checks keep out other pages in the same browser. The Host header must name this machine, which refuses a name that
a foreign DNS server points here (DNS rebinding). An Origin header, where present, must be this page. An order needs the
token, which no other page knows (`access.py`). Requests with the token have a rate of their own, so nobody who shares the
operator's address can use it up.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.web.access import Access, client_of, has_token
from controller.web.address import is_host_allowed
from controller.web.limits import REQUESTS, RateLimit

_TOO_MANY = 429
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def content_policy(host: str, path: str = "/") -> str:
    """The Content-Security-Policy for a checked `host`. It names the socket because some browsers exclude it from 'self'.

    Only the overlay may stand in a frame, and only in one of this page, which shows streamers how it will look.
    """
    sources = f"script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' ws://{host}"
    around = "'self'" if path == "/overlay" else "'none'"
    more = "manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
    return f"default-src 'none'; {sources}; {more}; frame-ancestors {around}"


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application around another. `names` are the host names of this machine; `port()` is the port of the page.

    Of the pages of this machine only that over https, the phone's, may open a camera.
    """

    app: ASGIApp
    names: frozenset[str]
    port: Callable[[], int]
    access: Access
    scheme: str = "http"
    requests: RateLimit = field(default_factory=lambda: RateLimit(REQUESTS))
    operators_requests: RateLimit = field(default_factory=lambda: RateLimit(REQUESTS))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        problem = self._find_problem(scope, headers, host)
        if problem is None:
            await self.app(scope, receive, _SecureSend(send, host, scope["path"], has_camera=self.scheme == "https"))
        elif scope["type"] == "websocket":
            await _reject_socket(receive, send)
        else:
            status, sentence = problem
            wait = {"Retry-After": str(self.requests.wait_s)} if status == _TOO_MANY else None
            await PlainTextResponse(sentence, status, wait)(scope, receive, _SecureSend(send, ""))

    def _find_problem(self, scope: Scope, headers: Headers, host: str) -> tuple[int, str] | None:
        if not is_host_allowed(host, self.names, self.port()):
            return 421, "This page has another name; use the address that zarbiter prints.\n"
        origin = headers.get("origin")
        if origin is not None and origin != f"{self.scheme}://{host}":
            return 403, "Other pages may not ask here.\n"
        requests = self.operators_requests if has_token(scope, self.access) else self.requests
        if not requests.take(client_of(scope), time.monotonic()):
            return _TOO_MANY, "Too many requests; wait a moment.\n"
        return None


@dataclass(frozen=True, slots=True)
class _SecureSend:
    """Adds the security headers to a response."""

    send: Send
    host: str
    path: str = "/"
    has_camera: bool = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if self.has_camera:
                headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
            headers["Content-Security-Policy"] = (
                content_policy(self.host, self.path) if self.host else "default-src 'none'"
            )
        await self.send(message)


async def _reject_socket(receive: Receive, send: Send) -> None:
    """Closes a socket before it opens; the browser gets status 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008})
