"""The doubling cube: what people say, and where the camera sees it lie. The rules are those of `rules/cube.py`."""

from controller.match.commands import Beaver, DropDouble, OfferDouble, TakeDouble
from controller.match.events import CubeAct, CubeTurned
from controller.match.profile import Clause, CorrectionWindow, clause_text
from controller.match.seating import Edge
from controller.observing.observation import Observation
from controller.refereeing.debounce import calmed, shown_again, suspected
from controller.refereeing.phases import ends, restoring
from controller.refereeing.phases.judging import can_stand, condoned
from controller.refereeing.state import Phase
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import known_seating
from controller.rules.player import Player
from controller.rules.ruleset import Ruleset
from controller.rules.scoring import cube
from controller.rules.scoring.cube import CubeRules, CubeState
from controller.rules.scoring.match import cube_rules
from controller.rules.scoring.points import Kind, points_for_drop
from vision.dice.readings import CubePlace

_NO_CUBE = CubeRules(use=False)


def offer(course: Course, command: OfferDouble, table: Table) -> Course:
    """In AWAIT_ROLL; in every other phase the cube's own rules refuse it with their reason."""
    if course.state.phase is Phase.ILLEGAL:
        return _offer_upon_illegal_play(course, command, table)
    ruled = cube.apply(course.state.cube, cube.Offered(command.player), rules_of(course, table))
    if ruled.refusal is not None:
        return course.refused(command, ruled.refusal.sentence)
    if course.state.phase is not Phase.AWAIT_ROLL:
        return course.refused(command, cube.CubeRefusal.ALREADY_ROLLED.sentence)
    return _turned(course, CubeAct.OFFERED, command.player, ruled.state)


def take(course: Course, command: TakeDouble, table: Table) -> Course:
    ruled = cube.apply(course.state.cube, cube.Taken(command.player), rules_of(course, table))
    if ruled.refusal is not None:
        return course.refused(command, ruled.refusal.sentence)
    return _turned(course, CubeAct.TAKEN, command.player, ruled.state)


def beaver(course: Course, command: Beaver, table: Table) -> Course:
    ruled = cube.apply(course.state.cube, cube.Beavered(command.player), rules_of(course, table))
    if ruled.refusal is not None:
        return course.refused(command, ruled.refusal.sentence)
    return _turned(course, CubeAct.BEAVERED, command.player, ruled.state)


def drop(course: Course, command: DropDouble, table: Table) -> Course:
    """The game is over, for the stake before the last raise."""
    ruled = cube.apply(course.state.cube, cube.Dropped(command.player), rules_of(course, table))
    if ruled.refusal is not None or ruled.state.over is None:
        return course.refused(command, (ruled.refusal or cube.CubeRefusal.NO_OFFER).sentence)
    over = ruled.state.over
    course = course.told(CubeTurned(course.now_ms, CubeAct.DROPPED, command.player, over.points))
    return ends.scored(course, over.winner, Kind.SINGLE, points_for_drop(over), table)


def rules_of(course: Course, table: Table) -> CubeRules:
    """The cube in this game of the match."""
    if not isinstance(table.rules, Ruleset):
        return _NO_CUBE
    return cube_rules(table.rules, course.state.match, table.match)


def seen_offered(course: Course, table: Table) -> Course:
    """A cube that was put where one offers it and stays there, before the throw: an offer where one is allowed."""
    course, is_ripe = _stayed(course, CubePlace.OFFERED, table)
    if not is_ripe:
        return course
    ruled = cube.apply(course.state.cube, cube.Offered(course.mover), rules_of(course, table))
    if ruled.refusal is not None:
        return course.aware(cube_path=course.state.seen.cube_path[-1:])
    return _turned(calmed(course), CubeAct.OFFERED, course.mover, ruled.state)


def is_drawn_to(place: CubePlace, course: Course, seen: Observation) -> bool:
    """Whether it came there since something was last done with it, and is there now: for a frame or two much looks like it."""
    path = course.state.seen.cube_path
    is_there = seen.cube is not None and seen.cube.place is place and not seen.hand_in_view
    return is_there and len(path) > 1 and path[-1] is place


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in CUBE_OFFERED: the cube may be drawn to the side of the player who takes it."""
    known = course.state.cube
    offered_by = None if known.beavered else known.offer_by  # where it lies tells nothing of the answer to a beaver
    if offered_by is None:
        return restoring.compared(course, seen, table)
    side = _side_of(course, offered_by.opponent)
    if not is_drawn_to(side, course, seen):
        return restoring.compared(course, seen, table)
    course, is_ripe = _stayed(course, side, table)
    return take(course, TakeDouble(offered_by.opponent), table) if is_ripe else course


def _stayed(course: Course, place: CubePlace, table: Table) -> tuple[Course, bool]:
    """Whether the cube lies there for long enough to be meant; one picture alone may have misread it."""
    if not table.is_watched:
        return shown_again(course, frozenset({place}))
    return suspected(course, place, table.patience.cube_ms)


def _side_of(course: Course, player: Player) -> CubePlace:
    sits_below = (known_seating(course.state).edge is Edge.BOTTOM) == (player is Player.WHITE)
    return CubePlace.BOTTOM if sits_below else CubePlace.TOP


def _offer_upon_illegal_play(course: Course, command: OfferDouble, table: Table) -> Course:
    """A double by the opponent lets the play stand where the profile says so."""
    closes = table.profile.correction_window is CorrectionWindow.OPPONENT_ROLL_OR_DOUBLE
    if not closes or command.player is course.mover or not can_stand(course, table):
        return course.refused(command, "An illegal play waits for its correction; a double has to wait too.")
    allowed = condoned(course, table, clause_text(table.profile, Clause.CORRECTION_WINDOW))
    ruled = cube.apply(allowed.state.cube, cube.Offered(command.player), rules_of(allowed, table))
    if ruled.refusal is not None or allowed.state.phase is not Phase.AWAIT_ROLL:
        return course.refused(command, (ruled.refusal or cube.CubeRefusal.GAME_OVER).sentence)
    return offer(allowed, command, table)


def _turned(course: Course, act: CubeAct, player: Player, after: CubeState) -> Course:
    path = course.state.seen.cube_path
    return course.told(CubeTurned(course.now_ms, act, player, after.value)).aware(cube_path=path[-1:])
