import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.find_board
from controller.cli import main
from tests.controller.board_pictures import written
from tests.controller.subcommands.called import Program
from tests.vision.drawn_boards import calibration_for
from vision.field.calibration_file import load_calibration
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.places import Colour, Place

UNSEEN = Refusal("Not seen.")
# White has 15 on the point 7, Black 15 on his point 1.
POSITION = "0000000f000000000000000000/0f000000000000000000000000"


@pytest.fixture(autouse=True)
def ways(monkeypatch: pytest.MonkeyPatch) -> dict[Any, Any]:
    """The answer of each method, and the calls as "asked". By default only automatic calibration finds the board."""
    answers: dict[Any, Any] = dict.fromkeys(CalibrationMethod, UNSEEN)
    answers[CalibrationMethod.ITSELF] = found(CalibrationMethod.ITSELF)
    answers["asked"], answers["outlines"] = [], []

    def way(name: CalibrationMethod) -> Any:
        def calibrate(pixels: NDArray[np.uint8], *given: Any, **more: Any) -> Calibration | Refusal:
            answers["asked"].append((name, *given, more["field_mm"]))
            answers["outlines"] += [more["outline"]] if more.get("outline") else []
            return UNSEEN if pixels.mean() < 1 else answers[name]

        return calibrate

    for function, method in (
        ("calibrate_from_tags", CalibrationMethod.TAGS),
        ("calibrate_from_position", CalibrationMethod.POSITION),
        ("calibrate_automatically", CalibrationMethod.ITSELF),
        ("calibrate_from_corners", CalibrationMethod.CORNERS),
    ):
        monkeypatch.setattr(controller.pictures.find_board, function, way(method))
    return answers


def found(way: CalibrationMethod, *, left_px: float = 80, notes: tuple[str, ...] = ()) -> Calibration:
    known = calibration_for(corners_px=((left_px, 60), (left_px + 480, 60), (left_px + 480, 420), (left_px, 420)))
    return replace(known, way=way, error_mm=0.44, notes=notes)


class TestOnePicture:
    def test_the_report_has_method_and_error(self, picture: str, tmp_path: Path, zarbiter: Program) -> None:
        """It has the method, the error in mm and percent, and that the scale is assumed."""
        file = tmp_path / "c.json"
        assert zarbiter("calibrate", picture, "-o", file).out.splitlines() == [
            "The board was found by itself in the picture.",
            "Error: 0.44 mm, 0.10% of the field's width.",
            "The scale is assumed: a field of 440 x 400 mm. Give --field-mm WxH for true millimetres.",
            "A die is about 12 px wide; move the camera nearer or use a larger picture until it has 18.",
            f"Kept in {file}.",
        ]

    def test_the_file_is_a_calibration(self, picture: str, tmp_path: Path) -> None:
        """It has a reference picture for later drift checks."""
        file = tmp_path / "c.json"
        main(["calibrate", picture, "-o", str(file)])
        known = load_calibration(file)
        assert (known.way, known.image_size_px) == (CalibrationMethod.ITSELF, (640, 480))
        assert known.reference is not None

    def test_as_json(self, picture: str, tmp_path: Path, zarbiter: Program) -> None:
        """`--json` prints one object."""
        file = tmp_path / "c.json"
        assert json.loads(zarbiter("calibrate", picture, "-o", file, "--json").out) == {
            "calibration": str(file),
            "way": "itself",
            "placement": None,
            "pictures": 1,
            "understood": 1,
            "corners": [[80, 60], [560, 60], [560, 420], [80, 420]],
            "field_mm": [440, 400],
            "has_bar": True,
            "scale_is_assumed": True,
            "error_mm": 0.44,
            "error_percent": 0.1,
            "notes": [],
            "reading": {"die_px": 11.8, "covered": [], "fault": None, "learned": None},
        }

    def test_a_refusal(self, picture: str, tmp_path: Path, ways: dict[Any, Any], zarbiter: Program) -> None:
        """The reason is printed, the status is 1, and no file is written."""
        ways[CalibrationMethod.ITSELF] = Refusal("No board was found; show one.")
        printed = zarbiter("calibrate", picture, "-o", tmp_path / "c.json", status=1)
        assert printed.err == "zarbiter: not calibrated: No board was found; show one.\n"
        record = json.loads(zarbiter("calibrate", picture, "-o", tmp_path / "c.json", "--json", status=1).out)
        assert record == {"calibration": None, "error": "No board was found; show one."}
        assert not (tmp_path / "c.json").exists()


