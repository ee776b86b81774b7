"""Faults of the page's server in the terminal: one line each, and only a few.

The terminal belongs to the referee. Whatever a stranger sends, from a malformed request to a connection that is cut off,
is no fault and leaves no line. An error in a handler of ours leaves one that names its place in the code.
"""

import asyncio
import logging
import sys
import time
import traceback
from typing import Any

from controller.web.limits import Rate, RateLimit

FAULTS = Rate(5, 1 / 600)
"""A knob: five lines at once, then one in ten minutes. More would hide what the referee says."""


class FaultReports(logging.Handler):
    """Takes the records of uvicorn's log and the errors of an event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._rate = RateLimit(FAULTS)

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self._report(record.exc_info[1])

    def take_loop_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception handler for an event loop."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self._report(error)

    def _report(self, error: BaseException) -> None:
        if not self._rate.take("", time.monotonic()):
            return
        places = traceback.extract_tb(error.__traceback__)
        place = f" in {places[-1].filename}, line {places[-1].lineno}" if places else ""
        sys.stderr.write(
            f"The page has failed to answer a request ({type(error).__name__}{place}); the match goes on.\n"
        )


def report_faults_of_the_server() -> FaultReports:
    """From now on uvicorn's log goes to the returned reports alone."""
    log = logging.getLogger("uvicorn")
    for handler in log.handlers[:]:
        if isinstance(handler, FaultReports):
            log.removeHandler(handler)
    reports = FaultReports()
    log.addHandler(reports)
    log.propagate = False
    return reports
