"""The API of the calibration wizard, with a picture whose corners are known."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from controller.refereeing.state import Phase
from controller.web.access import Access
from controller.web.bodies import REFUSALS
from controller.web.calibration.handlers import CalibrationHandlers
from controller.web.calibration.session import Purpose
from controller.web.limits import MOST_BODY_BYTES
from tests.controller.web.calibrating import (
    API,
    START,
    Calibrating,
    StillCamera,
    WavingCamera,
    corner_error,
    labelled_corners,
)
from tests.controller.web.shown_match import OPERATOR, TOKEN, ShownMatch
from vision.field.calibration_file import load_calibration
from vision.geometry.calibration import CalibrationMethod
from vision.pixels.picture_file import load_picture

pytestmark = pytest.mark.broad

JPEG = b"\xff\xd8"
ORDERS = ("source", "find", "turn", "save", "check", "finish")


@pytest.fixture
def wizard(tmp_path: Path) -> Iterator[Calibrating]:
    calibrating = Calibrating(tmp_path / "kept" / "calibration.json")
    yield calibrating
    calibrating.provider.close()


@pytest.fixture
def filmed(wizard: Calibrating) -> Calibrating:
    """A wizard whose first picture has come."""
    wizard.select_source()
    return wizard


class TestWizard:
    def test_from_a_source_to_the_file(self, wizard: Calibrating) -> None:
        """The board is found automatically, saved and checked; its corners match the label."""
        assert wizard.order("find")["refused"].startswith("No picture has come yet")
        wizard.select_source()
        found = wizard.order("find")
        assert (found["way"], found["quality"], found["size_px"]) == ("itself", "good", [640, 480])
        assert found["error_percent"] < 0.2
        assert wizard.order("save", number=found["number"]) == {"file": str(wizard.file)}
        known = load_calibration(wizard.file)
        assert corner_error(known, labelled_corners()) < 0.01
        assert wizard.order("check")["verdict"] == "same"
        assert not wizard.session.is_done.is_set()
        wizard.order("finish")
        assert wizard.session.is_done.is_set()
        assert wizard.session.saved is not None
        assert (wizard.session.saved.source, wizard.session.saved.calibration) == (START, known)

    def test_a_warning_lasts_until_the_board_is_calibrated_anew(self, filmed: Calibrating) -> None:
        filmed.session.warning = "What it learned is not used; calibrate anew."
        assert filmed.session.make_state_record("")["warning"] == filmed.session.warning
        filmed.order("save", number=filmed.order("find")["number"])
        assert filmed.session.make_state_record("")["warning"] == ""

    def test_dragged_corners_are_refined_to_the_edges(self, filmed: Calibrating) -> None:
        """Each is 5 px beside its true place; the given size is used."""
        corners = labelled_corners() + np.array([(4, -3), (-3, 4), (3, 4), (-4, -3)])
        found = filmed.order("find", corners=corners.tolist(), field_mm=[500, 375])
        assert (found["way"], found["field_mm"], found["scale_is_assumed"]) == ("corners", [500, 375], False)
        filmed.order("save", number=found["number"])
        assert corner_error(load_calibration(filmed.file), labelled_corners()) < 0.01

    def test_the_start_position_of_a_game_is_used(self, filmed: Calibrating) -> None:
        found = filmed.order("find", game="backgammon")
        assert found["way"] == "position"

    def test_half_a_turn_is_kept_too(self, filmed: Calibrating) -> None:
        """The upper left corner becomes the lower right one, with the same error."""
        found = filmed.order("find")
        turned = filmed.order("turn", number=found["number"])
        assert turned["corners"] == [*found["corners"][2:], *found["corners"][:2]]
        assert (turned["error_mm"], turned["way"]) == (found["error_mm"], found["way"])
        filmed.order("save", number=turned["number"])
        known = load_calibration(filmed.file)
        corners = known.projection.to_picture(known.field.corners_mm)
        assert corners == pytest.approx(np.array(turned["corners"]), abs=0.1)
        assert filmed.order("check")["verdict"] == "same"

    def test_unconfirmed_corners_are_saved_only_after_a_confirmation(self, filmed: Calibrating) -> None:
        """Here they lie beside the board; the refusal says what to do."""
        found = filmed.order("find", corners=[[5, 440], [90, 440], [90, 475], [5, 475]])
        assert (found["quality"], found["error_mm"]) == ("unmeasured", None)
        refused = filmed.order("save", number=found["number"])["refused"]
        assert refused.startswith("Nothing in the picture confirms these corners; move them onto")
        assert not filmed.file.exists()
        assert "file" in filmed.order("save", number=found["number"], is_unsure_meant=True)
        assert load_calibration(filmed.file).way is CalibrationMethod.CORNERS

    @pytest.mark.parametrize("corners", [[[9, 9], [9, 90], [90, 90], [90, 9]], [[5, 5]] * 4])
    def test_corners_that_are_no_board_are_refused(self, filmed: Calibrating, corners: list[list[int]]) -> None:
        number = filmed.order("find")["number"]
        assert "do not go clockwise" in filmed.order("find", corners=corners)["refused"]
        assert "This result is outdated" in filmed.order("save", number=number)["refused"]

    def test_an_outdated_result_is_not_saved(self, filmed: Calibrating) -> None:
        """Another page may have made a newer result."""
        old = filmed.order("find")["number"]
        filmed.order("turn", number=old)
        assert "This result is outdated" in filmed.order("save", number=old)["refused"]
        assert "This result is outdated" in filmed.order("turn", number=old)["refused"]

    def test_a_file_that_cannot_be_written(self, wizard: Calibrating) -> None:
        """The order is refused, and nothing counts as saved."""
        wizard.file.parent.write_text("a file where the folder would be")
        wizard.select_source()
        answer = wizard.order("save", number=wizard.order("find")["number"])
        assert "cannot be made" in answer["refused"]
        assert wizard.order("finish")["refused"] == wizard.order("check")["refused"] == "Nothing is saved yet."

    def test_a_file_that_is_no_calibration_is_not_overwritten(self, wizard: Calibrating) -> None:
        """The settings may name a wrong file."""
        wizard.session.file = wizard.file.with_name("profile")
        wizard.session.file.parent.mkdir()
        wizard.session.file.write_text("export PATH=/bin")
        wizard.select_source()
        answer = wizard.order("save", number=wizard.order("find")["number"])
        assert "is there and is no calibration" in answer["refused"]
        assert wizard.session.file.read_text() == "export PATH=/bin"

    def test_a_picture_without_a_board(self, wizard: Calibrating, tmp_path: Path) -> None:
        empty = Calibrating(tmp_path / "c.json", camera=StillCamera(np.full((480, 640, 3), 90, np.uint8)))
        empty.select_source()
        assert empty.order("find")["refused"]
        empty.provider.close()


class TestGuide:
    def test_a_recording_is_searched_at_once(self, wizard: Calibrating) -> None:
        """No other picture follows, so one search is the last."""
        assert watched(wizard)["waits_for"] == "picture"
        wizard.select_source()
        assert watched(wizard) == {"waits_for": "nothing", "is_last": True, "fault": None}

    def test_the_start_position_is_learned(self, filmed: Calibrating) -> None:
        """The result says so, and how large a die is; the game is proposed where no settings name one."""
        state = filmed.client.get(API, headers=OPERATOR).json()
        assert state["game"] == "backgammon"
        report = filmed.order("find", game=state["game"])["report"]
        assert (report["learned"]["right"], report["covered"], report["die"]) == (24, [], "small")
        assert filmed.order("find")["report"]["learned"] is None

    def test_a_camera_waits_for_a_still_picture_and_then_for_a_change(self, tmp_path: Path) -> None:
        """After a search that found nothing, the picture has to change before the next one."""
        camera = WavingCamera(np.full((480, 640, 3), 90, np.uint8))
        table = Calibrating(tmp_path / "c.json", camera=camera)
        table.select_source()
        waited_for(table, "stillness")
        camera.is_waving = False
        waited_for(table, "nothing")
        assert table.order("find")["refused"]
        waited_for(table, "change")
        camera.pixels = load_picture(Path(START))
        waited_for(table, "nothing")
        table.provider.close()

    @pytest.mark.parametrize(("sigma_px", "gain", "fault"), [(6.0, 1.0, "blurred"), (0.5, 0.01, "too_dark")])
    def test_focus_and_light_are_hinted_before_and_after_the_search(
        self, tmp_path: Path, sigma_px: float, gain: float, fault: str
    ) -> None:
        """While somebody turns the lens, and beside the result or in place of it."""
        sharp = load_picture(Path(START))
        camera = StillCamera(cv2.GaussianBlur(sharp, (0, 0), sigma_px).astype(np.uint8))
        camera.pixels = np.asarray(camera.pixels * gain, np.uint8)
        table = Calibrating(tmp_path / "c.json", camera=camera)
        table.select_source()
        waited_for(table, "nothing")
        assert watched(table)["fault"] == fault
        found = table.order("find")
        assert fault.removeprefix("too_") in found.get("refused", "") or found["report"]["fault"] == fault
        camera.pixels = sharp
        waited_for(table, "nothing")
        assert watched(table)["fault"] is None
        assert table.order("find")["report"]["fault"] is None
        table.provider.close()


def watched(table: Calibrating) -> dict[str, Any]:
    return dict(table.client.get(f"{API}/watch", headers=OPERATOR).json())


def waited_for(table: Calibrating, what: str) -> None:
    """Asks until the wizard waits for this."""
    for _ in range(200):
        if watched(table)["waits_for"] == what:
            return
        table.provider.buffer.wait_for_frames(1, 0.1)
    raise AssertionError(what)


class TestPicture:
    def test_the_newest_and_its_number(self, filmed: Calibrating) -> None:
        """Only a newer picture than the last one is sent."""
        first = filmed.client.get(f"{API}/picture", headers=OPERATOR)
        assert (first.status_code, first.content[:2], first.headers["X-Picture-Number"]) == (200, JPEG, "1")
        again = filmed.client.get(f"{API}/picture?after=1", headers=OPERATOR)
        assert (again.status_code, again.content) == (204, b"")

    @pytest.mark.parametrize("after", ["-1", "x", "1" * 13, "١"])
    def test_a_wrong_number(self, wizard: Calibrating, after: str) -> None:
        assert wizard.client.get(f"{API}/picture", params={"after": after}, headers=OPERATOR).status_code == 400

    def test_a_camera_is_live(self, tmp_path: Path) -> None:
        """Its pictures have rising numbers and are compared with the saved calibration; it can be closed."""
        camera = StillCamera(load_picture(Path(START)))
        wizard = Calibrating(tmp_path / "c.json", camera=camera)
        wizard.select_source()
        first = _number(wizard, 0)
        assert _number(wizard, first) > first
        found = wizard.order("find")
        assert found["seen"] == 3
        wizard.order("save", number=found["number"])
        assert wizard.order("check")["verdict"] == "steady"
        wizard.provider.close()
        assert camera.is_closed


def _number(wizard: Calibrating, after: int) -> int:
    answer = wizard.client.get(f"{API}/picture", params={"after": after}, headers=OPERATOR)
    return int(answer.headers["X-Picture-Number"])


class TestSafety:
    @pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}])
    def test_everything_needs_the_token(self, wizard: Calibrating, headers: dict[str, str]) -> None:
        for path in (API, f"{API}/picture"):
            assert wizard.client.get(path, headers=headers).status_code == 401
        for name in ORDERS:
            body = {"source": 0} if name == "source" else {}
            assert wizard.client.post(f"{API}/{name}", json=body, headers=headers).status_code == 401
        assert wizard.opened == []
        assert wizard.client.get("/calibrate").status_code == 200

    def test_no_name_from_outside_is_opened(self, wizard: Calibrating) -> None:
        """A source is chosen by its number; anything else is refused."""
        for source in ("/etc/passwd", START, 1, -1, True, None, 0.5, [0], "0"):
            assert wizard.status("source", {"source": source}) == 422
        assert wizard.status("source", {"source": 0, "name": "/etc/passwd"}) == 422
        assert wizard.opened == []

    @pytest.mark.parametrize("name", ORDERS)
    def test_bodies_that_are_no_order(self, wizard: Calibrating, name: str) -> None:
        assert wizard.status(name, []) == wizard.status(name, {"x": 1}) == 422
        path, json_type = f"{API}/{name}", {**OPERATOR, "Content-Type": "application/json"}
        assert wizard.client.post(path, content=b"{", headers=json_type).status_code == 400
        assert wizard.client.post(path, content=b"[" * 2000, headers=json_type).status_code == 400
        assert wizard.client.post(path, content=b" " * (MOST_BODY_BYTES + 1), headers=json_type).status_code == 413

    def test_forms_of_other_pages_are_no_orders(self, wizard: Calibrating) -> None:
        """A form cannot send JSON."""
        assert wizard.client.post(f"{API}/finish", content=b"{}", headers=OPERATOR).status_code == 415

    def test_other_pages_may_not_ask(self, wizard: Calibrating) -> None:
        """The guard is the same as for the match page."""
        headers = {**OPERATOR, "origin": "http://evil.example"}
        assert wizard.client.get(API, headers=headers).status_code == 403


class TestBesideAMatch:
    def test_without_a_camera_there_is_nothing_to_calibrate(self) -> None:
        """A demo, for example, has no camera."""
        client = ShownMatch.begun().client()
        assert client.get(API, headers=OPERATOR).json() == {"is_there": False}
        assert client.get(API).status_code == 401
        assert client.post(f"{API}/find", json={}, headers=OPERATOR).status_code == 404

    def test_an_order_that_ends_during_a_game_is_refused(self, wizard: Calibrating) -> None:
        """Its first byte came before the game began."""
        why_not = iter(["", "A game is being played."])
        answers = CalibrationHandlers(Access(TOKEN), lambda: wizard.session, lambda: next(why_not))
        client = TestClient(Starlette(routes=answers.routes, exception_handlers=REFUSALS))
        assert client.post(f"{API}/source", json={"source": 0}, headers=OPERATOR).status_code == 409
        assert wizard.opened == []

    def test_a_game_is_not_disturbed(self, wizard: Calibrating) -> None:
        """All orders are refused while a game is played, and allowed in a pause."""
        wizard.session.purpose = Purpose.MATCH
        shown = ShownMatch.after_first_turn()
        client = shown.client()
        client.app.app.state.context.calibration_session = wizard.session  # type: ignore[attr-defined]
        assert client.get(API, headers=OPERATOR).json()["why_not"].startswith("A game is being played")
        assert client.get(f"{API}/picture", headers=OPERATOR).status_code == 409
        for name in ORDERS:
            assert client.post(f"{API}/{name}", json={}, headers=OPERATOR).status_code == 409
        assert wizard.opened == []
        wizard.session.purpose = Purpose.WAITING  # the match has ended, and the camera is free
        assert client.get(API, headers=OPERATOR).json()["why_not"] == ""
        wizard.session.purpose = Purpose.MATCH
        client.post("/api/commands", json={"command": "Pause"}, headers=OPERATOR)
        shown.obey()
        assert shown.match.is_in(Phase.PAUSED)
        assert client.get(API, headers=OPERATOR).json()["why_not"] == ""
        assert client.post(f"{API}/source", json={"source": 0}, headers=OPERATOR).status_code == 200
