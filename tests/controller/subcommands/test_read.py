import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.read_pictures
import vision.board.read_board
import vision.checkers.corrected_reading
from controller.cli import main
from controller.match.officiating import PROFILES
from controller.rules import RULESETS
from tests.controller.board_pictures import written
from tests.controller.subcommands.called import Program
from tests.vision.drawn_boards import calibration_for, said
from vision.checkers.network import ViewReading
from vision.dice.detect import DiceInView
from vision.field.calibration_file import save_calibration
from vision.geometry.calibration import Calibration, Refusal
from vision.pixels.picture_file import load_picture

CORNERS = "80,60,560,60,560,420,80,420"
LIGHT_3, DARK_2 = 3, 17  # classes of the network


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Replaces the network, which sees three light checkers on T1, hides B2, doubts B3 and finds no dice, and the board finder,
    which finds no board in a black picture. Gives the calls of the finder.
    """
    asked: list[Any] = []

    def read_view(_view: NDArray[np.uint8]) -> ViewReading:
        return said({0: (LIGHT_3, 0.997), 14: (DARK_2, 0.7)}, bar=(0, 1), visible={13: 0.1})

    def by_itself(pixels: NDArray[np.uint8]) -> Calibration | Refusal:
        asked.append("itself")
        if pixels.mean() < 1:
            return Refusal("No board was found; show one.")
        return calibration_for(pixels.shape[1], pixels.shape[0])

    def at_corners(pixels: NDArray[np.uint8], corners: Any) -> Calibration:
        asked.append(corners)
        return calibration_for(pixels.shape[1], pixels.shape[0], corners_px=corners)

    monkeypatch.setattr(vision.board.read_board, "read_view", read_view)
    read = partial(vision.board.read_board.read_board, detect_dice=lambda _pixels, _board, **_: DiceInView())
    monkeypatch.setattr(controller.pictures.read_pictures, "read_board", read)
    monkeypatch.setattr(
        vision.checkers.corrected_reading, "fuse_face_counts", lambda seen: seen
    )  # the fake network has no faces
    monkeypatch.setattr("controller.pictures.find_board.find_board", by_itself)
    monkeypatch.setattr("controller.pictures.find_board.find_board_at_corners", at_corners)
    return asked


@pytest.fixture
def read(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[dict[str, Any]], str]]:
    """Runs `read --json` and gives status, objects and standard error."""

    def run(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
        status = main(["read", "--json", *arguments])
        printed = capsys.readouterr()
        return status, [json.loads(line) for line in printed.out.splitlines()], printed.err

    return run


Read = Callable[..., tuple[int, list[dict[str, Any]], str]]


class TestTheRecord:
    def test_it_is_the_contract(self, read: Read, picture: str) -> None:
        """Every field of the contract and no other. Under a hand no throw is judged."""
        status, (record,), errors = read(picture)
        assert (status, errors) == (0, "")
        points = record.pop("points")
        assert record == {
            "image": picture,
            "corners": [[80, 60], [560, 60], [560, 420], [80, 420]],
            "bar": {"light": 0, "dark": 1, "confidence": pytest.approx(1, abs=1e-3)},
            "tray": None,
            "dice": [],
            "roll": {"valid": None, "values": None, "reasons": []},
            "cube": None,
            "hand_in_view": True,
        }
        assert list(points) == [f"{row}{column}" for row in "TB" for column in range(1, 13)]
        assert points["T1"] == {"colour": "light", "count": 3, "confidence": 0.997}
        assert points["T2"] == {"colour": "none", "count": 0, "confidence": 1.0}
        assert points["B3"] == {"colour": "dark", "count": 2, "confidence": 0.7}

    def test_weak_places_on_request(self, read: Read, picture: str, zarbiter: Program) -> None:
        """`--explain` adds them, with what they resemble and why; the hidden place comes as its certainty says."""
        ((weak, hidden),) = [record["weak"] for record in read(picture, "--explain")[1]]
        assert (weak["place"], weak["stands"], weak["certainty"]) == ("B3", {"colour": "dark", "count": 2}, 0.7)
        assert (weak["weakness"], weak["amount"]) == ("faces", 0)
        assert (hidden["place"], hidden["weakness"]) == ("B2", "hidden")
        lines = zarbiter("read", picture, "--explain").out.splitlines()
        assert any(line.startswith("  weak: B3 (2 dark) resembles ") for line in lines)
        assert any(line.endswith(": only 0 of its upper faces stand out") for line in lines)
        assert "leave out --dice-only" in zarbiter("read", picture, "--explain", "--dice-only", status=2).err

    def test_a_hidden_place_is_unknown(self, read: Read, picture: str) -> None:
        hidden = read(picture)[1][0]["points"]["B2"]
        assert (hidden["colour"], hidden["count"]) == ("unknown", 0)
        assert hidden["confidence"] <= 0.5

    def test_several_pictures(self, read: Read, picture: str, tmp_path: Path) -> None:
        other = written(tmp_path / "a.jpg")
        status, records, _ = read(picture, other, picture)
        assert status == 0
        assert [record["image"] for record in records] == [picture, other, picture]


class TestWhereTheBoardIs:
    def test_by_itself(self, read: Read, picture: str, eyes: list[Any]) -> None:
        read(picture, picture)
        assert eyes == ["itself", "itself"]

    def test_at_corners(self, read: Read, picture: str, eyes: list[Any]) -> None:
        corners = "560,420,80,420,80,60,560,60"
        record = read("--corners", corners, picture)[1][0]
        assert record["corners"][0] == [560, 420]
        assert eyes == [((560, 420), (80, 420), (80, 60), (560, 60))]

    def test_by_a_calibration(self, read: Read, picture: str, tmp_path: Path, eyes: list[Any]) -> None:
        save_calibration(calibration_for(), tmp_path / "c.json")
        status, (record,), _ = read("--calibration", str(tmp_path / "c.json"), picture)
        assert (status, record["corners"][2], eyes) == (0, [560, 420], [])

    def test_a_moved_camera(self, picture: str, tmp_path: Path, zarbiter: Program) -> None:
        """The corners are new, the rest is known; what does not tell half a turn is said, in the record as well."""
        file = tmp_path / "c.json"
        save_calibration(calibration_for(), file)
        call = ("read", picture, "--calibration", file, "--corners", CORNERS)
        assert "  The picture does not tell whether the corners begin at" in zarbiter(*call).out
        assert "does not tell whether" in json.loads(zarbiter(*call, "--json").out)["notes"][-1]
        assert "does not tell" not in zarbiter("read", picture, "--calibration", file).out

    def test_a_calibration_of_another_camera(self, read: Read, picture: str, tmp_path: Path) -> None:
        save_calibration(calibration_for(), tmp_path / "c.json")
        square = written(tmp_path / "square.png", np.full((300, 300, 3), 99, np.uint8))
        status, (first, second), _ = read("--calibration", str(tmp_path / "c.json"), square, picture)
        assert (status, set(first), set(second) >= {"points"}) == (1, {"image", "error"}, True)
        assert "calibrate anew" in first["error"]


class TestPicturesThatCannotBeRead:
    def test_the_others_go_on(self, read: Read, picture: str, tmp_path: Path) -> None:
        """A missing file, a folder, a text, an empty file, a speck and a picture without a board: six errors."""
        (tmp_path / "text.jpg").write_text("no picture", encoding="utf-8")
        (tmp_path / "empty.png").touch()
        bad = [str(tmp_path / name) for name in ("none.png", ".", "text.jpg", "empty.png")]
        speck = written(tmp_path / "speck.png", np.zeros((3, 4), np.uint8))
        black = written(tmp_path / "black.png", np.zeros((100, 100, 3), np.uint8))
        status, records, _ = read(*bad, speck, black, picture)
        assert status == 1
        assert [sorted(record) for record in records[:6]] == [["error", "image"]] * 6
        assert [record["error"].split("; ")[0] for record in records[:6]] == [
            "the file cannot be read (No such file or directory)",
            "this is a folder",
            "this is no picture, or a damaged one",
            "this is no picture, or a damaged one",
            "4x3 pixels are too few to read",
            "No board was found",
        ]
        assert "points" in records[6]

    @pytest.mark.parametrize(
        "pixels",
        [
            np.full((120, 160), 90, np.uint8),
            np.full((120, 160, 4), 90, np.uint8),
            np.full((120, 160, 3), 9000, np.uint16),
            np.full((120, 160), 9000, np.uint16),
        ],
        ids=["grey", "alpha", "16 bits", "grey of 16 bits"],
    )
    def test_unusual_pixels(self, read: Read, tmp_path: Path, pixels: NDArray[Any]) -> None:
        assert read(written(tmp_path / "unusual.png", pixels))[0] == 0

    @pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp"])
    def test_kinds_of_files(self, read: Read, tmp_path: Path, suffix: str) -> None:
        file = Path(written(tmp_path / f"board{suffix}"))
        assert read(str(file.rename(tmp_path / "board.picture")))[0] == 0

    def test_a_turned_photograph(self, read: Read, tmp_path: Path) -> None:
        """A phone's EXIF orientation is applied: what is stored lying is read standing."""
        file = Path(written(tmp_path / "phone.jpg", np.full((120, 160, 3), 90, np.uint8)))
        exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
        content = file.read_bytes()
        file.write_bytes(content[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + content[2:])
        assert load_picture(file).shape == (160, 120, 3)
        assert read(str(file))[1][0]["corners"][2] == [105, 140]

    def test_a_name_that_is_no_utf_8(self, read: Read, tmp_path: Path) -> None:
        name = os.fsdecode(os.fsencode(tmp_path) + b"/br\xe4tt.png")
        try:
            written(Path(name))
        except OSError:
            pytest.skip("this file system takes UTF-8 names only")
        status, (record,), _ = read(name, "--overlay", str(tmp_path / "seen"))
        assert (status, record["image"]) == (0, name)


class TestOverlay:
    def test_a_picture_for_each(self, read: Read, picture: str, tmp_path: Path) -> None:
        """The folder is made; pictures of one name get different ones."""
        (tmp_path / "other").mkdir()
        other = written(tmp_path / "other" / "board.jpg")
        assert read(picture, other, "--overlay", str(tmp_path / "seen" / "now"))[0] == 0
        names = sorted(file.name for file in (tmp_path / "seen" / "now").iterdir())
        assert names == ["board-reading-2.jpg", "board-reading.jpg"]
        assert load_picture(tmp_path / "seen" / "now" / "board-reading.jpg").shape == (480, 640, 3)

    def test_no_picture_that_was_read_is_overwritten(self, read: Read, picture: str, tmp_path: Path) -> None:
        victim = written(tmp_path / "board-reading.jpg")
        before = Path(victim).read_bytes()
        assert read(picture, victim, "--overlay", str(tmp_path))[0] == 0
        assert Path(victim).read_bytes() == before
        assert (tmp_path / "board-reading-2.jpg").exists()

    def test_a_file_in_its_place(self, picture: str, zarbiter: Program) -> None:
        printed = zarbiter("read", picture, "--overlay", picture, status=2)
        assert printed.out == ""
        assert "--overlay: cannot make the folder" in printed.err

    def test_a_folder_that_takes_nothing(
        self, read: Read, picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The reading is printed all the same; the complaint goes to standard error and the status is 1."""

        def full(_file: Path, _content: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", full)
        status, (record,), errors = read(picture, "--overlay", str(tmp_path / "seen"))
        assert (status, "points" in record) == (1, True)
        assert "No space left on device" in errors


class TestTheTable:
    def test_it_shows_the_board(self, picture: str, zarbiter: Program) -> None:
        """Rows as in the picture; doubtful and hidden places are reported."""
        assert zarbiter("read", picture).out.splitlines() == [
            f"{picture}: field 80,60 560,60 560,420 80,420",
            "       1    2    3    4    5    6 | bar |    7    8    9   10   11   12",
            "  T   L3    -    -    -    -    - |  -  |    -    -    -    -    -    -",
            "  B    -    ?  D2?    -    -    - |  D1 |    -    -    -    -    -    -",
            "  a hand, or something else, covers a part of the board",
            "  hidden: B2",
            "  doubtful: B3 D2 (70%)",
            "  dice: none",
            "",
        ]

    def test_a_picture_that_cannot_be_read(self, tmp_path: Path, zarbiter: Program) -> None:
        printed = zarbiter("read", tmp_path, status=1)
        assert printed.out == f"{tmp_path}: not read: this is a folder; name the pictures in it\n"


class TestUsageErrors:
    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            ([], "the following arguments are required: IMAGE"),
            (["--corners", "1,2,3", "x.png"], "four corners are eight numbers x,y,x,y,x,y,x,y, not 3"),
            (["--corners", "0,0,9,0,9,9,0,here", "x.png"], "'here' is no number"),
            (["--corners", "0,0,9,0,9,9,0,nan", "x.png"], "'nan' is no number"),
            (["--corners", "0,0,0,9,9,9,9,0", "x.png"], "the corners run anticlockwise"),
            (["--corners", "0,0,9,9,9,0,0,9", "x.png"], "these corners are no field"),
            (["--corners", CORNERS, "--calibration", "none.json", "x.png"], "none.json: cannot be read"),
            (["--calibration", "none.json", "x.png"], "none.json: cannot be read"),
            (["--game", "chess", "x.png"], "unknown game 'chess'"),
            (["--profile", "fide", "x.png"], "unknown profile 'fide'; choose one of casual, "),
            (["--dice-only", "--corners", CORNERS, "x.png"], "--dice-only needs no board; leave out --calibration"),
            (
                ["--calibration", "c.json", "--dice-only", "x.png"],
                "--dice-only needs no board; leave out --calibration",
            ),
        ],
    )
    def test_a_wrong_call(self, arguments: list[str], sentence: str, zarbiter: Program) -> None:
        printed = zarbiter("read", *arguments, status=2)
        assert printed.out == ""
        assert sentence in printed.err


class TestSettingsFile:
    def test_its_mistakes(self, picture: str, tmp_path: Path, zarbiter: Program) -> None:
        file = tmp_path / "zarbiter.toml"
        file.write_text('game = "chess"\nprofile = "fide"\n', encoding="utf-8")
        reported = zarbiter("read --config", file, picture, status=2).err
        assert all(f"{file}, line {line}, " in reported for line in (1, 2))

    def test_its_game_and_profile(
        self, picture: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        judged: list[Any] = []
        monkeypatch.setattr(
            controller.pictures.read_pictures, "judge_reading", lambda _reading, _context, rules: judged.append(rules)
        )
        file = tmp_path / "zarbiter.toml"
        file.write_text('game = "tavla"\nprofile = "usbgf"\n', encoding="utf-8")
        for options in ((), ("--profile", "casual"), ("--game", "grasshopper")):
            assert main(["read", "--config", str(file), *options, picture]) == 0
        tavla = RULESETS["tavla"]
        assert judged == [PROFILES["usbgf"].throw_rules(tavla), PROFILES["casual"].throw_rules(tavla)]
