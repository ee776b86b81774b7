"""Reads eXtreme Gammon's files (.xg, .xgp): Player 1 becomes White.

The boards before and after each play decide, not its steps, which eXtreme Gammon leaves out where a board was edited.
Records count from 1 and take the place of lines in messages.
"""

import struct
from dataclasses import dataclass, field
from datetime import time

from controller.formats import transcript
from controller.formats.limits import MOST_GAMES, MOST_TURNS, MOST_TURNS_OF_GAME
from controller.formats.variations import Variation
from controller.formats.xg import xg_records as xg
from controller.formats.xg.delphi_records import from_days
from controller.formats.xg.xg_archive import COMMENTS_FILE, MATCH_FILE, unpack_archive
from controller.formats.xg.xg_comments import unpack_comments
from controller.formats.xg.xg_remarks import format_steps, read_cube_remark, read_play_remark
from controller.match import CubeAct, Occasion, Remark
from controller.rules import Player, Setup, Side

_VARIATIONS = {
    xg.Variation.BACKGAMMON: Variation.BACKGAMMON,
    xg.Variation.NACKGAMMON: Variation.NACKGAMMON,
    xg.Variation.HYPERGAMMON: Variation.HYPERGAMMON,
}
_BEAVERED = 2
_ANSWERS = {0: CubeAct.DROPPED, 1: CubeAct.TAKEN, _BEAVERED: CubeAct.BEAVERED}
_RESIGNED_FROM = 100
_NO_RECORD = "it is an eXtreme Gammon file whose first record is no match; export match text (.mat) there"


def read_xg(content: bytes) -> transcript.Transcript:
    """Raises UnreadableFileError, with one sentence, for a file that is damaged, too large or of another game."""
    files = unpack_archive(content)
    records = files[MATCH_FILE]
    n_records = len(records) // xg.RECORD_BYTES
    if not n_records or records[xg.TYPE_AT] != xg.RecordType.MATCH_HEADER:
        raise transcript.UnreadableFileError(_NO_RECORD)
    if n_records > 2 * MOST_TURNS + 3 * MOST_GAMES:
        raise transcript.UnreadableFileError(f"it has more than {MOST_TURNS:,} turns")
    try:
        header = records[: xg.RECORD_BYTES]
        match = _read_header(header)
        games = _Games(match, unpack_comments(files.get(COMMENTS_FILE, b"")))
        for number in range(1, n_records):
            games.add(number + 1, records[number * xg.RECORD_BYTES : (number + 1) * xg.RECORD_BYTES])
    except (struct.error, ValueError, OverflowError) as error:
        if isinstance(error, transcript.UnreadableFileError):
            raise
        raise transcript.UnreadableFileError(f"it is an eXtreme Gammon file with a damaged record ({error})") from None
    if not games.games:
        raise transcript.UnreadableFileError("there is no game in it")
    return transcript.Transcript(
        match.white,
        match.black,
        match.length,
        match.variation,
        tuple(game.build() for game in games.games),
        match.occasion,
        match.occasion.crawford if match.length > 1 else None,
        tuple(games.problems),
        games.list_match_remarks(header),
        unit="record",
    )


@dataclass(frozen=True, slots=True)
class _Header:
    white: str
    black: str
    length: int
    variation: Variation
    occasion: Occasion


def _read_header(record: bytes) -> _Header:
    layout = xg.MATCH_HEADER
    version = layout.number(record, "version")
    if layout.number(record, "magic") != xg.MAGIC or not 0 < version <= xg.LAST_VERSION:
        raise transcript.UnreadableFileError(_NO_RECORD)
    variation = _VARIATIONS.get(layout.number(record, "variation"))  # type: ignore[call-overload]
    if variation is None:
        raise transcript.UnreadableFileError("it is a match of LongGammon or of an unknown game, which is not read")
    length = layout.number(record, "length")
    is_money = length <= 0 or length >= xg.MONEY

    def text(name: str) -> str:
        wide = layout.text(record, name) if version >= xg.FIRST_UNICODE_VERSION else ""
        return wide.strip() or layout.text(record, f"{name}_ansi").strip()

    begun = from_days(layout.real(record, "date"))
    occasion = Occasion(
        site=text("site"),
        event=text("event"),
        round=text("round"),
        date="" if begun is None else begun.strftime("%Y-%m-%d"),
        time="" if begun is None or begun.time() == time.min else begun.strftime("%H:%M"),
        transcriber=layout.text(record, "transcriber").strip() if version >= xg.VERSION else "",
        crawford=is_money or bool(layout.number(record, "crawford")),
        jacoby=is_money and bool(layout.number(record, "jacoby")),
    )
    names = text("player_1") or "White", text("player_2") or "Black"
    return _Header(*names, 0 if is_money else length, variation, occasion)


