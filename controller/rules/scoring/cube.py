"""The doubling cube of one game, as a state machine.

Each event changes the state or is refused for one named reason. The state knows whose turn it is and whether the dice
were thrown, because both decide who may offer a double; it knows nothing of the board.
"""

from dataclasses import dataclass, replace
from enum import Enum

from controller.rules.errors import ExplainedEnum
from controller.rules.player import Player
from controller.rules.ruleset import Ruleset


class RaiseBy(Enum):
    """Geometric raising 2, 4, 8 or, by agreement, arithmetic raising 2, 3, 4."""

    DOUBLE = "double"
    ONE = "one"

    def raise_value(self, value: int) -> int:
        return value * 2 if self is RaiseBy.DOUBLE else value + 1


class DropPays(Enum):
    """What a refused raise costs: the stake before the offer, or the stake agreed at the start."""

    PRESENT = "present"
    INITIAL = "initial"


@dataclass(frozen=True, slots=True)
class CubeRules:
    """How the cube is used in one game; `cap` is the highest value, None for no limit."""

    use: bool = True
    crawford_game: bool = False
    beaver: bool = False
    cap: int | None = None
    raise_by: RaiseBy = RaiseBy.DOUBLE
    auto_limit: int = 0
    drop_pays: DropPays = DropPays.PRESENT

    @classmethod
    def of(cls, rules: Ruleset) -> "CubeRules":
        """The cube rules of a ruleset; `match.cube_rules` adapts them to the match."""
        return cls(
            use=rules.cube,
            beaver=rules.beaver,
            cap=rules.cap,
            raise_by=RaiseBy(rules.raise_by),
            auto_limit=rules.auto_limit,
            drop_pays=DropPays(rules.drop_pays),
        )


class CubePhase(Enum):
    """The part of the turn, as far as it matters for the cube."""

    OPENING = "opening"
    TO_ROLL = "to_roll"
    ROLLED = "rolled"


@dataclass(frozen=True, slots=True)
class Drop:
    """The end of a game by a refused raise."""

    winner: Player
    points: int


@dataclass(frozen=True, slots=True)
class CubeState:
    """`owner` None: the cube lies in the middle. `turned`: by an accepted double, as the Jacoby rule demands."""

    value: int = 1
    owner: Player | None = None
    turned: bool = False
    offer_by: Player | None = None
    over: Drop | None = None
    phase: CubePhase = CubePhase.OPENING
    on_turn: Player | None = None
    beavered: bool = False
    automatic_doubles: int = 0


@dataclass(frozen=True, slots=True)
class Tie:
    """Equal dice in the opening throw."""


@dataclass(frozen=True, slots=True)
class OpeningDecided:
    """The opening throw is decided; `throws_again`: the starter throws both dice again."""

    starter: Player
    throws_again: bool


@dataclass(frozen=True, slots=True)
class Rolled:
    """The player on turn threw his dice."""


@dataclass(frozen=True, slots=True)
class CubeTurnEnded:
    """The player on turn has finished."""


@dataclass(frozen=True, slots=True)
class DoubleOffered:
    """`by` offers to raise the stake."""

    by: Player


@dataclass(frozen=True, slots=True)
class DoubleTaken:
    """`by` accepts the offer, or the beaver against it."""

    by: Player


@dataclass(frozen=True, slots=True)
class DoubleDropped:
    """`by` refuses and loses the game."""

    by: Player


@dataclass(frozen=True, slots=True)
class DoubleBeavered:
    """`by`, who was offered the raise, raises once more and keeps the cube (option)."""

    by: Player


CubeEvent = Tie | OpeningDecided | Rolled | CubeTurnEnded | DoubleOffered | DoubleTaken | DoubleDropped | DoubleBeavered


class CubeRefusal(ExplainedEnum):
    """Why an event is refused."""

    GAME_OVER = "game_over", "The game is over; the cube waits for the next one."
    NOT_STARTED = "not_started", "Nobody has started yet; throw for the opening first."
    OPENING_OVER = "opening_over", "The opening throw is decided already; go on with the game."
    OFFER_PENDING = "offer_pending", "A double was offered; take or drop it first."
    NOT_ROLLED = "not_rolled", "The player on turn has not thrown yet."
    ALREADY_ROLLED = "already_rolled", "The dice are thrown already; wait until the player's next turn."
    NO_CUBE = "no_cube", "This game is played without a cube."
    CRAWFORD = "crawford", "This is the Crawford game; the cube rests until the next one."
    NOT_ON_TURN = "not_on_turn", "Only the player on turn may double; wait for your turn."
    NOT_OWNER = "not_owner", "The opponent owns the cube; only he may redouble."
    CAP = "cap", "The cube would pass the highest value agreed; play on for the present stake."
    NO_OFFER = "no_offer", "Nobody has offered a double."
    OWN_OFFER = "own_offer", "The other player answers this offer."
    NOT_ASKED = "not_asked", "The answer to the beaver is the doubler's."
    BEAVER_NOT_AGREED = "beaver_not_agreed", "Beavers were not agreed; take or drop the double."
    ALREADY_BEAVERED = "already_beavered", "The double was beavered already; the doubler takes or drops."


@dataclass(frozen=True, slots=True)
class CubeRuling:
    """The result of an event; a refused event leaves the state unchanged."""

    state: CubeState
    refusal: CubeRefusal | None = None

    @property
    def is_allowed(self) -> bool:
        return self.refusal is None


