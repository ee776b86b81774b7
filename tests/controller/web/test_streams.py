"""The overlay for streams, and what phones and browsers ask of a page that is kept."""

import json
import struct
from collections.abc import Iterator
from contextlib import closing
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from controller.match.commands import OfferDouble, TakeDouble
from controller.rules import Player
from controller.web.address import LOOPBACK, Address
from controller.web.camera_view import InterpretedFrame
from controller.web.server import PageServer
from controller.web.static_files import static_files
from tests.controller.web.browsing import (
    DESKTOP,
    begun_on,
    browser_of,
    faults,
    find,
    needs_browser,
    texts,
    until,
    visit,
)
from tests.controller.web.shown_match import TOKEN, ShownMatch

pytestmark = pytest.mark.broad

JPEG = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    with browser_of(DESKTOP) as driver:
        yield driver


@pytest.fixture
def server() -> Iterator[PageServer]:
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as server:
        begun_on(server)
        yield server


def box(browser: Chrome) -> dict[str, float]:
    script = "return document.querySelector('#overlay').getBoundingClientRect().toJSON()"
    return dict(browser.execute_script(script))


@needs_browser
@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_overlay_stands_where_its_address_says(browser: Chrome, server: PageServer, language: str) -> None:
    """Left and right are those of the picture in every language."""
    path = f"overlay?layout=score&at=bottom-right&size=25&lang={language}"
    visit(browser, server, is_operator=False, path=path)
    there = box(browser)
    assert there["width"] == pytest.approx(DESKTOP[0] / 4, abs=1)
    assert (there["right"], there["bottom"]) == pytest.approx(DESKTOP, abs=1)
    assert find(browser, ".score").is_displayed()
    assert not find(browser, "#board").is_displayed()
    assert faults(browser) == []


@needs_browser
@pytest.mark.parametrize("path", ["overlay", "overlay?layout=nonsense&at=nowhere&size=lots"])
def test_a_wrong_or_empty_arrangement_is_the_usual_one(browser: Chrome, server: PageServer, path: str) -> None:
    visit(browser, server, is_operator=False, path=path)
    until(browser, lambda: find(browser, "#board").is_displayed())
    assert 0 < box(browser)["width"] <= DESKTOP[0]
    assert find(browser, "#doing").is_displayed()


@needs_browser
def test_flags_the_camera_and_the_last_play_are_shown(browser: Chrome, server: PageServer) -> None:
    """A country without a drawn flag has its letters; the camera's picture stands where the address says."""
    shown = ShownMatch.after_first_turn(white="Leyla")
    server.camera.begin_watching()
    server.camera.put(Mock(spec=InterpretedFrame, to_jpeg=lambda *_: JPEG))
    path = "overlay?layout=lower&camera=top-right&white=ge&black=KZ"
    visit(browser, server, shown, is_operator=False, path=path)
    until(browser, lambda: find(browser, "#camera-picture").is_displayed())
    corner = browser.execute_script("return document.querySelector('#camera-picture').getBoundingClientRect().toJSON()")
    assert (corner["right"], corner["top"]) == pytest.approx((DESKTOP[0], 0), abs=1)
    assert find(browser, "#last").text == "Leyla 3-1: 8/5 6/5. Legal."
    assert texts(browser, ".flag.letters") == ["KZ"]
    assert len(browser.find_elements(By.CSS_SELECTOR, "svg.flag[aria-label=GE] > *")) > 4
    assert faults(browser) == []


@needs_browser
def test_the_cube_stands_beside_its_owner(browser: Chrome, server: PageServer) -> None:
    shown = ShownMatch.after_first_turn()
    shown.match.give(OfferDouble(Player.BLACK))
    shown.match.give(TakeDouble(Player.WHITE))
    shown.publish()
    visit(browser, server, shown, is_operator=False, path="overlay?layout=score")
    until(browser, lambda: texts(browser, ".cube-owned") == ["2"])
    assert faults(browser) == []


@needs_browser
def test_the_page_shows_how_the_overlay_looks(browser: Chrome, server: PageServer) -> None:
    """The address follows the choices, and the frame shows what is there."""
    visit(browser, server)
    find(browser, "#stream summary").click()
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#stream iframe"))
    Select(find(browser, "[name=stream-layout]")).select_by_value("lower")
    Select(find(browser, "[name=stream-camera]")).select_by_value("top-left")
    Select(find(browser, "[name=stream-white]")).select_by_value("TR")
    address = find(browser, "#stream .address a").get_attribute("href") or ""
    assert "/overlay?layout=lower&at=bottom&size=100" in address
    assert "&camera=top-left&white=TR&" in address
    assert TOKEN not in address
    browser.switch_to.frame(find(browser, "#stream iframe"))
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".layout-lower .player .name"))
    browser.switch_to.default_content()
    assert faults(browser) == []


def test_a_phone_can_keep_the_page() -> None:
    """The manifest names pictures of the sizes that it says, all from this machine; browsers find the icon by its usual name."""
    client = ShownMatch.begun().client()
    assert 'rel="manifest" href="/static/zarbiter.webmanifest"' in client.get("/").text
    answer = client.get("/static/zarbiter.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    for icon in json.loads(answer.text)["icons"]:
        found = client.get(icon["src"])
        assert found.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", found.content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    assert client.get("/favicon.ico").content[:4] == bytes((0, 0, 1, 0))
    assert "favicon.ico" in static_files()
