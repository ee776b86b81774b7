from dataclasses import replace

import pytest

from controller.rules import BadThrow, ThrowRuling, Unclear
from controller.wording.dice_text import cube_line, cube_record, dice_line, die_record, roll_lines, roll_record
from tests.vision.dice.hand_made_dice import cocked, die
from vision.dice.readings import BoardHalf, Contact, CubePlace, CubeReading, DieState


class TestADie:
    def test_the_record(self) -> None:
        """Every field of the contract; places to a hundredth of a pixel, the tilt to a tenth of a degree."""
        seen = die(5, half=BoardHalf.RIGHT, at_px=(612.3456, 300.0), sure=0.995, lie_sure=0.99, tilt_deg=0.84)
        assert die_record(seen) == {
            "value": 5,
            "state": "flat",
            "half": "right",
            "centre_px": [612.35, 300.0],
            "tilt_deg": 0.8,
            "confidence": 0.99,
        }

    def test_without_a_board(self) -> None:
        """There is nothing to lean against, and no half."""
        record = die_record(die(half=None), knows_the_board=False)
        assert (record["half"], record["tilt_deg"]) == (None, None)

    @pytest.mark.parametrize("state", [DieState.COCKED, DieState.MOVING])
    def test_a_die_that_shows_no_value(self, state: DieState) -> None:
        """Its confidence is that of its lie alone."""
        record = die_record(die(lies=state, sure=0.999, lie_sure=0.95))
        assert (record["value"], record["state"], record["confidence"]) == (None, state.value, 0.95)

    @pytest.mark.parametrize(
        "state", [DieState.FLAT, DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM, DieState.OFF_BOARD]
    )
    def test_a_die_that_shows_one(self, state: DieState) -> None:
        """Wherever it lies; whether it counts is another matter."""
        assert die(3, lies=state).accepted_value == 3

    @pytest.mark.parametrize(("sure", "value", "confidence"), [(0.981, 5, 0.981), (0.979, None, 0.995)])
    def test_a_value_that_is_not_believed(self, sure: float, value: int | None, confidence: float) -> None:
        """It is null, and then the confidence is that of what is said: how the die lies."""
        record = die_record(die(5, sure=sure, lie_sure=0.995))
        assert (record["value"], record["confidence"]) == (value, confidence)


class TestTheRoll:
    def test_no_dice_in_this_game(self) -> None:
        """Nothing is said."""
        assert roll_record(None) == {"valid": None, "values": None, "reasons": []}

    @pytest.mark.parametrize(
        ("ruling", "record"),
        [
            (ThrowRuling(True, (6, 5)), {"valid": True, "values": [6, 5], "reasons": []}),
            (
                ThrowRuling(False, reasons=(BadThrow.COCKED, BadThrow.SPLIT)),
                {"valid": False, "values": None, "reasons": ["cocked", "split"]},
            ),
            (ThrowRuling(None, unclear=(Unclear.VALUE,)), {"valid": None, "values": None, "reasons": []}),
        ],
        ids=["counts", "does not", "unsure"],
    )
    def test_the_record(self, ruling: ThrowRuling, record: dict[str, object]) -> None:
        """All reasons, in the order of the rules."""
        assert roll_record(ruling) == record

    def test_lines(self) -> None:
        """A throw that does not count has every reason's sentence."""
        bad = ThrowRuling(False, reasons=(BadThrow.COCKED, BadThrow.SPLIT))
        assert list(roll_lines(ThrowRuling(True, (6, 5)))) == ["  roll: 6-5"]
        assert list(roll_lines(bad)) == [
            "  roll: does not count",
            "    A die is cocked; throw all dice again.",
            "    The dice lie in different halves; throw all dice again.",
        ]

    @pytest.mark.parametrize("question", Unclear)
    def test_every_question_has_words(self, question: Unclear) -> None:
        """Each its own."""
        (line,) = roll_lines(ThrowRuling(None, unclear=(question,)))
        others = {next(roll_lines(ThrowRuling(None, unclear=(other,)))) for other in Unclear if other is not question}
        assert line.startswith("  roll: unsure; not clear: ")
        assert line not in others


class TestLines:
    def test_dice(self) -> None:
        """Value, lie unless flat, half; what is not believed is a question mark, what is doubtful has its share."""
        dice = (
            die(5),
            cocked(),
            die(2, lies=DieState.ON_CHECKER, half=BoardHalf.RIGHT, lie_sure=0.7),
            die(6, sure=0.6),
        )
        assert dice_line(dice) == (
            "  dice: 5, left half; ?, cocked, left half; 2, on a checker, right half (70%); ?, left half"
        )
        assert dice_line(()) == "  dice: none"

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
        """Players look there; of a die that lies on something its lie says it."""
        assert dice_line([replace(cocked(), touches=contact)]) == f"  dice: ?, {words}, left half"
        on_bar = replace(die(2, lies=DieState.ON_BAR, half=None), touches=contact)
        assert dice_line([on_bar]) == "  dice: 2, on the bar"

    @pytest.mark.parametrize("state", DieState)
    def test_every_lie_has_words(self, state: DieState) -> None:
        """A flat die needs none."""
        words = dice_line([die(4, lies=state, half=None)]).removeprefix("  dice: ").split(", ")
        assert len(words) == (1 if state is DieState.FLAT else 2)

    @pytest.mark.parametrize("place", CubePlace)
    def test_the_cube(self, place: CubePlace) -> None:
        """What is seen of it: the number, or a question mark, and where it lies."""
        cube = CubeReading(64, place, (10.123, 20.0), 0.99)
        assert cube_record(cube) == {"value": 64, "place": place.value, "centre_px": [10.12, 20.0]}
        assert cube_line(cube).startswith("  cube: 64, ")
        assert cube_line(CubeReading(None, place, (10, 20), 0.6)).startswith("  cube: ?, ")
        assert cube_line(CubeReading(None, place, (10, 20), 0.6)).endswith(" (60%)")

    def test_no_cube(self) -> None:
        """Null, as the contract has it."""
        assert cube_record(None) is None
