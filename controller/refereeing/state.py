"""Where a match stands: what the log tells (durable), and what the last frames showed (`Awareness`, forgotten at will).

Every durable field changes in `applied.py` only, by an event; so the events, played back, give the state again.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.match.clocks import ClockState, Reserves
from controller.match.events import (
    BoardDiffers,
    EndedBy,
    MatchStarted,
    Mode,
    PlayCondoned,
    PlayRefused,
    PlayUnclear,
    ResignationOffered,
    SetUpUnclear,
    ThrowRefused,
    ThrowUnclear,
)
from controller.match.inputs import PeripheralEvent
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence
from controller.refereeing.known_misreadings import ReferenceBoard
from controller.rules import CubeState, Match, Player, RollCounters, ThrowKind
from vision.dice.readings import CubePlace
from vision.dice_tracking.events import SettledDie


class Phase(Enum):
    """What the referee waits for (design.md 4). The last four are side tracks: they go back to where they came from."""

    SET_UP = "set_up"  # the start of a game
    OPENING = "opening"  # one die each
    AWAIT_ROLL = "await_roll"  # a throw of the player on turn, or his double
    PLAYING = "playing"  # the end of his turn; until then nothing is judged
    TURN_END = "turn_end"  # a look at the board
    ILLEGAL = "illegal"  # a correction, or that the play is condoned
    UNSURE = "unsure"  # a better look, or a person's word
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

    `before`: the rolls made before this one, as cascades and the head exception ask.
    """

    kind: ThrowKind
    numbers: tuple[int, ...]
    before: RollCounters = field(default_factory=RollCounters)
    opponent_may_refuse: bool = False  # it came early


@dataclass(frozen=True, slots=True)
class Tally:
    """A number for each player."""

    white: int = 0
    black: int = 0

    def of(self, player: Player) -> int:
        return self.white if player is Player.WHITE else self.black

    def plus_one(self, player: Player) -> "Tally":
        if player is Player.WHITE:
            return replace(self, white=self.white + 1)
        return replace(self, black=self.black + 1)


@dataclass(frozen=True, slots=True)
class PendingThrow:
    """A throw of the other player that settled before the turn was judged; it counts once that is done.

    `told`: what a person says that it was, where it could not be read. `is_all`: nothing else in view may be a die of it.
    `perhaps_overlooked`: what came to rest last may have lain there before.
    `may_have_lain`: its dice may be others, or have been lifted: they show the same as dice that were told as lifted before
    the program was started anew, or one was taken for a die of the player who was about to lift his.
    """

    dice: tuple[SettledDie, ...]
    lay_before: tuple[SettledDie, ...] = ()
    entered_values: tuple[int, int] | None = None
    is_all: bool = False
    perhaps_overlooked: bool = False
    may_have_lain: bool = False


@dataclass(frozen=True, slots=True)
class PendingCondition:
    """Something that will be said if it stays as it is. `what` is compared with `==`."""

    what: object
    since_ms: int
    had_hand: bool = False  # over the board, since then


@dataclass(frozen=True, slots=True)
class PlayerTimestamp:
    """When somebody did something."""

    player: Player
    at_ms: int


