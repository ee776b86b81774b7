"""Joins a match that nobody announced: infers seating, first player and start position from the plays.

Each interpretation of the first settled board is a hypothesis: a match configuration that is refereed in memory over
the same observations as all others. Under a wrong hypothesis plays soon break the rules (a player moves backwards, or
moves the opponent's checkers); under the right one they are legal. What the operator has stated is no hypothesis.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.adjudication import infer_positions, infer_seatings, select_plain_seatings
from controller.match import (
    BoardDiffers,
    Evidence,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    Seating,
    ThrowRefused,
    ThrowUnclear,
)
from controller.observing import BoardEvidence, Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player, Position, position_text, start_position
from vision.dice_tracking.events import DiceSettled

# Knobs: the score of each event under a hypothesis. Legal plays count for it; illegal and unexplained ones against it.
# A bad throw counts little: it is bad under most hypotheses, but the valid half of the board depends on the seating.
# An inferred play scores this instead of 1: with an unseen roll or turn, more plays would have been legal.
_INFERRED_WEIGHT = 0.5
_UNSEEN = (Evidence.INFERRED, Evidence.FORCED)
_SCORES: dict[type, float] = {
    PlayMade: 1.0,
    PlayRefused: -2.0,
    RollWithdrawn: -2.0,  # the roll was the opponent's: the hypothesis had the wrong player on turn
    PlayUnclear: -1.0,
    ThrowUnclear: -0.5,
    ThrowRefused: -0.25,
    BoardDiffers: -2.0,
}
MIN_PLAYS = 2
"""The leading hypothesis is accepted once it explains this many plays and leads by this score."""
MAX_POSITIONS = 2  # readings of one board under one seating; each costs a referee over all observations
MAX_PLAYS = 12
"""After this many plays the leading hypothesis is accepted without a lead: in games where both players move the same
way, two hypotheses can stay equal until somebody bears off."""


@dataclass(frozen=True, slots=True, eq=False)
class TableHypothesis:
    """A match configuration under test, its referee state, its score and the number of plays that it explains."""

    table: MatchConfig
    state: RefereeState
    score: float = 0.0
    plays: int = 0

    def with_observation(self, seen: Observation) -> "TableHypothesis":
        state, events = step(self.state, seen, self.table)
        score = self.score + sum(map(_score_event, events))
        if self.state.phase is Phase.UNSURE and any(isinstance(event, DiceSettled) for event in seen.dice_events):
            score += _SCORES[PlayUnclear]  # one more turn without an explanation
        plays = self.plays + sum(isinstance(event, PlayMade) and not _is_unseen_pass(event) for event in events)
        return replace(self, state=state, score=score, plays=plays)


@dataclass(frozen=True, slots=True, eq=False)
class Joining:
    """All hypotheses about one match; none before the first settled board. `table` is what the operator stated."""

    table: MatchConfig
    hypotheses: tuple[TableHypothesis, ...] = ()

    def with_observation(self, seen: Observation) -> "Joining":
        hypotheses = self.hypotheses
        if not hypotheses and seen.board is not None:
            hypotheses = tuple(
                TableHypothesis(table, begin_match(table, seen.taken_ms)[0])
                for table in candidate_tables(self.table, seen.board)
            )
        return replace(self, hypotheses=tuple(one.with_observation(seen) for one in hypotheses))

    @property
    def decided(self) -> MatchConfig | None:
        """The accepted configuration; None while the hypotheses are too close."""
        if not self.hypotheses:
            return None
        first, *others = self._ranked
        if not others:
            return first.table
        is_ahead = first.plays >= MIN_PLAYS and first.score - others[0].score >= MIN_PLAYS
        return first.table if is_ahead or first.plays >= MAX_PLAYS else None

    @property
    def likeliest(self) -> MatchConfig:
        """The best configuration so far; what the operator stated before any board was seen."""
        return self._ranked[0].table if self.hypotheses else self.table

    @property
    def _ranked(self) -> list[TableHypothesis]:
        """Best first; ties keep their order."""
        return sorted(self.hypotheses, key=lambda hypothesis: -hypothesis.score)


def candidate_tables(table: MatchConfig, board: BoardEvidence) -> tuple[MatchConfig, ...]:
    """The configurations that the first settled board allows, likelier ones first; `table` itself if nothing is open."""
    if table.is_grasshopper:
        return (table,)
    among = table.seatings if table.seating is None else (table.seating,)
    if table.start.position is not None:
        return _with_players(
            table, table.start.position, select_plain_seatings(table.dice_rules, among), is_start=False
        )
    fitting = infer_seatings(board, table.dice_rules, among) or ()
    if fitting:
        return _with_players(table, position_text(start_position(table.dice_rules)), fitting, is_start=True)
    seen = [
        (seating, infer_positions(board, seating, table.dice_rules))
        for seating in select_plain_seatings(table.dice_rules, among)
    ]
    joined = [
        (seating, position)
        for seating, found in seen
        for position in found
        if len(found) <= MAX_POSITIONS and _is_under_way(position)
    ]
    joined.sort(key=lambda one: -_count_unmoved(one[1], start_position(table.dice_rules)))
    found = [
        one
        for seating, position in joined
        for one in _with_players(table, position_text(position), (seating,), is_start=False)
    ]
    return tuple(found) or (table,)


def _count_unmoved(position: Position, start: Position) -> int:
    """The number of checkers on their start points; the right seating tends to have more."""
    counts = ((position.counts(player), start.counts(player)) for player in Player)
    return sum(min(pair) for now, then in counts for pair in zip(now, then, strict=True))


def _with_players(
    table: MatchConfig, start: str, seatings: Iterable[Seating], *, is_start: bool
) -> tuple[MatchConfig, ...]:
    """Each seating with every player who may be on turn; None, an opening throw, only for a game at its start."""
    players: tuple[Player | None, ...] = (None, *Player) if is_start else tuple(Player)
    if table.start.on_turn is not None:
        players = (table.start.on_turn,)
    rolls_before = 0 if is_start else max(1, table.start.rolls_before)
    return tuple(
        replace(
            table,
            start=replace(table.start, position=start, on_turn=player, rolls_before=rolls_before),
            seating=seating,
        )
        if player is not None
        else replace(table, seating=seating)
        for seating in seatings
        for player in players
    )


def _is_under_way(position: Position) -> bool:
    """Whether both players have checkers in play."""
    return all(sum(position.counts(player)[1:]) > 0 for player in Player)


def _score_event(event: RefereeEvent) -> float:
    """An inferred pass counts against a hypothesis: it can excuse any mistake about who is on turn."""
    if _is_unseen_pass(event):
        return -_INFERRED_WEIGHT
    is_inferred = isinstance(event, PlayMade) and event.evidence in _UNSEEN
    return _INFERRED_WEIGHT if is_inferred else _SCORES.get(type(event), 0.0)


def _is_unseen_pass(event: RefereeEvent) -> bool:
    return isinstance(event, PlayMade) and event.evidence in _UNSEEN and event.before == event.after
