"""Accessibility of every view, in light and dark colours, checked with axe-core (npm)."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from selenium.webdriver import Chrome

from controller.web.static_files import static_files
from tests.controller.web.browsing import find, in_colours, needs_browser, until
from tests.controller.web.page_views import VIEWS, View, spectator

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ("serious", "critical")
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = """
const [rules, done] = arguments;
axe.run(document, { runOnly: rules, resultTypes: ["violations"] }).then(({ violations }) => done(violations));
"""

pytestmark = [
    pytest.mark.broad,
    needs_browser,
    pytest.mark.skipif(
        not AXE.exists() and "REQUIRE_AXE" not in os.environ,
        reason="needs axe-core (npm ci --prefix tests/controller/web)",
    ),
]


SLOW = pytest.mark.slow


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """The resources of a view."""
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=SLOW)])
@pytest.mark.parametrize(
    "view", [VIEWS[0], *(pytest.param(view, marks=SLOW) for view in VIEWS[1:])], ids=[view.name for view in VIEWS]
)
def test_no_serious_fault(view: View, scheme: str, browser: Chrome, opened: ExitStack, tmp_path: Path) -> None:
    """The rules are those of WCAG 2.2 AA and good practice."""
    in_colours(browser, scheme)
    view.open(browser, opened, tmp_path)
    until(browser, lambda: find(browser, view.wanted).is_displayed())
    assert serious_faults(browser) == []


def test_every_page_has_a_view() -> None:
    """A new page needs a view in `page_views.py`."""
    pages = {name for name in static_files() if name.endswith(".html")}
    assert pages == {
        "index.html",
        "overlay.html",
        "replay.html",
        "office.html",
        "calibrate.html",
        "phone.html",
        "club.html",
        "statistics.html",
    }


def serious_faults(browser: Chrome) -> list[str]:
    """One line for each element with a serious fault."""
    browser.execute_script(AXE.read_text(encoding="utf-8"))
    found = cast("list[dict[str, Any]]", browser.execute_async_script(RUN, RULES))
    return [
        f"{fault['id']} ({fault['impact']}): {node['html'][:160]}: {node['failureSummary']}"
        for fault in found
        if fault["impact"] in LEVELS
        for node in fault["nodes"]
    ]


@SLOW
def test_axe_detects_faults(browser: Chrome, opened: ExitStack, tmp_path: Path) -> None:
    """The page gets a button without a name, and grey letters on grey."""
    in_colours(browser, "light")
    spectator(browser, opened, tmp_path)
    browser.execute_script("document.body.append(document.createElement('button'))")
    browser.execute_script("document.getElementById('doing').setAttribute('id', 'gone')")
    browser.execute_script("document.getElementById('gone').style.setProperty('color', '#ddd')")
    kinds = {line.partition(" ")[0] for line in serious_faults(browser)}
    assert {"button-name", "color-contrast"} <= kinds
