"""What eXtreme Gammon computed for a decision, as remarks: errors, luck, and its best plays where the play was an error."""

from dataclasses import replace

from controller.formats.xg import xg_records as xg
from controller.formats.xg.xg_comments import PROGRAM
from controller.match import Candidate, Remark

_LARGEST = (
    10.0  # no decision and no throw is worth more than a backgammon with the cube turned; other numbers mean "none"
)
_LEAST = 0.0005  # what three digits can show
_MOST_CANDIDATES = 5  # as many as programs show


def read_cube_remark(record: bytes, comment: str) -> Remark:
    """Of the record of a decision about the cube."""
    layout = xg.CUBE
    error, of_answer = (_find_error(layout.real(record, name)) for name in ("error", "error_of_answer"))
    return _name_source(Remark(comment, cube_error=error, answer_error=of_answer))


def read_play_remark(record: bytes, comment: str) -> Remark:
    """Of the record of a play."""
    luck = xg.MOVE.real(record, "luck")
    error = _find_error(xg.MOVE.real(record, "error"))
    remark = Remark(
        comment,
        play_error=error,
        luck=round(luck, 4) if _LEAST <= abs(luck) < _LARGEST else None,
        candidates=() if error is None else _read_candidates(record),
    )
    return _name_source(remark)


def format_steps(steps: tuple[int, ...]) -> str:
    """Steps as the records have them: from and to, on the mover's own path from 0."""
    words = []
    for source, target in zip(steps[::2], steps[1::2], strict=True):
        if source == -1:
            break
        words.append(f"{_format_place(source)}/{_format_place(target)}")
    return " ".join(words)


def _format_place(place: int) -> str:
    return "off" if place < 0 else "bar" if place == 24 else str(place + 1)


def _find_error(equity: float) -> float | None:
    """An error is the equity that a decision gave away, negative."""
    return round(-equity, 4) if -_LARGEST < equity <= -_LEAST else None


def _name_source(remark: Remark) -> Remark:
    return replace(remark, source=PROGRAM) if replace(remark, text="") != Remark() else remark


def _read_candidates(record: bytes) -> tuple[Candidate, ...]:
    """The best plays first; those that were evaluated less deeply come later, as the program shows them."""
    analysis = xg.MOVE.part(record, "analysis")
    layout = xg.ANALYSIS_OF_PLAY
    count = min(max(layout.number(analysis, "count"), 0), _MOST_CANDIDATES)
    steps = layout.numbers(analysis, "steps")
    evaluations = layout.reals(analysis, "evaluations")
    found = (
        (format_steps(steps[8 * at : 8 * at + 8]), evaluations[xg.NUMBERS_OF_EVALUATION * (at + 1) - 1])
        for at in range(count)
    )
    return tuple(Candidate(play, round(equity, 4)) for play, equity in found if play and abs(equity) < _LARGEST)
