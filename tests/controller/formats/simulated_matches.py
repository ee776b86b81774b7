"""Seeded matches as the referee would log them: whole games with cube, drops and resignations."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.match import events
from controller.match.event_values import Occasion
from controller.match.events import CubeAct, Mode, RefereeEvent
from controller.rules import (
    END_TURN,
    GAME_OVER,
    CubePhase,
    CubeRules,
    CubeState,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Match,
    MatchRules,
    Player,
    ResultKind,
    Ruleset,
    Stakes,
    add_game,
    apply_cube_event,
    find_match_winner,
    get_ruleset,
    get_scheme,
    is_crawford,
    play_text,
    points_for_win,
    position_text,
    start_position,
)
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.playthrough import GameEnd, OpeningThrow, TurnPlayed, play_game

MONEY_GAMES = 3
_KINDS = (ResultKind.SINGLE, ResultKind.SINGLE, ResultKind.MARS, ResultKind.KOKS)


@dataclass(slots=True)
class _Table:
    """One game in progress."""

    rules: Ruleset
    chance: Random
    cube_rules: CubeRules
    is_money: bool
    cube: CubeState = field(default_factory=CubeState)
    won: tuple[Player, ResultKind, int] | None = None


def simulated_match(seed: int, game: str = "backgammon", length: int | None = 5) -> tuple[RefereeEvent, ...]:
    """The events of a match; `length` None: money games with Jacoby and beavers."""
    return tuple(_match_events(Random(seed), game, length))


def _match_events(chance: Random, game: str, length: int | None) -> Iterator[RefereeEvent]:
    rules, match_rules = get_ruleset(game), MatchRules(target=length)
    occasion = Occasion("Board 3", "Клуб ночь", "2", "2026-11-21", "20:15", jacoby=length is None)
    yield events.MatchStarted(
        0, game, None, "casual", Mode.REFEREE, "Анна Каренина", "Zażółć [3] (1500)", length, occasion=occasion
    )
    match = Match()
    while find_match_winner(match, match_rules) is None and (length is not None or match.games < MONEY_GAMES):
        crawford = is_crawford(match, match_rules)
        cube_rules = CubeRules(crawford_game=crawford, beaver=length is None, use=rules.cube and length != 1)
        table = _Table(rules, chance, cube_rules, length is None)
        yield events.GameStarted(0, match.games + 1, position_text(start_position(rules)), None, crawford)
        yield from _game_events(table)
        assert table.won is not None
        player, kind, worth = table.won
        match = add_game(match, player, worth, match_rules)
        yield events.GameWon(0, player, kind, worth, *match.score)
    if (best := find_match_winner(match, match_rules)) is not None:
        yield events.MatchWon(0, best)


def _game_events(table: _Table) -> Iterator[RefereeEvent]:
    chance = table.chance
    for event in play_game(table.rules, SeededDice(chance), DemoPlayer(table.rules, chance)):
        match event:
            case OpeningThrow():
                yield events.OpeningThrown(0, event.white, event.black, event.starter)
                if event.starter is not None:
                    opened = replace(table.cube, phase=CubePhase.ROLLED, on_turn=event.starter)
                    table.cube = opened
            case TurnPlayed():
                if event.number > 1:
                    yield from _before_the_throw(table, event.player)
                if table.won is not None:
                    return
                yield from _turn_events(event)
                table.cube = replace(table.cube, phase=CubePhase.TO_ROLL, on_turn=event.player.opponent)
            case GameEnd():
                assert event.winner is not None
                table.won = (event.winner, event.kind, _worth(table, event.winner, event.kind))
            case _:
                raise AssertionError("these games end")


def _before_the_throw(table: _Table, player: Player) -> Iterator[RefereeEvent]:
    chance = table.chance
    if chance.random() < 0.006:
        scheme = get_scheme(table.rules.scoring)
        kind = chance.choice([kind for kind in _KINDS if scheme.multiplier(kind) is not None])
        yield events.ResignationOffered(0, player, kind)
        accepts = chance.random() < 0.7
        yield events.ResignationAnswered(0, player.opponent, accepts)
        if accepts:
            table.won = (player.opponent, kind, _worth(table, player.opponent, kind))
            return
    ruled = apply_cube_event(table.cube, DoubleOffered(player), table.cube_rules)
    if ruled.is_allowed and chance.random() < 0.06:
        table.cube = ruled.state
        yield events.CubeTurned(0, CubeAct.OFFERED, player, table.cube.value)
        yield from _answer(table, player)


def _answer(table: _Table, doubler: Player) -> Iterator[RefereeEvent]:
    chance, answerer = table.chance, doubler.opponent
    if table.cube_rules.beaver and chance.random() < 0.3:
        table.cube = apply_cube_event(table.cube, DoubleBeavered(answerer), table.cube_rules).state
        yield events.CubeTurned(0, CubeAct.BEAVERED, answerer, table.cube.value)
        answerer = doubler
    # A dropped beaver makes GNU Backgammon lose the first turns of the next game.
    takes = table.cube.beavered or chance.random() < 0.8
    event = DoubleTaken(answerer) if takes else DoubleDropped(answerer)
    table.cube = apply_cube_event(table.cube, event, table.cube_rules).state
    if takes:
        yield events.CubeTurned(0, CubeAct.TAKEN, answerer, table.cube.value)
        return
    assert table.cube.over is not None
    yield events.CubeTurned(0, CubeAct.DROPPED, answerer, table.cube.over.points)
    table.won = (table.cube.over.winner, ResultKind.SINGLE, table.cube.over.points)


def _turn_events(played: TurnPlayed) -> Iterator[RefereeEvent]:
    (thrown,) = played.throws
    assert thrown.roll is not None
    roll = (thrown.roll.high, thrown.roll.low)
    before, after = position_text(played.before), position_text(played.after)
    yield events.DiceRolled(0, played.player, roll)
    if not thrown.steps:
        yield events.PassForced(0, played.player)
    follow = GAME_OVER if thrown.follow is None else END_TURN
    yield events.PlayMade(0, played.player, thrown.throw.stages[0], play_text(thrown.steps), before, after, str(follow))


def _worth(table: _Table, player: Player, kind: ResultKind) -> int:
    stakes = Stakes(cube=table.cube.value, cube_turned=table.cube.turned, jacoby=table.is_money)
    # The loser's checkers do not matter if the game is the unit.
    return points_for_win(kind, get_scheme(table.rules.scoring), (0,) * 27, stakes)
