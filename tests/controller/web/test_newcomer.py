"""A newcomer at the page: every phase of every game, in languages of four scripts and directions. With --slow all of them."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from controller.rules import GAMES
from controller.web.address import LOOPBACK, Address
from controller.web.server import PageServer
from controller.web.set_up.program_control import ProgramStage, StartAgain
from tests.controller.web.browsing import (
    PHONE,
    begun_on,
    browser_of,
    devtools,
    faults,
    find,
    needs_browser,
    until,
    visit,
)
from tests.controller.web.newcomer import (
    ANSWERS_WITHIN_S,
    LANGUAGES,
    MOST_SCREENS,
    dead_buttons,
    moments_of,
    odd_texts,
    screens,
    show,
)
from tests.controller.web.page_views import VIEWS
from tests.controller.web.shown_match import TOKEN

pytestmark = [pytest.mark.broad, needs_browser]

SLOW = pytest.mark.slow
LONG_VIEWS = {"settings", "overlay"}
TOUR = [
    pytest.param(
        game,
        size,
        id=f"{game}-{size[0]}",
        marks=() if (game, size) == ("hypergammon", PHONE) else (SLOW, pytest.mark.timeout(900)),
    )
    for game in GAMES
    for size in (PHONE, (1440, 900))
]


@pytest.fixture
def server() -> Iterator[PageServer]:
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as server:
        begun_on(server)
        yield server


@pytest.mark.parametrize(("game", "size"), TOUR)
def test_every_phase_is_worded_and_short(
    game: str, size: tuple[int, int], server: PageServer, full_counts: bool
) -> None:
    moments = list(moments_of(game))
    odd, number = list[str](), 1
    with browser_of(size) as browser:
        for language in LANGUAGES if full_counts else ("ar",):
            visit(browser, server, path=f"?lang={language}")
            for moment in moments:
                number += 1
                show(browser, server, moment, number)
                odd += [f"{language} {moment.name}: {text}" for text in odd_texts(browser, language)]
                odd += [f"{language} {moment.name}: {fault}" for fault in faults(browser)]
                if size == PHONE and screens(browser) > MOST_SCREENS:
                    odd.append(f"{language} {moment.name}: {screens(browser):.1f} screens")
    assert sorted(set(odd)) == []


@pytest.mark.parametrize("game", [pytest.param(one, marks=(SLOW, pytest.mark.timeout(900))) for one in GAMES])
def test_no_button_is_dead(game: str, server: PageServer) -> None:
    """Each is pressed in each phase; the page changes within two seconds, or says why not."""
    dead, number = list[str](), 1
    with browser_of(PHONE) as browser:
        visit(browser, server)
        for moment in moments_of(game):
            dead += dead_buttons(browser, server, moment, number)
            number += 100
    assert sorted(set(dead)) == []


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=["phone", "desktop"])
def test_every_view_is_worded_and_short(language: str, size: tuple[int, int], tmp_path: Path) -> None:
    odd: list[str] = []
    with browser_of(size) as browser:
        agent = browser.execute_script("return navigator.userAgent")
        devtools(browser, "Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        for number, view in enumerate(VIEWS):
            folder = tmp_path / str(number)
            folder.mkdir()
            with ExitStack() as opened:
                view.open(browser, opened, folder)
                odd += [f"{view.name}: {text}" for text in odd_texts(browser, language)]
                if size == PHONE and view.name not in LONG_VIEWS and screens(browser) > MOST_SCREENS:
                    odd.append(f"{view.name}: {screens(browser):.1f} screens")
    assert sorted(set(odd)) == []


def test_a_demo_that_is_over_says_so_and_starts_again(server: PageServer) -> None:
    """No button of the match is left, and nobody is on turn."""
    with browser_of(PHONE) as browser:
        visit(browser, server)
        server.control.stage = ProgramStage.DEMO_OVER
        server.wake()
        until(browser, lambda: find(browser, "#no-match").text.startswith("The demo is over."))
        assert not browser.find_elements(By.CSS_SELECTOR, "#orders button, .on-turn")
        find(browser, "#demo-again").click()
        pending = server.control.next_job(ANSWERS_WITHIN_S)
        assert pending is not None
        assert pending.job == StartAgain()
        server.control.stage = ProgramStage.PLAYING
        pending.complete()
        server.wake()
        until(browser, lambda: not find(browser, "#no-match").is_displayed())
        assert faults(browser) == []
