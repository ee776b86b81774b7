"""Calls of the program, as people and programs make them."""

from collections.abc import Callable
from typing import NamedTuple


class Printed(NamedTuple):
    """What a call wrote to standard output and to standard error."""

    out: str
    err: str


Program = Callable[..., Printed]