@dataclass(slots=True)
class _Game:
    line: int
    score: tuple[int, int]
    is_crawford: bool | None
    board: tuple[int, ...]
    entries: list[transcript.TranscriptEntry] = field(default_factory=list)
    of_cube: Remark = field(default_factory=Remark)  # on the decision not to double, until the play of its turn follows
    at_end: str = ""  # the comment on the end of the game
    is_whole: bool = True

    def build(self) -> transcript.GameTranscript:
        """An unfinished game keeps its last comments; what else was computed for a decision that nobody made is left out."""
        left = Remark("\n".join(filter(None, (self.of_cube.text, self.at_end))))
        entries = self.entries if left == Remark() else [*self.entries, transcript.RemarkEntry(self.line, left)]
        return transcript.GameTranscript(
            self.line, self.score, tuple(entries), self.is_crawford, is_whole=self.is_whole
        )


@dataclass(slots=True)
class _Games:
    """The games so far. Records before the first game header are passed over."""

    match: _Header
    comments: tuple[str, ...]
    games: list[_Game] = field(default_factory=list)
    problems: list[transcript.Problem] = field(default_factory=list)

    def list_match_remarks(self, header: bytes) -> tuple[Remark, ...]:
        found = map(self._find_comment, xg.MATCH_HEADER.numbers(header, "comments"))
        return tuple(Remark(comment) for comment in (*found, _describe_clock(header)) if comment)

    def _find_comment(self, number: int) -> str:
        """Less than 0: none."""
        return self.comments[number] if 0 <= number < len(self.comments) else ""

    def add(self, line: int, record: bytes) -> None:
        kind = record[xg.TYPE_AT]
        if kind == xg.RecordType.GAME_HEADER:
            self._begin_game(line, record)
        elif not self.games or (not self.games[-1].is_whole and kind != xg.RecordType.GAME_FOOTER):
            return
        elif kind == xg.RecordType.CUBE:
            self._read_cube(line, record)
        elif kind == xg.RecordType.MOVE:
            self._read_move(line, record)
        elif kind == xg.RecordType.GAME_FOOTER:
            self._read_end(line, record)
        elif kind == xg.RecordType.MISSING:
            self._lose(line, "what was played here is missing")

    def _begin_game(self, line: int, record: bytes) -> None:
        if len(self.games) >= MOST_GAMES:
            raise transcript.UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        layout = xg.GAME_HEADER
        score, board = layout.numbers(record, "score"), layout.numbers(record, "position")
        is_crawford = bool(layout.number(record, "is_crawford")) if self.match.length > 1 else None
        at_head, at_end = map(self._find_comment, layout.numbers(record, "comments"))
        self.games.append(_Game(line, (score[0], score[1]), is_crawford, (), at_end=at_end))
        self._remark(line, Remark(at_head))
        if any(board):
            self._put_board(line, board)

    def _read_cube(self, line: int, record: bytes) -> None:
        remark = read_cube_remark(record, self._find_comment(xg.CUBE.number(record, "comment")))
        acts = _read_cube(line, record)
        if acts:
            self._extend(acts)
            self._remark(line, remark)
        else:
            self.games[-1].of_cube = remark

    def _read_move(self, line: int, record: bytes) -> None:
        layout, game = xg.MOVE, self.games[-1]
        before, after = layout.numbers(record, "before"), layout.numbers(record, "after")
        player = _player(layout.number(record, "player"))
        after = after if player is Player.WHITE else xg.turn_position(after)
        dice = layout.numbers(record, "dice")
        of_play = read_play_remark(record, self._find_comment(layout.number(record, "comment")))
        remark, game.of_cube = game.of_cube.join(of_play), Remark()
        if before != game.board and any(before):
            self._put_board(line, before)
        if not all(1 <= die <= 6 for die in dice):
            self._lose(line, "a play without its dice")
            return
        roll = max(dice), min(dice)
        if not layout.number(record, "is_played") or not any(after):
            self._extend([transcript.ThrowEntry(line, player, roll, transcript.PlayForm.NOT_PLAYED)])
            self._remark(line, Remark(remark.text))  # what else there is belongs to no turn
            return
        game.board = after
        stayed = before == after
        self._extend(
            [
                transcript.ThrowEntry(
                    line,
                    player,
                    roll,
                    transcript.PlayForm.PLAYED if stayed else transcript.PlayForm.BOARD,
                    board=None if stayed else self._setup(after),
                    text="" if stayed else format_steps(layout.numbers(record, "steps")),
                )
            ]
        )
        self._remark(line, remark)

    def _put_board(self, line: int, board: tuple[int, ...]) -> None:
        self.games[-1].board = board
        self._extend([transcript.BoardEntry(line, self._setup(board))])

    def _setup(self, board: tuple[int, ...]) -> Setup:
        white = [max(count, 0) for count in board[1:26]]
        black = [max(-board[25 - point], 0) for point in range(1, 26)]
        total = self.match.variation.rules.checkers
        sides = (Side(max(total - sum(one), 0), tuple(one[:24]), one[24]) for one in (white, black))
        return Setup(*sides)

    def _extend(self, entries: list[transcript.TranscriptEntry]) -> None:
        game = self.games[-1]
        game.entries.extend(entries)
        if len(game.entries) > 3 * MOST_TURNS_OF_GAME:
            raise transcript.UnreadableFileError(
                f"record {game.line}: a game has more than {MOST_TURNS_OF_GAME:,} turns"
            )

    def _remark(self, line: int, remark: Remark) -> None:
        if remark != Remark():
            self.games[-1].entries.append(transcript.RemarkEntry(line, remark))

    def _read_end(self, line: int, record: bytes) -> None:
        game = self.games[-1]
        self._remark(line, game.of_cube)
        self._extend(_read_end(line, record))
        self._remark(line, Remark(game.at_end))
        game.of_cube, game.at_end = Remark(), ""

    def _lose(self, line: int, what: str) -> None:
        sentence = f"record {line}: game {len(self.games)}: {what}; the rest of the game is not kept"
        self.problems.append(
            transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, line, game=len(self.games))
        )
        self.games[-1].is_whole = False


