"""Where a match stands: the durable part, which the log determines, and `Perception`, which may be forgotten at will.

Every durable field changes by an event only, in the modules `apply_…`; so the events, played back, give the state again.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.match import ClockState, Seating, events
from controller.refereeing.perception import Perception
from controller.rules import CubeState, Match, Player, RollCounters, ThrowKind


class Phase(Enum):
    """What the referee waits for. The last four interrupt another phase and lead back to it."""

    SET_UP = "set_up"  # the start of a game
    OPENING = "opening"  # one die each
    AWAIT_ROLL = "await_roll"  # a throw of the player on turn, or his double
    PLAYING = "playing"  # the end of his turn; until then nothing is judged
    TURN_END = "turn_end"  # a settled board
    ILLEGAL = "illegal"  # a correction, or that the play is condoned
    UNSURE = "unsure"  # a board that can be read, or a person's word
    CUBE_OFFERED = "cube_offered"  # take or drop
    GAME_OVER = "game_over"  # the next game
    RESTORE = "restore"  # the board as the log has it
    BLIND = "blind"  # the camera
    PAUSED = "paused"  # somebody to resume
    DISPUTE = "dispute"  # somebody to settle it


INTERRUPTING_PHASES = frozenset({Phase.RESTORE, Phase.BLIND, Phase.PAUSED, Phase.DISPUTE})


@dataclass(frozen=True, slots=True)
class Due:
    """Numbers that a player has to play now: his own roll, the higher first, or numbers handed over to him.

    `before`: the rolls made before this one, which cascades and the head exception depend on. `opponent_may_refuse`: the
    throw came early.
    """

    kind: ThrowKind
    numbers: tuple[int, ...]
    before: RollCounters = field(default_factory=RollCounters)
    opponent_may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """A count for each player."""

    white: int = 0
    black: int = 0

    def of(self, player: Player) -> int:
        return self.white if player is Player.WHITE else self.black

    def add(self, player: Player, count: int = 1) -> "Tally":
        if player is Player.WHITE:
            return replace(self, white=self.white + count)
        return replace(self, black=self.black + count)


@dataclass(frozen=True, slots=True)
class GameState:
    """One game of the match. `rolls`: own rolls; `turns`: turns played; `opening`: White's and Black's die of the
    opening throw, until the first roll. `confirmed_by`: who has confirmed the score after it.
    """

    number: int = 0
    is_crawford: bool = False
    rolls: Tally = Tally()
    turns: Tally = Tally()
    cube: CubeState = field(default_factory=CubeState)
    resignation: events.ResignationOffered | None = None
    opening: tuple[int, int] | None = None
    confirmed_by: frozenset[Player] = frozenset()


@dataclass(frozen=True, slots=True)
class Directing:
    """The director's part. `monitor_appointed` None: as it was agreed before the match. `disputed_by`: who called the dispute
    that is open; None: nobody, or the director. `lost_disputes`: of each player.
    """

    monitor_appointed: bool | None = None
    disputed_by: Player | None = None
    lost_disputes: Tally = Tally()


@dataclass(frozen=True, slots=True)
class TurnState:
    """The board of the log, and the turn that is played on it.

    `position` is position text (Grasshopper has a text of its own), "" before the first game. `early`: a roll of the
    player who is not on turn, made before the other had finished, that stands. `ended_by`: how the turn ended that is
    judged, or, in `RefereeState.before_play`, that was judged last.
    """

    position: str = ""
    on_turn: Player | None = None
    due: Due | None = None
    early: Due | None = None
    is_pass_forced: bool = False
    ended_by: events.EndedBy | None = None


@dataclass(frozen=True, slots=True)
class Questions:
    """What was refused or could not be decided, as the event that said so; None once it is answered.

    `condoned`: the last play, if it stands although it was illegal. `differs`: in SET_UP and RESTORE, where the board is
    not as it should be. `set_up_unclear`: in SET_UP, why nobody can tell whether the game may begin. `hindered`: what keeps
    the camera from showing the board. `blind`: why the phase is BLIND. `answered`: the state before the last answer, for
    taking it back; until the next turn ends.
    """

    throw_refused: events.ThrowRefused | None = None
    throw_unclear: events.ThrowUnclear | None = None
    refused: events.PlayRefused | None = None
    unclear: events.PlayUnclear | None = None
    condoned: events.PlayCondoned | None = None
    differs: events.BoardDiffers | None = None
    set_up_unclear: events.SetUpUnclear | None = None
    hindered: events.SightHindered | None = None
    blind: events.CameraLost | events.BoardMoved | None = None
    answered: "RefereeState | None" = None

    def answer_throw(self) -> "Questions":
        """A throw counts, or the one before it is of no interest any more."""
        return replace(self, throw_refused=None, throw_unclear=None)

    def answer_play(self) -> "Questions":
        """The turn is judged, or goes on."""
        return replace(self, refused=None, unclear=None, differs=None)


@dataclass(frozen=True, slots=True)
class RefereeState:
    """A match.

    `underneath`: the phases that the present one interrupts, the nearest last; empty outside the interrupting phases.
    `before_play`: the state when the last play was judged, for taking the play back; one deep. `mode`: None before the
    first event.
    """

    phase: Phase = Phase.SET_UP
    underneath: tuple[Phase, ...] = ()
    started: events.MatchStarted | None = None
    seating: Seating | None = None
    match: Match = field(default_factory=Match)
    match_winner: Player | None = None
    game: GameState = field(default_factory=GameState)
    turn: TurnState = field(default_factory=TurnState)
    questions: Questions = field(default_factory=Questions)
    before_play: "RefereeState | None" = None
    lights_up: bool = True
    mode: events.Mode | None = None
    directing: Directing = Directing()
    clock: ClockState | None = None
    seen: Perception = field(default_factory=Perception)

    @property
    def real_phase(self) -> Phase:
        """The phase below the interrupting phases."""
        return next((phase for phase in self.underneath if phase not in INTERRUPTING_PHASES), self.phase)

    @property
    def is_result_final(self) -> bool:
        """Whether both players have confirmed the score after the game."""
        return len(self.game.confirmed_by) == len(Player)

    @property
    def is_match_over(self) -> bool:
        """Whether the match is won, and in a tournament confirmed by both players."""
        return self.match_winner is not None and (self.mode is not events.Mode.TOURNAMENT or self.is_result_final)

    @property
    def position(self) -> str:
        return self.turn.position

    @property
    def on_turn(self) -> Player | None:
        return self.turn.on_turn

    @property
    def due(self) -> Due | None:
        return self.turn.due

    @property
    def cube(self) -> CubeState:
        return self.game.cube


def without_perception(state: RefereeState) -> RefereeState:
    """The durable part of a state: what the log determines."""
    return replace(state, seen=Perception())


def without_history(state: RefereeState) -> RefereeState:
    """The state as it is kept for taking back what follows: without perception, clock and earlier states."""
    questions = replace(state.questions, answered=None)
    return replace(without_perception(state), clock=None, questions=questions)


def with_position(state: RefereeState, position: str) -> RefereeState:
    """The state if this stood on the board."""
    return replace(state, turn=replace(state.turn, position=position))


def counters_before(state: RefereeState, player: Player) -> RollCounters:
    """The rolls made before the next one of the player: of both players, and his own."""
    rolls = state.game.rolls
    return RollCounters(rolls.white + rolls.black, rolls.of(player))
