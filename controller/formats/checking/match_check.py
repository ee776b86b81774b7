"""From what a file says to a match that the rules core has checked, and everything that cannot be as it says."""

from dataclasses import dataclass, replace

from controller.formats.checking.game_check import GameCheck
from controller.formats.match_model import GameHistory, MatchHistory
from controller.formats.transcript import CubeEntry, GameTranscript, Problem, ProblemKind, Transcript
from controller.rules import Match as MatchScore
from controller.rules import MatchRules, add_game, find_match_winner, is_crawford


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """What was kept of a file, and what is to be said about it."""

    match: MatchHistory
    problems: tuple[Problem, ...]


def check_transcript(transcript: Transcript) -> CheckedMatch:
    """Every play is judged; what cannot be played ends its game there, and the next one is read on."""
    check = _MatchCheck(transcript)
    for at, said in enumerate(transcript.games):
        following = transcript.games[at + 1] if at + 1 < len(transcript.games) else None
        check.check_game(said, None if following is None else following.score)
    return CheckedMatch(check.build_match(), (*transcript.problems, *check.problems))


class _MatchCheck:
    """The games so far and the score between them."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._crawford = transcript.crawford is not False
        self._jacoby = transcript.occasion.jacoby
        self._score = MatchScore(*(transcript.games[0].score or (0, 0)))
        self._games: list[GameHistory] = []
        self._turns = 0
        self.problems: list[Problem] = []

    def check_game(self, transcript: GameTranscript, next_score: tuple[int, int] | None) -> None:
        number = len(self._games) + 1
        if transcript.score is not None and transcript.score != self._score.score:
            if self._games:
                self._report_problem(
                    transcript.line,
                    number,
                    f"the score is {_format_score(transcript.score)} where {_format_score(self._score.score)} was due",
                )
            self._score = replace(self._score, white=transcript.score[0], black=transcript.score[1])
        check = GameCheck(
            self._transcript,
            number,
            self._score.score,
            is_crawford=self._is_crawford(transcript),
            turns_before=self._turns,
            jacoby=self._jacoby,
        )
        for one in transcript.entries:
            check.check_entry(one)
        game = check.finish(next_score, is_whole=transcript.is_whole)
        self._turns += len(game.played_turns)
        self._jacoby = check.jacoby
        self.problems.extend(check.problems)
        self._games.append(game)
        self._score = self._advance_score(game)

    def build_match(self) -> MatchHistory:
        said = self._transcript
        rules = said.variation.rules
        return MatchHistory(
            "",
            rules.name,
            rules,
            said.white,
            said.black,
            said.length or None,
            self._games[0].score,
            tuple(self._games),
            find_match_winner(self._score, self._rules),
            occasion=replace(said.occasion, crawford=self._crawford, jacoby=self._jacoby),
        )

    @property
    def _rules(self) -> MatchRules:
        return MatchRules(target=self._transcript.length or None, crawford=self._crawford)

    def _is_crawford(self, transcript: GameTranscript) -> bool:
        """As it is written; where it is not, a double in the game that would be it shows that none was agreed."""
        if transcript.is_crawford is not None:
            return transcript.is_crawford
        expected = is_crawford(self._score, self._rules)
        if (
            expected
            and self._transcript.crawford is None
            and any(isinstance(one, CubeEntry) for one in transcript.entries)
        ):
            self._crawford = False
            return False
        return expected

    def _advance_score(self, game: GameHistory) -> MatchScore:
        result = game.result
        if result is None:
            return replace(self._score, crawford_played=self._score.crawford_played or game.is_crawford)
        return add_game(self._score, result.winner, result.points, self._rules)

    def _report_problem(self, line: int, game: int, sentence: str) -> None:
        self.problems.append(Problem(ProblemKind.RESULT, f"line {line}: game {game}: {sentence}", line, game))


def _format_score(score: tuple[int, int]) -> str:
    return f"{score[0]}-{score[1]}"
