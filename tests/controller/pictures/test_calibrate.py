import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.find_board
from controller.cli import main
from tests.controller.board_pictures import written
from tests.vision.drawn_boards import calibration_for
from vision.field.calibration_file import load_calibration
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.places import Colour, Place

UNSEEN = Refusal("Not seen.")


@pytest.fixture(autouse=True)
def ways(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """What each way answers, and with what it was asked; at first only the way that needs nothing finds the board."""
    answers: dict[Any, Any] = dict.fromkeys(CalibrationMethod, UNSEEN)
    answers[CalibrationMethod.ITSELF] = found(CalibrationMethod.ITSELF)
    answers["asked"] = []

    def way(name: CalibrationMethod) -> Any:
        def calibrate(pixels: NDArray[np.uint8], *told: Any, **more: Any) -> Calibration | Refusal:
            answers["asked"].append((name, *told, more["field_mm"]))
            return UNSEEN if pixels.mean() < 1 else answers[name]

        return calibrate

    monkeypatch.setattr(controller.pictures.find_board, "calibrate_from_tags", way(CalibrationMethod.TAGS))
    monkeypatch.setattr(controller.pictures.find_board, "calibrate_from_position", way(CalibrationMethod.POSITION))
    monkeypatch.setattr(controller.pictures.find_board, "calibrate_automatically", way(CalibrationMethod.ITSELF))
    monkeypatch.setattr(controller.pictures.find_board, "calibrate_from_corners", way(CalibrationMethod.CORNERS))
    return answers


def found(way: CalibrationMethod, *, left_px: float = 80, notes: tuple[str, ...] = ()) -> Calibration:
    from dataclasses import replace

    known = calibration_for(corners_px=((left_px, 60), (left_px + 480, 60), (left_px + 480, 420), (left_px, 420)))
    return replace(known, way=way, error_mm=0.44, notes=notes)


class TestOnePicture:
    def test_it_says_how_and_how_well(self, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The way, the error in mm and percent, and that the scale is assumed."""
        file = tmp_path / "c.json"
        assert main(["calibrate", picture, "-o", str(file)]) == 0
        assert capsys.readouterr().out.splitlines() == [
            "The board was found by itself in the picture.",
            "Error: 0.44 mm, 0.10% of the field's width.",
            "The scale is assumed: a field of 440 x 400 mm. Give --field-mm WxH for true millimetres.",
            f"Kept in {file}.",
        ]

    def test_the_file_is_a_calibration(self, picture: str, tmp_path: Path) -> None:
        """With a picture for later rechecks."""
        file = tmp_path / "c.json"
        main(["calibrate", picture, "-o", str(file)])
        known = load_calibration(file)
        assert (known.way, known.image_size_px) == (CalibrationMethod.ITSELF, (640, 480))
        assert known.reference is not None

    def test_as_json(self, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """One object."""
        file = tmp_path / "c.json"
        assert main(["calibrate", picture, "-o", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {
            "calibration": str(file),
            "way": "itself",
            "placement": None,
            "pictures": 1,
            "understood": 1,
            "corners": [[80, 60], [560, 60], [560, 420], [80, 420]],
            "field_mm": [440, 400],
            "scale_is_assumed": True,
            "error_mm": 0.44,
            "error_percent": 0.1,
            "notes": [],
        }

    def test_a_refusal(
        self, picture: str, tmp_path: Path, ways: dict[Any, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The reason, status 1, and no file."""
        ways[CalibrationMethod.ITSELF] = Refusal("No board was found; show one.")
        assert main(["calibrate", picture, "-o", str(tmp_path / "c.json")]) == 1
        assert capsys.readouterr().err == "zarbiter: not calibrated: No board was found; show one.\n"
        assert main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--json"]) == 1
        record = json.loads(capsys.readouterr().out)
        assert record == {"calibration": None, "error": "No board was found; show one."}
        assert not (tmp_path / "c.json").exists()


class TestTheWays:
    def test_tags_come_first(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """Where they are seen nothing else is asked."""
        ways[CalibrationMethod.TAGS] = found(CalibrationMethod.TAGS)
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", "backgammon"])
        assert load_calibration(tmp_path / "c.json").way is CalibrationMethod.TAGS
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.TAGS]

    def test_then_the_start_position(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """Of the game that was named."""
        ways[CalibrationMethod.POSITION] = found(CalibrationMethod.POSITION)
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", "long_nardy"])
        assert load_calibration(tmp_path / "c.json").way is CalibrationMethod.POSITION
        assert ways["asked"][1][:2] == (
            CalibrationMethod.POSITION,
            {Place.B1: (Colour.LIGHT, 15), Place.T12: (Colour.DARK, 15)},
        )

    def test_a_start_that_does_not_fit_is_told(
        self, picture: str, tmp_path: Path, ways: dict[Any, Any], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The board is found all the same."""
        assert main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", "tavla"]) == 0
        assert [name for name, *_ in ways["asked"]] == [
            CalibrationMethod.TAGS,
            CalibrationMethod.POSITION,
            CalibrationMethod.ITSELF,
        ]
        assert "The start position was not used. Not seen.\n" in capsys.readouterr().out

    @pytest.mark.parametrize("game", ["grasshopper", "backgammon_race"])
    def test_a_game_without_a_start(self, picture: str, tmp_path: Path, ways: dict[Any, Any], game: str) -> None:
        """An empty board is no target."""
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", game])
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.TAGS, CalibrationMethod.ITSELF]

    def test_corners_and_size(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """Given corners are the only way then; the size is handed on."""
        ways[CalibrationMethod.CORNERS] = found(CalibrationMethod.CORNERS)
        corners = ((80.0, 60.0), (560.0, 60.0), (560.0, 420.0), (80.0, 420.0))
        text = ",".join(f"{x},{y}" for x, y in corners)
        options = ["--corners", text, "--field-mm", "520x480.5"]
        assert main(["calibrate", picture, "-o", str(tmp_path / "c.json"), *options]) == 0
        assert ways["asked"] == [(CalibrationMethod.CORNERS, corners, (520, 480.5))]


class TestSeveralPictures:
    def folder(self, tmp_path: Path, count: int) -> str:
        (tmp_path / "pictures").mkdir()
        for number in range(count):
            written(tmp_path / "pictures" / f"{number:02}.png")
        return str(tmp_path / "pictures")

    def test_a_folder(self, tmp_path: Path, ways: dict[Any, Any], capsys: pytest.CaptureFixture[str]) -> None:
        """The first eight; a file that is no picture is told and passed over."""
        folder = self.folder(tmp_path, 9)
        (tmp_path / "pictures" / "00.png").write_text("no picture", encoding="utf-8")
        assert main(["calibrate", folder, "-o", str(tmp_path / "c.json")]) == 0
        printed = capsys.readouterr()
        assert "found by itself in 8 of 8 pictures" in printed.out
        assert "00.png: this is no picture" in printed.err

    def test_some_show_nothing(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The others suffice."""
        folder = self.folder(tmp_path, 3)
        written(tmp_path / "pictures" / "01.png", np.zeros((480, 640, 3), np.uint8))
        assert main(["calibrate", folder, "-o", str(tmp_path / "c.json")]) == 0
        assert "found by itself in 2 of 3 pictures" in capsys.readouterr().out


class TestUsageErrors:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["x.png"], "the following arguments are required: -o"),
            (["x.png", "-o", "nowhere/c.json"], "-o: nowhere/c.json is a folder, or lies in one that is not there"),
            (["x.png", "-o", "."], "-o: . is a folder"),
            (["x.png", "-o", "c", "--field-mm", "440"], "'440' is no size"),
            (["x.png", "-o", "c", "--field-mm", "0x5"], "0x5 is no size of a board"),
            (["x.png", "-o", "c", "--field-mm", "ax5"], "'a' is no number"),
            (["x.png", "-o", "c", "--game", "chess"], "unknown game 'chess'"),
        ],
    )
    def test_a_wrong_call(
        self,
        arguments: list[str],
        sentence: str,
        capsys: pytest.CaptureFixture[str],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Status 2 and one sentence, before any picture is looked at."""
        monkeypatch.chdir(tmp_path)
        assert main(["calibrate", *arguments]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert sentence in printed.err

    def test_a_picture_is_not_replaced(self, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Nor anything else but an earlier calibration."""
        before = Path(picture).read_bytes()
        assert main(["calibrate", picture, "-o", picture]) == 2
        assert "is there and is no calibration; name another file" in capsys.readouterr().err
        assert Path(picture).read_bytes() == before
        file = str(tmp_path / "c.json")
        assert [main(["calibrate", picture, "-o", file]) for _ in range(2)] == [0, 0]

    @pytest.mark.parametrize("source", ["none.png", "/dev/video99", "what.ever"])
    def test_a_source_that_is_none(self, source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Status 1 with the reason: what was named may only be unplugged."""
        assert main(["calibrate", source, "-o", str(tmp_path / "c.json")]) == 1
        assert capsys.readouterr().err.startswith("zarbiter: not calibrated: ")
