"""The calibration wizard in a real browser, by mouse, finger and keyboard."""

import json
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

import controller.pictures.calibrate
from controller.pictures.reading_report import ReadingReport
from controller.web.address import LOOPBACK, Address
from controller.web.calibration.server import CalibrationServer
from controller.web.calibration.session import Purpose
from controller.web.server import PageServer
from tests.controller.pictures.test_reading_report import FACES, GLARE
from tests.controller.web.browsing import (
    devtools,
    faults,
    find,
    in_colours,
    log_of,
    needs_browser,
    until,
    visit,
)
from tests.controller.web.calibrating import (
    PICTURES,
    START,
    Calibrating,
    StillCamera,
    WavingCamera,
    corner_error,
    labelled_corners,
)
from tests.controller.web.shown_match import TOKEN, ShownMatch
from tests.controller.web.test_accessibility import AXE, serious_faults
from vision.board.weak_places import BoardAppraisal
from vision.field.calibration_file import load_calibration
from vision.geometry.calibration import CalibrationMethod
from vision.pixels.picture_file import load_picture
from vision.places import Place

BOARDS = Path(__file__).parents[4] / "shared" / "boards"
TAGS = str(PICTURES / "tags.jpg")

pytestmark = [pytest.mark.slow, needs_browser]


@contextmanager
def served(wizard: Calibrating) -> Iterator[CalibrationServer]:
    with closing(wizard.provider), CalibrationServer(Address(LOOPBACK, 0), TOKEN, wizard.session) as server:
        yield server


@pytest.fixture
def wizard(tmp_path: Path) -> Calibrating:
    return Calibrating(tmp_path / "calibration.json", (START, TAGS))


def open_wizard(browser: Chrome, server: CalibrationServer) -> None:
    browser.get("about:blank")
    log_of(browser)  # of a page whose server has ended
    browser.get(server.link)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#sources input"))


def choose(browser: Chrome, source: int) -> None:
    browser.find_elements(By.CSS_SELECTOR, "#sources input")[source].click()
    until(browser, lambda: words(browser, "#figures dd"))
    until(browser, lambda: find(browser, "#step-board").get_attribute("aria-busy") == "false")


@pytest.fixture
def found(browser: Chrome, wizard: Calibrating) -> Iterator[Calibrating]:
    """A wizard that has found the board of the first source; nothing on its page may be faulty."""
    with served(wizard) as server:
        open_wizard(browser, server)
        choose(browser, 0)
        yield wizard
        assert faults(browser) == []


def choose_no_game(browser: Chrome) -> None:
    """The checkers stand in any position, so that corners alone decide."""
    Select(find(browser, "#game")).select_by_value("")
    until(browser, lambda: words(browser, "#figures dd")[:1] == ["by itself"])
    until(browser, lambda: find(browser, "#step-board").get_attribute("aria-busy") == "false")


def words(browser: Chrome, selector: str) -> list[str]:
    """The texts of all elements, read in one step because the page may replace them."""
    script = "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)"
    return list(browser.execute_script(script, selector))


def corner(browser: Chrome, index: int) -> WebElement:
    return find(browser, f"[data-corner='{index}']")


def corners_shown(browser: Chrome) -> NDArray[np.float64]:
    """(4, 2) px of the picture, from the handles on the screen."""
    script = """const shown = document.getElementById("live").getBoundingClientRect();
        const scale = document.getElementById("live").naturalWidth / shown.width;
        return [...document.querySelectorAll(".corner")].map((one) => one.getBoundingClientRect())
          .map((box) => [(box.left + box.width / 2 - shown.left) * scale - 0.5, (box.top + box.height / 2 - shown.top) * scale - 0.5])"""
    return np.array(browser.execute_script(script))


def drag(browser: Chrome, index: int, by: tuple[int, int]) -> None:
    """Drags a corner with the mouse, in px of the screen."""
    ActionChains(browser, 0).click_and_hold(corner(browser, index)).move_by_offset(*by).release().perform()


