"""The web server in a thread of its own.

Connections are limited in number and have deadlines (`connections.py`): a browser that sleeps, or a program that sends
nothing on purpose, would otherwise keep one of the limited connections and camera slots.
"""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import uvicorn

from controller.web.connections import BACKLOG, PageError, RequestProtocol, SocketProtocol
from controller.web.fault_reports import report_faults_of_the_server

_STARTS_WITHIN_S = 10.0
_ENDS_WITHIN_S = 5.0
_MOST_MESSAGE_BYTES = 1_024  # browsers send nothing over the socket
_MOST_HEAD_BYTES = 16_384


class ServerThread:
    """uvicorn in a thread, on a socket that listens already; over https with the files of a certificate and its key.

    PageError when it does not start in time; OSError for a certificate that cannot be used.
    """

    def __init__(self, app: object, listening: socket.socket, name: str, tls: tuple[Path, Path] | None = None) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        config = _make_config(app, tls)
        config.load()  # here, where an unusable certificate can be reported
        self._server = uvicorn.Server(config)
        self._socket = listening
        self._is_up = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        if not self._is_up.wait(_STARTS_WITHIN_S):
            self.end()
            raise PageError("the page's server does not start")

    def end(self) -> None:
        """Requests that are being answered get their answers; then the thread ends."""
        self._server.should_exit = True
        self._thread.join(_ENDS_WITHIN_S)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.loop.set_exception_handler(report_faults_of_the_server().take_loop_error)
        self.loop.call_soon(self._is_up.set)
        await self._server.serve(sockets=[self._socket])


def _make_config(app: object, tls: tuple[Path, Path] | None) -> uvicorn.Config:
    """Everything that the page does not use is switched off."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=RequestProtocol,
        ws=SocketProtocol,
        loop="asyncio",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        ws_max_size=_MOST_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        backlog=BACKLOG,
        h11_max_incomplete_event_size=_MOST_HEAD_BYTES,
        timeout_keep_alive=10,
        ssl_certfile=None if tls is None else tls[0],
        ssl_keyfile=None if tls is None else tls[1],
        timeout_graceful_shutdown=1,
    )
