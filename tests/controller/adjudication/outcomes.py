"""Outcomes that a test expects to be of one kind."""

from typing import TypeVar

Kind = TypeVar("Kind")


def require(kind: type[Kind], outcome: object) -> Kind:
    """The outcome, which must be of this kind."""
    assert isinstance(outcome, kind), outcome
    return outcome
