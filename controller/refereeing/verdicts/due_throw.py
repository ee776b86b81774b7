"""The board of the log and the throw that is due: what the player on turn may play."""

from functools import lru_cache

from controller.match import Seating
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Due, RefereeState
from controller.rules import (
    Play,
    Player,
    Position,
    Roll,
    Ruleset,
    Setup,
    Side,
    Stage,
    Throw,
    ThrowKind,
    Transfer,
    legal_plays,
    make_own_throw,
    make_transfer_throw,
    pack_counts,
    parse_setup,
    position_text,
)
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules


def throw_due(state: RefereeState, rules: Ruleset) -> Throw:
    """The throw that the player on turn has to play. RuntimeError when nothing is due."""
    if state.due is None:
        raise RuntimeError(f"no throw is due in {state.phase.value}")
    return make_throw(state.due, rules)


def make_throw(due: Due, rules: Ruleset) -> Throw:
    if due.kind is ThrowKind.TRANSFER:
        return make_transfer_throw(due.numbers)
    return make_own_throw(Roll.of(due.numbers[0], due.numbers[1]), rules, due.before)


def is_pass_forced(state: RefereeState, table: MatchConfig) -> bool:
    """Whether the player on turn can play none of his numbers, or has no action."""
    if isinstance(table.rules, GrasshopperRules):
        return grasshopper.must_pass(grasshopper_state(state), table.rules)
    return not any(play.steps for play in first_plays(state, table.rules))


def may_hand_over(state: RefereeState, table: MatchConfig) -> bool:
    """Whether numbers of the due throw may be handed over to the other player."""
    if isinstance(table.rules, GrasshopperRules) or table.rules.transfer is Transfer.NONE or state.due is None:
        return False
    has_more_stages = len(throw_due(state, table.rules).stages) > 1
    return has_more_stages or any(play.unused for play in first_plays(state, table.rules))


def first_plays(state: RefereeState, rules: Ruleset) -> tuple[Play, ...]:
    """All legal plays of the first stage of the throw that is due."""
    throw = throw_due(state, rules)
    stage = Stage(throw.stages[0], throw.is_first_roll)
    return legal_plays(position_of(state.position, rules), require_mover(state), stage, rules)


@lru_cache(maxsize=16)
def position_of(text: str, rules: Ruleset) -> Position:
    """The position of a text. Raises ImpossibleSetupError or PositionTextError."""
    return Position.of(parse_setup(text), rules)


def is_possible(text: str, table: MatchConfig) -> bool:
    """Whether play can go on from this board. Raises PositionTextError."""
    if not text:
        return False
    if isinstance(table.rules, GrasshopperRules):
        grasshopper.from_text(text)
        return True
    return not parse_setup(text).faults(table.rules)


def grasshopper_state(state: RefereeState) -> grasshopper.State:
    return grasshopper.from_text(state.position)


def setup_text(setup: Setup) -> str:
    """Position text of a claim, possible or not; "" when a place holds more than fifteen checkers or fewer than none."""
    sides = (setup.white, setup.black)
    if any(not 0 <= count <= 15 for side in sides for count in side.counts):
        return ""
    white, black = (pack_counts(side.counts) for side in sides)
    return position_text(Position(white, black, _pins(setup.white), _pins(setup.black)))


def require_seating(state: RefereeState) -> Seating:
    """RuntimeError before it is known: no game starts without a seating."""
    if state.seating is None:
        raise RuntimeError("a game was started without a seating")
    return state.seating


def require_mover(state: RefereeState) -> Player:
    if state.on_turn is None:
        raise RuntimeError("nobody is on turn")
    return state.on_turn


def _pins(side: Side) -> int:
    return sum(1 << point for point in side.pinned)
