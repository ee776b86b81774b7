"""What several tests of vision are given."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.vision.dice.told_dice import tell_dice


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the search find these spots and the network say what `says` does of each window."""
    return partial(tell_dice, monkeypatch)
