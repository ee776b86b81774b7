"""Grasshopper, the game without dice (README, Grasshopper).

Both colours move from 1 to 24, so both players count the points alike. A state is a value. An action is one of
`actions()`, or `find_objections()` lists the reasons against it. `judge.py` finds the action that leads to a claimed
board (`PieceSetup`), which may be impossible.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from controller.rules.errors import ExplainedEnum, PositionTextError, RulesError
from controller.rules.player import Player

PIECES = 14
HAND = 0
BORNE_OFF = 25
BOARD = range(1, 25)
FIRST_QUADRANT = range(1, 7)
_LAST = 3


class GrasshopperTextError(PositionTextError):
    """Text that does not have the form of a Grasshopper state."""


class IllegalActionError(RulesError, ValueError):
    """The caller carried out an action that is not one of `actions()`."""


class Stack(Enum):
    """The pieces on a point; the value is the letter in the text of a state."""

    EMPTY = "."
    WHITE = "w"
    WHITE_WALL = "W"
    BLACK = "b"
    BLACK_WALL = "B"

    @property
    def is_wall(self) -> bool:
        return self in (Stack.WHITE_WALL, Stack.BLACK_WALL)

    def count(self, player: Player) -> int:
        """Pieces of `player` on the point: 0, 1 or 2."""
        if self is _SINGLE[player]:
            return 1
        return 2 if self is _WALL[player] else 0


_SINGLE = {Player.WHITE: Stack.WHITE, Player.BLACK: Stack.BLACK}
_WALL = {Player.WHITE: Stack.WHITE_WALL, Player.BLACK: Stack.BLACK_WALL}


@dataclass(frozen=True, slots=True)
class GrasshopperRules:
    """The option of the game: whether a wall in the first quadrant stops entering pieces."""

    entry_blocked_by_walls: bool = False


STANDARD = GrasshopperRules()


@dataclass(frozen=True, slots=True)
class State:
    """A game in progress, or won. `points[p - 1]` is point p; the text form does not hold the winner."""

    points: tuple[Stack, ...]
    white_hand: int
    black_hand: int
    to_act: Player = Player.WHITE
    last_scorer: Player | None = None
    winner: Player | None = None

    def at(self, point: int) -> Stack:
        return self.points[point - 1]

    def hand(self, player: Player) -> int:
        return self.white_hand if player is Player.WHITE else self.black_hand

    def pieces(self, player: Player) -> int:
        """The pieces in the hand and on the board; all others are borne off."""
        return self.hand(player) + sum(stack.count(player) for stack in self.points)

    def with_point(self, point: int, stack: Stack) -> "State":
        return replace(self, points=(*self.points[: point - 1], stack, *self.points[point:]))

    def with_hand(self, player: Player, pieces: int) -> "State":
        return replace(self, white_hand=pieces) if player is Player.WHITE else replace(self, black_hand=pieces)


START = State((Stack.EMPTY,) * 24, PIECES, PIECES)


class ActionKind(Enum):
    """The kinds of action. A pass is allowed, and required, only if there is no other action."""

    ENTER = "enter"
    MOVE = "move"
    WALL = "wall"
    BEAROFF = "bearoff"
    PASSING = "pass"


@dataclass(frozen=True, slots=True)
class Action:
    """An action; `source` 0 is the hand, `target` 25 is borne off, and a pass has 0 for both."""

    kind: ActionKind
    source: int
    target: int


PASS = Action(ActionKind.PASSING, 0, 0)


class Reason(ExplainedEnum):
    """Why an action is not allowed; of several reasons, the first in this order is decisive."""

    GAME_OVER = "game_over", "The game is over; set up the next one."
    CAN_ACT = "can_act", "A player who can enter, move or bear off must not pass."
    NO_SUCH_POINT = "no_such_point", "There is no way from {source} to {target}; points are numbered 1 to 24."
    HAND_EMPTY = "hand_empty", "There is no piece left in the hand to enter on {target}."
    NO_PIECE_THERE = "no_piece_there", "No piece stands on {source}."
    NOT_OWN_PIECE = "not_own_piece", "The piece on {source} belongs to the opponent."
    SINGLE = "single", "The piece on {source} stands alone; only a wall of two is borne off."
    NOT_IN_LAST_QUADRANT = "not_in_last_quadrant", "Walls are borne off from the points 19 to 24, not from {source}."
    LAST_QUADRANT = (
        "last_quadrant",
        "{source} lies in the last quadrant; a piece there waits for a partner and moves no more.",
    )
    WRONG_QUADRANT = "wrong_quadrant", "{target} is not in the quadrant where a piece from {origin} has to go."
    WALL_FULL = "wall_full", "On {target} stands a wall, and a wall never holds a third piece."
    OCCUPIED = "occupied", "{target} is taken; only an own single piece exactly six points ahead may be joined."
    NOTHING_TO_JOIN = "nothing_to_join", "No own piece stands on {target} to build a wall with."
    WALL_IN_THE_WAY = (
        "wall_in_the_way",
        "A piece on its way from {origin} to {target} may not cross the wall on {walls}.",
    )


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason against an action, with a sentence for the players."""

    reason: Reason
    sentence: str


