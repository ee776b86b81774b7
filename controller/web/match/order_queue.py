"""Orders on their way from the page to the loop."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TypeVar

from controller.match.commands import Command

MOST_WAITING = 16
"""The loop takes all of them with every frame, so more than a few mean that it stands still."""

Given = TypeVar("Given")


class OrderQueue:
    """Bounded; written by the server's thread, emptied by the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Command] = deque()

    def put(self, command: Command) -> bool:
        """Whether there was room."""
        if len(self._waiting) >= MOST_WAITING:
            return False
        self._waiting.append(command)
        return True

    def __call__(self) -> Iterator[Command]:
        """What was asked for since the last call."""
        while self._waiting:
            yield self._waiting.popleft()

    def merge_with(self, inputs: Iterable[Given]) -> Iterator[Given | Command]:
        """The inputs, and the orders as they come."""
        for given in inputs:
            yield from chain(self(), (given,))
