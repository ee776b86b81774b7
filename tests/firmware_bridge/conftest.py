"""The real firmware in a simulated chip, for every test that asks for it."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.simulated_chip import SimulatedChip


@pytest.fixture
def chip() -> Iterator[SimulatedChip]:
    """Just switched on."""
    with SimulatedChip() as chip:
        yield chip
