"""What stands beside a match as lines of text: comments of people, errors, luck and best plays as programs computed them.

`speech/event_phrases.py` has these sentences as keys of the language packs.
"""

from collections.abc import Iterator

from controller.match import Candidate, Remark


def remark_lines(remark: Remark) -> tuple[str, ...]:
    """The lines of the comment, then a line about what was computed. Letters are as they were written."""
    computed = " ".join(_describe_computed(remark))
    return (*comment_lines(remark), computed) if computed else comment_lines(remark)


def comment_lines(remark: Remark) -> tuple[str, ...]:
    return tuple(line.strip() for line in remark.text.splitlines() if line.strip())


def format_equity(equity: float) -> str:
    """With its sign and three digits, as programs show it."""
    return f"{equity:+.3f}"


def format_candidates(candidates: tuple[Candidate, ...]) -> str:
    """`24/18 13/11 (+0.123), 13/8 6/5 (+0.100)`."""
    return ", ".join(f"{one.play} ({format_equity(one.equity)})" for one in candidates)


def _describe_computed(remark: Remark) -> Iterator[str]:
    if remark.cube_error is not None:
        yield f"Error of the decision to double: {remark.cube_error:.3f}."
    if remark.answer_error is not None:
        yield f"Error of the answer: {remark.answer_error:.3f}."
    if remark.play_error is not None:
        yield f"Error of the play: {remark.play_error:.3f}."
    if remark.candidates:
        yield f"Best plays: {format_candidates(remark.candidates)}."
    if remark.luck is not None:
        yield f"Luck of the throw: {format_equity(remark.luck)}."
    if remark.source:
        yield f"Computed by {remark.source}."
