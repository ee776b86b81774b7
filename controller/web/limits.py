"""Limits on requests: a token bucket for each address, and slots for concurrent viewers."""

from collections import OrderedDict
from dataclasses import dataclass

MOST_BODY_BYTES = 4_096
MOST_SOCKETS = 128
MOST_SOCKETS_OF_ONE = 64
MOST_CAMERA_VIEWERS = 8
ASKED_WITHIN_S = 10.0
"""A knob: the longest time from the connection, or from the last response, to the last byte of a request.

A phone with a weak signal needs about 2 s."""
SEND_WITHIN_S = 10.0
"""A knob: a browser that takes no data for this long is disconnected. It reconnects by itself and misses no event."""
_MOST_ADDRESSES = 1_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: its size, and how fast it fills."""

    burst: float
    per_s: float


REQUESTS = Rate(120, 40)
ORDERS = Rate(12, 4)
WRONG_TOKENS = Rate(10, 0.2)


class RateLimit:
    """A token bucket for each of the last `_MOST_ADDRESSES` addresses. `now_s` is a monotonic clock."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now_s: float) -> bool:
        """Takes one token; whether there was one."""
        left, then_s = self._left.pop(address, (self._rate.burst, now_s))
        left = min(self._rate.burst, left + (now_s - then_s) * self._rate.per_s)
        is_allowed = left >= 1
        self._left[address] = (left - 1 if is_allowed else left, now_s)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return is_allowed

    def is_spent(self, address: str, now_s: float) -> bool:
        """Whether the bucket is empty."""
        left, then_s = self._left.get(address, (self._rate.burst, now_s))
        return left + (now_s - then_s) * self._rate.per_s < 1


class ViewerSlots:
    """Slots for concurrent viewers, limited in total and for each address."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._in_use: dict[str, int] = {}

    def is_full(self, address: str) -> bool:
        return self._in_use.get(address, 0) >= self._most_of_one or sum(self._in_use.values()) >= self._most

    def acquire(self, address: str) -> bool:
        """Takes a slot; whether one was free."""
        if self.is_full(address):
            return False
        self._in_use[address] = self._in_use.get(address, 0) + 1
        return True

    def release(self, address: str) -> None:
        self._in_use[address] -= 1
        if not self._in_use[address]:
            del self._in_use[address]
