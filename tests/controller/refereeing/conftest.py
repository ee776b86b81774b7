"""What holds at the end of each test of the referee."""

from collections.abc import Iterator

import pytest

from tests.controller.refereeing.refereed_match import RefereedMatch, undeclared


@pytest.fixture(autouse=True)
def _check_logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The log of each match gives its state back, and the referee's table declares each change of phase."""
    made: list[RefereedMatch] = []
    monkeypatch.setattr(RefereedMatch, "made", made)
    yield
    for match in made:
        assert match.is_what_the_log_says()
        assert undeclared(match.events) == set()