class TestMethods:
    def test_tags_come_first(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """Where tags are visible and no position is told, no other method is used."""
        ways[CalibrationMethod.TAGS] = found(CalibrationMethod.TAGS)
        main(["calibrate", picture, "-o", str(tmp_path / "c.json")])
        assert load_calibration(tmp_path / "c.json").way is CalibrationMethod.TAGS
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.TAGS]

    def test_a_position_proves_the_tags(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """It is looked for under them; what it tells is kept."""
        ways[CalibrationMethod.TAGS] = found(CalibrationMethod.TAGS)
        ways[CalibrationMethod.POSITION] = found(CalibrationMethod.TAGS, notes=("Proved.",))
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", "backgammon"])
        assert load_calibration(tmp_path / "c.json").notes == ("Proved.",)
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.TAGS, CalibrationMethod.POSITION]
        assert ways["outlines"] == [ways[CalibrationMethod.TAGS]]

    def test_tags_without_the_position(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """The start position of a game may be missing, and the reason is noted; a position that is told may not."""
        ways[CalibrationMethod.TAGS] = found(CalibrationMethod.TAGS)
        call = ["calibrate", picture, "-o", str(tmp_path / "c.json")]
        assert main([*call, "--game", "backgammon"]) == 0
        assert load_calibration(tmp_path / "c.json").notes == ("The start position was not used. Not seen.",)
        assert main([*call, "--position", POSITION]) == 1

    def test_then_the_start_position(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """It is the start position of the given game."""
        ways[CalibrationMethod.POSITION] = found(CalibrationMethod.POSITION)
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", "long_nardy"])
        assert load_calibration(tmp_path / "c.json").way is CalibrationMethod.POSITION
        assert ways["asked"][1][:2] == (
            CalibrationMethod.POSITION,
            {Place.B1: (Colour.LIGHT, 15), Place.T12: (Colour.DARK, 15)},
        )

    def test_a_start_position_that_does_not_fit_is_reported(
        self, picture: str, tmp_path: Path, ways: dict[Any, Any], zarbiter: Program
    ) -> None:
        """The board is then calibrated automatically."""
        printed = zarbiter("calibrate", picture, "-o", tmp_path / "c.json", "--game tavla")
        order = [CalibrationMethod.TAGS, CalibrationMethod.POSITION, CalibrationMethod.ITSELF]
        assert [name for name, *_ in ways["asked"]] == order
        assert "The start position was not used. Not seen.\n" in printed.out

    def test_an_occupancy_must_stand_there(
        self, picture: str, tmp_path: Path, ways: dict[Any, Any], zarbiter: Program
    ) -> None:
        """Nothing else is tried, and the reason is printed."""
        printed = zarbiter(
            "calibrate", picture, "-o", tmp_path / "c.json", "--occupancy T1=dark:2,b6=light:5", status=1
        )
        assert [asked[:2] for asked in ways["asked"]] == [
            (CalibrationMethod.POSITION, {Place.T1: (Colour.DARK, 2), Place.B6: (Colour.LIGHT, 5)})
        ]
        assert "not calibrated: Not seen." in printed.err

    def test_a_position_of_the_game(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """White plays light below unless the seating says otherwise."""
        ways[CalibrationMethod.POSITION] = found(CalibrationMethod.POSITION)
        call = ["calibrate", picture, "-o", str(tmp_path / "c.json"), "--position", POSITION]
        assert main(call) == main([*call, "--seating", "white=dark,edge=top,mirrored=no"]) == 0
        assert [asked[1] for asked in ways["asked"] if asked[0] is CalibrationMethod.POSITION] == [
            {Place.B6: (Colour.LIGHT, 15), Place.T12: (Colour.DARK, 15)},
            {Place.T7: (Colour.DARK, 15), Place.B1: (Colour.LIGHT, 15)},
        ]

    def test_a_position_at_given_corners(self, picture: str, tmp_path: Path, ways: dict[Any, Any]) -> None:
        """Both are used together; a start position that does not fit leaves the corners alone."""
        ways[CalibrationMethod.CORNERS] = found(CalibrationMethod.CORNERS)
        call = ["calibrate", picture, "-o", str(tmp_path / "c.json"), "--corners", "80,60,560,60,560,420,80,420"]
        assert main([*call, "--game", "tavla"]) == 0
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.POSITION, CalibrationMethod.CORNERS]
        assert load_calibration(tmp_path / "c.json").notes == ("The start position was not used. Not seen.",)

    @pytest.mark.parametrize("game", ["grasshopper", "backgammon_race"])
    def test_a_game_without_a_start(self, picture: str, tmp_path: Path, ways: dict[Any, Any], game: str) -> None:
        """An empty board is not used as a start position."""
        main(["calibrate", picture, "-o", str(tmp_path / "c.json"), "--game", game])
        assert [name for name, *_ in ways["asked"]] == [CalibrationMethod.TAGS, CalibrationMethod.ITSELF]

    def test_corners_and_size(self, picture: str, tmp_path: Path, ways: dict[Any, Any], zarbiter: Program) -> None:
        """Given corners exclude the other methods; the size is passed on."""
        ways[CalibrationMethod.CORNERS] = found(CalibrationMethod.CORNERS)
        corners = ((80.0, 60.0), (560.0, 60.0), (560.0, 420.0), (80.0, 420.0))
        text = ",".join(f"{x},{y}" for x, y in corners)
        options = ["--corners", text, "--field-mm", "520x480.5"]
        zarbiter("calibrate", picture, "-o", tmp_path / "c.json", *options)
        assert ways["asked"] == [(CalibrationMethod.CORNERS, corners, (520, 480.5))]


class TestSeveralPictures:
    def folder(self, tmp_path: Path, count: int) -> str:
        (tmp_path / "pictures").mkdir()
        for number in range(count):
            written(tmp_path / "pictures" / f"{number:02}.png")
        return str(tmp_path / "pictures")

    def test_a_folder(self, tmp_path: Path, ways: dict[Any, Any], zarbiter: Program) -> None:
        """The first eight pictures count; a file that is no picture is reported and skipped."""
        folder = self.folder(tmp_path, 9)
        (tmp_path / "pictures" / "00.png").write_text("no picture", encoding="utf-8")
        printed = zarbiter("calibrate", folder, "-o", tmp_path / "c.json")
        assert "found by itself in 8 of 8 pictures" in printed.out
        assert "00.png: this is no picture" in printed.err

    def test_pictures_without_a_board_are_left_out(self, tmp_path: Path, zarbiter: Program) -> None:
        """The other pictures suffice."""
        folder = self.folder(tmp_path, 3)
        written(tmp_path / "pictures" / "01.png", np.zeros((480, 640, 3), np.uint8))
        assert "found by itself in 2 of 3 pictures" in zarbiter("calibrate", folder, "-o", tmp_path / "c.json").out


@pytest.fixture
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


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
            (["x.png", "-o", "c", "--occupancy", "T13=dark:2"], "'T13=dark:2' is no point with its checkers"),
            (["x.png", "-o", "c", "--occupancy", "T1=dark:2,T1=dark:3"], "T1 is given twice; give each point once"),
            (["x.png", "-o", "c", "--occupancy", "T1=dark:2", "--game", "tavla"], "leave --game and --position out"),
            (["x.png", "-o", "c", "--position", "5"], "--position: position '5' has 1 parts between slashes"),
            (["x.png", "-o", "c", "--position", "5/5", "--seating", "up"], "'up' is no part of a seating"),
            (["x.png", "-o", "c", "--position", "5/5", "--game", "grasshopper"], "grasshopper has no checkers"),
            (["x.png", "-o", "c", "--seating", "edge=top"], "--seating goes with --position"),
            (["--page", "--occupancy", "T1=dark:2"], "--page knows the start positions of games only"),
        ],
    )
    @pytest.mark.usefixtures("in_empty_folder")
    def test_a_wrong_call(self, arguments: list[str], sentence: str, zarbiter: Program) -> None:
        """The status is 2 and the reason is printed before any picture is opened."""
        printed = zarbiter("calibrate", *arguments, status=2)
        assert printed.out == ""
        assert sentence in printed.err

    def test_only_an_earlier_calibration_is_overwritten(
        self, picture: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A picture named as output stays as it is."""
        before = Path(picture).read_bytes()
        assert main(["calibrate", picture, "-o", picture]) == 2
        assert "is there and is no calibration; name another file" in capsys.readouterr().err
        assert Path(picture).read_bytes() == before
        file = str(tmp_path / "c.json")
        assert [main(["calibrate", picture, "-o", file]) for _ in range(2)] == [0, 0]

    @pytest.mark.parametrize("source", ["none.png", "/dev/video99", "what.ever"])
    def test_a_missing_source(self, source: str, tmp_path: Path, zarbiter: Program) -> None:
        """The status is 1, not 2, because the source may only be unplugged."""
        printed = zarbiter("calibrate", source, "-o", tmp_path / "c.json", status=1)
        assert printed.err.startswith("zarbiter: not calibrated: ")


def test_a_source_without_a_usable_picture(tmp_path: Path, zarbiter: Program) -> None:
    """The file and the remedy are named; that all files were read is no reason."""
    file = tmp_path / "text.jpg"
    file.write_text("hello")
    printed = zarbiter("calibrate", file, "-o", tmp_path / "c.json", status=1)
    assert printed.err.startswith(
        f"zarbiter: not calibrated: {file}: this is no picture, or a damaged one; give a JPEG"
    )
    assert len(printed.err.splitlines()) == 1
    assert "All pictures have been read" not in printed.err
