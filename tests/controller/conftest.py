"""What the tests of several commands share."""

import shlex
from pathlib import Path

import pytest

from controller.cli import main
from tests.controller.board_pictures import written
from tests.controller.subcommands.called import Printed, Program


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """The name of a file that shows one board."""
    return written(tmp_path / "board.png")


@pytest.fixture
def zarbiter(capsys: pytest.CaptureFixture[str]) -> Program:
    """Calls the program, which must end with `status`, and gives what it printed; a usage error prints no result.

    A text is split into arguments as a shell does it.
    """

    def call(*arguments: object, status: int = 0) -> Printed:
        capsys.readouterr()
        assert main([word for one in arguments for word in shlex.split(str(one))]) == status
        printed = Printed(*capsys.readouterr())
        assert status != 2 or not printed.out
        return printed

    return call