def quadrant(point: int) -> int:
    """The quadrant of a point: 0 to 3 for A to D."""
    return (point - 1) // 6


def find_walls_between(state: State, source: int, target: int) -> tuple[int, ...]:
    """The points strictly between source and target that hold a wall of either colour; none if target < source."""
    return tuple(point for point in range(source + 1, target) if state.at(point).is_wall)


def actions(state: State, rules: GrasshopperRules = STANDARD) -> tuple[Action, ...]:
    """All actions of the side to act: entries first, then by source and target; none if it must pass or the game is won."""
    return tuple(_list_actions(state, state.to_act, rules))


def must_pass(state: State, rules: GrasshopperRules = STANDARD) -> bool:
    """Whether nobody has won and the side to act has no action."""
    return state.winner is None and not actions(state, rules)


def is_draw(state: State, rules: GrasshopperRules = STANDARD) -> bool:
    """Whether neither side has an action; the sources count draws but do not define them."""
    return state.winner is None and not any(True for player in Player for _ in _list_actions(state, player, rules))


def apply_action(state: State, action: Action, rules: GrasshopperRules = STANDARD) -> State:
    """The state after a legal action; raises IllegalActionError for any other."""
    objections = find_objections(state, action.kind, action.source, action.target, rules)
    if objections:
        raise IllegalActionError(f"{objections[0].sentence} Call find_objections() before the action is carried out.")
    mover, moved = state.to_act, replace(state, to_act=state.to_act.opponent)
    match action.kind:
        case ActionKind.PASSING:
            return moved
        case ActionKind.ENTER:
            return moved.with_hand(mover, state.hand(mover) - 1).with_point(action.target, _SINGLE[mover])
        case ActionKind.MOVE:
            return _lift_piece(moved, mover, action.source).with_point(action.target, _SINGLE[mover])
        case ActionKind.WALL:
            return _lift_piece(moved, mover, action.source).with_point(action.target, _WALL[mover])
        case ActionKind.BEAROFF:  # pragma: no branch - mypy sees that no other case is left
            # The first player to score twice in succession wins: W, W or W, B, W, W.
            winner = mover if state.last_scorer is mover else None
            return replace(moved.with_point(action.source, Stack.EMPTY), last_scorer=mover, winner=winner)


def find_objections(
    state: State, kind: ActionKind, source: int, target: int, rules: GrasshopperRules = STANDARD
) -> tuple[Objection, ...]:
    """All reasons against an action of the side to act, the decisive one first; none if it is legal."""
    found = sorted(_find_reasons(state, Action(kind, source, target), rules), key=list(Reason).index)
    walls = ", ".join(map(str, find_walls_between(state, source, target)))
    origin = "the hand" if source == HAND else source
    return tuple(
        Objection(reason, reason.sentence.format(source=source, target=target, walls=walls, origin=origin))
        for reason in found
    )


def _lift_piece(state: State, mover: Player, source: int) -> State:
    """Takes a piece off a point; the top piece of a wall leaves a single piece behind."""
    left = _SINGLE[mover] if state.at(source).is_wall else Stack.EMPTY
    return state.with_point(source, left)


def _list_actions(state: State, mover: Player, rules: GrasshopperRules) -> Iterator[Action]:
    asked = replace(state, to_act=mover)
    candidates = [
        *(Action(ActionKind.ENTER, HAND, target) for target in FIRST_QUADRANT),
        *(
            Action(kind, source, target)
            for source in BOARD[:18]
            if state.at(source).count(mover)
            for target in BOARD[6 * quadrant(source) + 6 : 6 * quadrant(source) + 12]
            for kind in (ActionKind.MOVE, ActionKind.WALL)
        ),
        *(Action(ActionKind.BEAROFF, source, BORNE_OFF) for source in BOARD[18:]),
    ]
    return (action for action in candidates if not any(_find_reasons(asked, action, rules)))


def _find_reasons(state: State, action: Action, rules: GrasshopperRules) -> Iterator[Reason]:
    if state.winner:
        return iter((Reason.GAME_OVER,))
    match action.kind:
        case ActionKind.PASSING:
            return _check_passing(state, rules)
        case ActionKind.ENTER:
            return _check_entering(state, action, rules)
        case ActionKind.BEAROFF:
            return _check_bearing_off(state, action)
        case ActionKind.MOVE | ActionKind.WALL:  # pragma: no branch - mypy sees that no other case is left
            return _check_moving(state, action)


def _check_passing(state: State, rules: GrasshopperRules) -> Iterator[Reason]:
    if actions(state, rules):
        yield Reason.CAN_ACT
    elif is_draw(state, rules):
        yield Reason.GAME_OVER


