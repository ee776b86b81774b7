"""Turns a transcript into a match that the rules core has checked, with all problems found."""

from dataclasses import dataclass, replace

from controller.formats.checking.game_check import GameCheck
from controller.formats.match_model import GameHistory, MatchHistory
from controller.formats.transcript import CubeEntry, GameTranscript, Problem, ProblemKind, Transcript
from controller.rules import Match as MatchScore
from controller.rules import MatchRules, add_game, find_match_winner, is_crawford


@dataclass(frozen=True, slots=True)
class CheckedMatch:
    """The match that is kept of a file, and the problems."""

    match: MatchHistory
    problems: tuple[Problem, ...]


def check_transcript(transcript: Transcript) -> CheckedMatch:
    """Judges every play. A play that cannot be made ends its game; the next game is read again."""
    check = _MatchCheck(transcript)
    for at, game in enumerate(transcript.games):
        following = transcript.games[at + 1] if at + 1 < len(transcript.games) else None
        check.check_game(game, None if following is None else following.score)
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
            # Some programs begin every game for money at nothing.
            if self._games and (self._transcript.length or any(transcript.score)):
                found, due = (f"{white}-{black}" for white, black in (transcript.score, self._score.score))
                sentence = f"{self._transcript.unit} {transcript.line}: game {number}: the score is {found} where {due} was due"
                self.problems.append(Problem(ProblemKind.RESULT, sentence, transcript.line, number))
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
        transcript = self._transcript
        rules = transcript.variation.rules
        return MatchHistory(
            "",
            rules.name,
            rules,
            transcript.white,
            transcript.black,
            transcript.length or None,
            self._games[0].score,
            tuple(self._games),
            find_match_winner(self._score, self._rules),
            occasion=replace(transcript.occasion, crawford=self._crawford, jacoby=self._jacoby),
            remarks=transcript.remarks,
        )

    @property
    def _rules(self) -> MatchRules:
        return MatchRules(target=self._transcript.length or None, crawford=self._crawford)

    def _is_crawford(self, transcript: GameTranscript) -> bool:
        """As written. If nothing is written, a double in the expected Crawford game shows that there is none."""
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