def _player(sign: int) -> Player:
    """1 is Player 1; versions write -1 or 2 for Player 2."""
    return Player.WHITE if sign == 1 else Player.BLACK


def _read_cube(line: int, record: bytes) -> list[transcript.TranscriptEntry]:
    layout = xg.CUBE
    if layout.number(record, "doubled") != 1:
        return []
    player = _player(layout.number(record, "player"))
    entries: list[transcript.TranscriptEntry] = [transcript.CubeEntry(line, player, CubeAct.OFFERED)]
    answering = player.opponent
    for name in ("answer", "answer_to_beaver"):
        act = _ANSWERS.get(answer := layout.number(record, name))
        if act is not None:  # else the game broke off at the offer
            entries.append(transcript.CubeEntry(line, answering, act))
        if answer != _BEAVERED:
            break
        answering = answering.opponent
    return entries


def _read_end(line: int, record: bytes) -> list[transcript.TranscriptEntry]:
    layout = xg.GAME_FOOTER
    winner = layout.number(record, "winner")
    if not winner:
        return []
    player = _player(winner)
    entries: list[transcript.TranscriptEntry] = []
    if layout.number(record, "termination") >= _RESIGNED_FROM:
        entries.append(transcript.ResignationEntry(line, player.opponent))
    points = layout.number(record, "points")
    return [*entries, transcript.WinEntry(line, player, points if points > 0 else None)]


def _describe_clock(header: bytes) -> str:
    """The agreed time, which the program counts in seconds; empty without a clock."""
    _, _, initial_s, more_s, *_ = xg.MATCH_HEADER.numbers(header, "clock")
    return f"Clock: {initial_s} s + {more_s} s" if initial_s else ""
