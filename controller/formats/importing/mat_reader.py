"""Match text (.mat, .txt) in its many dialects: Jellyfish, GNU Backgammon, XG, Snowie, GridGammon and their kin.

Which column a lone cell belongs to is told by how far right it stands; in files with narrow columns the order of the
turns tells it. The left column is White, whatever the tags call Player 1.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from controller.formats.importing.mat_cells import RIGHT_FROM, Cell, Word, cells_of, row_cells
from controller.formats.importing.mat_header import (
    crawford_of,
    is_game_line,
    length_of,
    names_and_scores,
    occasion_of,
    tag_of,
    variation_named,
)
from controller.formats.importing.play_words import PlayWordError, ways_of
from controller.formats.limits import MOST_GAMES, MOST_LINE, MOST_TURNS, MOST_TURNS_OF_GAME
from controller.formats.positions.set_position import set_position_in
from controller.formats.positions.snowie_position import board_in
from controller.formats.transcript import (
    BoardSaid,
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
from controller.match.events import CubeAct
from controller.rules.player import Player

_CUBE_ACTS = {
    Word.DOUBLE: CubeAct.OFFERED,
    Word.TAKE: CubeAct.TAKEN,
    Word.DROP: CubeAct.DROPPED,
    Word.BEAVER: CubeAct.BEAVERED,
}
_MOST_PASSED_OVER = 100  # lines that are told one by one; a text without any match would give thousands
_COLUMNS = (Player.WHITE, Player.BLACK)
_REMARKS = (";", "#", "//", "|", "+-")  # how a line begins that is for people


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
    boards: list[BoardSaid] = field(default_factory=list)
    n_cells: int = 0


@dataclass(slots=True)
class _File:
    tags: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    games: list[_Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    n_cells: int = 0

    def add(self, row: _Row) -> None:
        """To the last game. Raises UnreadableFileError where no match can have so many."""
        game = self.games[-1]
        game.rows.append(row)
        game.n_cells += len(row.cells)
        self.n_cells += len(row.cells)
        if game.n_cells > MOST_TURNS_OF_GAME:
            raise UnreadableFileError(f"line {row.line}: a game has more than {MOST_TURNS_OF_GAME:,} turns")
        if self.n_cells > MOST_TURNS:
            raise UnreadableFileError(f"line {row.line}: it has more than {MOST_TURNS:,} turns")

    def lost(self, line: int, sentence: str) -> None:
        if len(self.problems) < _MOST_PASSED_OVER:
            self.problems.append(Problem(ProblemKind.UNREADABLE, f"line {line}: {sentence}", line, len(self.games)))


def read_mat(text: str) -> Transcript:
    """Raises UnreadableFileError where there is no game in it."""
    read = _File()
    lines = text.split("\n") if "\n" in text else text.split("\r")
    for number, line in enumerate(lines, 1):
        plain = line.rstrip("\r").expandtabs(8) if len(line) <= MOST_LINE else line
        if len(plain) > MOST_LINE:
            raise UnreadableFileError(f"line {number} has more than {MOST_LINE:,} characters")
        if not _take(read, number, plain):
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
    elif read.games and not line.lstrip().startswith(_REMARKS):
        _take_in_game(read, read.games[-1], number, line)
    elif read.games:
        _take_set_position(read, number, line)
    return True


def _take_set_position(read: _File, number: int, line: str) -> None:
    found = set_position_in(line)
    if found is None:
        return
    read.games[-1].boards.append(BoardSaid(number, found.board))
    if not found.is_cube_in_the_middle:
        read.lost(number, "the cube that is set here is not read")


def _take_in_game(read: _File, game: _Game, number: int, line: str) -> None:
    cells = row_cells(line)
    if cells:
        read.add(_Row(number, cells, is_numbered=True))
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
    if said and not line[: said[0].column].strip() and not any(map(_is_prose, said)):
        read.add(_Row(number, said, is_numbered=False))  # a row without its number
    elif said and said[-1].word in (Word.WIN, Word.RESIGN):
        read.add(_Row(number, said[-1:], is_numbered=False))
    else:
        read.lost(number, f"{line.strip()[:60]!r} belongs to no match text; it was passed over")


def _is_prose(cell: Cell) -> bool:
    """`Double trouble`: after a word about the cube come no others but `to 2`."""
    words = cell.text.lower().removeprefix("to ")
    return cell.word in _CUBE_ACTS and any(letter.isalpha() for letter in words)


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
    in_order = sorted((*game.boards, *said), key=lambda one: one.line)
    return GameSaid(game.line, score, tuple(in_order), is_whole=is_readable)


def _with_sides(rows: list[_Row]) -> Iterator[tuple[_Row, Cell, Player]]:
    """Every cell and whose it is."""
    numbered = [row for row in rows if row.is_numbered and _turns_of(row)]
    for row in rows:
        turns = _turns_of(row)
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


def _turns_of(row: _Row) -> list[Cell]:
    return [cell for cell in row.cells if cell.word is not Word.WIN]


def _said(row: _Row, cell: Cell, player: Player) -> Said:
    match cell.word:
        case Word.ROLL:
            return _throw(row.line, cell, player)
        case Word.WIN:
            return WinSaid(row.line, player, cell.number, is_certain=cell.column >= RIGHT_FROM)
        case Word.RESIGN:
            return ResignsSaid(row.line, player, _times(cell.text))
        case Word.DOUBLE | Word.TAKE | Word.DROP | Word.BEAVER:  # pragma: no branch - mypy sees that none is left
            return CubeSaid(row.line, player, _CUBE_ACTS[cell.word], cell.number)


def _times(text: str) -> int | None:
    """`Resign gammon`."""
    words = text.lower().split()
    return 3 if "backgammon" in words else 2 if "gammon" in words else None


def _throw(line: int, cell: Cell, player: Player) -> ThrowSaid:
    first, second = cell.dice or (0, 0)
    roll = (max(first, second), min(first, second)) if first and second else None
    text = cell.text
    said = ThrowSaid(line, player, roll, Telling.PLAYED, text=text)
    if set(text) <= {"?", " "} and (text or roll is None):  # `00:` stands for no throw at all
        return replace(said, telling=Telling.NOT_PLAYED)
    if text.lower().startswith("illegal"):
        board = board_in(text, player)
        return replace(said, telling=Telling.NOT_PLAYED if board is None else Telling.BOARD, board=board)
    return replace(said, ways=ways_of(text))
