"""Any moment of a match, found by the number of a turn: `12`, `12:before`, `12:offered`, `12:after`."""

from dataclasses import dataclass, field, replace
from enum import Enum

from controller.formats.exporting.header_tags import holds_crawford, holds_jacoby
from controller.formats.match_model import BoardPut, CubeAction, Ending, Game, Match, Played, Resignation, Turn
from controller.formats.positions.moment import Counts, GameState, Moment
from controller.formats.variations import variation_of
from controller.match.events import CubeAct
from controller.rules.notation import parse_setup
from controller.rules.player import Player

_RESIGNED = {"single": 1, "mars": 2, "koks": 3}
_STATES = {Ending.DROPPED: GameState.DROPPED, Ending.RESIGNED: GameState.RESIGNED}


class Stage(Enum):
    """Which moment of a turn."""

    THROWN = ""  # the dice lie there and nothing is played
    BEFORE = "before"  # the player may throw or double
    OFFERED = "offered"  # the double that was offered before the throw waits for its answer
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class At:
    """`turn` as `zarbiter log show` counts."""

    turn: int
    stage: Stage = Stage.THROWN


class NoSuchMomentError(ValueError):
    """A moment that the match does not have; its text is one sentence."""


def parse_at(text: str) -> At:
    """Raises NoSuchMomentError."""
    number, _, word = text.partition(":")
    stages = {stage.value: stage for stage in Stage}
    if not (number.isascii() and number.isdigit() and len(number) <= 6 and word in stages) or (
        ":" in text and not word
    ):
        raise NoSuchMomentError(
            f"{text[:40]!r} is no turn; write its number, as in 12, 12:before, 12:offered or 12:after"
        )
    return At(int(number), stages[word])


def moment_at(match: Match, at: At | None) -> Moment:
    """`at` None: the last one. Raises NotForThisGameError or NoSuchMomentError."""
    variation_of(match)
    if not match.games:
        raise NoSuchMomentError("no game has begun")
    if at is None:
        return _walked(match, match.games[-1], None).now
    for game in match.games:
        if any(turn.number == at.turn for turn in game.played):
            return _found(_walked(match, game, at.turn), at)
    turns = sum(len(game.played) for game in match.games)
    raise NoSuchMomentError(f"there is no turn {at.turn}; the match has {turns}")


@dataclass(slots=True)
class _Walk:
    """`marks`: the moments of the turn that is asked for."""

    now: Moment
    offered: Moment | None = None
    marks: dict[Stage, Moment] = field(default_factory=dict)


def _found(walk: _Walk, at: At) -> Moment:
    moment = walk.marks.get(at.stage)
    if moment is None:
        reason = "no double was offered before it" if at.stage is Stage.OFFERED else "it was not settled"
        raise NoSuchMomentError(f"turn {at.turn} has no such moment: {reason}")
    return moment


def _walked(match: Match, game: Game, number: int | None) -> _Walk:
    """Through a game, to its end or to the end of a turn."""
    white, black = _counts(game.start)
    starter = game.starter or Player.WHITE
    jacoby = holds_jacoby(match)
    walk = _Walk(
        Moment(
            white,
            black,
            starter,
            starter,
            score=game.score,
            length=match.length or 0,
            is_crawford=game.is_crawford and holds_crawford(match),
            jacoby=jacoby,
            beavers=not match.length and match.rules is not None and match.rules.beaver,
        )
    )
    for turn in game.turns:
        _step(walk, turn, is_asked=isinstance(turn, Played) and turn.number == number)
        if walk.marks:
            break
    else:
        _end(walk, game)
    return walk


def _step(walk: _Walk, turn: Turn, *, is_asked: bool) -> None:
    now = walk.now
    match turn:
        case Played():
            before = replace(now, on_roll=turn.player, decides=turn.player, dice=None, doubled=False)
            thrown = replace(before, dice=(turn.roll[0], turn.roll[1]))
            if turn.after is not None:
                white, black = _counts(turn.after)
                other = turn.player.opponent
                walk.now = replace(before, white=white, black=black, on_roll=other, decides=other)
            if is_asked:
                walk.marks = {Stage.BEFORE: before, Stage.THROWN: thrown}
                if turn.after is not None:
                    walk.marks[Stage.AFTER] = walk.now
                if walk.offered is not None:
                    walk.marks[Stage.OFFERED] = walk.offered
            walk.offered = None
        case CubeAction():
            walk.now = _after_cube(now, turn)
            walk.offered = walk.now if walk.now.doubled else walk.offered
        case Resignation():
            if turn.is_accepted is None:
                offered = _RESIGNED.get(turn.kind.value, 1)
                walk.now = replace(now, decides=turn.player.opponent, resigned=offered)
        case BoardPut():  # pragma: no branch - mypy sees that no other case is left
            white, black = _counts(turn.position)
            walk.now = replace(now, white=white, black=black)


def _after_cube(now: Moment, turn: CubeAction) -> Moment:
    player = turn.player
    match turn.act:
        case CubeAct.OFFERED if player is not None:
            return replace(now, on_roll=player, decides=player.opponent, doubled=True)
        case CubeAct.BEAVERED if player is not None:
            # the beaver takes the cube and offers it once more
            return replace(now, cube=turn.value // 2, owner=player, decides=player.opponent, doubled=True)
        case CubeAct.TAKEN if player is not None:
            owner = now.owner if player is now.on_roll else player
            return replace(now, cube=turn.value, owner=owner, decides=now.on_roll, doubled=False)
        case CubeAct.DOUBLED_BY_EQUAL_DICE:
            return replace(now, cube=turn.value)
        case _:
            return now


def _end(walk: _Walk, game: Game) -> None:
    """What lies there when the log ends, or the game that is over."""
    if game.result is not None:
        state = _STATES.get(game.result.ending, GameState.OVER)
        walk.now = replace(walk.now, score=game.result.score, state=state, dice=None, doubled=False)
    elif game.thrown is not None:
        player = game.thrown.player
        walk.now = replace(walk.now, on_roll=player, decides=player, dice=game.thrown.roll)


def _counts(position: str) -> tuple[Counts, Counts]:
    """White's and Black's, points 1 to 24 and the bar."""
    setup = parse_setup(position)
    return (*setup.white.points, setup.white.bar), (*setup.black.points, setup.black.bar)
