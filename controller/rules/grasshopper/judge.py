"""Finds the Grasshopper action that a board after the turn shows, or the reasons why it shows no legal action."""

from collections import Counter
from dataclasses import dataclass

from controller.rules.errors import ExplainedEnum
from controller.rules.grasshopper.game import (
    BORNE_OFF,
    HAND,
    PASS,
    STANDARD,
    Action,
    ActionKind,
    GrasshopperRules,
    Objection,
    State,
    apply_action,
    find_objections,
    must_pass,
    quadrant,
)
from controller.rules.player import Player


class Mismatch(ExplainedEnum):
    """Why a board is the result of no single action."""

    OPPONENT_MOVED = (
        "opponent_moved",
        "Only own pieces may be touched, but the opponent's changed{where}; put them back.",
    )
    NOTHING_CHANGED = "nothing_changed", "Nothing changed on the board, and there is an action; take it."
    PIECE_MISSING = "piece_missing", "A piece is missing that was there before the turn{where}; put it back."
    PIECE_EXTRA = "piece_extra", "There is a piece too many{where}; take it away."
    BACK_TO_HAND = (
        "back_to_hand",
        "A piece came back into the hand{where}; pieces leave the board only as walls, from D.",
    )
    MORE_THAN_ONE_ACTION = (
        "more_than_one_action",
        "More than one thing was done{where}; a turn is one action with one piece.",
    )


@dataclass(frozen=True, slots=True)
class MismatchFound:
    """One reason why the board fits no single action, with a sentence for the players."""

    reason: Mismatch
    sentence: str


@dataclass(frozen=True, slots=True)
class PieceSetup:
    """Claimed pieces, possibly impossible. `white[p - 1]` counts White's pieces on point p.

    `hands` are White's and Black's pieces that wait beside the board; None if they are unknown.
    """

    white: tuple[int, ...]
    black: tuple[int, ...]
    hands: tuple[int, int] | None = None

    def points_of(self, player: Player) -> tuple[int, ...]:
        return self.white if player is Player.WHITE else self.black


@dataclass(frozen=True, slots=True)
class ActionAllowed:
    """The board shows a legal action or a compulsory pass; `after` is the state after it."""

    action: Action
    after: State


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """All that stands against the board, the decisive reason first; `action` is None if the board shows no single one."""

    objections: tuple[Objection | MismatchFound, ...]
    action: Action | None = None


Ruling = ActionAllowed | ActionRefused


@dataclass(frozen=True, slots=True)
class _Difference:
    """How one player's pieces changed; `left` holds a point twice if two pieces left it."""

    left: tuple[int, ...]
    reached: tuple[int, ...]
    out_of_hand: int

    @property
    def surplus(self) -> int:
        return len(self.reached) - len(self.left) - self.out_of_hand

    @property
    def is_nothing(self) -> bool:
        return not (self.left or self.reached or self.out_of_hand)


def make_piece_setup(state: State) -> PieceSetup:
    """The claim that describes a state exactly."""
    white, black = (tuple(stack.count(player) for stack in state.points) for player in Player)
    return PieceSetup(white, black, (state.white_hand, state.black_hand))


def judge_action(before: State, board: PieceSetup, rules: GrasshopperRules = STANDARD) -> Ruling:
    """The action of the side to act that leads from `before` to `board`, or everything that stands against it."""
    if before.winner:
        return ActionRefused(find_objections(before, PASS.kind, PASS.source, PASS.target, rules))
    theirs = _compute_difference(before, board, before.to_act.opponent)
    own = _compute_difference(before, board, before.to_act)
    against: tuple[Objection | MismatchFound, ...] = ()
    if not theirs.is_nothing:
        against = (_make_mismatch(Mismatch.OPPONENT_MOVED, theirs),)
    if own.is_nothing and (against or not must_pass(before, rules)):
        return ActionRefused(against or (_make_mismatch(Mismatch.NOTHING_CHANGED, own),))
    action = _identify_action(before, own)
    if action is None:
        return ActionRefused((*against, _make_mismatch(_classify_mismatch(own), own)))
    against += find_objections(before, action.kind, action.source, action.target, rules)
    return ActionRefused(against, action) if against else ActionAllowed(action, apply_action(before, action, rules))


def _compute_difference(before: State, board: PieceSetup, player: Player) -> _Difference:
    was = Counter({point: before.at(point).count(player) for point in range(1, 25)})
    now = Counter(dict(enumerate(board.points_of(player), start=1)))
    left, reached = tuple((was - now).elements()), tuple((now - was).elements())
    if board.hands is None:
        # With unknown hands, what the points gained can only have come from the hand.
        out_of_hand = max(0, len(reached) - len(left))
    else:
        out_of_hand = before.hand(player) - board.hands[player is Player.BLACK]
    return _Difference(left, reached, out_of_hand)


def _identify_action(before: State, own: _Difference) -> Action | None:
    """The single action that a difference shows, legal or not; None for no action or several."""
    match own.out_of_hand, own.left, own.reached:
        case 0, (), ():
            return PASS
        case 1, (), (target,):
            return Action(ActionKind.ENTER, HAND, target)
        case 0, (source,), (target,):
            joins = before.at(target).count(before.to_act)
            return Action(ActionKind.WALL if joins else ActionKind.MOVE, source, target)
        case 0, (source, other), () if source == other:
            return Action(ActionKind.BEAROFF, source, BORNE_OFF)
        case 0, (source,), () if quadrant(source) == 3 and not before.at(source).is_wall:
            # A common mistake: a single piece is borne off from the last quadrant.
            return Action(ActionKind.BEAROFF, source, BORNE_OFF)
    return None


def _classify_mismatch(own: _Difference) -> Mismatch:
    """What is wrong with a difference that shows no single action."""
    bore_off = any(own.left.count(point) == 2 and quadrant(point) == 3 for point in own.left)
    if own.surplus > 0:
        return Mismatch.PIECE_EXTRA
    if own.surplus < 0 and not (bore_off and own.surplus == -2):
        return Mismatch.PIECE_MISSING
    return Mismatch.BACK_TO_HAND if own.out_of_hand < 0 else Mismatch.MORE_THAN_ONE_ACTION


def _make_mismatch(reason: Mismatch, difference: _Difference) -> MismatchFound:
    points = sorted({*difference.left, *difference.reached})
    where = f" ({'point' if len(points) == 1 else 'points'} {', '.join(map(str, points))})" if points else ""
    return MismatchFound(reason, reason.sentence.format(where=where))
