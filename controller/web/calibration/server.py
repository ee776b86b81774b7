"""The calibration wizard on a page of its own, where no match is played yet. It ends before the match's page begins."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.address import Address, lan_host, names_of_this_machine
from controller.web.calibration.handlers import CalibrationHandlers
from controller.web.calibration.session import CalibrationSession
from controller.web.guard import Guard, guard_app
from controller.web.handlers import respond_static
from controller.web.limits import ORDERS, WRONG_TOKENS, RateLimit
from controller.web.server import PageError, make_server_config, open_listening_socket

_STARTS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 5.0


@dataclass(slots=True)
class CalibrationAccess:
    """Who may come in."""

    token: str
    wrong_tokens: RateLimit = field(default_factory=lambda: RateLimit(WRONG_TOKENS))
    order_rate: RateLimit = field(default_factory=lambda: RateLimit(ORDERS))


class CalibrationServer:
    """In a thread of its own, from when it is made to `close`. PageError when it cannot be served."""

    def __init__(self, address: Address, token: str, session: CalibrationSession) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self._token = token
        app = make_calibration_application(session, CalibrationAccess(token), self.address)
        self._server = uvicorn.Server(make_server_config(app))
        self._is_up = Event()
        self._thread = Thread(target=self._run, name="calibration page", daemon=True)
        self._thread.start()
        if not self._is_up.wait(_STARTS_WITHIN_S):
            self.close()
            raise PageError("the page's server does not start")

    @property
    def link(self) -> str:
        """For the operator; on a network the address that others see."""
        host = (lan_host() or "localhost") if self.address.is_any else None
        return f"{self.address.link(host)}calibrate#operator={self._token}"

    def close(self) -> None:
        """What is being answered gets its answer, and the port is free."""
        self._server.should_exit = True
        self._thread.join(_ENDS_WITHIN_S)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        asyncio.get_running_loop().call_soon(self._is_up.set)
        await self._server.serve(sockets=[self._socket])


def make_calibration_application(session: CalibrationSession, access: CalibrationAccess, address: Address) -> Guard:
    answers = CalibrationHandlers(access, lambda: session, lambda: "")
    routes = [
        Route("/", _respond_page, methods=["GET"]),
        Route("/static/{name:path}", _respond_static_file, methods=["GET"]),
        *answers.routes,
    ]
    return guard_app(Starlette(routes=routes), names_of_this_machine(address), lambda: address.port)


async def _respond_page(request: Request) -> Response:
    return respond_static(request, "calibrate.html")


async def _respond_static_file(request: Request) -> Response:
    return respond_static(request, str(request.path_params["name"]))
