"""Plays as text, in the notation GNU Backgammon writes: `bar/22`, `13/8`, `8/4*(2)`, `24/18*/13`, `6/off`.

Steps of one checker are drawn together (`24/13`), except that a point where it hit is named (`24/18*/13`). Equal moves
are counted (`6/4(2)`), the highest source comes first. A star marks a hit, in pin games a pin. A checker that enters
from the reserve starts at `reserve`.
"""

from collections.abc import Sequence

from controller.rules.player import BAR, OFF, RESERVE
from controller.rules.steps import Step

NO_STEPS = "pass"
_NAMES = {OFF: "off", BAR: "bar", RESERVE: "reserve"}


def play_text(steps: Sequence[Step]) -> str:
    """The text of the steps of a play or of a whole turn; `pass` when there are none."""
    moves = sorted(map(_format_move, _split_by_checker(steps)), reverse=True)
    counted: dict[tuple[int, int, str], tuple[int, bool]] = {}
    for source, target, path, hits in moves:
        count, hit_before = counted.get((source, target, path), (0, False))
        counted[source, target, path] = (count + 1, hit_before or hits)
    words = []
    for (_, _, path), (count, hits) in counted.items():
        words.append(path + ("*" if hits else "") + (f"({count})" if count > 1 else ""))
    return " ".join(words) or NO_STEPS


def _split_by_checker(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps of each checker; a step goes on with the first checker that stands on its source."""
    journeys: list[list[Step]] = []
    for step in steps:
        onward = (one for one in journeys if one[-1].target == step.source and step.source != OFF)
        journey = next(onward, None)
        if journey is None:
            journeys.append([step])
        else:
            journey.append(step)
    return journeys


def _format_move(journey: list[Step]) -> tuple[int, int, str, bool]:
    """One checker's move: source, target, text without the last star, whether it ends with a hit."""
    first, last = journey[0], journey[-1]
    named = [f"{step.target}*" for step in journey[:-1] if step.hits]
    path = "/".join([place_text(first.source), *named, place_text(last.target)])
    return first.source, last.target, path, last.hits


def place_text(coordinate: int) -> str:
    """A place on the own path by the word of the notation."""
    return _NAMES.get(coordinate, str(coordinate))
