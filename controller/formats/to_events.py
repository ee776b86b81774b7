"""Turns a match that was read into the events of a log, as if a person had entered all of it.

The times are unknown, so every event is at 0 ms, and its evidence is ENTERED.
"""

from collections.abc import Iterator

from controller.formats.match_model import BoardPut, CubeAction, GameHistory, MatchHistory, PlayedTurn, Resignation
from controller.match import CASUAL, CubeAct, CubeRaise, Evidence, Mode, RefereeEvent, Remark, events
from controller.match_log.turns import TurnRuling
from controller.rules import OFF, FollowKind, Player, Ruleset

_AT_MS = 0


def generate_events(match: MatchHistory) -> Iterator[RefereeEvent]:
    """The events of a match in one of the games that other programs know (`Variation`)."""
    if match.rules is None:
        raise ValueError("Grasshopper comes from no match file")
    yield events.MatchStarted(
        _AT_MS,
        match.game,
        match.rules_toml,
        CASUAL.name,
        Mode.REFEREE,
        match.white,
        match.black,
        match.length,
        *match.score,
        occasion=match.occasion,
    )
    yield from _generate_remarks(match.remarks)
    for game in match.games:
        yield from _generate_game_events(game, match.rules)
    if match.winner is not None:
        yield events.MatchWon(_AT_MS, match.winner)


def _generate_game_events(game: GameHistory, rules: Ruleset) -> Iterator[RefereeEvent]:
    yield events.GameStarted(_AT_MS, game.number, game.start, game.starter, game.is_crawford)
    value = stake = 1  # what the cube shows, and what was offered last
    last = game.turns[-1] if game.turns else None
    for place, turn in enumerate(game.turns):
        yield from _generate_remarks(game.remarks_after(place))
        if turn is last and isinstance(turn, Resignation):
            yield from _generate_pending_roll_events(game)  # the player threw and then resigned
        match turn:
            case PlayedTurn():
                yield from _generate_turn_events(turn, rules)
            case CubeAction():
                raised = CubeRaise(stake if turn.act is CubeAct.BEAVERED else value, turn.value)
                stake = turn.value
                # An offer leaves the cube as it is; only the take turns it.
                value = value if turn.act in (CubeAct.OFFERED, CubeAct.BEAVERED) else turn.value
                yield events.CubeTurned(_AT_MS, turn.act, turn.player, value, raised)
            case Resignation():
                yield events.ResignationOffered(_AT_MS, turn.player, turn.kind)
                if turn.is_accepted is not None:
                    yield events.ResignationAnswered(_AT_MS, turn.player.opponent, turn.is_accepted)
            case BoardPut():  # pragma: no branch - mypy sees that no other case is left
                evidence = Evidence.SEEN if turn.is_seen else Evidence.ENTERED
                yield events.BoardCorrected(_AT_MS, turn.position, evidence=evidence)
    yield from _generate_remarks(game.remarks_after(len(game.turns)))
    if not isinstance(last, Resignation):
        yield from _generate_pending_roll_events(game)
    if game.result is not None:
        result = game.result
        yield events.GameWon(_AT_MS, result.winner, result.kind, result.points, *result.score)
    yield from _generate_remarks(game.remarks_on_result)


def _generate_remarks(remarks: tuple[Remark, ...]) -> Iterator[RefereeEvent]:
    return (events.RemarkMade(_AT_MS, one) for one in remarks)


def _generate_pending_roll_events(game: GameHistory) -> Iterator[RefereeEvent]:
    if game.thrown is not None:
        yield events.DiceRolled(_AT_MS, game.thrown.player, game.thrown.roll, Evidence.ENTERED)


def _generate_turn_events(turn: PlayedTurn, rules: Ruleset) -> Iterator[RefereeEvent]:
    roll = (turn.roll[0], turn.roll[1])
    after = turn.after or turn.before
    yield events.DiceRolled(_AT_MS, turn.player, roll, Evidence.ENTERED)
    if not turn.ruling.is_within_rules:
        because = (f"{rule.value.replace('_', ' ')}." for rule in turn.rules)
        yield events.PlayRefused(_AT_MS, turn.player, roll, turn.before, after, turn.rules, tuple(because))
        yield events.PlayCondoned(_AT_MS, turn.player, roll, turn.before, after, turn.rules, turn.clause)
        return
    if turn.is_pass:
        yield events.PassForced(_AT_MS, turn.player)
    evidence = Evidence.INFERRED if turn.ruling is TurnRuling.NOT_SEEN else Evidence.ENTERED
    off = int(after.split("/")[0 if turn.player is Player.WHITE else 1][OFF], 16)
    follow = FollowKind.GAME_OVER if off == rules.checkers else FollowKind.END_TURN
    yield events.PlayMade(
        _AT_MS, turn.player, roll, turn.play or "", turn.before, after, follow.value, evidence=evidence
    )
