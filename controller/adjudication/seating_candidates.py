"""Seatings that still fit, while a match that was joined in the middle goes on: the plays decide between them.

A board in the middle of a game tells who plays which checkers as little as which way they run. Every play does: for
most wrong seatings it is against the rules. One illegal play refutes nothing by itself, for people make them; but a
seating under which the plays are legal, while they are not under any other, is the right one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.adjudication.adjudicate import adjudicate
from controller.adjudication.outcome import IllegalOutcome, LegalOutcome
from controller.adjudication.seating_inference import infer_position, select_distinct_seatings
from controller.match.seating import ALL_SEATINGS, Checkers, Seating
from controller.observing.board_evidence import BoardEvidence
from controller.rules import Player, Position, Ruleset, Throw


@dataclass(frozen=True, slots=True)
class SeatingCandidate:
    """A seating, the board as it stands under it, and how the plays so far were under it.

    `mover`: who made the last play, None before the first.
    """

    seating: Seating
    position: Position
    mover: Player | None = None
    legal: int = 0
    broken: int = 0


@dataclass(frozen=True, slots=True)
class SeatingCandidates:
    """All that still fit, as far as plays have told."""

    candidates: tuple[SeatingCandidate, ...]

    @property
    def decision(self) -> SeatingCandidate | None:
        """The one under which fewer plays broke the rules than under each other one, once a play was legal under it."""
        if not self.candidates:
            return None
        best, *others = sorted(self.candidates, key=_count_breaches)
        is_ahead = not others or others[0].broken > best.broken
        return best if is_ahead and (best.legal or not others) else None


def _count_breaches(candidate: SeatingCandidate) -> int:
    return candidate.broken


def find_fitting_seatings(
    seen: BoardEvidence, rules: Ruleset, among: Sequence[Seating] = ALL_SEATINGS
) -> SeatingCandidates:
    """Every seating under which the settled board is a position of the game; none when it cannot be told.

    White plays light unless `among` says otherwise.
    """
    asked = select_distinct_seatings(rules, among)
    light = tuple(seating for seating in asked if seating.white_plays is Checkers.LIGHT)
    found = ((seating, infer_position(seen, seating, rules)) for seating in light or asked)
    return SeatingCandidates(
        tuple(SeatingCandidate(seating, position) for seating, position in found if position is not None)
    )


def narrow_candidates(
    before: SeatingCandidates, throw: Throw, seen: BoardEvidence, rules: Ruleset, *, checkers: Checkers | None = None
) -> SeatingCandidates:
    """After the settled board that ended a turn. `checkers`: those of the player who moved, where that is known.

    Unchanged where no seating makes sense of the board and it cannot be told under some: it is to be shown again.
    """
    judged = [_judge_candidate(candidate, throw, seen, rules, checkers) for candidate in before.candidates]
    makes_sense = any(now.legal > was.legal for now, was in zip(judged, before.candidates, strict=True))
    is_told = all(now != was for now, was in zip(judged, before.candidates, strict=True))
    if not (makes_sense or is_told):
        return before
    return SeatingCandidates(
        tuple(
            _update_position(now, seen, rules) if now == was else now
            for now, was in zip(judged, before.candidates, strict=True)
        )
    )


def _judge_candidate(
    candidate: SeatingCandidate, throw: Throw, seen: BoardEvidence, rules: Ruleset, checkers: Checkers | None
) -> SeatingCandidate:
    """The candidate after the play, legal or not; unchanged where that cannot be told."""
    seating, movers = candidate.seating, tuple(Player)
    if checkers is not None:
        movers = (seating.player_of(checkers),)
    elif candidate.mover is not None:
        movers = (candidate.mover.opponent,)
    outcomes = [(mover, adjudicate(candidate.position, mover, throw, seen, seating, rules)) for mover in movers]
    for mover, outcome in outcomes:
        if isinstance(outcome, LegalOutcome):
            return replace(candidate, position=outcome.ruling.after, mover=mover, legal=candidate.legal + 1)
    if not all(isinstance(outcome, IllegalOutcome) for _, outcome in outcomes):
        return candidate
    known_mover = movers[0] if len(movers) == 1 else None
    return _update_position(replace(candidate, mover=known_mover, broken=candidate.broken + 1), seen, rules)


def _update_position(candidate: SeatingCandidate, seen: BoardEvidence, rules: Ruleset) -> SeatingCandidate:
    position = infer_position(seen, candidate.seating, rules)
    return candidate if position is None else replace(candidate, position=position)