def measured(browser: Chrome) -> None:
    """Waits for the result of the present corners."""
    until(browser, lambda: words(browser, "#figures dd")[:1] == ["from the corners set by hand"])
    until(browser, lambda: find(browser, "#step-board").get_attribute("aria-busy") == "false")
    until(browser, lambda: find(browser, "#saving").is_displayed())


def save(browser: Chrome) -> None:
    browser.execute_script("document.getElementById('checked').textContent = ''")  # of an earlier save
    find(browser, "#save").click()
    until(browser, lambda: find(browser, "#checked").text.startswith("Checked"))


def test_from_the_source_to_the_file(browser: Chrome, found: Calibrating) -> None:
    """The saved corners match the label within 1 % of the width."""
    assert find(browser, "#verdict").text == "The board was found and learned."
    assert words(browser, "#figures dd")[0] == "by the start position"
    assert len(browser.find_elements(By.CSS_SELECTOR, "#grid polyline")) == 2 * (1 + 2 + 24)
    width_px = np.linalg.norm(np.subtract(*labelled_corners()[:2]))
    turned = [np.roll(corners_shown(browser), turn, 0) - labelled_corners() for turn in (0, 2)]
    assert min(np.linalg.norm(one, axis=1).max() for one in turned) < 0.015 * width_px
    assert not found.file.exists()
    save(browser)
    assert corner_error(load_calibration(found.file), labelled_corners()) < 0.01
    assert faults(browser) == []
    find(browser, "#finish").click()
    assert found.session.is_done.wait(10)
    until(browser, lambda: find(browser, "#checked").text.startswith("Done"))


def test_a_live_camera_is_guided(browser: Chrome, tmp_path: Path) -> None:
    """While something moves it waits and says so; then the board is found and learned without a press of a button."""
    camera = WavingCamera(load_picture(Path(START)))
    wizard = Calibrating(tmp_path / "c.json", camera=camera)
    with served(wizard) as server:
        open_wizard(browser, server)
        browser.find_elements(By.CSS_SELECTOR, "#sources input")[0].click()
        until(browser, lambda: find(browser, "#waiting").text.startswith("Waiting until nothing moves"))
        assert words(browser, "#figures dd") == []
        camera.is_waving = False
        until(browser, lambda: find(browser, "#verdict").text == "The board was found and learned.")
        assert "24 of 24 points are read as they stand" in " ".join(words(browser, "#figures dd"))
        until(browser, lambda: not find(browser, "#waiting").is_displayed())
        assert faults(browser) == []


