"""The page of the hall in a real browser, on a phone and on a large screen."""

from collections.abc import Iterator
from contextlib import closing
from time import monotonic

import pytest
from selenium.webdriver import Chrome

from controller.club.hall import Kind
from tests.controller.club.shown_hall import ShownHall, busy_hall
from tests.controller.web.browsing import PHONE, browser_of, devtools, faults, find, needs_browser, texts, until
from tests.controller.web.shown_match import TOKEN

pytestmark = [pytest.mark.broad, needs_browser]

WIDE = (1440, 900)


@pytest.fixture(scope="module", params=[PHONE, pytest.param(WIDE, marks=pytest.mark.slow)], ids=["phone", "wide"])
def browser(request: pytest.FixtureRequest) -> Iterator[Chrome]:
    with browser_of(request.param) as opened:
        yield opened


def visit(browser: Chrome, link: str) -> None:
    browser.get("about:blank")
    devtools(browser, "Storage.clearDataForOrigin", origin=link.partition("/#")[0], storageTypes="all")
    faults(browser)
    browser.get(link)


def test_the_hall_at_a_glance(browser: Chrome) -> None:
    """Tables that need somebody come first; nothing hostile becomes markup; nothing is wider than the screen."""
    with closing(busy_hall().serve()) as server:
        visit(browser, server.link)
        until(browser, lambda: texts(browser, ".table"))
        assert texts(browser, ".table-name")[:5] == ["Table 6", "Table 7", "Table 5", "Table 8", "Table 1"]
        assert texts(browser, ".table:nth-child(3) .need") == ["no camera", "no lights"]
        assert find(browser, "#count").text == "Tables that need somebody: 4"
        until(browser, lambda: browser.find_elements("css selector", ".table img"))
        (picture,) = browser.find_elements("css selector", ".table img")
        until(browser, lambda: picture.get_property("naturalWidth") == 150)
        assert str(picture.get_attribute("src")).startswith("blob:http://127.0.0.1")
        assert "8/5 6/5" in find(browser, ".table:nth-child(5) .ruling").text
        assert texts(browser, ".clock.running")
        assert len(texts(browser, ".doing")) == 11
        assert faults(browser) == []


@pytest.mark.slow
def test_news_are_seen_within_a_second(browser: Chrome) -> None:
    """And the loss of the broker, with the last view kept."""
    hall = busy_hall()
    with closing(hall.serve()) as server:
        visit(browser, server.link)
        until(browser, lambda: texts(browser, ".table"))
        begun_s = monotonic()
        hall.publish("Table-10", Kind.AVAILABLE, "offline")
        until(browser, lambda: "Table 10" in texts(browser, ".table.needs .table-name"))
        assert monotonic() - begun_s < 3  # a bar for a busy machine; 1 s is measured apart
        hall.is_up, hall.since_s = False, monotonic()
        until(browser, lambda: find(browser, "#broker").is_displayed())
        assert find(browser, "#broker").text.startswith("No connection to the broker for 0:0")
        assert len(texts(browser, ".table")) == 12
        hall.is_up = True
        until(browser, lambda: not find(browser, "#broker").is_displayed())


@pytest.mark.slow
def test_without_the_token_nothing_is_shown(browser: Chrome) -> None:
    with closing(ShownHall().serve()) as server:
        visit(browser, server.link.replace(TOKEN, "a-wrong-token-of-16"))
        until(browser, lambda: find(browser, "#no-token").is_displayed())
        visit(browser, server.link)
        until(browser, lambda: find(browser, "#full").text == "No table has reported yet.")
