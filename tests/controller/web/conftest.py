"""Fixtures of the tests of the page."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from selenium.webdriver import Chrome

from controller.web.address import LOOPBACK, Address
from controller.web.server import PageServer
from tests.controller.web.browsing import DESKTOP, PHONE, browser_of
from tests.controller.web.shown_match import TOKEN, close_logs


@pytest.fixture(scope="module", params=[PHONE, pytest.param(DESKTOP, marks=pytest.mark.slow)], ids=["phone", "desktop"])
def browser(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    """The small screen in every run, the large one with the slow tests."""
    with browser_of(request.param) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _logs_closed() -> Iterator[None]:
    """Python 3.13 warns about a database that stays open."""
    yield
    close_logs()


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switches off all rate limits."""
    monkeypatch.setattr("controller.web.limits.RateLimit.take", lambda *_: True)


@pytest.fixture
def server() -> Iterator[PageServer]:
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as opened:
        yield opened