def apply_cube_event(state: CubeState, event: CubeEvent, rules: CubeRules) -> CubeRuling:
    """Applies one event; of several reasons against it the first one is named."""
    refusal = _find_refusal(state, event, rules)
    return CubeRuling(state, refusal) if refusal else CubeRuling(_update_state(state, event, rules))


def _find_refusal(state: CubeState, event: CubeEvent, rules: CubeRules) -> CubeRefusal | None:
    if state.over:
        return CubeRefusal.GAME_OVER
    match event:
        case Tie() | OpeningDecided():
            return None if state.phase is CubePhase.OPENING else CubeRefusal.OPENING_OVER
        case Rolled():
            return _check_turn(state, CubePhase.TO_ROLL, CubeRefusal.ALREADY_ROLLED)
        case CubeTurnEnded():
            return _check_turn(state, CubePhase.ROLLED, CubeRefusal.NOT_ROLLED)
        case DoubleOffered(by):
            return _check_offer(state, by, rules)
        case DoubleTaken(by) | DoubleDropped(by):
            return _check_answer(state, by)
        case DoubleBeavered(by):  # pragma: no branch - mypy sees that no other case is left
            return _check_beaver(state, by, rules)


def _check_turn(state: CubeState, wanted: CubePhase, otherwise: CubeRefusal) -> CubeRefusal | None:
    if state.phase is CubePhase.OPENING:
        return CubeRefusal.NOT_STARTED
    if state.offer_by:
        return CubeRefusal.OFFER_PENDING
    return None if state.phase is wanted else otherwise


def _check_offer(state: CubeState, by: Player, rules: CubeRules) -> CubeRefusal | None:
    if not rules.use:
        return CubeRefusal.NO_CUBE
    if rules.crawford_game:
        return CubeRefusal.CRAWFORD
    if state.phase is CubePhase.OPENING:
        return CubeRefusal.NOT_STARTED
    if state.offer_by:
        return CubeRefusal.OFFER_PENDING
    if by is not state.on_turn:
        return CubeRefusal.NOT_ON_TURN
    if state.owner is by.opponent:
        return CubeRefusal.NOT_OWNER
    if state.phase is CubePhase.ROLLED:
        return CubeRefusal.ALREADY_ROLLED
    return _check_value(rules.raise_by.raise_value(state.value), rules)


def _check_value(value: int, rules: CubeRules) -> CubeRefusal | None:
    return CubeRefusal.CAP if rules.cap is not None and value > rules.cap else None


def _check_answer(state: CubeState, by: Player) -> CubeRefusal | None:
    if state.offer_by is None:
        return CubeRefusal.NO_OFFER
    if state.beavered:
        return None if by is state.offer_by else CubeRefusal.NOT_ASKED
    return CubeRefusal.OWN_OFFER if by is state.offer_by else None


def _check_beaver(state: CubeState, by: Player, rules: CubeRules) -> CubeRefusal | None:
    if state.offer_by is None:
        return CubeRefusal.NO_OFFER
    if not rules.beaver:
        return CubeRefusal.BEAVER_NOT_AGREED
    if state.beavered:
        return CubeRefusal.ALREADY_BEAVERED
    if by is state.offer_by:
        return CubeRefusal.OWN_OFFER
    return _check_value(rules.raise_by.raise_value(rules.raise_by.raise_value(state.value)), rules)


def _update_state(state: CubeState, event: CubeEvent, rules: CubeRules) -> CubeState:
    match event:
        case Tie():
            return _update_after_tie(state, rules)
        case OpeningDecided(starter, throws_again):
            # A starter who plays the opening dice has thrown already and may not offer in his first turn.
            phase = CubePhase.TO_ROLL if throws_again else CubePhase.ROLLED
            return replace(state, phase=phase, on_turn=starter)
        case Rolled():
            return replace(state, phase=CubePhase.ROLLED)
        case CubeTurnEnded():
            other = state.on_turn.opponent if state.on_turn else None
            return replace(state, phase=CubePhase.TO_ROLL, on_turn=other)
        case DoubleOffered(by):
            return replace(state, offer_by=by)
        case DoubleTaken(by):
            return _update_after_take(state, by, rules)
        case DoubleDropped(by):
            return _update_after_drop(state, by, rules)
        case DoubleBeavered():  # pragma: no branch - mypy sees that no other case is left
            return replace(state, beavered=True)


def _update_after_tie(state: CubeState, rules: CubeRules) -> CubeState:
    """An automatic double: the cube stays in the middle and does not count as turned."""
    if not rules.use or rules.crawford_game or state.automatic_doubles >= rules.auto_limit:
        return state
    value = rules.raise_by.raise_value(state.value)
    return replace(state, value=value, automatic_doubles=state.automatic_doubles + 1)


def _update_after_take(state: CubeState, by: Player, rules: CubeRules) -> CubeState:
    value = rules.raise_by.raise_value(state.value)
    # After a beaver the doubler accepts, and the beaverer owns the cube.
    owner = by.opponent if state.beavered else by
    if state.beavered:
        value = rules.raise_by.raise_value(value)
    return replace(state, value=value, owner=owner, turned=True, offer_by=None, beavered=False)


def _update_after_drop(state: CubeState, by: Player, rules: CubeRules) -> CubeState:
    """Pays the stake before the last raise: before the offer, or before the beaver."""
    points = rules.raise_by.raise_value(state.value) if state.beavered else state.value
    if rules.drop_pays is DropPays.INITIAL:
        points = 1
    return replace(state, offer_by=None, beavered=False, over=Drop(by.opponent, points))
