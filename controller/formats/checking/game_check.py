"""Checks one game of a file turn by turn against the rules core."""

from dataclasses import dataclass, replace

from controller.formats.checking.claimed_board import ClaimedPlay, evaluate_claim
from controller.formats.checking.cube_check import CubeCheck
from controller.formats.checking.game_result import EndEvidence, determine_end
from controller.formats.match_model import (
    BoardPut,
    GameAction,
    GameHistory,
    PendingRoll,
    PlacedRemark,
    PlayedTurn,
    Resignation,
)
from controller.formats.transcript import (
    BoardEntry,
    CubeEntry,
    PlayForm,
    Problem,
    ProblemKind,
    RemarkEntry,
    ResignationEntry,
    ThrowEntry,
    Transcript,
    TranscriptEntry,
    WinEntry,
)
from controller.match import Remark
from controller.match_log.turns import TurnRuling
from controller.rules import (
    OFF,
    Illegal,
    ImpossibleSetupError,
    Legal,
    Player,
    Position,
    Rule,
    play_text,
    position_text,
    start_position,
)

STANDS = "it stands so in the file"
_MOST_TEXT = 60


@dataclass(slots=True)
class _Loss:
    """The line from which nothing is kept, and the number of throws lost."""

    line: int
    reason: str
    throws: int = 0


