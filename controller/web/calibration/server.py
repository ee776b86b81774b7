"""The calibration wizard on a page of its own, where no match is played yet. It ends before the match's page begins."""

from collections.abc import Sequence
from typing import Self

from starlette.applications import Starlette
from starlette.routing import Route

from controller.web.access import Access, TokenOfPort
from controller.web.address import Address, names_of_this_machine
from controller.web.bodies import REFUSALS
from controller.web.calibration.handlers import CalibrationHandlers
from controller.web.calibration.session import CalibrationSession
from controller.web.connections import PageError, open_listening_socket
from controller.web.guard import Guard
from controller.web.phone.door import PhoneDoor
from controller.web.server_thread import ServerThread
from controller.web.static_files import STATIC_ROUTE, page_route


class CalibrationServer:
    """Serves the wizard from its construction to `close`. PageError where the server cannot start."""

    def __init__(
        self, address: Address, token: str | TokenOfPort, session: CalibrationSession, door: PhoneDoor | None = None
    ) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self._token = token if isinstance(token, str) else token(self.address.port)
        self._door = door
        more = () if door is None else (door.attach(address.host, self._token),)
        app = make_calibration_application(session, Access(self._token), self.address, more)
        try:
            self._server = ServerThread(app, self._socket, "calibration page")
        except PageError:
            self._socket.close()
            raise

    @property
    def link(self) -> str:
        """The link for the operator; on a network with the address that other machines see."""
        return f"{self.address.network_link()}calibrate#operator={self._token}"

    def close(self) -> None:
        """Requests that are being answered get their answers; then the port is free."""
        if self._door is not None:
            self._door.close()
        self._server.end()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def make_calibration_application(
    session: CalibrationSession, access: Access, address: Address, more: Sequence[Route] = ()
) -> Guard:
    handlers = CalibrationHandlers(access, lambda: session, lambda: "")
    routes = [page_route("/", "calibrate.html"), STATIC_ROUTE, *handlers.routes, *more]
    inside = Starlette(routes=routes, exception_handlers=REFUSALS)
    return Guard(inside, names_of_this_machine(address), lambda: address.port, access)
