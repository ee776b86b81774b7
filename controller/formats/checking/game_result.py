"""How a game of a file ended: from its board, from the win line below it, and from the score above the next game.

The written result decides where the board leaves it open. Match text has no word for a resignation: it has a win line
although checkers are left.
"""

from dataclasses import dataclass

from controller.formats.match_model import GameEnding, GameResult
from controller.formats.transcript import ResignationEntry, WinEntry
from controller.rules import OFF, Player, Position, ResultKind, Ruleset, get_scheme, win_kind

_RESIGNED_MATCH = 1004  # times the cube: Backgammon Studio writes it where the whole match was resigned
_KINDS = {1: ResultKind.SINGLE, 2: ResultKind.MARS, 3: ResultKind.KOKS}


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReportedWin:
    """The winner and the points as the file states them. Without `is_certain` the winner is guessed from a column.

    `by_score`: they follow from the score above the next game.
    """

    winner: Player | None
    points: int | None
    is_certain: bool = True
    by_score: bool = False


@dataclass(frozen=True, slots=True)
class EndEvidence:
    """All evidence about the end of a game. `next_score` stands above the next game. `length` 0: money.

    Without `is_whole` plays are missing, so checkers that are left prove nothing.
    """

    position: Position
    rules: Ruleset
    cube: int
    cube_turned: bool
    dropped_by: Player | None
    resigned: ResignationEntry | None
    win: WinEntry | None
    score: tuple[int, int]
    next_score: tuple[int, int] | None
    length: int
    jacoby: bool
    is_whole: bool

    def cap_to_match(self, winner: Player, points: int) -> int:
        """No more than the winner needs: several programs count so in the last game."""
        needed = self.points_needed(winner)
        return points if needed is None else min(points, needed)

    def points_needed(self, winner: Player) -> int | None:
        """For the match; None in money games."""
        needed = self.length - self.score[0 if winner is Player.WHITE else 1]
        return needed if self.length and needed > 0 else None

    def cap_points(self, winner: Player, points: int) -> int:
        """Limits `points` to three times the cube or, if the whole match is resigned, to the points still needed."""
        if points <= 3 * self.cube:
            return points
        needed = self.points_needed(winner)
        return 3 * self.cube if needed is None else min(points, needed)


@dataclass(frozen=True, slots=True)
class DeterminedEnd:
    """`resigned`: the player and what he resigned. `shows_jacoby`: a gammon counted once, so Jacoby was agreed."""

    result: GameResult | None
    resigned: tuple[Player, ResultKind] | None = None
    complaints: tuple[str, ...] = ()
    shows_jacoby: bool = False


def determine_end(evidence: EndEvidence) -> DeterminedEnd:
    reported = _collect_reported_win(evidence)
    if evidence.dropped_by is not None:
        winner = evidence.dropped_by.opponent
        points = evidence.cube if reported.points is None else reported.points
        complaints = _check_points(points, (evidence.cube, evidence.cap_to_match(winner, evidence.cube)))
        points = evidence.cap_points(winner, points)
        result = _make_result(evidence, winner, ResultKind.SINGLE, points, GameEnding.DROPPED)
        return DeterminedEnd(result, None, complaints)
    off = next((player for player in Player if evidence.position.counts(player)[OFF] == evidence.rules.checkers), None)
    if off is not None:
        return _end_by_play(evidence, off, reported)
    return _end_by_resignation(evidence, reported)


def _end_by_play(evidence: EndEvidence, winner: Player, reported: _ReportedWin) -> DeterminedEnd:
    scheme = get_scheme(evidence.rules.scoring)
    kind = win_kind(scheme, evidence.rules.direction, evidence.position.counts(winner.opponent))
    full = (scheme.multiplier(kind) or 1) * evidence.cube
    # Under Jacoby a gammon counts once while nobody has doubled, and some programs write the gammon all the same.
    once = evidence.cube if not evidence.length and not evidence.cube_turned else full
    points = reported.points
    if points is None:
        points = once if evidence.jacoby else full
    complaints = _check_points(points, (full, once, evidence.cap_to_match(winner, full)))
    if reported.is_certain and reported.winner is not None and reported.winner is not winner:
        complaints += ("another player is written down as the winner than bore off his checkers",)
    shows_jacoby = full != once and points == once
    points = evidence.cap_points(winner, points)
    result = _make_result(evidence, winner, kind, points, GameEnding.PLAYED_OUT)
    return DeterminedEnd(result, None, complaints, shows_jacoby)


def _end_by_resignation(evidence: EndEvidence, reported: _ReportedWin) -> DeterminedEnd:
    winner = reported.winner
    if winner is None:
        if evidence.resigned is None:
            return DeterminedEnd(None)
        winner = evidence.resigned.player.opponent
    multiplier = (evidence.resigned.multiplier if evidence.resigned is not None else None) or 1
    points = multiplier * evidence.cube if reported.points is None else reported.points
    times = min(_KINDS, key=lambda one: (abs(one * evidence.cube - points), one))
    kind = _KINDS[times]
    worths = tuple(one * evidence.cube for one in _KINDS)
    capped = tuple(evidence.cap_to_match(winner, worth) for worth in worths)
    whole_match = evidence.points_needed(winner)
    fitting = (*worths, *capped, whole_match or worths[0])
    is_match_resigned = bool(whole_match) and points == _RESIGNED_MATCH * evidence.cube
    complaints = _check_points(points, fitting) if evidence.is_whole and not is_match_resigned else ()
    if not reported.by_score:
        points = evidence.cap_points(winner, points)
    is_written = evidence.win is not None or evidence.resigned is not None
    if not (is_written and evidence.is_whole):
        return DeterminedEnd(_make_result(evidence, winner, kind, points, GameEnding.REPORTED), None, complaints)
    result = _make_result(evidence, winner, kind, points, GameEnding.RESIGNED)
    return DeterminedEnd(result, (winner.opponent, kind), complaints)


def _collect_reported_win(evidence: EndEvidence) -> _ReportedWin:
    """The next score says who won, as a win line may stand in the wrong column; the file says how many points."""
    gained = (0, 0)
    if evidence.next_score is not None:
        gained = (evidence.next_score[0] - evidence.score[0], evidence.next_score[1] - evidence.score[1])
    by_score = next((player for player, points in zip(Player, gained, strict=True) if points > 0), None)
    if by_score is not None and min(gained) == 0:
        written = None if evidence.win is None or evidence.win.player is not by_score else evidence.win.points
        return _ReportedWin(winner=by_score, points=written or max(gained), by_score=written is None)
    if evidence.win is not None:
        return _ReportedWin(winner=evidence.win.player, points=evidence.win.points, is_certain=evidence.win.is_certain)
    return _ReportedWin(winner=None, points=None)


def _make_result(
    evidence: EndEvidence, winner: Player, kind: ResultKind, points: int, ending: GameEnding
) -> GameResult:
    white, black = evidence.score
    score = (white + points, black) if winner is Player.WHITE else (white, black + points)
    return GameResult(winner, kind, points, ending, score)


def _check_points(points: int, fitting: tuple[int, ...]) -> tuple[str, ...]:
    if points in fitting:
        return ()
    expected = " or ".join(dict.fromkeys(map(str, fitting)))
    return (f"{points} points were counted, where {expected} would be right",)
