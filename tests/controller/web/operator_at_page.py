"""An operator at the page of a running program: `play` in this thread, the operator in another."""

import json
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

from controller.cli import main
from controller.web.access import token_file
from tests.controller.table_pictures import calibration_file

WAIT_S = 60


@dataclass(slots=True)
class Operator:
    """Requests of the operator, in a thread of its own, which stops the program at the end."""

    port: int
    data: Path
    problems: list[BaseException] = field(default_factory=list)

    def ask(self, path: str, body: dict[str, object] | None = None) -> tuple[int, dict[str, object]]:
        token = token_file(self.data, self.port).read_text(encoding="ascii").strip()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)) as line:
            line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            return answer.status, json.loads(answer.read())

    def until(self, is_so: Callable[[dict[str, object]], object]) -> dict[str, object]:
        """The first state for which `is_so` holds."""
        end_s = time.monotonic() + WAIT_S
        while time.monotonic() < end_s:
            with suppress(OSError):
                state = self.ask("/api/state")[1]["state"]
                assert isinstance(state, dict)
                if is_so(state):
                    return state
            time.sleep(0.05)
        raise TimeoutError

    def until_stage(self, stage: str) -> dict[str, object]:
        return self.until(lambda state: state["office"]["stage"] == stage)  # type: ignore[index]

    def work(self, visit: Callable[["Operator"], None]) -> None:
        try:
            visit(self)
        except BaseException as problem:  # noqa: BLE001 - raised again in the thread of the test
            self.problems.append(problem)
        finally:
            os.kill(os.getpid(), signal.SIGINT)


def played(visit: Callable[[Operator], None], data: Path, *arguments: str) -> int:
    """The exit status of `play` with an operator at its page."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    operator = Operator(port, data)
    calibration_file(data)
    thread = Thread(target=operator.work, args=(visit,))
    thread.start()
    try:
        status = main(["play", "--data", str(data), "--web", f"127.0.0.1:{port}", "--headless", *arguments])
    finally:
        with suppress(KeyboardInterrupt):
            thread.join(WAIT_S)
    for problem in operator.problems:
        raise problem
    return status