@dataclass(frozen=True, slots=True)
class Perception:
    """What the last frames showed. Nothing here is in the log; an empty one is always a good beginning."""

    now_ms: int = 0
    glimpse: BoardEvidence | None = None  # the last frame alone, good enough for a light
    board: BoardEvidence | None = None  # the last settled board
    hand_in_view: bool = False
    is_moving: bool = False
    dice: tuple[SettledDie, ...] = ()  # settled dice that lie there
    own_dice: tuple[int, ...] = ()  # numbers of the dice of the roll that is being played
    early_dice: tuple[int, ...] = ()  # the same of a roll that stands though it came early
    ended_dice: tuple[int, ...] = ()  # the same of a turn that their lifting ended; should they be found, it goes on
    lifted_dice: tuple[int, ...] = ()  # the same of a roll whose dice were taken up while it waited for a verdict
    laid_beside: tuple[int, ...] = ()  # numbers of dice that were moved beside the board
    loose_dice: tuple[SettledDie, ...] = ()  # settled, but the throw still lacks one
    loose_missed: tuple[int, ...] = ()  # numbers of those that waited so and lie there no more
    loose_since_ms: int = 0
    loose_perhaps_more: bool = False  # since then something else in view may have been a die
    loose_lay_alone: bool = False  # nothing was seen that may have been one, and then something moved
    agreed_ms: int = -1  # when the board was last seen as the log has it, between two turns
    next_throw: PendingThrow | None = None
    unread_throw: PendingThrow | None = None  # the last one that could not be read
    unread_lifted: tuple[int, ...] = ()  # numbers of its dice, if they were lifted, or hidden, with nothing played
    pass_roll: tuple[int, int] | None = None  # what it showed if nothing can be played with it, once it was lifted
    pending_condition: PendingCondition | None = None
    reference_board: ReferenceBoard | None = None  # the last board of which it was found out what stood on it
    asked_board: BoardEvidence | None = None  # the one that somebody was asked about
    refused_in_doubt: bool = False  # what was refused is illegal, but another board comes near to the one that was told
    corrected_position: str = ""  # the legal board that was last seen while a refused play was corrected, as text
    action_position: str = ""  # in a game without dice: the legal board that was last seen in this turn, as text
    next_turn_ended: bool = (
        False  # likewise: the next player ended his turn while this one was looked at or asked about
    )
    turn_ended_ms: int | None = None  # of the session; None when it ended before the program was started
    cube_path: tuple[CubePlace, ...] = ()  # where the cube lay since something was last done with it, the latest last
    storage_up: bool = True  # else nothing can be saved, and nothing is decided
    logged_reserves: Reserves | None = None  # what the log knows of the clock
    camera_up: bool = True
    accepted: PlayerTimestamp | None = None  # when a play was last found to be legal
    passed: PlayerTimestamp | None = None  # when somebody last passed without having thrown
    inspected_ms: int = 0  # when a board was last weighed that nothing urgent waits for
    dice_before_blind: tuple[int, ...] = ()  # as `own_dice`, before nobody looked; nothing happened to them since
    throw_before_blind: PendingThrow | None = None  # as `next_throw`, before the camera was lost; not seen again yet
    seen_again_ms: int = 0  # when somebody looked again, as the camera came back
    was_blind: bool = False  # in the turn that is played, or judged, nobody looked for a while
    throw_was_hidden: bool = False  # a hand came before a board was seen on which a throw waits
    bare_since_start: bool = False  # in a picture since then nothing looked like a die
    lay_before_start: bool = False  # dice that settle may have lain there before the program was started anew
    overruled: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # extra, missing: seen, but people say otherwise
    missed_peripheral_events: tuple[
        PeripheralEvent, ...
    ] = ()  # what was lost or came back while nothing could be saved


@dataclass(frozen=True, slots=True)
class RefereeState:
    """A match. `position` is position text (of Grasshopper its own), "" before the first game.

    `underneath` are the phases that the present one interrupts, the nearest last; empty outside the side tracks.
    `early` is a roll of the player who is not on turn, made before the other had finished, that stands.
    """

    phase: Phase = Phase.SET_UP
    underneath: tuple[Phase, ...] = ()
    started: MatchStarted | None = None
    seating: Seating | None = None
    match: Match = field(default_factory=Match)
    match_winner: Player | None = None
    game_number: int = 0
    is_crawford: bool = False
    position: str = ""
    on_turn: Player | None = None
    due: Due | None = None
    early: Due | None = None
    rolls: Tally = Tally()  # own rolls of this game
    turns: Tally = Tally()  # turns played in this game
    is_pass_forced: bool = False
    ended_by: EndedBy | None = None  # the turn that is judged, or was judged last (`before_play`)
    cube: CubeState = field(default_factory=CubeState)
    resignation: ResignationOffered | None = None
    opening: tuple[int, int] | None = None  # White's and Black's die of the opening throw, until the first roll
    throw_refused: ThrowRefused | None = None  # the last throw, if it did not count
    throw_unclear: ThrowUnclear | None = None  # the last throw, if it could not be told
    refused: PlayRefused | None = None  # the play that stands against the rules, while it may be corrected
    unclear: PlayUnclear | None = None
    condoned: PlayCondoned | None = None  # the last play, if it stands although it was illegal
    differs: BoardDiffers | None = None  # in SET_UP and RESTORE: where the board is not as it should be
    set_up_unclear: SetUpUnclear | None = None  # in SET_UP: why it cannot be told whether the game may begin
    before_play: "RefereeState | None" = None  # as it was when the last play was judged, for taking it back; one deep
    lights_up: bool = True
    mode: Mode | None = None  # None before the first event
    monitor_appointed: bool | None = None  # None: as it was agreed
    clock: ClockState | None = None
    seen: Perception = field(default_factory=Perception)

    @property
    def real_phase(self) -> Phase:
        """The phase below the side tracks."""
        return next((phase for phase in self.underneath if phase not in INTERRUPTING_PHASES), self.phase)


def without_perception(state: RefereeState) -> RefereeState:
    """What the log tells of a state: without awareness."""
    return replace(state, seen=Perception())
