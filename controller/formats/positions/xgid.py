"""XGID, the position text of eXtreme Gammon.

`XGID=<26>:<log2 cube>:<cube>:<turn>:<dice>:<score>:<score>:<crawford or jacoby>:<length>:<log2 of the highest cube>`. The
26 characters are the board as the uppercase player, here Black, counts it: the other's bar, points 1 to 24, the own bar.
"""

from controller.formats.positions.match_state import IdTextError, MatchState, PointCounts
from controller.rules import BAR, Player

_HIGHEST_CUBE = 10  # 1024
_A, _O = ord("A"), ord("O")
_DOUBLED, _TO_ROLL = "D", "00"
_JACOBY, _BEAVERS = 1, 2


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
        raise IdTextError(f"{text[:60]!r} tells of no cube or of nobody on turn; copy it anew")
    on_roll = _decode_player(turn)
    dice, doubled = _parse_dice(fields[4])
    owned_by = _decode_player(owner) if owner else None
    # only a beaver is answered by the player on roll, and then the cube is the other's already
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
    """Index 0 is White's bar, 25 Black's; White's own point lies across."""
    black = moment.black[place - 1] if place else 0
    white = moment.white[24 - place] if place < BAR else 0
    if black:
        return chr(_A + black - 1)
    return chr(_A + white - 1).lower() if white else "-"


def parse_sides(board: str) -> tuple[PointCounts, PointCounts]:
    """The lowercase player's and the uppercase player's 25 counts, each of his own points and bar. Raises IdTextError."""
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
    """The roll, if there is one, and whether a double was offered (a beaver and a raccoon too)."""
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
