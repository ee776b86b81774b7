"""What `read` prints for given dice; the pictures are drawn, the readings made by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.read_pictures
from controller.cli import main
from tests.controller.board_pictures import board, written
from tests.controller.subcommands.called import Program
from tests.vision.dice.hand_made_dice import board_with, cocked, die
from tests.vision.drawn_boards import calibration_for
from vision.dice.detect import DiceInView
from vision.dice.readings import BoardHalf, CubePlace, CubeReading, DieReading, DieState
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_file import load_picture

Record = dict[str, Any]
RIGHT = BoardHalf.RIGHT
ON_CHECKER = die(2, lies=DieState.ON_CHECKER)
LEANING_ON_CHECKER = die(2, lies=DieState.ON_CHECKER, tilt_deg=20.0)
RIGHT_HALF_ONLY = 'name = "right_half"\nbase = "backgammon"\n[parameters]\ndice_half = "right"\n'


@pytest.fixture
def on_the_board(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Puts dice on a board that is found in every picture."""

    def put(*dice: DieReading, cube: CubeReading | None = None, hand: bool = False) -> None:
        reading = board_with(*dice, cube=cube, hand=hand)
        monkeypatch.setattr("controller.pictures.find_board.find_board", lambda _pixels: calibration_for())
        monkeypatch.setattr(controller.pictures.read_pictures, "read_board", lambda _frame, _calibration: reading)

    return put


@pytest.fixture
def on_a_table(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Any]]:
    """Puts dice where no board is; gives the picture shape and board of each call."""

    def put(*dice: DieReading) -> list[Any]:
        asked: list[Any] = []

        def read_dice(pixels: NDArray[np.uint8], known: KnownBoard | None) -> DiceInView:
            asked.append((pixels.shape, known))
            return DiceInView(dice)

        monkeypatch.setattr(controller.pictures.read_pictures, "read_dice", read_dice)
        return asked

    return put


@pytest.fixture
def records(picture: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Record]:
    """Runs `read --json` on one picture, which must go well, and gives its object."""

    def run(*arguments: str) -> Record:
        status = main(["read", "--json", picture, *arguments])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, "")
        record: Record = json.loads(printed.out)
        return record

    return run


Records = Callable[..., Record]
Put = Callable[..., Any]


@pytest.mark.parametrize(
    ("dice", "roll"),
    [
        ([die(3), die(6)], (True, [6, 3], [])),
        ([die(4), die(4)], (True, [4, 4], [])),
        ([die(3), die(6, half=RIGHT)], (False, None, ["split"])),
        ([die(3), cocked()], (False, None, ["cocked"])),
        ([cocked(), die(6, half=RIGHT)], (False, None, ["cocked", "split"])),
        ([die(3), ON_CHECKER], (False, None, ["on_checker"])),
        ([die(3), die(1, lies=DieState.ON_BAR, half=None)], (False, None, ["on_bar"])),
        ([die(3), die(1, lies=DieState.ON_RIM, half=None)], (False, None, ["on_rim"])),
        ([die(3), die(1, lies=DieState.OFF_BOARD, half=None)], (False, None, ["off_board"])),
        ([die(3), die(6, sure=0.9)], (None, None, [])),
        ([die(3), die(6, lie_sure=0.7)], (None, None, [])),
        ([die(3), die(6, lies=DieState.MOVING)], (None, None, [])),
        ([die(3)], (False, None, ["missing_die"])),
        ([], (False, None, ["missing_die"])),
        ([die(3), die(6), die(1)], (False, None, ["extra_die"])),
    ],
    ids=[
        *("flat", "double", "split", "cocked", "cocked and split", "on checker", "on bar", "on rim", "off board"),
        *("unsure value", "unsure lie", "moving", "one die", "no dice", "three dice"),
    ],
)
def test_the_roll(
    on_the_board: Put, records: Records, dice: list[DieReading], roll: tuple[bool | None, list[int] | None, list[str]]
) -> None:
    """Backgammon and `casual`: what counts, every reason against what does not, null where it cannot be reported."""
    on_the_board(*dice)
    record = records()
    assert record["roll"] == dict(zip(("valid", "values", "reasons"), roll, strict=True))
    assert len(record["dice"]) == len(dice)


def test_a_die_in_the_record(on_the_board: Put, records: Records) -> None:
    on_the_board(die(3, at_px=(210.25, 96.0)), cocked(2), die(6, sure=0.9))
    dice = records()["dice"]
    assert dice[0] == {
        "value": 3,
        "state": "flat",
        "half": "left",
        "centre_px": [210.25, 96.0],
        "tilt_deg": 1.0,
        "confidence": 0.99,
    }
    assert [one["value"] for one in dice] == [3, None, None]
    assert [one["state"] for one in dice] == ["flat", "cocked", "flat"]


def test_under_a_hand(on_the_board: Put, records: Records) -> None:
    on_the_board(die(3), die(6), hand=True)
    record = records()
    assert record["roll"] == {"valid": None, "values": None, "reasons": []}
    assert (len(record["dice"]), record["hand_in_view"]) == (2, True)


