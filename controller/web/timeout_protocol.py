"""A connection as uvicorn has it, but not for ever: who does not end his request, or takes no answer, is cut off.

There are only so many connections, and few seats before the camera; a browser that sleeps or a program that is silent on
purpose would keep them from everybody else. Sockets have their own deadlines (`socket_feed.py`).
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from controller.web.limits import ASKED_WITHIN_S, SEND_WITHIN_S


class TimeoutProtocol(H11Protocol):
    """A request is there as a whole within `ASKED_WITHIN_S`, and what waits to be sent moves within `SEND_WITHIN_S`."""

    _request_timer: asyncio.TimerHandle | None = None
    _send_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait_for_request()

    def on_response_complete(self) -> None:
        self._wait_for_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_timer = self.loop.call_later(SEND_WITHIN_S, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._send_timer)

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timer)
        _cancel(self._send_timer)
        super().connection_lost(exc)

    def _wait_for_request(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(ASKED_WITHIN_S, self._cut_off)

    def _cut_off(self) -> None:
        """Not who waits for his answer, nor a connection that has become a socket and has another protocol."""
        asked: RequestResponseCycle | None = self.cycle  # None before the first request
        is_answered_now = asked is not None and not asked.more_body and not asked.response_complete
        if self.transport.get_protocol() is self and not is_answered_now:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