class GameCheck:
    """Takes the entries of a game in their order and builds the game that is kept."""

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
        self._unit = transcript.unit
        self._position = start_position(self._rules)
        self._game = GameHistory(number, position_text(self._position), score, is_crawford)
        self._turns: list[GameAction] = []
        self._turn_number = turns_before
        self._last: Player | None = None
        self._cube = CubeCheck(is_crawford=is_crawford)
        self._pending_throw: ThrowEntry | None = None
        self._pending_play: tuple[ThrowEntry, tuple[int, int], ClaimedPlay, Position] | None = None
        self._resigned: ResignationEntry | None = None
        self._win: WinEntry | None = None
        self._loss: _Loss | None = None
        self._remarks: list[tuple[int | None, Remark]] = []  # by the actions before it; None: on the result
        self.jacoby = jacoby
        self.problems: list[Problem] = []

    def check_entry(self, entry: TranscriptEntry) -> None:
        if isinstance(entry, WinEntry):
            self._win = entry
            return
        if isinstance(entry, RemarkEntry):
            self._keep_remark(entry)
            return
        if self._loss is not None:
            self._loss.throws += isinstance(entry, ThrowEntry)
            return
        if self._is_over and not isinstance(entry, ResignationEntry):
            self._loss = _Loss(entry.line, "the game was over before this", int(isinstance(entry, ThrowEntry)))
            return
        if self._pending_play is not None and not isinstance(entry, ResignationEntry):
            pending, self._pending_play = self._pending_play, None
            self._apply_play(*pending)
        match entry:
            case ThrowEntry():
                self._check_throw(entry)
            case CubeEntry():
                self._check_cube(entry)
            case ResignationEntry():
                self._resigned = entry
            case BoardEntry():  # pragma: no branch - mypy sees that no other case is left
                self._apply_board(entry)

    def _keep_remark(self, entry: RemarkEntry) -> None:
        """Remarks on what is not kept are left out with it."""
        if self._win is not None:
            self._remarks.append((None, entry.remark))
        elif self._loss is None:
            self._remarks.append((len(self._turns) + (self._pending_play is not None), entry.remark))

    def finish(self, next_score: tuple[int, int] | None, *, is_whole: bool) -> GameHistory:
        """The game with its result. `next_score` stands above the next game; without `is_whole`, plays are missing."""
        evidence = EndEvidence(
            self._position,
            self._rules,
            cube=self._cube.value,
            cube_turned=self._cube.is_turned,
            dropped_by=self._cube.dropped_by,
            resigned=self._resigned,
            win=self._win,
            score=self._game.score,
            next_score=next_score,
            length=self._length,
            jacoby=self.jacoby,
            is_whole=is_whole and self._loss is None,
        )
        end = determine_end(evidence)
        self.jacoby = self.jacoby or end.shows_jacoby
        line = 0 if self._win is None else self._win.line
        for sentence in end.complaints:
            self._report_problem(ProblemKind.RESULT, line, sentence)
        turns = list(self._turns)
        if end.resigned is not None:
            turns.append(Resignation(end.resigned[0], end.resigned[1], is_accepted=True))
        if self._loss is not None:
            self._report_loss(self._loss)
        remarks = (
            PlacedRemark(len(turns) + 1 if after is None else min(after, len(self._turns)), remark)
            for after, remark in self._remarks
        )
        thrown = self._find_pending_roll()
        return replace(self._game, turns=tuple(turns), thrown=thrown, result=end.result, remarks=tuple(remarks))

    @property
    def _is_over(self) -> bool:
        off = any(self._position.counts(player)[OFF] == self._rules.checkers for player in Player)
        return off or self._cube.dropped_by is not None or self._resigned is not None

    def _find_pending_roll(self) -> PendingRoll | None:
        entry = self._pending_play[0] if self._pending_play is not None else self._pending_throw
        return None if entry is None or entry.roll is None else PendingRoll(entry.player, entry.roll)

    def _check_throw(self, entry: ThrowEntry) -> None:
        if self._pending_throw is not None:
            self._abandon_game(entry, "what was played before this is not written")
            return
        if self._last is None:
            self._game = replace(self._game, starter=entry.player)
        elif self._last is entry.player:
            sentence = f"{self._names[entry.player]} plays twice running"
            self._report_problem(ProblemKind.ORDER, entry.line, sentence, entry.player)
        self._turns.extend(self._cube.infer_acceptance(entry.player))
        if entry.play_form is PlayForm.NOT_PLAYED:
            self._pending_throw = entry
            return
        if entry.roll is None:
            self._abandon_game(entry, "its dice are not written")
            return
        claim = evaluate_claim(self._position, entry, self._rules)
        if claim.after is None:
            self._abandon_game(entry, f"{_throw_text(entry)!r} cannot be played: {claim.sentence}")
            return
        if not entry.text and not isinstance(claim.ruling, Legal):
            # A playable roll without a play. At the end of a game the play is still to come, or the player resigned
            # instead; it was a pass only if the game goes on.
            self._pending_play = (entry, entry.roll, claim, claim.after)
            return
        self._apply_play(entry, entry.roll, claim, claim.after)

    def _apply_play(self, entry: ThrowEntry, roll: tuple[int, int], claim: ClaimedPlay, after: Position) -> None:
        self._turn_number += 1
        ruling = claim.ruling
        rules: tuple[Rule, ...] = ()
        if isinstance(ruling, Illegal):
            rules = ruling.rules
            reason = f"{_throw_text(entry)!r} is not legal: {ruling.breaches[0].sentence}"
            self._report_problem(ProblemKind.ILLEGAL_PLAY, entry.line, reason, entry.player, ruling)
        self._turns.append(
            PlayedTurn(
                self._turn_number,
                entry.player,
                roll,
                position_text(self._position),
                position_text(after),
                play_text(ruling.steps) if isinstance(ruling, Legal) else None,
                TurnRuling.ILLEGAL if rules else TurnRuling.LEGAL,
                rules,
                STANDS if rules else "",
            )
        )
        self._position, self._last = after, entry.player

    def _check_cube(self, entry: CubeEntry) -> None:
        may_offer = self._last is not None and self._last is not entry.player
        action, complaint = self._cube.check_action(entry, may_offer=may_offer)
        if complaint:
            self._report_problem(ProblemKind.ILLEGAL_CUBE, entry.line, complaint, entry.player)
        if action is not None:
            self._turns.append(action)

    def _apply_board(self, entry: BoardEntry) -> None:
        before = position_text(self._position)
        try:
            self._position = Position.of(entry.board, self._rules)
        except ImpossibleSetupError as error:
            self._abandon_game(entry, f"the board that is put there is impossible: {error}")
            return
        if position_text(self._position) == before:
            return
        if self._turns:
            self._turns.append(BoardPut(position_text(self._position)))
        else:
            self._game = replace(self._game, start=position_text(self._position))

    def _abandon_game(self, entry: ThrowEntry | BoardEntry, reason: str) -> None:
        self._loss = _Loss(entry.line, reason, int(isinstance(entry, ThrowEntry)))

    def _report_loss(self, loss: _Loss) -> None:
        kept = sum(isinstance(turn, PlayedTurn) for turn in self._turns)
        sentence = f"{loss.reason}; of this game's turns {kept} are kept, {loss.throws} left out"
        self._report_problem(ProblemKind.UNREADABLE, loss.line, sentence)

    def _report_problem(
        self, kind: ProblemKind, line: int, sentence: str, player: Player | None = None, ruling: Illegal | None = None
    ) -> None:
        of_turn = player is not None and kind is ProblemKind.ILLEGAL_PLAY
        turn = self._turn_number if of_turn else 0
        where = f"game {self._game.number}" + (f", turn {turn}" if turn else "")
        who = f" of {self._names[player]}" if player is not None and turn else ""
        front = f"{self._unit} {line}: " if line else ""
        rules = tuple(rule.value for rule in ruling.rules) if ruling else ()
        self.problems.append(
            Problem(kind, f"{front}{where}{who}: {sentence}", line, self._game.number, turn, player, rules)
        )


def _throw_text(entry: ThrowEntry) -> str:
    first, second = entry.roll or (0, 0)
    return f"{first}{second}: {entry.text[:_MOST_TEXT]}".strip()
