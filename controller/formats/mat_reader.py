"""Match text (.mat, .txt) in its many dialects: Jellyfish, GNU Backgammon, XG, Snowie, GridGammon and their kin.

Which column a lone cell belongs to is told by how far right it stands; in files with narrow columns the order of the
turns tells it. The left column is White, whatever the tags call Player 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from controller.events import CubeAct
from controller.formats.limits import MOST_GAMES, MOST_LINE
from controller.formats.mat_cells import RIGHT_FROM, Cell, Word, cells_of, row_cells
from controller.formats.mat_header import (
    crawford_of,
    is_game_line,
    length_of,
    names_and_scores,
    occasion_of,
    tag_of,
    variation_named,
)
from controller.formats.play_words import PlayWordError, ways_of
from controller.formats.snowie_position import board_in
from controller.formats.transcript import (
    CubeSaid,
    GameSaid,
    Problem,
    ProblemKind,
    ResignsSaid,
    Said,
    Telling,
    ThrowSaid,
    Transcript,
    UnreadableFileError,
    WinSaid,
)
from controller.rules.player import Player

_CUBE_ACTS = {
    Word.DOUBLE: CubeAct.OFFERED,
    Word.TAKE: CubeAct.TAKEN,
    Word.DROP: CubeAct.DROPPED,
    Word.BEAVER: CubeAct.BEAVERED,
}
_MOST_PASSED_OVER = 100  # lines that are told one by one; a text without any match would give thousands
_COLUMNS = (Player.WHITE, Player.BLACK)


@dataclass(slots=True)
class _Row:
    line: int
    cells: tuple[Cell, ...]
    is_numbered: bool


@dataclass(slots=True)
class _Game:
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] | None = None
    rows: list[_Row] = field(default_factory=list)


@dataclass(slots=True)
class _File:
    tags: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    games: list[_Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def lost(self, line: int, sentence: str) -> None:
        if len(self.problems) < _MOST_PASSED_OVER:
            self.problems.append(Problem(ProblemKind.UNREADABLE, f"line {line}: {sentence}", line, len(self.games)))


def read_mat(text: str) -> Transcript:
    """Raises UnreadableFileError where there is no game in it."""
    read = _File()
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MOST_LINE:
            raise UnreadableFileError(f"line {number} has more than {MOST_LINE:,} characters")
        if not _take(read, number, line.rstrip("\r").replace("\t", "    ")):
            break
    if not read.games:
        raise UnreadableFileError("there is no game in it; match text has a line like ' Game 1'")
    names = next((game.names for game in read.games if game.names is not None), ("White", "Black"))
    problems = read.problems
    games = tuple(_game_said(game, names, problems) for game in read.games)
    return Transcript(
        names[0] or "White",
        names[1] or "Black",
        read.length or 0,
        variation_named(read.tags),
        games,
        occasion_of(read.tags),
        crawford_of(read.tags),
        tuple(problems),
    )


def _take(read: _File, number: int, line: str) -> bool:
    """One line; False where nothing that belongs to the match comes after it."""
    if not line.strip():
        return True
    tag = tag_of(line) if not read.games or line.lstrip().startswith(";") else None
    if tag is not None:
        read.tags.setdefault(*tag)
        return True
    length = length_of(line)
    if length is not None:
        if read.games:
            read.lost(number, "another match begins here; only the first one is kept")
            return False
        read.length = length
    elif is_game_line(line):
        if len(read.games) >= MOST_GAMES:
            raise UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        read.games.append(_Game(number))
    elif read.games and not line.lstrip().startswith(";"):
        _take_in_game(read, read.games[-1], number, line)
    return True


def _take_in_game(read: _File, game: _Game, number: int, line: str) -> None:
    cells = row_cells(line)
    if cells:
        game.rows.append(_Row(number, cells, is_numbered=True))
        return
    if cells is not None:
        if line.split(")")[-1].strip():
            read.lost(number, f"{line.strip()[:60]!r} is no turn; it was passed over")
        return
    scores = names_and_scores(line) if not game.rows else None
    if scores is not None:
        (white, white_score), (black, black_score) = scores
        game.names, game.score = (white, black), (white_score, black_score)
        return
    said = cells_of(line)
    if said and said[-1].word in (Word.WIN, Word.RESIGN):
        game.rows.append(_Row(number, said[-1:], is_numbered=False))
    else:
        read.lost(number, f"{line.strip()[:60]!r} belongs to no match text; it was passed over")


def _game_said(game: _Game, names: tuple[str, str], problems: list[Problem]) -> GameSaid:
    """After the first play that cannot be read only the result matters. Columns may change from game to game."""
    said: list[Said] = []
    is_readable = True
    is_turned = game.names is not None and game.names != names and game.names == names[::-1]
    for row, cell, player in _with_sides(game.rows):
        player = player.opponent if is_turned else player
        unread = ThrowSaid(row.line, player, None, Telling.NOT_PLAYED)
        try:
            found = _said(row, cell, player) if is_readable or cell.word is not Word.ROLL else unread
        except PlayWordError:
            sentence = f"line {row.line}: {cell.text[:60]!r} is no play"
            problems.append(Problem(ProblemKind.UNREADABLE, sentence, row.line))
            found, is_readable = unread, False
        said.append(found)
    score = (game.score[1], game.score[0]) if is_turned and game.score is not None else game.score
    return GameSaid(game.line, score, tuple(said), is_whole=is_readable)


def _with_sides(rows: list[_Row]) -> Iterator[tuple[_Row, Cell, Player]]:
    """Every cell and whose it is."""
    numbered = [row for row in rows if row.is_numbered]
    for row in rows:
        turns = [cell for cell in row.cells if cell.word is not Word.WIN]
        alone = len(turns) == 1 and turns[0].column < RIGHT_FROM
        # who begins in the left column has the right one beside him; so a first row with one cell is the right player's
        is_right_first = alone and row.is_numbered and row is numbered[0] and len(numbered) > 1
        at = 0
        for cell in row.cells:
            if cell.word is Word.WIN or len(turns) == 1:
                player = _COLUMNS[cell.column >= RIGHT_FROM or (is_right_first and cell.word is not Word.WIN)]
            else:
                player = _COLUMNS[at % 2]
                at += 1
            yield row, cell, player


def _said(row: _Row, cell: Cell, player: Player) -> Said:
    match cell.word:
        case Word.ROLL:
            return _throw(row.line, cell, player)
        case Word.WIN:
            return WinSaid(row.line, player, cell.number, is_certain=cell.column >= RIGHT_FROM)
        case Word.RESIGN:
            return ResignsSaid(row.line, player)
        case Word.DOUBLE | Word.TAKE | Word.DROP | Word.BEAVER:  # pragma: no branch - mypy sees that none is left
            return CubeSaid(row.line, player, _CUBE_ACTS[cell.word], cell.number)


def _throw(line: int, cell: Cell, player: Player) -> ThrowSaid:
    first, second = cell.dice or (0, 0)
    roll = (max(first, second), min(first, second)) if first and second else None
    text = cell.text
    said = ThrowSaid(line, player, roll, Telling.PLAYED, text=text)
    if text and set(text) <= {"?", " "}:
        return replace(said, telling=Telling.NOT_PLAYED)
    if text.lower().startswith("illegal"):
        board = board_in(text, player)
        return replace(said, telling=Telling.NOT_PLAYED if board is None else Telling.BOARD, board=board)
    return replace(said, ways=ways_of(text))
