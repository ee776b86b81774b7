"""The phone's page: a server of its own over https, open from the moment when a source wants a phone's pictures.

It serves nothing but this page and takes nothing but pictures, and listens where the page of the match listens.
"""

import socket
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.access import Access
from controller.web.address import Address, is_loopback, lan_host, names_of_this_machine
from controller.web.bodies import REFUSALS
from controller.web.connections import PageError, open_listening_socket
from controller.web.guard import Guard
from controller.web.phone.certificate import Certificate, make_certificate
from controller.web.phone.handlers import PhoneHandlers, respond_authority
from controller.web.server_thread import ServerThread
from controller.web.static_files import STATIC_ROUTE, page_route
from vision.camera.phone import PhoneInbox
from vision.errors import CaptureError

USUAL_PORT = 8443
_FOLDER = "phone"


class PhoneDoor:
    """Closed until the inbox wants pictures. `data` is the folder of the certificate, `fps` the most pictures a second.

    `on_open` is called with the door when it opens.
    """

    def __init__(self, data: Path, *, port: int = USUAL_PORT, fps: float | None = None) -> None:
        self.inbox = PhoneInbox()
        self.inbox.on_wanted = self.open
        self.on_open: Callable[[PhoneDoor], None] = _do_nothing
        self._port, self._fps, self._data = port, fps, data
        self._host = self._token = ""
        self._lock = Lock()
        self._socket: socket.socket | None = None
        self._server: ServerThread | None = None
        self._is_closed = False

    def attach(self, host: str, token: str) -> Route:
        """The door listens where this page does, and takes its token; returns the route by which the page names the link."""
        self._host, self._token = host, token
        return self._make_handlers().link_route

    @property
    def link(self) -> str:
        """The link for the phone, with the token behind the `#`; "" while the door is closed."""
        listening = self._socket
        if listening is None:
            return ""
        address = Address(self._host, listening.getsockname()[1])
        return f"{address.network_link('https')}#operator={self._token}"

    @property
    def is_reachable(self) -> bool:
        """Whether a phone can reach it: a page of this machine alone cannot be."""
        return bool(self._host) and not is_loopback(self._host)

    def open(self) -> None:
        """Opens the door if it is closed. Raises CaptureError, or CaptureLibraryError without openssl."""
        with self._lock:
            if self._server is not None or self._is_closed or not self._host:
                return
            address = Address(self._host, self._port)
            lan = lan_host() if address.is_any else None
            names = names_of_this_machine(address) | {"127.0.0.1"} | ({lan} if lan else set())
            certificate = make_certificate(self._data / _FOLDER, names)
            try:
                self._start(address, certificate)
            except OSError as error:  # ssl.SSLError is one too
                problem = f"finds no page ({error})"
                raise CaptureError("The phone", problem, "choose another web.phone_port in the settings") from None
        self.on_open(self)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._server is not None:
                self._server.end()
            if self._socket is not None:
                self._socket.close()
            self._server = self._socket = None

    def _make_handlers(self) -> PhoneHandlers:
        return PhoneHandlers(Access(self._token), self.inbox, self, self._fps)

    def _start(self, address: Address, certificate: Certificate) -> None:
        try:
            listening = open_listening_socket(address)
        except PageError:
            listening = open_listening_socket(Address(address.host, 0))
        authority = certificate.authority.read_bytes()

        async def get_authority(_: Request) -> Response:
            return respond_authority(authority)

        routes = [
            page_route("/", "phone.html"),
            STATIC_ROUTE,
            Route("/zarbiter-camera.crt", get_authority, methods=["GET"]),
            self._make_handlers().picture_route,
        ]
        inside = Starlette(routes=routes, exception_handlers=REFUSALS)
        port = listening.getsockname()[1]
        guard = Guard(inside, names_of_this_machine(address), lambda: port, Access(self._token), scheme="https")
        try:
            self._server = ServerThread(guard, listening, "phone page", (certificate.file, certificate.key))
        except OSError:
            listening.close()
            raise
        self._socket = listening


def _do_nothing(_: PhoneDoor) -> None:
    pass