def _check_entering(state: State, action: Action, rules: GrasshopperRules) -> Iterator[Reason]:
    if action.source != HAND or action.target not in BOARD:
        yield Reason.NO_SUCH_POINT
        return
    if not state.hand(state.to_act):
        yield Reason.HAND_EMPTY
    if action.target not in FIRST_QUADRANT:
        yield Reason.WRONG_QUADRANT
    stack = state.at(action.target)
    if stack is not Stack.EMPTY:
        yield Reason.WALL_FULL if stack.is_wall else Reason.OCCUPIED
    if rules.entry_blocked_by_walls and find_walls_between(state, HAND, action.target):
        yield Reason.WALL_IN_THE_WAY


def _check_source(state: State, source: int) -> Reason | None:
    if state.at(source) is Stack.EMPTY:
        return Reason.NO_PIECE_THERE
    return None if state.at(source).count(state.to_act) else Reason.NOT_OWN_PIECE


def _check_bearing_off(state: State, action: Action) -> Iterator[Reason]:
    if action.source not in BOARD or action.target != BORNE_OFF:
        yield Reason.NO_SUCH_POINT
        return
    if foreign := _check_source(state, action.source):
        yield foreign
        return
    if not state.at(action.source).is_wall:
        yield Reason.SINGLE
    if quadrant(action.source) != _LAST:
        yield Reason.NOT_IN_LAST_QUADRANT


def _check_moving(state: State, action: Action) -> Iterator[Reason]:
    source, target = action.source, action.target
    if source not in BOARD or target not in BOARD:
        yield Reason.NO_SUCH_POINT
        return
    if foreign := _check_source(state, source):
        yield foreign
        return
    if quadrant(source) == _LAST:
        yield Reason.LAST_QUADRANT
    elif quadrant(target) != quadrant(source) + 1:
        yield Reason.WRONG_QUADRANT
    if crowded := _check_target(state, action):
        yield crowded
    if not state.at(source).is_wall and find_walls_between(state, source, target):
        yield Reason.WALL_IN_THE_WAY


def _check_target(state: State, action: Action) -> Reason | None:
    stack = state.at(action.target)
    if stack.is_wall:
        return Reason.WALL_FULL
    if stack is Stack.EMPTY:
        return Reason.NOTHING_TO_JOIN if action.kind is ActionKind.WALL else None
    joins = action.kind is ActionKind.WALL and stack is _SINGLE[state.to_act]
    return None if joins and action.target - action.source == 6 else Reason.OCCUPIED


def to_text(state: State) -> str:
    """The text of a state: points, White's hand, Black's hand, side to act, last scorer.

    Example: `.w....bW................ 11 13 W -`.
    """
    board = "".join(stack.value for stack in state.points)
    last = state.last_scorer.value if state.last_scorer else "-"
    return f"{board} {state.white_hand} {state.black_hand} {state.to_act.value} {last}"


def from_text(text: str) -> State:
    """Reads a state strictly; raises GrasshopperTextError with a sentence that names the field and the remedy."""
    fields = text.split(" ")
    if len(fields) != 5:
        raise GrasshopperTextError(
            f"state: {len(fields)} fields; give points, White's hand, Black's hand, side to act and last scorer, "
            "with one space between"
        )
    board, white_hand, black_hand, side, last = fields
    state = State(
        _read_points(board),
        _read_hand("White's hand", white_hand),
        _read_hand("Black's hand", black_hand),
        _read_player("side to act", side, "W or B"),
        None if last == "-" else _read_player("last scorer", last, "W, B or -"),
    )
    for player in Player:
        _check_pieces(state, player)
    return state


def _read_points(board: str) -> tuple[Stack, ...]:
    if len(board) != 24:
        raise GrasshopperTextError(f"points: {len(board)} characters; give 24, one for each point")
    for point, letter in enumerate(board, start=1):
        if letter not in ".wWbB":
            raise GrasshopperTextError(f"points: {letter!r} on point {point} is no piece; use . w W b or B")
    return tuple(map(Stack, board))


def _read_hand(name: str, text: str) -> int:
    # `isdecimal` alone accepts the digits of other scripts.
    if not (text.isascii() and text.isdecimal() and len(text) <= 2 and int(text) <= PIECES):
        raise GrasshopperTextError(f"{name}: {text[:20]!r} is no count; give a number from 0 to {PIECES}")
    return int(text)


def _read_player(name: str, text: str, choices: str) -> Player:
    if text not in ("W", "B"):
        raise GrasshopperTextError(f"{name}: {text[:20]!r} is no player; give {choices}")
    return Player(text)


def _check_pieces(state: State, player: Player) -> None:
    """Pieces are borne off in pairs, so an even number of the fourteen remains."""
    pieces, name = state.pieces(player), player.name.capitalize()
    if pieces > PIECES:
        raise GrasshopperTextError(
            f"state: {name} has {pieces} pieces in hand and on points; take away {pieces - PIECES}"
        )
    if pieces % 2:
        raise GrasshopperTextError(
            f"state: {name} has {pieces} pieces in hand and on points, but pieces are borne off in pairs; "
            "correct the hand or a point by one"
        )
