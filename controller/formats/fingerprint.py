"""What makes two files the same match: players, length, and every throw, board, cube action and result."""

import hashlib

from controller.formats.match_model import CubeAction, GameAction, MatchHistory, PlayedTurn


def match_fingerprint(match: MatchHistory) -> str:
    """Equal for one match in files of two formats, whatever their remarks, times and spelling of plays.

    Results alone are no proof: a match without a turn, as one that was forfeited, is known by its date too.
    """
    digest = hashlib.sha256(repr((match.game, match.white, match.black, match.length)).encode())
    for game in match.games:
        result = None if game.result is None else (game.result.winner, game.result.points)
        turns = [_describe(turn) for turn in game.turns if isinstance(turn, PlayedTurn | CubeAction)]
        digest.update(repr((game.start, game.score, turns, result)).encode())
    if not any(game.played_turns for game in match.games):
        digest.update(match.occasion.date.encode())
    return digest.hexdigest()


def _describe(turn: GameAction) -> tuple[object, ...]:
    if isinstance(turn, PlayedTurn):
        return turn.player.value, turn.roll, turn.after
    return (turn.act.value, turn.player) if isinstance(turn, CubeAction) else ()
