"""Tests kill processes that a zygote forks: what they need was imported once, so that a life costs no more than its work."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]


class Zygote:
    """`python -m module`, which forks a child for each line and forwards its output."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    def ask(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())

    def said(self, size: int) -> bytes:
        """Reads this many bytes."""
        assert self._process.stdout is not None
        record = self._process.stdout.read(size)
        assert len(record) == size, "the process that forks them ended by itself"
        return record

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._process.wait(10)


def busy_for(us: int) -> None:
    """A sleep would end on the scheduler's beat."""
    until = time.perf_counter() + us / 1e6
    while time.perf_counter() < until:
        pass
