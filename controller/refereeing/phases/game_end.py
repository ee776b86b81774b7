"""The end of a game and of the match: the winner, the kind of win, and its points."""

from controller.match import GameWon, MatchWon
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState, with_position
from controller.refereeing.transition import Transition
from controller.refereeing.verdicts import grasshopper_state, position_of
from controller.rules import (
    OFF,
    Player,
    ResultKind,
    Ruleset,
    Stakes,
    StakeUnit,
    add_game,
    find_caught_mothers,
    find_match_winner,
    get_scheme,
    is_anti_draw,
    is_jacoby_in_force,
    points_for_win,
    win_kind,
    winner_when_off,
)
from controller.rules.grasshopper.game import GrasshopperRules, is_draw


def finish_game_if_over(transition: Transition, table: MatchConfig) -> Transition:
    """Emits the win or draw that the board of the log shows; unchanged while the game goes on."""
    rules = table.rules
    if isinstance(rules, GrasshopperRules):
        return _finish_grasshopper_if_over(transition, rules, table)
    state = transition.state
    position = position_of(state.position, rules)
    for player in Player:
        if position.counts(player)[OFF] == rules.checkers:
            won_by = winner_when_off(player, rules.goal)
            counts = position.counts(won_by.opponent)
            return win_game(transition, won_by, win_kind(get_scheme(rules.scoring), rules.direction, counts), table)
    caught = find_caught_mothers(position, rules)
    if len(caught) == 1:
        (loser,) = caught
        return win_game(transition, loser.opponent, ResultKind.MOTHER, table)
    if caught or is_anti_draw(rules.goal, state.game.turns.white, state.game.turns.black):
        return win_game(transition, None, ResultKind.DRAW, table)
    return transition


def is_over_on(position: str, transition: Transition, table: MatchConfig) -> bool:
    """Whether the game would be over with this position on the board."""
    return bool(finish_game_if_over(Transition(with_position(transition.state, position)), table).events)


def win_game(transition: Transition, player: Player | None, kind: ResultKind, table: MatchConfig) -> Transition:
    """Ends the game by play or by resignation."""
    return score_game(transition, player, kind, compute_points(transition.state, player, kind, table), table)


def score_game(
    transition: Transition, player: Player | None, kind: ResultKind, worth_points: int, table: MatchConfig
) -> Transition:
    """Ends the game with these points, and the match if they decide it."""
    match = add_game(transition.state.match, player, worth_points, table.match)
    transition = transition.emit(GameWon(transition.now_ms, player, kind, worth_points, match.white, match.black))
    match_winner = find_match_winner(match, table.match)
    return transition if match_winner is None else transition.emit(MatchWon(transition.now_ms, match_winner))


def compute_points(state: RefereeState, player: Player | None, kind: ResultKind, table: MatchConfig) -> int:
    """The points of a win of this kind, with the cube; 0 for a draw."""
    if player is None:
        return 0
    if not isinstance(table.rules, Ruleset):
        return 1
    rules = table.rules
    stakes = Stakes(
        cube=state.cube.value,
        cube_turned=state.cube.turned,
        jacoby=is_jacoby_in_force(rules, table.match),
        unit=StakeUnit(rules.unit),
    )
    loser = position_of(state.position, rules).counts(player.opponent)
    return points_for_win(kind, get_scheme(rules.scoring), loser, stakes)


def _finish_grasshopper_if_over(transition: Transition, rules: GrasshopperRules, table: MatchConfig) -> Transition:
    """Draws only: position text does not show a won game, which `PlayMade.follow` reports."""
    if is_draw(grasshopper_state(transition.state), rules):
        return win_game(transition, None, ResultKind.DRAW, table)
    return transition
