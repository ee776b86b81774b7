"""One game of a file, turn by turn against the rules core."""

from dataclasses import dataclass, replace

from controller.formats.checking.claimed_board import Claim, claim_of
from controller.formats.checking.cube_check import CubeCheck
from controller.formats.checking.game_result import EndSeen, result_of
from controller.formats.match_model import BoardPut, Game, Played, Resignation, Thrown, Turn
from controller.formats.transcript import (
    BoardSaid,
    CubeSaid,
    Problem,
    ProblemKind,
    ResignsSaid,
    Said,
    Telling,
    ThrowSaid,
    Transcript,
    WinSaid,
)
from controller.match_log.turns import Ruled
from controller.rules.breach import Rule
from controller.rules.notation import position_text
from controller.rules.play_text import play_text
from controller.rules.player import OFF, Player
from controller.rules.position import Position, start_position
from controller.rules.rulings import Illegal, Legal
from controller.rules.setup import ImpossibleSetupError

STANDS = "it stands so in the file"
_SHOWN = 60


@dataclass(slots=True)
class _Loss:
    """From where on nothing is kept, and how many throws that is."""

    line: int
    reason: str
    throws: int = 0


class GameCheck:
    """Takes what is said of a game, in its order, and gives the game that was kept."""

    def __init__(
        self,
        transcript: Transcript,
        number: int,
        score: tuple[int, int],
        *,
        is_crawford: bool,
        turns_before: int,
        jacoby: bool,
    ) -> None:
        self._names = {Player.WHITE: transcript.white, Player.BLACK: transcript.black}
        self._rules = transcript.variation.rules
        self._length = transcript.length
        self._position = start_position(self._rules)
        self._game = Game(number, position_text(self._position), score, is_crawford)
        self._turns: list[Turn] = []
        self._turn_number = turns_before
        self._last: Player | None = None
        self._cube = CubeCheck(is_crawford=is_crawford)
        self._thrown: ThrowSaid | None = None
        self._bare: tuple[ThrowSaid, tuple[int, int], Claim, Position] | None = None
        self._resigned: ResignsSaid | None = None
        self._win: WinSaid | None = None
        self._loss: _Loss | None = None
        self.jacoby = jacoby
        self.problems: list[Problem] = []

    def take(self, said: Said) -> None:
        if isinstance(said, WinSaid):
            self._win = said
            return
        if self._loss is not None:
            self._loss.throws += isinstance(said, ThrowSaid)
            return
        if self._is_over and not isinstance(said, ResignsSaid):
            self._loss = _Loss(said.line, "the game was over before this", int(isinstance(said, ThrowSaid)))
            return
        if self._bare is not None and not isinstance(said, ResignsSaid):
            bare, self._bare = self._bare, None
            self._play(*bare)
        match said:
            case ThrowSaid():
                self._take_throw(said)
            case CubeSaid():
                self._take_cube(said)
            case ResignsSaid():
                self._resigned = said
            case BoardSaid():  # pragma: no branch - mypy sees that no other case is left
                self._take_board(said)

    def finished(self, next_score: tuple[int, int] | None, *, is_whole: bool) -> Game:
        """With its result; `next_score` is written over the next game, if there is one. Not `is_whole`: plays are missing."""
        seen = EndSeen(
            self._position,
            self._rules,
            cube=self._cube.value,
            cube_turned=self._cube.turned,
            dropped_by=self._cube.dropped_by,
            resigned=self._resigned,
            win=self._win,
            score=self._game.score,
            next_score=next_score,
            length=self._length,
            jacoby=self.jacoby,
            is_whole=is_whole and self._loss is None,
        )
        end = result_of(seen)
        self.jacoby = self.jacoby or end.shows_jacoby
        line = 0 if self._win is None else self._win.line
        for sentence in end.complaints:
            self._complain(ProblemKind.RESULT, line, sentence)
        turns = list(self._turns)
        if end.resigned is not None:
            turns.append(Resignation(end.resigned[0], end.resigned[1], is_accepted=True))
        if self._loss is not None:
            self._tell_loss(self._loss)
        return replace(self._game, turns=tuple(turns), thrown=self._last_throw(), result=end.result)

    @property
    def _is_over(self) -> bool:
        off = any(self._position.counts(player)[OFF] == self._rules.checkers for player in Player)
        return off or self._cube.dropped_by is not None or self._resigned is not None

    def _last_throw(self) -> Thrown | None:
        """One that was not played."""
        said = self._bare[0] if self._bare is not None else self._thrown
        return None if said is None or said.roll is None else Thrown(said.player, said.roll)

    def _take_throw(self, said: ThrowSaid) -> None:
        if self._thrown is not None:
            self._lose(said, "what was played before this is not written")
            return
        if self._last is None:
            self._game = replace(self._game, starter=said.player)
        elif self._last is said.player:
            self._complain(ProblemKind.ORDER, said.line, f"{self._names[said.player]} plays twice running", said.player)
        for action in self._cube.implied_before_roll(said.player):
            self._turns.append(action)
        if said.telling is Telling.NOT_PLAYED:
            self._thrown = said
            return
        if said.roll is None:
            self._lose(said, "its dice are not written")
            return
        claim = claim_of(self._position, said, self._rules)
        if claim.after is None:
            self._lose(said, f"{_throw_text(said)!r} cannot be played: {claim.sentence}")
            return
        if not said.text and not isinstance(claim.ruling, Legal):
            # a roll with nothing behind it that could be played: at the end of a game the play is still to come, or the
            # player has given up instead; only where the game goes on it was a pass
            self._bare = (said, said.roll, claim, claim.after)
            return
        self._play(said, said.roll, claim, claim.after)

    def _play(self, said: ThrowSaid, roll: tuple[int, int], claim: Claim, after: Position) -> None:
        self._turn_number += 1
        ruling = claim.ruling
        rules: tuple[Rule, ...] = ()
        if isinstance(ruling, Illegal):
            rules = ruling.rules
            reason = f"{_throw_text(said)!r} is not legal: {ruling.breaches[0].sentence}"
            self._complain(ProblemKind.ILLEGAL_PLAY, said.line, reason, said.player, ruling)
        self._turns.append(
            Played(
                self._turn_number,
                said.player,
                roll,
                position_text(self._position),
                position_text(after),
                play_text(ruling.steps) if isinstance(ruling, Legal) else None,
                Ruled.ILLEGAL if rules else Ruled.LEGAL,
                rules,
                STANDS if rules else "",
            )
        )
        self._position, self._last = after, said.player

    def _take_cube(self, said: CubeSaid) -> None:
        action, complaint = self._cube.take(said, may_offer=self._last is not None and self._last is not said.player)
        if complaint:
            self._complain(ProblemKind.ILLEGAL_CUBE, said.line, complaint, said.player)
        if action is not None:
            self._turns.append(action)

    def _take_board(self, said: BoardSaid) -> None:
        before = position_text(self._position)
        try:
            self._position = Position.of(said.board, self._rules)
        except ImpossibleSetupError as error:
            self._lose(said, f"the board that is put there is impossible: {error}")
            return
        if position_text(self._position) == before:
            return
        if self._turns:
            self._turns.append(BoardPut(position_text(self._position)))
        else:
            self._game = replace(self._game, start=position_text(self._position))

    def _lose(self, said: ThrowSaid | BoardSaid, reason: str) -> None:
        self._loss = _Loss(said.line, reason, int(isinstance(said, ThrowSaid)))

    def _tell_loss(self, loss: _Loss) -> None:
        kept = sum(isinstance(turn, Played) for turn in self._turns)
        sentence = f"{loss.reason}; of this game's turns {kept} are kept, {loss.throws} left out"
        self._complain(ProblemKind.UNREADABLE, loss.line, sentence)

    def _complain(
        self, kind: ProblemKind, line: int, sentence: str, player: Player | None = None, ruling: Illegal | None = None
    ) -> None:
        of_turn = player is not None and kind is ProblemKind.ILLEGAL_PLAY
        turn = self._turn_number if of_turn else 0
        where = f"game {self._game.number}" + (f", turn {turn}" if turn else "")
        who = f" of {self._names[player]}" if player is not None and turn else ""
        front = f"line {line}: " if line else ""
        rules = tuple(rule.value for rule in ruling.rules) if ruling else ()
        self.problems.append(
            Problem(kind, f"{front}{where}{who}: {sentence}", line, self._game.number, turn, player, rules)
        )


def _throw_text(said: ThrowSaid) -> str:
    first, second = said.roll or (0, 0)
    return f"{first}{second}: {said.text[:_SHOWN]}".strip()
