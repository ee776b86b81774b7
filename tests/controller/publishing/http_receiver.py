"""A real HTTP server that keeps what is posted to it and fails as it is told."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass(slots=True)
class Receiver:
    """`answers`: the status of the next requests, in order, then 204; None: it does not answer before `is_closing`."""

    port: int = 0
    answers: list[int | None] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    confirmed: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    is_closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/events?key=from-the-address"


class _QuietServer(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no error of a test."""


@contextmanager
def receiver(certificate: tuple[Path, Path] | None = None, port: int = 0) -> Iterator[Receiver]:
    """Runs until the block ends."""
    found = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.bodies.append(body)
            found.headers.append(dict(self.headers))
            found.paths.append(self.path)
            status = found.answers.pop(0) if found.answers else 204
            if status is None:
                found.is_closing.wait()
                return
            if 200 <= status < 300:
                found.confirmed.append(body)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    server = _QuietServer(("127.0.0.1", port), Handler)
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    found.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.is_closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
