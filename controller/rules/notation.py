"""Positions and plays as text.

Position text is `WHITE/BLACK` or `WHITE/BLACK/PINS`, White first whoever plays. A side has one hexadecimal digit for each
own coordinate, 0 borne off to 25 bar, and a 27th for the reserve when it is not zero. PINS lists a colour letter and
the coordinate on the path of that colour, White's pins first, each list rising: `W7,B23`.

Play text follows GNU Backgammon: `bar/22`, `13/8`, `8/4*(2)`, `24/18*/13`, `6/off`. Steps of one checker are drawn
together (`24/13`), except that a point where the checker hit is named (`24/18*/13`). Equal moves are counted (`6/4(2)`);
the highest source comes first. A star marks a hit, in pin games a pin. `reserve` is the source of a checker that enters
from the reserve.
"""

from collections.abc import Sequence

from controller.rules.errors import PositionTextError, quote_value
from controller.rules.player import BAR, OFF, POINTS, RESERVE, Player
from controller.rules.position import Position
from controller.rules.setup import Setup, Side
from controller.rules.steps import Step

NO_STEPS = "pass"
_PLACE_NAMES = {OFF: "off", BAR: "bar", RESERVE: "reserve"}
_HEXADECIMAL = frozenset("0123456789abcdef")
_EXAMPLE = "00000050300005000000000020/00000050300005000000000020"


def position_text(position: Position) -> str:
    """The unique text of a position."""
    text = f"{_side_text(position.white)}/{_side_text(position.black)}"
    if position.white_pinned or position.black_pinned:
        pins = [
            f"{player.value}{point}"
            for player in Player
            for point in POINTS
            if position.pinned_mask(player) >> point & 1
        ]
        text += "/" + ",".join(pins)
    return text


def _side_text(side: int) -> str:
    digits = f"{side:027x}"[::-1]
    return digits[:26] if digits[26] == "0" else digits


def parse_setup(text: str) -> Setup:
    """Reads the checkers that position text claims, possible or not; raises PositionTextError for another form."""
    parts = text.split("/")
    if len(parts) not in (2, 3):
        raise PositionTextError(
            f"position {quote_value(text)} has {len(parts)} parts between slashes; write WHITE/BLACK, like {_EXAMPLE}"
        )
    pins = _parse_pins(parts[2]) if len(parts) == 3 else {player: frozenset[int]() for player in Player}
    white, black = (_parse_side(digits, player, pins[player]) for digits, player in zip(parts[:2], Player, strict=True))
    return Setup(white, black)


def _parse_side(digits: str, player: Player, pinned: frozenset[int]) -> Side:
    name = player.name.capitalize()
    if len(digits) not in (26, 27):
        raise PositionTextError(
            f"position: {name}'s side has {len(digits)} digits; give 26 (borne off, points 1 to 24, bar), or 27 with a "
            "reserve"
        )
    for index, digit in enumerate(digits):
        if digit not in _HEXADECIMAL:
            raise PositionTextError(
                f"position: {name}'s side has {digit!r} at place {index}; use the digits 0 to 9 and a to f"
            )
    return Side.of_counts(tuple(int(digit, 16) for digit in digits), pinned)


def _parse_pins(text: str) -> dict[Player, frozenset[int]]:
    pins: dict[Player, set[int]] = {player: set() for player in Player}
    for pin in text.split(","):
        letter, number = pin[:1], pin[1:]
        is_short = len(number) <= 2 and number.isascii() and number.isdigit()
        if letter not in ("W", "B") or not is_short or int(number) not in POINTS:
            raise PositionTextError(
                f"position: {quote_value(pin)} is no pin; write a colour letter and a point, like W7,B23"
            )
        pins[Player(letter)].add(int(number))
    return {player: frozenset(points) for player, points in pins.items()}


def play_text(steps: Sequence[Step]) -> str:
    """The text of the steps of a play or of a whole turn; `pass` for no steps."""
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
    """Groups steps by checker; a step belongs to the first checker that stands on its source."""
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
    """One checker's move: source, target, text without the last star, and whether it ends with a hit."""
    first, last = journey[0], journey[-1]
    named = [f"{step.target}*" for step in journey[:-1] if step.hits]
    path = "/".join([place_text(first.source), *named, place_text(last.target)])
    return first.source, last.target, path, last.hits


def place_text(coordinate: int) -> str:
    """The word of the notation for an own coordinate."""
    return _PLACE_NAMES.get(coordinate, str(coordinate))
