"""The pictures that prove a ruling.

The log keeps each picture of a turn once: the dice with the throw, the board after the turn with the play. The pictures of
a ruling may therefore belong to earlier events: the dice to an event of the same turn, the board before to the last play.
"""

from collections.abc import Sequence
from pathlib import Path

from controller.match import BoardCorrected, GameStarted, PlayCondoned, PlayMade, PlayTakenBack
from controller.match_log import LoggedEvent, PictureKind
from controller.match_log.replay import read_picture

_ENDS_A_TURN = (PlayMade, PlayCondoned, GameStarted, BoardCorrected, PlayTakenBack)


def find_pictures(logged: Sequence[LoggedEvent], number: int) -> dict[PictureKind, int]:
    """For each kind of picture the number of the event that holds it; empty for an unknown event."""
    if not 1 <= number <= len(logged):
        return {}
    found: dict[PictureKind, int] = {}
    for kind in PictureKind:
        for one in _list_holder_candidates(logged, number, kind):
            if _find_index(one, _stored_kind(one, number, kind)) is not None:
                found[kind] = one.sequence
                break
    return found


def _list_holder_candidates(logged: Sequence[LoggedEvent], number: int, kind: PictureKind) -> list[LoggedEvent]:
    """The event itself, then the earlier events that may hold a picture of this kind."""
    own = logged[number - 1]
    if kind is PictureKind.AFTER:
        return [own]
    turn = [own]
    for one in reversed(logged[: number - 1]):
        if isinstance(one.event, _ENDS_A_TURN):
            return [own, one] if kind is PictureKind.BEFORE else turn
        turn.append(one)
    return turn if kind is PictureKind.DICE else [own]


def _stored_kind(one: LoggedEvent, number: int, kind: PictureKind) -> PictureKind:
    """The board before a turn is stored as the board after the previous one."""
    is_earlier = one.sequence != number
    return PictureKind.AFTER if kind is PictureKind.BEFORE and is_earlier else kind


def _find_index(one: LoggedEvent, kind: PictureKind) -> int | None:
    """The index of the picture among those of the event; None where there is none or it was pruned."""
    kinds = [None if picture.is_pruned else picture.digest.kind for picture in one.pictures]
    return kinds.index(kind.value) if kind.value in kinds else None


def load_jpeg(path: Path, logged: Sequence[LoggedEvent], number: int, kind: PictureKind) -> bytes | None:
    """The picture of this kind for a ruling; None where there is none. Raises MatchLogError."""
    holder = find_pictures(logged, number).get(kind)
    if holder is None:
        return None
    one = logged[holder - 1]
    index = _find_index(one, _stored_kind(one, number, kind))
    return None if index is None else read_picture(path, holder, index)
