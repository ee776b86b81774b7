"""Limits on strangers: a token bucket for each address, and shares of connections and viewers' slots."""

import math
from collections import OrderedDict
from dataclasses import dataclass

MOST_BODY_BYTES = 4_096
MOST_SOCKETS = 128
"""Spectators with a live page. Operators have slots of their own, which no spectator can take."""
MOST_OPERATOR_SOCKETS = 32
MOST_CAMERA_VIEWERS = 8
MOST_CONNECTIONS = 2 * MOST_SOCKETS
"""A knob: a browser keeps one connection for the live page, and opens up to six more while it loads."""
ASKED_WITHIN_S = 10.0
"""A knob: the longest time from the connection, or from the last response, to the last byte of a request.

A phone with a weak signal needs about 2 s."""
SEND_WITHIN_S = 10.0
"""A knob: a browser that takes no data for this long is disconnected. It reconnects by itself and misses no event."""
_MOST_ADDRESSES = 1_000
_LONG_S = 3_600


@dataclass(frozen=True, slots=True)
class Rate:
    """A token bucket: its size, and how fast it fills."""

    burst: float
    per_s: float


REQUESTS = Rate(120, 40)
ORDERS = Rate(12, 4)
WRONG_TOKENS = Rate(10, 0.2)
SOCKET_BYTES = Rate(4_096, 256)
"""What a browser sends over its socket: nothing but an answer of 10 bytes to each ping. Some programs send pings too."""


class RateLimit:
    """A token bucket for each of the last `_MOST_ADDRESSES` addresses. `now_s` is a monotonic clock."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now_s: float, amount: float = 1) -> bool:
        """Takes tokens; whether there were as many."""
        left, then_s = self._left.pop(address, (self._rate.burst, now_s))
        left = min(self._rate.burst, left + (now_s - then_s) * self._rate.per_s)
        is_allowed = left >= amount
        self._left[address] = (left - amount if is_allowed else left, now_s)
        if len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
        return is_allowed

    @property
    def wait_s(self) -> int:
        """The whole seconds after which an empty bucket has a token again."""
        return math.ceil(1 / self._rate.per_s) if self._rate.per_s else _LONG_S


def has_share(own: int, in_use: int, most: int) -> bool:
    """Whether an address that has `own` of `most` places may take one more while `in_use` are taken in all.

    It may have half as many as are free. So one address gets a third, two get a quarter each, and however many hold all
    that they can get, a new address finds a place; only as many addresses as there are places fill them.
    """
    return 2 * own < most - in_use


class ViewerSlots:
    """Slots for concurrent viewers; each address has its share of them (`has_share`)."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._in_use: dict[str, int] = {}

    def is_full(self, address: str) -> bool:
        return not has_share(self._in_use.get(address, 0), sum(self._in_use.values()), self._most)

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