class TestGameAndProfile:
    @pytest.mark.parametrize(
        ("on_checker", "profile", "roll"),
        [
            (ON_CHECKER, "usbgf", {"valid": True, "values": [3, 2], "reasons": []}),
            (ON_CHECKER, "casual", {"valid": False, "values": None, "reasons": ["on_checker"]}),
            (LEANING_ON_CHECKER, "usbgf", {"valid": False, "values": None, "reasons": ["cocked"]}),
        ],
    )
    def test_a_die_on_a_checker(
        self, on_the_board: Put, records: Records, on_checker: DieReading, profile: str, roll: Record
    ) -> None:
        """Flat there it counts under the USBGF's rules; one that leans counts nowhere."""
        on_the_board(die(3), on_checker)
        assert records("--profile", profile)["roll"] == roll

    def test_a_half_for_each_player(self, on_the_board: Put, records: Records, tmp_path: Path) -> None:
        """A picture does not tell who threw: in a game with a half for each player its throw is unsure."""
        house = tmp_path / "house.toml"
        house.write_text(RIGHT_HALF_ONLY, encoding="utf-8")
        on_the_board(die(3), die(6))
        assert records("--rules", str(house))["roll"]["valid"] is None
        assert records("--rules", str(house), "--game", "tavla")["roll"]["valid"] is True

    def test_a_game_without_dice(self, on_the_board: Put, records: Records) -> None:
        on_the_board(die(3), die(6))
        record = records("--game", "grasshopper")
        assert record["roll"] == {"valid": None, "values": None, "reasons": []}
        assert len(record["dice"]) == 2


class TestTheCube:
    def test_it_is_reported(self, on_the_board: Put, records: Records) -> None:
        on_the_board(cube=CubeReading(64, CubePlace.BAR, (320.0, 240.5), 0.98))
        assert records()["cube"] == {"value": 64, "place": "bar", "centre_px": [320.0, 240.5]}

    def test_there_is_none(self, on_the_board: Put, records: Records) -> None:
        on_the_board(die(3))
        assert records()["cube"] is None


class TestTheTable:
    @pytest.mark.parametrize(
        ("dice", "lines"),
        [
            ([die(3), die(6)], ["  dice: 3, left half; 6, left half", "  roll: 6-3"]),
            (
                [die(3), die(6, half=RIGHT)],
                [
                    "  dice: 3, left half; 6, right half",
                    "  roll: does not count",
                    "    The dice lie in different halves; throw all dice again.",
                ],
            ),
            (
                [die(3), die(6, sure=0.9)],
                ["  dice: 3, left half; ?, left half", "  roll: unsure; not clear: what a die shows"],
            ),
            ([], ["  dice: none"]),
        ],
        ids=["counts", "does not", "unsure", "none"],
    )
    def test_dice_and_roll(
        self,
        on_the_board: Put,
        picture: str,
        zarbiter: Program,
        dice: list[DieReading],
        lines: list[str],
    ) -> None:
        on_the_board(*dice, cube=CubeReading(2, CubePlace.TOP, (320, 60), 0.99))
        printed = zarbiter("read", picture).out.splitlines()
        assert printed[4:] == [*lines, "  cube: 2, at the upper end of the bar", ""]


class TestDiceOnly:
    def test_the_record(self, on_a_table: Put, records: Records) -> None:
        """The keys of the contract; what only a board has is null or empty, for nothing is known of one."""
        asked = on_a_table(die(2, half=None, at_px=(99.5, 41.0)), *[die(5, half=None)] * 4)
        record = records("--dice-only")
        dice = record.pop("dice")
        assert len(dice) == 5
        assert dice[0] == {
            "value": 2,
            "state": "flat",
            "half": None,
            "centre_px": [99.5, 41.0],
            "tilt_deg": None,
            "confidence": 0.99,
        }
        assert Path(record.pop("image")).name == "board.png"
        assert record == {
            "corners": [],
            "points": {},
            "bar": None,
            "tray": None,
            "roll": None,
            "cube": None,
            "hand_in_view": None,
        }
        assert asked == [((480, 640, 3), None)]

    @pytest.mark.parametrize("state", [DieState.FLAT, DieState.COCKED], ids=lambda state: state.value)
    def test_flat_or_cocked(self, on_a_table: Put, records: Records, state: DieState) -> None:
        on_a_table(die(5, lies=state, half=None))
        (seen,) = records("--dice-only")["dice"]
        expected = ("flat", 5) if state is DieState.FLAT else ("cocked", None)
        assert (seen["state"], seen["value"]) == expected

    def test_the_line(self, on_a_table: Put, picture: str, zarbiter: Program) -> None:
        on_a_table(die(5, half=None), die(6, half=None, sure=0.8))
        assert zarbiter("read --dice-only", picture).out.splitlines() == [f"{picture}:", "  dice: 5; ?", ""]

    def test_a_picture_that_cannot_be_read(
        self, on_a_table: Put, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        on_a_table(die(5, half=None))
        status = main(["read", "--json", "--dice-only", str(tmp_path), written(tmp_path / "a.png")])
        first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
        assert (status, set(first), len(second["dice"])) == (1, {"image", "error"}, 1)

    def test_the_overlay(self, on_a_table: Put, records: Records, tmp_path: Path) -> None:
        """The picture changes around the die, and not far from it."""
        on_a_table(die(5, half=None, at_px=(200.0, 150.0)))
        records("--dice-only", "--overlay", str(tmp_path / "seen"))
        drawn = load_picture(tmp_path / "seen" / "board-reading.jpg")
        changed = np.abs(drawn.astype(int) - board()).max(axis=2) > 60
        assert changed[130:170, 180:220].sum() > 50
        assert not changed[250:400, 300:].any()


def test_the_overlay_of_a_board(on_the_board: Put, records: Records, tmp_path: Path) -> None:
    for name, dice in (("with", [die(at_px=(200.0, 240.0))]), ("without", [])):
        on_the_board(*dice)
        records("--overlay", str(tmp_path / name))
    pictures = [load_picture(tmp_path / name / "board-reading.jpg").astype(int) for name in ("with", "without")]
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 60
    assert changed[220:260, 180:220].sum() > 50
    assert not changed[:, 300:].any()
