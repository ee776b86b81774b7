"""XGID, the position text of eXtreme Gammon, and XG's line that sets a position up.

`XGID=<26>:<log2 cube>:<cube>:<turn>:<dice>:<score>:<score>:<crawford or jacoby>:<length>:<log2 of the highest cube>`. The
26 characters are the board as the uppercase player, here Black, counts it: the opponent's bar, points 1 to 24, his bar.

`; Set Pos=-b----E-C---eE---c-e----B-/0` in match text says that the game goes on from a position. Its board is that of
an XGID, but the left player is uppercase; the number after the stroke is the cube, 0 in the middle.
"""

import re
from dataclasses import dataclass

from controller.formats.positions.match_state import IdTextError, MatchState, PointCounts, make_side
from controller.rules import BAR, Player, Setup

_HIGHEST_CUBE = 10  # 1024
_A, _O = ord("A"), ord("O")
_DOUBLED, _TO_ROLL = "D", "00"
_JACOBY, _BEAVERS = 1, 2
_SET_POSITION = re.compile(r"\s*;\s*Set Pos=([-A-Oa-o]{26})(?:/(-?\d))?")


@dataclass(frozen=True, slots=True)
class SetPosition:
    """A position that is set up; White is the left player."""

    board: Setup
    is_cube_in_the_middle: bool


def xgid(moment: MatchState) -> str:
    dice = _DOUBLED if moment.doubled else "".join(map(str, moment.dice)) if moment.dice else _TO_ROLL
    of_money = _JACOBY * moment.jacoby + _BEAVERS * moment.beavers
    fields = (
        "".join(_encode_place(moment, place) for place in range(26)),
        moment.cube.bit_length() - 1,
        0 if moment.owner is None else _encode_player(moment.owner),
        _encode_player(moment.on_roll),
        dice,
        moment.score[1],
        moment.score[0],
        int(moment.is_crawford) if moment.length else of_money,
        moment.length,
        _HIGHEST_CUBE,
    )
    return "XGID=" + ":".join(map(str, fields))


def parse_xgid(text: str) -> MatchState:
    """Raises IdTextError."""
    fields = text.strip().removeprefix("XGID=").split(":")
    if len(fields) != 10 or len(fields[0]) != 26:
        raise IdTextError(f"{text[:40]!r} is no XGID, which has ten fields, the first of 26 characters; copy it anew")
    cube, owner, turn, score_1, score_0, flags, length, _ = (_parse_int(field) for field in (*fields[1:4], *fields[5:]))
    if owner not in (-1, 0, 1) or turn not in (-1, 1) or not 0 <= cube <= 20:
        raise IdTextError(f"{text[:60]!r} has no cube or nobody on turn; copy it anew")
    on_roll = _decode_player(turn)
    dice, doubled = _parse_dice(fields[4])
    owned_by = _decode_player(owner) if owner else None
    # Only a beaver is answered by the player on roll; the opponent owns the cube then.
    waits_for = on_roll if not doubled or owned_by is on_roll.opponent else on_roll.opponent
    white, black = parse_sides(fields[0])
    return MatchState(
        white,
        black,
        on_roll,
        waits_for,
        dice,
        1 << cube,
        owned_by,
        (score_0, score_1),
        length,
        is_crawford=bool(length and flags),
        jacoby=not length and bool(flags & _JACOBY),
        beavers=not length and bool(flags & _BEAVERS),
        doubled=doubled,
    )


def _encode_place(moment: MatchState, place: int) -> str:
    """Place 0 is White's bar, 25 Black's; White's points are counted from the other end."""
    black = moment.black[place - 1] if place else 0
    white = moment.white[24 - place] if place < BAR else 0
    if black:
        return chr(_A + black - 1)
    return chr(_A + white - 1).lower() if white else "-"


def parse_sides(board: str) -> tuple[PointCounts, PointCounts]:
    """The 25 counts of the lowercase and of the uppercase player, each along his own path. Raises IdTextError."""
    white, black = [0] * 25, [0] * 25
    for place, letter in enumerate(board):
        count = ord(letter.upper()) - _A + 1
        if letter == "-":
            continue
        is_misplaced = place == (0 if letter.isupper() else BAR)
        if not letter.isascii() or not _A <= ord(letter.upper()) <= _O or is_misplaced:
            raise IdTextError(f"XGID: {letter!r} at place {place} of the board is no stack of 1 to 15; copy it anew")
        if letter.isupper():
            black[place - 1] = count
        else:
            white[24 - place] = count
    if max(sum(white), sum(black)) > 15:
        raise IdTextError("XGID: a side has more than 15 checkers; copy it anew")
    return tuple(white), tuple(black)


def _parse_dice(text: str) -> tuple[tuple[int, int] | None, bool]:
    """The roll, if there is one, and whether a double, a beaver or a raccoon was offered."""
    if text in ("D", "B", "R"):
        return None, True
    if text == _TO_ROLL:
        return None, False
    if len(text) == 2 and all(die in "123456" for die in text):
        return (int(text[0]), int(text[1])), False
    raise IdTextError(f"XGID: {text[:10]!r} are no dice; write two numbers, 00 or D")


def _encode_player(player: Player) -> int:
    return 1 if player is Player.BLACK else -1


def _decode_player(sign: int) -> Player:
    return Player.BLACK if sign > 0 else Player.WHITE


def _parse_int(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 5):
        raise IdTextError(f"XGID: {text[:10]!r} is no number; copy it anew")
    return int(text)


def parse_set_position(line: str) -> SetPosition | None:
    """None if the line is another remark or has no board."""
    found = _SET_POSITION.match(line)
    if found is None:
        return None
    try:
        right, left = parse_sides(found[1])
    except IdTextError:
        return None
    return SetPosition(Setup(make_side(left), make_side(right)), found[2] in (None, "0"))
