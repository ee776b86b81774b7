"""Calls of the program that must succeed."""

from collections.abc import Sequence

import pytest

from controller.cli import main


def output(capsys: pytest.CaptureFixture[str], arguments: Sequence[str]) -> str:
    """Standard output of a call that must end with status 0."""
    assert main(arguments) == 0
    return capsys.readouterr().out