def test_weak_places_are_shown_with_their_reasons(
    browser: Chrome, wizard: Calibrating, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words and over their points; with a covered board it waits for a change."""
    report = ReadingReport(13.2, (Place.T1, Place.T2), BoardAppraisal((GLARE,), (FACES,), 23, 22))
    monkeypatch.setattr(controller.pictures.calibrate, "report_reading", lambda *_: report)
    wizard.camera = StillCamera(load_picture(Path(START)))
    with served(wizard) as server:
        open_wizard(browser, server)
        choose(browser, 0)
        assert words(browser, "#report li") == [
            "T8 (empty) is read as: 1 light, 50 % \u2013 glare on 6 % of it",
            "B3 (2 dark) resembles: 1 dark, 20 % \u2013 upper faces that stand out: 1",
        ]
        assert "T1, T2" in find(browser, "#report .refusal").text
        assert words(browser, "#grid .mark text") == ["T8!", "B3+"]
        assert words(browser, "#figures dd")[-1].startswith("13 px wide, too little; move the camera nearer")
        until(browser, lambda: find(browser, "#waiting").text.startswith("Waiting until something changes"))
        find(browser, "#half-turn").click()
        until(browser, lambda: words(browser, "#grid .mark text") == ["B5!", "T10+"])
        assert serious_faults(browser) == [] if AXE.exists() else True
        assert faults(browser) == []


def test_another_source_is_found_by_its_tags(browser: Chrome, found: Calibrating) -> None:
    """The result for the first source is discarded."""
    choose(browser, 1)
    until(browser, lambda: words(browser, "#figures dd")[:1] == ["by the tags on its rim"])
    save(browser)
    assert corner_error(load_calibration(found.file), labelled_corners("tags.jpg")) < 0.01


def test_a_corner_is_dragged_with_the_mouse(browser: Chrome, found: Calibrating) -> None:
    """Near the edges it is refined; far from them it stays, and needs a confirmation."""
    choose_no_game(browser)
    drag(browser, 0, (5, 4))
    measured(browser)
    assert find(browser, "#verdict").text == "The board was found."
    save(browser)
    known = load_calibration(found.file)
    assert known.way is CalibrationMethod.CORNERS
    assert corner_error(known, labelled_corners()) < 0.01
    drag(browser, 0, (90, 60))
    until(browser, lambda: "nothing in the picture confirms them" in find(browser, "#verdict").text)
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#meant"))
    assert not find(browser, "#save").is_enabled()
    find(browser, "#meant").click()
    assert find(browser, "#save").is_enabled()


def test_a_corner_is_dragged_with_a_finger(browser: Chrome, found: Calibrating) -> None:
    """The magnifier shows the corner; the page does not scroll."""
    choose_no_game(browser)
    script = "arguments[0].scrollIntoView({block: 'center'}); const box = arguments[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]"
    x, y = browser.execute_script(script, corner(browser, 2))
    before = browser.execute_script("return scrollY")
    devtools(browser, "Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    devtools(browser, "Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x - 3, "y": y - 30}])
    until(browser, lambda: find(browser, "#loupe").is_displayed())
    devtools(browser, "Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x - 3, "y": y - 3}])
    devtools(browser, "Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    measured(browser)
    assert browser.execute_script("return scrollY") == before
    assert not find(browser, "#loupe").is_displayed()
    save(browser)
    assert corner_error(load_calibration(found.file), labelled_corners()) < 0.01


def test_corners_are_set_by_keyboard_alone(browser: Chrome, found: Calibrating) -> None:
    """Arrow keys move a corner by 1 px, with Shift by 10 px; its accessible name has its position."""
    choose_no_game(browser)
    find(browser, "#by-hand").send_keys(Keys.ENTER)
    active = browser.switch_to.active_element
    assert active.get_attribute("data-corner") == "0"
    x, y = map(int, re.findall(r"(\d+) across, (\d+) down", active.accessible_name)[0])
    assert (x, y) == pytest.approx(labelled_corners()[0], abs=3)
    active.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP)
    active.send_keys(Keys.SHIFT, Keys.ARROW_LEFT)
    spoken = str(find(browser, "#moved").get_attribute("textContent"))
    assert spoken == f"Corner 1, upper left: {x + 2 - 10} across, {y - 1} down"
    active.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    measured(browser)
    find(browser, "#save").send_keys(Keys.ENTER)
    until(browser, lambda: find(browser, "#checked").text.startswith("Checked"))
    assert corner_error(load_calibration(found.file), labelled_corners()) < 0.01


@pytest.mark.skipif(not BOARDS.is_dir(), reason="the shared boards are not there")
def test_a_shared_board(browser: Chrome, tmp_path: Path) -> None:
    """A tilted view without tags: found, rotated by half a turn, dragged, saved."""
    truth = np.array(json.loads((BOARDS / "0001.json").read_text(encoding="utf-8"))["field_corners_px"])
    wizard = Calibrating(tmp_path / "c.json", (str(BOARDS / "0001.jpg"),))
    with served(wizard) as server:
        open_wizard(browser, server)
        choose(browser, 0)
        choose_no_game(browser)
        before = corners_shown(browser)
        find(browser, "#half-turn").click()
        until(browser, lambda: np.allclose(np.roll(before, 2, axis=0), corners_shown(browser), atol=2))
        save(browser)
        assert corner_error(load_calibration(wizard.file), truth) < 0.01
        drag(browser, 1, (4, 3))
        measured(browser)
        save(browser)
        assert load_calibration(wizard.file).way is CalibrationMethod.CORNERS
        assert corner_error(load_calibration(wizard.file), truth) < 0.01
        assert faults(browser) == []


def test_the_way_there_from_a_match(browser: Chrome, server: PageServer, wizard: Calibrating) -> None:
    """Only the operator gets the link, with what is wrong with the calibration; during a game the wizard is blocked."""
    wizard.session.purpose, wizard.session.warning = Purpose.MATCH, "What it learned is not used; calibrate anew."
    server.set_calibration_session(wizard.session)
    shown = ShownMatch.after_first_turn()
    visit(browser, server, shown, is_operator=False)
    log_of(browser)  # of a page whose server has ended
    assert not browser.find_elements(By.CSS_SELECTOR, "#calibrate")
    with closing(wizard.provider):
        visit(browser, server)
        until(browser, lambda: find(browser, "#calibrate").is_displayed())
        assert find(browser, "#calibration-warning").text == wizard.session.warning
        find(browser, "#calibrate").click()
        until(browser, lambda: find(browser, "#closed").text.startswith("A game is being played"))
        assert not find(browser, "#step-source").is_displayed()
        browser.execute_async_script(
            """const done = arguments[0];
            fetch("/api/commands", {method: "POST", body: '{"command": "Pause"}', headers: {
              Authorization: "Bearer " + localStorage.getItem("zarbiter-operator"), "Content-Type": "application/json"}}).then(done)"""
        )
        shown.obey()
        until(browser, lambda: find(browser, "#step-source").is_displayed())
        choose(browser, 0)
        save(browser)
        assert faults(browser) == []
        find(browser, "#finish").click()
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#board"))


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core (npm ci --prefix tests/controller/web)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_fault(browser: Chrome, wizard: Calibrating, scheme: str) -> None:
    """This holds for a found board, for unconfirmed corners, and after saving."""
    with served(wizard) as server:
        in_colours(browser, scheme)
        open_wizard(browser, server)
        choose(browser, 0)
        choose_no_game(browser)
        find(browser, "#known summary").click()
        assert serious_faults(browser) == []
        drag(browser, 0, (60, 40))
        until(browser, lambda: find(browser, "#saving").is_displayed() and words(browser, "#saving label"))
        assert serious_faults(browser) == []
        find(browser, "#meant").click()
        save(browser)
        assert serious_faults(browser) == []
        assert faults(browser) == []


def test_a_spectator_is_refused(browser: Chrome, wizard: Calibrating) -> None:
    with served(wizard) as server:
        browser.get(f"{server.address.link()}calibrate")
        until(browser, lambda: find(browser, "#closed").text.startswith("Only the operator can do this"))
        assert not find(browser, "#step-board").is_displayed()
        log_of(browser)  # of what was refused


def test_a_missing_camera_is_tried_again(browser: Chrome, tmp_path: Path) -> None:
    """The page says what is missing, and asks for the source again when somebody has plugged it in."""
    picture = tmp_path / "camera.png"
    wizard = Calibrating(tmp_path / "calibration.json", (str(picture),))
    with closing(wizard.provider), CalibrationServer(Address(LOOPBACK, 0), TOKEN, wizard.session) as server:
        browser.get("about:blank")
        browser.get(server.link)
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#sources input"))
        find(browser, "#sources input").click()
        until(browser, lambda: find(browser, "#source-again").is_displayed())
        assert "is not there" in find(browser, "#source-trouble").text
        picture.write_bytes(Path(START).read_bytes())
        find(browser, "#source-again").click()
        until(browser, lambda: find(browser, "#step-board").is_displayed())
        assert not find(browser, "#source-again").is_displayed()
