from collections.abc import Callable
from functools import partial

import pytest

from tests.vision.dice.fake_networks import fake_dice


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Proposals at places, and the numbers of the networks for each window."""
    return partial(fake_dice, monkeypatch)
