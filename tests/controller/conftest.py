"""What the tests of `read` and `calibrate` share."""

from pathlib import Path

import pytest

from tests.controller.board_pictures import written


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """The name of a file that shows one board."""
    return written(tmp_path / "board.png")
