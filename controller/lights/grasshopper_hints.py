"""Hints for Grasshopper: the pieces that may move, or where the piece in the player's hand may go."""

from dataclasses import replace
from functools import lru_cache

from controller.adjudication import find_lifted_source, view_of_state
from controller.match import Seating, place_number
from controller.observing import BoardEvidence, BoardView
from controller.rules import POINTS, Direction, Player
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import ActionKind, GrasshopperRules
from vision.places import Place


@lru_cache(maxsize=8)
def find_action_places(
    position: str, seating: Seating, rules: GrasshopperRules, glimpse: BoardEvidence | None
) -> tuple[tuple[Place, ...], tuple[Place, ...], bool]:
    """Sources, destinations, and whether only one action is legal. `glimpse` is the latest frame's evidence.

    While a piece is in the hand only its destinations count. Pieces that enter from the reserve need no lifting, so
    their destinations are returned at once.
    """
    state = grasshopper.from_text(position)
    allowed = grasshopper.actions(state, rules)
    is_only = len(allowed) == 1
    held = None if glimpse is None else _find_held_piece(state, {action.source for action in allowed}, glimpse, seating)
    if held is not None:
        targets = [action.target for action in allowed if action.source == held]
        return (), _convert_points(targets, seating), is_only
    sources = [action.source for action in allowed if action.kind is not ActionKind.ENTER]
    enters = [action.target for action in allowed if action.kind is ActionKind.ENTER]
    targets = [allowed[0].target] if is_only else enters
    return _convert_points(sources, seating), _convert_points(targets, seating), is_only


def _find_held_piece(
    state: grasshopper.State, sources: set[int], glimpse: BoardEvidence, seating: Seating
) -> int | None:
    """The point from which a piece was lifted. A wall loses its two pieces one after the other."""
    column = seating.checkers_of(state.to_act).column
    standing = view_of_state(state, seating)
    without: dict[int, BoardView] = {}
    for source in sources & set(POINTS):
        number = place_number(seating.place_of(source, Player.WHITE, Direction.CONTRARY))
        points = list(standing.points)
        light, dark = points[number]
        points[number] = (light - 1, dark) if column == 0 else (light, dark - 1)
        without[source] = replace(standing, points=tuple(points))
    return find_lifted_source(standing, without, glimpse, bar_is_used=False)


def _convert_points(points: list[int], seating: Seating) -> tuple[Place, ...]:
    """Both players count points as White does from his seat; a piece that is borne off goes to the tray."""
    return tuple(
        seating.place_of(point, Player.WHITE, Direction.CONTRARY) if point in POINTS else Place.TRAY
        for point in dict.fromkeys(points)
    )
