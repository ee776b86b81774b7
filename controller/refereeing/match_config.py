"""What is agreed before a match and stays: the game, its officiating, players, seating, clock, and the referee's patience."""

from dataclasses import dataclass, field, replace

from controller.match import ALL_SEATINGS, CASUAL, ClockRules, Mode, Profile, Seating
from controller.refereeing.state import RefereeState
from controller.rules import MatchRules, Player, Ruleset, position_text, start_position
from controller.rules.grasshopper.game import START as GRASSHOPPER_START
from controller.rules.grasshopper.game import GrasshopperRules
from controller.rules.grasshopper.game import to_text as grasshopper_text


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereePatience:
    """How long a condition must last before the referee reports it, in ms. Knobs: longer waits report later and err less."""

    illegal_ms: int = 1500  # a board that no legal play explains, with no hand over it
    unclear_ms: int = 4000  # a board that could not be read
    differs_ms: int = 1500  # between two turns, a board that differs from the log
    second_die_ms: int = 3000  # a throw of which only one die has settled
    cube_ms: int = 1500  # a cube that lies as if it was offered or taken
    still_ms: int = 3000  # a changed board that ends a turn in a game without dice
    sight_ms: int = 1500  # a picture that is too dark, too bright or blurred
    rest_ms: int = 4000  # no board at rest where one has to be judged; people hear of it within 5 s
    unseen_ms: int = 60_000  # no board at rest while people play: their hands may stay over it as long as they think
    inspection_interval_ms: int = 300  # between two judgements of a board when nothing urgent waits
    moved_mm: float = 4.0  # mm of displacement from which the calibration is not valid any more


@dataclass(frozen=True, slots=True)
class MatchPlayers:
    """Names, and the points with which the match begins.

    Players who cannot be asked, as in a recording, hold up nothing: unread rolls are inferred from the plays, and after an
    unclear turn the next one is judged.
    """

    white: str = "White"
    black: str = "Black"
    white_score: int = 0
    black_score: int = 0
    can_be_asked: bool = True

    @property
    def names(self) -> dict[Player, str]:
        return {Player.WHITE: self.white, Player.BLACK: self.black}


@dataclass(frozen=True, slots=True)
class GameStart:
    """How the first game begins.

    `position`: position text (Grasshopper has a text of its own); None: as the rules say. `on_turn`: who plays then;
    None: the opening throw decides. `rolls_before`: rolls of each player so far, in a game that is joined later.
    `is_thrown`: dice that lie on the board when it is first seen are a throw of `on_turn`, as in a recording that begins
    after a throw; otherwise nobody knows what they mean. `is_inferred`: the position was inferred from the first boards and
    plays, so that places which the picture leaves open are no obstacle.
    """

    position: str | None = None
    on_turn: Player | None = None
    rolls_before: int = 0
    is_thrown: bool = False
    is_inferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """One match as it was agreed. What is None is found out (`seating`) or not used (`clock`, `match.target`).

    `rules_toml`: the text of a house variant. `seatings`: the possible seatings while `seating` is None.
    `monitor_appointed`: the director wants the device to speak up. Without `has_bar` hit checkers wait in the hand or on
    the rim. A table that is not `is_watched` is known from pictures seconds apart: dice, throws and turns may have been
    missed.
    """

    game: str
    rules: Ruleset | GrasshopperRules
    rules_toml: str | None = None
    profile: Profile = CASUAL
    mode: Mode = Mode.TEACH
    seating: Seating | None = None
    seatings: tuple[Seating, ...] = ALL_SEATINGS
    match: MatchRules = field(default_factory=MatchRules)
    players: MatchPlayers = field(default_factory=MatchPlayers)
    start: GameStart = field(default_factory=GameStart)
    clock: ClockRules | None = None
    monitor_appointed: bool = False
    has_bar: bool = True
    is_watched: bool = True
    patience: RefereePatience = field(default_factory=RefereePatience)

    @property
    def is_grasshopper(self) -> bool:
        return isinstance(self.rules, GrasshopperRules)

    @property
    def dice_rules(self) -> Ruleset:
        """The rules of a game with dice; TypeError for Grasshopper, which has none."""
        if isinstance(self.rules, GrasshopperRules):
            raise TypeError("Grasshopper is played without dice; ask is_grasshopper first")
        return self.rules

    @property
    def start_text(self) -> str:
        """The board at the start of an ordinary game, as text."""
        if isinstance(self.rules, GrasshopperRules):
            return grasshopper_text(GRASSHOPPER_START)
        return position_text(start_position(self.rules))


def with_bar_of_board(table: MatchConfig, *, has_bar: bool) -> MatchConfig:
    """The configuration for the board in view: no agreement gives a bar to a board without one."""
    return table if has_bar or not table.has_bar else replace(table, has_bar=False)


def with_current_mode(table: MatchConfig, state: RefereeState) -> MatchConfig:
    """The configuration with the present mode and appointment, which people may change during a match."""
    mode = table.mode if state.mode is None else state.mode
    is_appointed = state.directing.monitor_appointed
    is_appointed = table.monitor_appointed if is_appointed is None else is_appointed
    if (mode, is_appointed) == (table.mode, table.monitor_appointed):
        return table
    return replace(table, mode=mode, monitor_appointed=is_appointed)
