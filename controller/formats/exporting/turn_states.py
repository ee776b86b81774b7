"""Finds a moment of a match by the number of a turn: `12`, `12:before`, `12:offered`, `12:after`."""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.formats import match_model
from controller.formats.exporting.header_tags import has_crawford_game, uses_jacoby
from controller.formats.positions.match_state import GameState, MatchState, PointCounts
from controller.formats.variations import find_variation
from controller.match import CubeAct
from controller.rules import Player, parse_setup

_RESIGNED_POINTS = {"single": 1, "mars": 2, "koks": 3}
_STATES = {match_model.GameEnding.DROPPED: GameState.DROPPED, match_model.GameEnding.RESIGNED: GameState.RESIGNED}


class TurnMoment(Enum):
    """A moment of a turn."""

    THROWN = ""  # the dice are thrown and nothing is played
    BEFORE = "before"  # the player may throw or double
    OFFERED = "offered"  # a double that was offered before the throw waits for its answer
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class TurnReference:
    """A moment of a turn, which is counted as `zarbiter log show` does."""

    turn: int
    moment: TurnMoment = TurnMoment.THROWN


class NoSuchMatchStateError(ValueError):
    """A moment that the match does not have; the text is one sentence."""


def parse_turn_reference(text: str) -> TurnReference:
    """Raises NoSuchMatchStateError."""
    number, colon, word = text.partition(":")
    moments = {moment.value: moment for moment in TurnMoment}
    is_number = number.isascii() and number.isdigit() and len(number) <= 6
    if not is_number or word not in moments or (colon and not word):
        sentence = f"{text[:40]!r} is no turn; write its number, as in 12, 12:before, 12:offered or 12:after"
        raise NoSuchMatchStateError(sentence)
    return TurnReference(int(number), moments[word])


def find_match_state(match: match_model.MatchHistory, reference: TurnReference | None) -> MatchState:
    """The state at a moment; `reference` None: the end. Raises NotForThisGameError or NoSuchMatchStateError."""
    find_variation(match)
    if not match.games:
        raise NoSuchMatchStateError("no game has begun")
    if reference is None:
        return _replay_game(match, match.games[-1], None).now
    for game in match.games:
        if any(turn.number == reference.turn for turn in game.played_turns):
            return _select_state(_replay_game(match, game, reference.turn), reference)
    turns = sum(len(game.played_turns) for game in match.games)
    raise NoSuchMatchStateError(f"there is no turn {reference.turn}; the match has {turns}")


@dataclass(slots=True)
class _ReplayCursor:
    """The state while a game is replayed; `marks` has the moments of the requested turn."""

    now: MatchState
    offered: MatchState | None = None
    marks: dict[TurnMoment, MatchState] = field(default_factory=dict)


def _select_state(cursor: _ReplayCursor, reference: TurnReference) -> MatchState:
    moment = cursor.marks.get(reference.moment)
    if moment is None:
        reasons = {TurnMoment.OFFERED: "no double was offered before it", TurnMoment.THROWN: "its throw was not seen"}
        reason = reasons.get(reference.moment, "it was not settled")
        raise NoSuchMatchStateError(f"turn {reference.turn} has no such moment: {reason}")
    return moment


def _replay_game(match: match_model.MatchHistory, game: match_model.GameHistory, number: int | None) -> _ReplayCursor:
    """Replays a game to its end or to the end of turn `number`."""
    white, black = _parse_counts(game.start)
    starter = game.starter or Player.WHITE
    cursor = _ReplayCursor(
        MatchState(
            white,
            black,
            starter,
            starter,
            score=game.score,
            length=match.length or 0,
            is_crawford=game.is_crawford and has_crawford_game(match),
            jacoby=uses_jacoby(match),
            beavers=not match.length and match.rules is not None and match.rules.beaver,
        )
    )
    for turn in game.turns:
        _replay_turn(cursor, turn, is_requested=isinstance(turn, match_model.PlayedTurn) and turn.number == number)
        if cursor.marks:
            break
    else:
        _apply_end(cursor, game)
    return cursor


def _replay_turn(cursor: _ReplayCursor, turn: match_model.GameAction, *, is_requested: bool) -> None:
    now = cursor.now
    match turn:
        case match_model.PlayedTurn():
            before = replace(now, on_roll=turn.player, decides=turn.player, dice=None, doubled=False)
            thrown = None if turn.dice is None else replace(before, dice=turn.dice)
            if turn.after is not None:
                white, black = _parse_counts(turn.after)
                other = turn.player.opponent
                cursor.now = replace(before, white=white, black=black, on_roll=other, decides=other)
            if is_requested:
                cursor.marks[TurnMoment.BEFORE] = before
                if thrown is not None:
                    cursor.marks[TurnMoment.THROWN] = thrown
                if turn.after is not None:
                    cursor.marks[TurnMoment.AFTER] = cursor.now
                if cursor.offered is not None:
                    cursor.marks[TurnMoment.OFFERED] = cursor.offered
            cursor.offered = None
        case match_model.CubeAction():
            cursor.now = _apply_cube_action(now, turn)
            cursor.offered = cursor.now if cursor.now.doubled else cursor.offered
        case match_model.Resignation():
            if turn.is_accepted is None:
                offered = _RESIGNED_POINTS.get(turn.kind.value, 1)
                cursor.now = replace(now, decides=turn.player.opponent, resigned=offered)
        case match_model.BoardPut():  # pragma: no branch - mypy sees that no other case is left
            white, black = _parse_counts(turn.position)
            cursor.now = replace(now, white=white, black=black)


def _apply_cube_action(now: MatchState, turn: match_model.CubeAction) -> MatchState:
    player = turn.player
    match turn.act:
        case CubeAct.OFFERED if player is not None:
            return replace(now, on_roll=player, decides=player.opponent, doubled=True)
        case CubeAct.BEAVERED if player is not None:
            # A beaver takes the cube and offers it again.
            return replace(now, cube=turn.value // 2, owner=player, decides=player.opponent, doubled=True)
        case CubeAct.TAKEN if player is not None:
            owner = now.owner if player is now.on_roll else player
            return replace(now, cube=turn.value, owner=owner, decides=now.on_roll, doubled=False)
        case CubeAct.DOUBLED_BY_EQUAL_DICE:
            return replace(now, cube=turn.value)
        case _:
            return now


def _apply_end(cursor: _ReplayCursor, game: match_model.GameHistory) -> None:
    """Applies the result of a finished game, or the roll that an unfinished game ends with."""
    if game.result is not None:
        state = _STATES.get(game.result.ending, GameState.OVER)
        cursor.now = replace(cursor.now, score=game.result.score, state=state, dice=None, doubled=False)
    elif game.thrown is not None:
        player = game.thrown.player
        cursor.now = replace(cursor.now, on_roll=player, decides=player, dice=game.thrown.roll)


def _parse_counts(position: str) -> tuple[PointCounts, PointCounts]:
    """White's and Black's, points 1 to 24 and the bar."""
    setup = parse_setup(position)
    return (*setup.white.points, setup.white.bar), (*setup.black.points, setup.black.bar)
