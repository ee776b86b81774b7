"""GNU Backgammon's ids: the checkers in 14 characters, everything else in 12; together a GNUBGID.

Position id: for each player, first the one who is not on roll, and for each of his points 1 to 24 and his bar: a one for
each checker, then a zero. The 80 bits start at the lowest bit of the first byte. An offered double does not exchange the
players; only the match id says who answers. Match id: 67 bits in the same bit order, in the fields below. Both are
base64 without padding.
"""

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import replace

from controller.formats.positions.match_state import GameState, IdTextError, MatchState, PointCounts
from controller.rules import Player

_POSITION_BYTES, _MATCH_BYTES = 10, 9
_PLACES = 25
_CENTRED = 3
# The fields of the match id with their widths in bits, from the lowest bit.
_FIELDS = (
    ("cube", 4),
    ("owner", 2),
    ("on_roll", 1),
    ("crawford", 1),
    ("state", 3),
    ("decides", 1),
    ("doubled", 1),
    ("resigned", 2),
    ("die_1", 3),
    ("die_2", 3),
    ("length", 15),
    ("score_0", 15),
    ("score_1", 15),
    ("no_jacoby", 1),  # not in the published description; always 1 in matches
)
_PLAYERS = (Player.WHITE, Player.BLACK)


def gnubgid(moment: MatchState) -> str:
    return f"{position_id(moment)}:{match_id(moment)}"


def parse_gnubgid(text: str) -> MatchState:
    """Raises IdTextError."""
    position, _, match = text.removeprefix("GNUBGID ").partition(":")
    moment = parse_match_id(match)
    waiting, rolling = parse_position_id(position)
    white, black = (rolling, waiting) if moment.on_roll is Player.WHITE else (waiting, rolling)
    return replace(moment, white=white, black=black)


def position_id(moment: MatchState) -> str:
    bits = [
        *_encode_counts(moment.point_counts(moment.on_roll.opponent)),
        *_encode_counts(moment.point_counts(moment.on_roll)),
    ]
    return _encode_number(sum(bit << place for place, bit in enumerate(bits)), _POSITION_BYTES)


def parse_position_id(text: str) -> tuple[PointCounts, PointCounts]:
    """The counts of the player who waits, and of the player on roll. Raises IdTextError."""
    number = _decode_number(text, _POSITION_BYTES, "position id")
    counts: list[int] = [0]
    for place in range(8 * _POSITION_BYTES):
        if number >> place & 1:
            counts[-1] += 1
        elif len(counts) < 2 * _PLACES:
            counts.append(0)
    sides = tuple(counts[:_PLACES]), tuple(counts[_PLACES:])
    if len(counts) < 2 * _PLACES or max(map(sum, sides)) > 15:
        raise IdTextError(f"position id {text[:20]!r} has no board with up to 15 checkers a side; copy it anew")
    return sides


def match_id(moment: MatchState) -> str:
    """Raises IdTextError if a number does not fit into its field."""
    first, second = moment.dice or (0, 0)
    values = {
        "cube": moment.cube.bit_length() - 1,
        "owner": _CENTRED if moment.owner is None else _PLAYERS.index(moment.owner),
        "on_roll": _PLAYERS.index(moment.on_roll),
        "crawford": int(moment.is_crawford),
        "state": moment.state.value,
        "decides": _PLAYERS.index(moment.decides),
        "doubled": int(moment.doubled),
        "resigned": moment.resigned,
        "die_1": first,
        "die_2": second,
        "length": moment.length,
        "score_0": moment.score[0],
        "score_1": moment.score[1],
        "no_jacoby": int(not moment.jacoby),
    }
    number = shift = 0
    for name, width in _FIELDS:
        if not 0 <= values[name] < 1 << width:
            raise IdTextError(f"a match id has no room for {name} {values[name]}")
        number |= values[name] << shift
        shift += width
    return _encode_number(number, _MATCH_BYTES)


def parse_match_id(text: str) -> MatchState:
    """Everything but the checkers, on an empty board. Raises IdTextError."""
    number = _decode_number(text, _MATCH_BYTES, "match id")
    values: dict[str, int] = {}
    for name, width in _FIELDS:
        values[name] = number & ((1 << width) - 1)
        number >>= width
    dice = (values["die_1"], values["die_2"])
    if values["owner"] == 2 or values["state"] > 4 or max(dice) > 6 or (0 in dice and any(dice)):
        raise IdTextError(f"match id {text[:20]!r} describes no match; copy it anew")
    return MatchState(
        (0,) * _PLACES,
        (0,) * _PLACES,
        _PLAYERS[values["on_roll"]],
        _PLAYERS[values["decides"]],
        dice if any(dice) else None,
        1 << values["cube"],
        None if values["owner"] == _CENTRED else _PLAYERS[values["owner"]],
        (values["score_0"], values["score_1"]),
        values["length"],
        is_crawford=bool(values["crawford"]),
        jacoby=not values["no_jacoby"],
        doubled=bool(values["doubled"]),
        resigned=values["resigned"],
        state=GameState(values["state"]),
    )


def _encode_counts(counts: PointCounts) -> Iterator[int]:
    for count in counts:
        yield from (1,) * count
        yield 0


def _encode_number(number: int, n_bytes: int) -> str:
    return b64encode(number.to_bytes(n_bytes, "little")).decode("ascii").rstrip("=")


def _decode_number(text: str, n_bytes: int, what: str) -> int:
    try:
        found = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(found) != n_bytes:
        raise IdTextError(
            f"{text[:20]!r} is no {what}, which has {-(-n_bytes * 4 // 3)} letters and digits; copy it anew"
        )
    return int.from_bytes(found, "little")
