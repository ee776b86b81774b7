"""Dice, the throw and the cube: parts of the record that `read --json` prints, and lines for people."""

from collections.abc import Iterator, Sequence

from controller.rules import ThrowRuling
from controller.wording.ruling_text import UNCLEAR_TEXTS
from vision.dice.readings import Contact, CubePlace, CubeReading, DieReading, DieState
from vision.pixels.drawing import LIKELY

_LIES = {
    DieState.FLAT: "",
    DieState.COCKED: "cocked",
    DieState.ON_CHECKER: "on a checker",
    DieState.ON_BAR: "on the bar",
    DieState.ON_RIM: "on the rim",
    DieState.OFF_BOARD: "off the board",
    DieState.MOVING: "moving",
}
_LEANS_ON = {
    Contact.NOTHING: "",
    Contact.CHECKER: " on a checker",
    Contact.BAR: " on the bar",
    Contact.RIM: " on the rim",
    Contact.DIE: " on another die",
}
_CUBE_LIES = {
    CubePlace.BAR: "in the middle of the bar",
    CubePlace.TOP: "at the upper end of the bar",
    CubePlace.BOTTOM: "at the lower end of the bar",
    CubePlace.OFFERED: "offered",
    CubePlace.TABLE: "beside the board",
}


def die_record(die: DieReading, *, knows_the_board: bool = True) -> dict[str, object]:
    """One entry of `dice`. Without a board there is no plane to measure the tilt against, and it is null."""
    return {
        "value": die.accepted_value,
        "state": die.lies.value,
        "half": None if die.half is None else die.half.value,
        "centre_px": [round(place_px, 2) for place_px in die.centre_px],
        "tilt_deg": round(die.tilt_deg, 1) if knows_the_board else None,
        "confidence": round(_combine_confidence(die), 4),
    }


def _combine_confidence(die: DieReading) -> float:
    """The confidence of everything that the record states of the die."""
    return die.lie_confidence if die.accepted_value is None else min(die.lie_confidence, die.value_confidence)


def roll_record(ruling: ThrowRuling | None) -> dict[str, object]:
    """The object `roll`; a ruling of None means a game without dice."""
    if ruling is None:
        return {"valid": None, "values": None, "reasons": []}
    return {
        "valid": ruling.valid,
        "values": None if ruling.values is None else list(ruling.values),
        "reasons": [reason.value for reason in ruling.reasons],
    }


def cube_record(cube: CubeReading | None) -> dict[str, object] | None:
    if cube is None:
        return None
    centre_px = [round(place_px, 2) for place_px in cube.centre_px]
    return {"value": cube.value, "place": cube.place.value, "centre_px": centre_px}


def dice_lines(dice: Sequence[DieReading]) -> Iterator[str]:
    """Dice in their order; a rejected value is a question mark, and a doubtful die carries its confidence.

    Of dice that are too small to be read the second line says so, and what to do.
    """
    yield f"  dice: {'; '.join(_die_words(die) for die in dice) or 'none'}"
    small_px = [die.size_px for die in dice if die.is_too_small]
    if small_px:
        yield f"    too small to read ({min(small_px):.0f} px wide); move the camera nearer, or use a larger picture"


def _die_words(die: DieReading) -> str:
    value = die.accepted_value
    words = [
        "?" if value is None else str(value),
        _LIES[die.lies] + (_LEANS_ON[die.touches] if die.lies is DieState.COCKED else ""),
        "" if die.half is None else f"{die.half.value} half",
    ]
    doubt = "" if _combine_confidence(die) >= LIKELY else f" ({_combine_confidence(die):.0%})"
    return ", ".join(word for word in words if word) + doubt


def roll_lines(ruling: ThrowRuling) -> Iterator[str]:
    """That the throw counts, or every reason why it does not, or what is unclear."""
    if ruling.values is not None:
        yield f"  roll: {'-'.join(map(str, ruling.values))}"
    elif ruling.valid is False:
        yield "  roll: does not count"
        yield from (f"    {reason.sentence}" for reason in ruling.reasons)
    else:
        yield f"  roll: unsure; not clear: {'; '.join(UNCLEAR_TEXTS[question] for question in ruling.unclear)}"


def cube_line(cube: CubeReading) -> str:
    doubt = "" if cube.confidence >= LIKELY else f" ({cube.confidence:.0%})"
    return f"  cube: {'?' if cube.value is None else cube.value}, {_CUBE_LIES[cube.place]}{doubt}"
