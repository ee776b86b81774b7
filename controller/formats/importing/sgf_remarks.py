"""What stands beside a node of an .sgf file, as a remark: its comment, and what GNU Backgammon computed.

`A[1][lpab E ver 3 …][…]` has the number of the play that was made and the plays that were weighed, the best first, each
with five chances and the equity. `LU[0.012]` is the luck of the throw. Cube decisions (`DA`) are passed over: in a match
they are chances to win it, which only the table of the writing program turns into points.
"""

import re

from controller.formats.importing.sgf_parser import SgfNode, parse_coordinate
from controller.match import Candidate, Remark
from controller.rules import BAR, OFF, Player

_PLAY = re.compile(r"(?P<play>[a-z]{0,8})\s+E\s+ver\s+\d+(?:\s+[-+.\deE]+){5}\s+(?P<equity>[-+]?\d{1,3}(?:\.\d+)?)\s")
_NUMBER = re.compile(r"[-+]?\d{1,3}(?:\.\d+)?")
_MOST_CANDIDATES = 5  # as many as programs show
_OURS = "zarbiter"
_LEAST = 0.0005  # what three digits can show
_MOST_CHARACTERS = 2_000


def read_remark(node: SgfNode, program: str) -> Remark:
    """`program` wrote the file; ours computes nothing. Empty where nothing stands beside the node."""
    text = "\n".join(" ".join(line.split()) for line in node.first_value("C")[:_MOST_CHARACTERS].splitlines())
    luck = _parse_number(node.first_value("LU"))
    player = next((one for one in Player if one.value in node.properties), None)
    error, candidates = (None, ()) if player is None else _read_analysis(node.properties.get("A", []), player)
    is_computed = (luck is not None or error is not None) and program != _OURS
    return Remark(
        text, program if is_computed else "", play_error=error, luck=luck, candidates=candidates if error else ()
    )


def _parse_number(text: str) -> float | None:
    found = _NUMBER.fullmatch(text.strip())
    return round(float(found[0]), 4) if found is not None and abs(float(found[0])) >= _LEAST else None


def _read_analysis(values: list[str], player: Player) -> tuple[float | None, tuple[Candidate, ...]]:
    """What the play gave away (None: nothing), and the best plays."""
    if len(values) < 2 or not values[0].strip().isdecimal():
        return None, ()
    found = [_PLAY.match(value.strip()) for value in values[1:]]
    plays = [(one["play"], float(one["equity"])) for one in found if one is not None]
    made = int(values[0].strip()[:4])
    if len(plays) != len(found) or made >= len(plays):
        return None, ()
    error = plays[0][1] - plays[made][1]
    candidates = tuple(
        Candidate(_format_play(play, player), round(equity, 4)) for play, equity in plays[:_MOST_CANDIDATES] if play
    )
    return (round(error, 4), candidates) if error >= _LEAST else (None, ())


def _format_play(letters: str, player: Player) -> str:
    places = [_format_place(letter, player) for letter in letters]
    return " ".join(f"{source}/{target}" for source, target in zip(places[::2], places[1::2], strict=False))


def _format_place(letter: str, player: Player) -> str:
    place = parse_coordinate(letter, player)
    return "bar" if place == BAR else "off" if place == OFF else str(place)
