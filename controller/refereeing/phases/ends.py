"""The end of a game, and of the match: whose, of what kind, worth how much."""

from dataclasses import replace

from controller.match.events import GameWon, MatchWon
from controller.refereeing.state import RefereeState
from controller.refereeing.table import Table
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import grasshopper_state, position_of
from controller.rules.grasshopper.game import GrasshopperRules, is_draw
from controller.rules.player import OFF, Player
from controller.rules.plays.mother import mothers_caught
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.match import after_game, jacoby, winner
from controller.rules.scoring.points import (
    Kind,
    Stakes,
    Unit,
    is_anti_draw,
    points,
    scheme_named,
    win_kind,
    winner_when_off,
)


def ended(course: Course, table: Table) -> Course:
    """With the win or the draw that the board of the log shows; unchanged while the game goes on."""
    rules = table.rules
    if isinstance(rules, GrasshopperRules):
        return _grasshopper_ended(course, rules, table)
    state = course.state
    position = position_of(state.position, rules)
    for player in Player:
        if position.counts(player)[OFF] == rules.checkers:
            won_by = winner_when_off(player, rules.goal)
            counts = position.counts(won_by.opponent)
            return won(course, won_by, win_kind(scheme_named(rules.scoring), rules.direction, counts), table)
    caught = mothers_caught(position, rules)
    if len(caught) == 1:
        (loser,) = caught
        return won(course, loser.opponent, Kind.MOTHER, table)
    if caught or is_anti_draw(rules.goal, state.turns.white, state.turns.black):
        return won(course, None, Kind.DRAW, table)
    return course


def is_over_on(position: str, course: Course, table: Table) -> bool:
    """Whether the game would be over if this stood on the board."""
    return bool(ended(Course(replace(course.state, position=position)), table).events)


def won(course: Course, player: Player | None, kind: Kind, table: Table) -> Course:
    """The game is over by play or by resignation."""
    return scored(course, player, kind, worth(course.state, player, kind, table), table)


def scored(course: Course, player: Player | None, kind: Kind, worth_points: int, table: Table) -> Course:
    """With these points, and with the match if they decide it."""
    match = after_game(course.state.match, player, worth_points, table.match)
    course = course.told(GameWon(course.now_ms, player, kind, worth_points, match.white, match.black))
    match_winner = winner(match, table.match)
    return course if match_winner is None else course.told(MatchWon(course.now_ms, match_winner))


def worth(state: RefereeState, player: Player | None, kind: Kind, table: Table) -> int:
    """The points of a win of this kind."""
    if player is None:
        return 0
    if not isinstance(table.rules, Ruleset):
        return 1
    rules = table.rules
    stakes = Stakes(
        cube=state.cube.value,
        cube_turned=state.cube.turned,
        jacoby=jacoby(rules, table.match),
        unit=Unit(rules.unit),
    )
    loser = position_of(state.position, rules).counts(player.opponent)
    return points(kind, scheme_named(rules.scoring), loser, stakes)


def _grasshopper_ended(course: Course, rules: GrasshopperRules, table: Table) -> Course:
    """The text does not tell a won game, so the play that scored twice running is asked (`follow`)."""
    if is_draw(grasshopper_state(course.state), rules):
        return won(course, None, Kind.DRAW, table)
    return course
