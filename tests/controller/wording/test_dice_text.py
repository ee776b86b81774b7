from dataclasses import replace

import pytest

from controller.rules import BadThrow, ThrowRuling, Unclear
from controller.wording.dice_text import cube_line, cube_record, dice_lines, die_record, roll_lines, roll_record
from tests.vision.dice.hand_made_dice import cocked, die
from vision.dice.readings import BoardHalf, Contact, CubePlace, CubeReading, DieReading, DieState


class TestADie:
    def test_the_record(self) -> None:
        """Places are rounded to 0.01 px, the tilt to 0.1 degrees."""
        seen = die(5, half=BoardHalf.RIGHT, at_px=(612.3456, 300.0), sure=0.995, lie_sure=0.99, tilt_deg=0.84)
        assert die_record(seen) == {
            "value": 5,
            "state": "flat",
            "half": "right",
            "centre_px": [612.35, 300.0],
            "tilt_deg": 0.8,
            "confidence": 0.99,
        }

    def test_without_a_board_there_is_no_half_and_no_tilt(self) -> None:
        record = die_record(die(half=None), knows_the_board=False)
        assert (record["half"], record["tilt_deg"]) == (None, None)

    @pytest.mark.parametrize("state", [DieState.COCKED, DieState.MOVING])
    def test_the_confidence_of_a_die_without_a_value_is_that_of_its_lie(self, state: DieState) -> None:
        record = die_record(die(lies=state, sure=0.999, lie_sure=0.95))
        assert (record["value"], record["state"], record["confidence"]) == (None, state.value, 0.95)

    @pytest.mark.parametrize(
        "state", [DieState.FLAT, DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM, DieState.OFF_BOARD]
    )
    def test_a_die_shows_its_value_wherever_it_lies(self, state: DieState) -> None:
        assert die(3, lies=state).accepted_value == 3

    @pytest.mark.parametrize(("sure", "value", "confidence"), [(0.981, 5, 0.981), (0.979, None, 0.995)])
    def test_a_rejected_value_is_null(self, sure: float, value: int | None, confidence: float) -> None:
        """The confidence is then that of the lie."""
        record = die_record(die(5, sure=sure, lie_sure=0.995))
        assert (record["value"], record["confidence"]) == (value, confidence)


class TestTheRoll:
    @pytest.mark.parametrize(
        ("ruling", "valid", "values", "reasons"),
        [
            pytest.param(None, None, None, [], id="a game without dice"),
            pytest.param(ThrowRuling(True, (6, 5)), True, [6, 5], [], id="counts"),
            pytest.param(
                *(ThrowRuling(False, reasons=(BadThrow.COCKED, BadThrow.SPLIT)), False, None, ["cocked", "split"]),
                id="does not count",
            ),
            pytest.param(ThrowRuling(None, unclear=(Unclear.VALUE,)), None, None, [], id="unsure"),
        ],
    )
    def test_the_record(
        self, ruling: ThrowRuling | None, valid: bool | None, values: list[int] | None, reasons: list[str]
    ) -> None:
        assert roll_record(ruling) == {"valid": valid, "values": values, "reasons": reasons}

    def test_a_throw_that_does_not_count_lists_every_reason(self) -> None:
        bad = ThrowRuling(False, reasons=(BadThrow.COCKED, BadThrow.SPLIT))
        assert list(roll_lines(ThrowRuling(True, (6, 5)))) == ["  roll: 6-5"]
        assert list(roll_lines(bad)) == [
            "  roll: does not count",
            "    A die is cocked; throw all dice again.",
            "    The dice lie in different halves; throw all dice again.",
        ]

    def test_every_unclear_question_has_its_own_words(self) -> None:
        lines = {next(roll_lines(ThrowRuling(None, unclear=(question,)))) for question in Unclear}
        assert len(lines) == len(Unclear)
        assert all(line.startswith("  roll: unsure; not clear: ") for line in lines)


class TestLines:
    def test_dice(self) -> None:
        """Value, lie unless flat, half; a rejected value is a question mark, a doubtful die has its confidence."""
        on_checker = die(2, lies=DieState.ON_CHECKER, half=BoardHalf.RIGHT, lie_sure=0.7)
        dice = (die(5), cocked(), on_checker, die(6, sure=0.6))
        assert list(dice_lines(dice)) == [
            "  dice: 5, left half; ?, cocked, left half; 2, on a checker, right half (70%); ?, left half"
        ]
        assert list(dice_lines(())) == ["  dice: none"]

    @pytest.mark.parametrize(("small", "is_said"), [(die(6, sure=0.6), True), (die(6), False), (cocked(), False)])
    def test_a_die_too_small_to_be_read(self, small: DieReading, *, is_said: bool) -> None:
        """With what to do; not where its value was read, nor where it shows none."""
        lines = list(dice_lines([die(5), replace(small, size_px=9.4)]))
        told = ["    too small to read (9 px wide); move the camera nearer, or use a larger picture"]
        assert lines[1:] == (told if is_said else [])

    @pytest.mark.parametrize(
        ("contact", "words"),
        [
            (Contact.NOTHING, "cocked"),
            (Contact.CHECKER, "cocked on a checker"),
            (Contact.BAR, "cocked on the bar"),
            (Contact.RIM, "cocked on the rim"),
            (Contact.DIE, "cocked on another die"),
        ],
    )
    def test_what_a_cocked_die_leans_on(self, contact: Contact, words: str) -> None:
        """For a die on the bar, its lie already says it."""
        assert next(dice_lines([replace(cocked(), touches=contact)])) == f"  dice: ?, {words}, left half"
        on_bar = replace(die(2, lies=DieState.ON_BAR, half=None), touches=contact)
        assert next(dice_lines([on_bar])) == "  dice: 2, on the bar"

    @pytest.mark.parametrize("state", DieState)
    def test_every_lie_but_flat_has_words(self, state: DieState) -> None:
        words = next(dice_lines([die(4, lies=state, half=None)])).removeprefix("  dice: ").split(", ")
        assert len(words) == (1 if state is DieState.FLAT else 2)

    @pytest.mark.parametrize("place", CubePlace)
    def test_the_cube(self, place: CubePlace) -> None:
        """Its value or a question mark, its place, and its confidence if doubtful."""
        cube = CubeReading(64, place, (10.123, 20.0), 0.99)
        assert cube_record(cube) == {"value": 64, "place": place.value, "centre_px": [10.12, 20.0]}
        assert cube_line(cube).startswith("  cube: 64, ")
        assert cube_line(CubeReading(None, place, (10, 20), 0.6)).startswith("  cube: ?, ")
        assert cube_line(CubeReading(None, place, (10, 20), 0.6)).endswith(" (60%)")

    def test_no_cube(self) -> None:
        assert cube_record(None) is None
