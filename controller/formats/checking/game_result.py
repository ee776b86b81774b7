"""How a game of a file ended: by what the board shows, by what is written under it, and by the score over the next one.

What is written is believed where the board leaves it open. Match text has no word for a resignation: a win is written
while checkers are left.
"""

from dataclasses import dataclass

from controller.formats.match_model import Ending, Result
from controller.formats.transcript import ResignsSaid, WinSaid
from controller.rules.player import OFF, Player
from controller.rules.position import Position
from controller.rules.ruleset import Ruleset
from controller.rules.scoring.points import Kind, scheme_named, win_kind

_KINDS = {1: Kind.SINGLE, 2: Kind.MARS, 3: Kind.KOKS}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Who won how many points, as far as the file says it. Not `is_certain`: the winner stands in a narrow column.

    `by_score`: the score over the next game tells it.
    """

    winner: Player | None
    points: int | None
    is_certain: bool = True
    by_score: bool = False


@dataclass(frozen=True, slots=True)
class EndSeen:
    """Everything that tells of the end of a game; `next_score` is that over the next game. `length` 0: money.

    Not `is_whole`: plays are missing, so that checkers are left says nothing.
    """

    position: Position
    rules: Ruleset
    cube: int
    cube_turned: bool
    dropped_by: Player | None
    resigned: ResignsSaid | None
    win: WinSaid | None
    score: tuple[int, int]
    next_score: tuple[int, int] | None
    length: int
    jacoby: bool
    is_whole: bool

    def most(self, winner: Player, points: int) -> int:
        """What of `points` can be: three times the cube, or what was still needed where the whole match is given up."""
        if points <= 3 * self.cube:
            return points
        needed = self.length - self.score[0 if winner is Player.WHITE else 1]
        return min(points, needed) if self.length and needed > 0 else 3 * self.cube


@dataclass(frozen=True, slots=True)
class End:
    """`resigned`: who gave up what. `shows_jacoby`: a gammon counted once, so Jacoby was agreed."""

    result: Result | None
    resigned: tuple[Player, Kind] | None = None
    complaints: tuple[str, ...] = ()
    shows_jacoby: bool = False


def result_of(seen: EndSeen) -> End:
    told = _told(seen)
    if seen.dropped_by is not None:
        winner = seen.dropped_by.opponent
        points = seen.cube if told.points is None else told.points
        complaints = _about_points(points, (seen.cube,))
        return End(_result(seen, winner, Kind.SINGLE, points, Ending.DROPPED), None, complaints)
    off = next((player for player in Player if seen.position.counts(player)[OFF] == seen.rules.checkers), None)
    if off is not None:
        return _played_out(seen, off, told)
    return _given_up(seen, told)


def _played_out(seen: EndSeen, winner: Player, told: _Told) -> End:
    scheme = scheme_named(seen.rules.scoring)
    kind = win_kind(scheme, seen.rules.direction, seen.position.counts(winner.opponent))
    full = (scheme.multiplier(kind) or 1) * seen.cube
    # under Jacoby a gammon counts once as long as nobody doubled, and some programs still write the gammon
    once = seen.cube if not seen.length and not seen.cube_turned else full
    points = told.points
    if points is None:
        points = once if seen.jacoby else full
    complaints = _about_points(points, (full, once))
    if told.is_certain and told.winner is not None and told.winner is not winner:
        complaints += ("another player is written down as the winner than bore off his checkers",)
    shows_jacoby = full != once and points == once
    return End(_result(seen, winner, kind, points, Ending.PLAYED_OUT), None, complaints, shows_jacoby)


def _given_up(seen: EndSeen, told: _Told) -> End:
    winner = told.winner
    if winner is None:
        if seen.resigned is None:
            return End(None)
        winner = seen.resigned.player.opponent
    said = (seen.resigned.times if seen.resigned is not None else None) or 1
    points = said * seen.cube if told.points is None else told.points
    times = min(_KINDS, key=lambda one: (abs(one * seen.cube - points), one))
    kind = _KINDS[times]
    complaints = _about_points(points, tuple(one * seen.cube for one in _KINDS)) if seen.is_whole else ()
    if not told.by_score:
        points = seen.most(winner, points)
    is_written = seen.win is not None or seen.resigned is not None
    if not (is_written and seen.is_whole):
        return End(_result(seen, winner, kind, points, Ending.TOLD), None, complaints)
    return End(_result(seen, winner, kind, points, Ending.RESIGNED), (winner.opponent, kind), complaints)


def _told(seen: EndSeen) -> _Told:
    """The next score counts more than a number under the game, as Jacoby games are written."""
    gained = (0, 0)
    if seen.next_score is not None:
        gained = (seen.next_score[0] - seen.score[0], seen.next_score[1] - seen.score[1])
    by_score = next((player for player, points in zip(Player, gained, strict=True) if points > 0), None)
    if by_score is not None and min(gained) == 0:
        return _Told(winner=by_score, points=max(gained), by_score=True)
    if seen.win is not None:
        return _Told(winner=seen.win.player, points=seen.win.points, is_certain=seen.win.is_certain)
    return _Told(winner=None, points=None)


def _result(seen: EndSeen, winner: Player, kind: Kind, points: int, ending: Ending) -> Result:
    white, black = seen.score
    score = (white + points, black) if winner is Player.WHITE else (white, black + points)
    return Result(winner, kind, points, ending, score)


def _about_points(points: int, fitting: tuple[int, ...]) -> tuple[str, ...]:
    if points in fitting:
        return ()
    expected = " or ".join(dict.fromkeys(map(str, fitting)))
    return (f"{points} points were counted, where {expected} would be right",)
