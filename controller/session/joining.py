"""Joining a match that nobody announces: who sits where, who begins and from which board, told by the plays themselves.

Every way of taking the first settled board is a guess: a table, refereed in memory over the same observations as all
others. Under a wrong guess plays soon stand against the rules (a player moves backwards, or the other one's checkers);
the right one explains what is seen. Nothing is guessed where somebody has said it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.adjudication.seating_inference import infer_positions, infer_seatings, select_plain_seatings
from controller.match.events import (
    BoardDiffers,
    Evidence,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    RollWithdrawn,
    ThrowRefused,
    ThrowUnclear,
)
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player, Position, position_text, start_position
from vision.dice_tracking.events import DiceSettled

# A play that is legal speaks for a guess, one that is not against it, and so does whatever cannot be explained. Throws
# are thrown badly under any guess; they count a little, for the half of the board they belong to depends on it.
_INFERRED_WEIGHT = 0.5  # instead of 1: where the roll, or a turn between, was not seen, there was more to choose from
_SCORES: dict[type, float] = {
    PlayMade: 1.0,
    PlayRefused: -2.0,
    RollWithdrawn: -2.0,  # it was the other player's: the guess had the wrong one on turn
    PlayUnclear: -1.0,
    ThrowUnclear: -0.5,
    ThrowRefused: -0.25,
    BoardDiffers: -2.0,
}
MIN_PLAYS = 2
"""The leading guess has explained so many, and is ahead by as much."""
MAX_POSITIONS = 2  # that one board may show; the plays tell which it was, and each takes as long as the others
MAX_PLAYS = 12
"""After so many the leading guess is taken as it is: games that go both ways look alike until somebody bears off."""


@dataclass(frozen=True, slots=True, eq=False)
class TableHypothesis:
    """A table as it may be, and how the match has gone under it: what that is worth, and how many plays it explains."""

    table: MatchConfig
    state: RefereeState
    score: float = 0.0
    plays: int = 0

    def with_observation(self, seen: Observation) -> "TableHypothesis":
        """One observation further."""
        state, events = step(self.state, seen, self.table)
        worth = self.score + sum(map(_score_event, events))
        if self.state.phase is Phase.UNSURE and any(isinstance(event, DiceSettled) for event in seen.dice_events):
            worth += _SCORES[PlayUnclear]  # a turn more of which it can make nothing
        plays = self.plays + sum(isinstance(event, PlayMade) and not _is_unseen_pass(event) for event in events)
        return replace(self, state=state, score=worth, plays=plays)


@dataclass(frozen=True, slots=True, eq=False)
class Joining:
    """All guesses about one match; empty until a board was settled. `table`: what was said of it."""

    table: MatchConfig
    hypotheses: tuple[TableHypothesis, ...] = ()

    def with_observation(self, seen: Observation) -> "Joining":
        """One observation further."""
        guesses = self.hypotheses
        if not guesses and seen.board is not None:
            guesses = tuple(
                TableHypothesis(table, begin_match(table, seen.taken_ms)[0])
                for table in candidate_tables(self.table, seen.board)
            )
        return replace(self, hypotheses=tuple(guess.with_observation(seen) for guess in guesses))

    @property
    def decided(self) -> MatchConfig | None:
        """The table, once the plays have told it."""
        if not self.hypotheses:
            return None
        first, *others = self._ranked
        if not others:
            return first.table
        is_ahead = first.plays >= MIN_PLAYS and first.score - others[0].score >= MIN_PLAYS
        return first.table if is_ahead or first.plays >= MAX_PLAYS else None

    @property
    def likeliest(self) -> MatchConfig:
        """The table that explains most of what was seen; as it was said, where nothing was."""
        return self._ranked[0].table if self.hypotheses else self.table

    @property
    def _ranked(self) -> list[TableHypothesis]:
        """The best first; of equals the one that was guessed first."""
        return sorted(self.hypotheses, key=lambda guess: -guess.score)


def candidate_tables(table: MatchConfig, board: BoardEvidence) -> tuple[MatchConfig, ...]:
    """What the first settled board leaves open; the likelier ones first. Without anything to guess, the table itself."""
    if table.is_grasshopper:
        return (table,)
    among = table.seatings if table.seating is None else (table.seating,)
    if table.start is not None:
        return _with_players(table, table.start, select_plain_seatings(table.dice_rules, among), is_start=False)
    fitting = infer_seatings(board, table.dice_rules, among) or ()
    if fitting:
        return _with_players(table, position_text(start_position(table.dice_rules)), fitting, is_start=True)
    seen = [
        (seating, infer_positions(board, seating, table.dice_rules))
        for seating in select_plain_seatings(table.dice_rules, among)
    ]
    told = [(seating, position) for seating, found in seen for position in found if len(found) <= MAX_POSITIONS]
    joined = [(seating, position) for seating, position in told if _is_under_way(position)]
    joined.sort(key=lambda one: -_count_unmoved(one[1], start_position(table.dice_rules)))
    found = [
        guess
        for seating, position in joined
        for guess in _with_players(table, position_text(position), (seating,), is_start=False)
    ]
    return tuple(found) or (table,)


def _count_unmoved(position: Position, start: Position) -> int:
    """How many checkers stand where they began: the more, the likelier the seating under which they do."""
    counts = ((position.counts(player), start.counts(player)) for player in Player)
    return sum(min(pair) for now, then in counts for pair in zip(now, then, strict=True))


def _with_players(
    table: MatchConfig, start: str, seatings: Iterable[Seating], *, is_start: bool
) -> tuple[MatchConfig, ...]:
    """Each with every player who may be on turn; a game at its start may begin with an opening throw too."""
    players: tuple[Player | None, ...] = (None, *Player) if is_start else tuple(Player)
    if table.on_turn is not None:
        players = (table.on_turn,)
    rolls_before = 0 if is_start else max(1, table.rolls_before)
    return tuple(
        replace(table, start=start, seating=seating, on_turn=player, rolls_before=rolls_before)
        if player is not None
        else replace(table, seating=seating)
        for seating in seatings
        for player in players
    )


def _is_under_way(position: Position) -> bool:
    """A board with checkers of both, from which a game can be joined."""
    return all(sum(position.counts(player)[1:]) > 0 for player in Player)


def _score_event(event: RefereeEvent) -> float:
    """A pass that nobody saw explains away who is on turn, so it speaks against the guess."""
    if _is_unseen_pass(event):
        return -_INFERRED_WEIGHT
    is_inferred = isinstance(event, PlayMade) and event.evidence is Evidence.INFERRED
    return _INFERRED_WEIGHT if is_inferred else _SCORES.get(type(event), 0.0)


def _is_unseen_pass(event: RefereeEvent) -> bool:
    return isinstance(event, PlayMade) and event.evidence is Evidence.INFERRED and event.before == event.after
