"""Reads match text (.mat, .txt) in its dialects: Jellyfish, GNU Backgammon, XG, Snowie, GridGammon and others.

The position of a single cell in a row decides on its column; in files with narrow columns the order of the turns
decides. The left column is White, whatever the tags call Player 1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from controller.formats import transcript
from controller.formats.importing.mat_cells import RIGHT_FROM, CellKind, MatCell, parse_cells, parse_row, split_rows
from controller.formats.importing.mat_header import (
    READ_TAGS,
    format_unread_tag,
    is_game_line,
    parse_crawford,
    parse_length,
    parse_names_and_scores,
    parse_occasion,
    parse_tag,
    parse_variation,
)
from controller.formats.importing.play_parser import PlayTextError, find_comments, parse_paths
from controller.formats.limits import MOST_GAMES, MOST_LINE, MOST_TURNS, MOST_TURNS_OF_GAME
from controller.formats.positions.snowie_position import parse_board
from controller.formats.positions.xgid import parse_set_position
from controller.match import CubeAct, Remark
from controller.rules import Player

_CUBE_ACTS = {
    CellKind.DOUBLE: CubeAct.OFFERED,
    CellKind.TAKE: CubeAct.TAKEN,
    CellKind.DROP: CubeAct.DROPPED,
    CellKind.BEAVER: CubeAct.BEAVERED,
}
_MOST_PROBLEMS = 100  # lines reported one by one; a text without a match would give thousands
_FIRST_TAGS = ("site", "match id", "player 1")
_COLUMNS = (Player.WHITE, Player.BLACK)
_POINTS_WON = (CellKind.WIN, CellKind.LOSS)
_ENDS = (*_POINTS_WON, CellKind.RESIGN)
_REMARKS = (";", "#", "//", "|", "+-")  # beginnings of lines for people
_FRAME = ";#/|+-=* \t"  # what is drawn around them
_MOST_REMARKS = 100


@dataclass(slots=True)
class _MatRow:
    """`player`: who is named before the only cell, as in `Anna wins 2 points`."""

    line: int
    cells: tuple[MatCell, ...]
    is_numbered: bool
    player: Player | None = None

    def continues(self, before: "_MatRow") -> bool:
        """Whether this is the second half of a row that was broken after its first cell."""
        halves = [len(_list_turn_cells(row)) == len(row.cells) == 1 and row.player is None for row in (before, self)]
        is_next = before.is_numbered and not self.is_numbered and before.line + 1 == self.line
        return all(halves) and is_next and before.cells[0].column < RIGHT_FROM


@dataclass(slots=True)
class _MatGame:
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] | None = None
    rows: list[_MatRow] = field(default_factory=list)
    boards: list[transcript.BoardEntry] = field(default_factory=list)
    remarks: list[transcript.RemarkEntry] = field(default_factory=list)
    n_cells: int = 0


@dataclass(slots=True)
class _MatFile:
    tags: dict[str, str] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)  # on the match
    length: int | None = None
    games: list[_MatGame] = field(default_factory=list)
    problems: list[transcript.Problem] = field(default_factory=list)
    n_cells: int = 0

    def add_row(self, row: _MatRow) -> None:
        """Adds a row to the last game. Raises UnreadableFileError beyond the limits."""
        game = self.games[-1]
        if game.rows and row.continues(game.rows[-1]):
            game.rows[-1].cells += row.cells
        else:
            game.rows.append(row)
        game.n_cells += len(row.cells)
        self.n_cells += len(row.cells)
        if game.n_cells > MOST_TURNS_OF_GAME:
            raise transcript.UnreadableFileError(f"line {row.line}: a game has more than {MOST_TURNS_OF_GAME:,} turns")
        if self.n_cells > MOST_TURNS:
            raise transcript.UnreadableFileError(f"line {row.line}: it has more than {MOST_TURNS:,} turns")

    def keep_remark(self, line: int, text: str) -> None:
        """What was written for people: on the match before its first game, later on what stands before it."""
        if not text:
            return
        if self.games:
            self.games[-1].remarks.append(transcript.RemarkEntry(line, Remark(text)))
        elif len(self.remarks) < _MOST_REMARKS:
            self.remarks.append(text)

    def report_unreadable(self, line: int, sentence: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(
                transcript.Problem(transcript.ProblemKind.UNREADABLE, f"line {line}: {sentence}", line, len(self.games))
            )


def read_mat(text: str) -> tuple[transcript.Transcript, ...]:
    """The matches of a file, mostly one. Raises UnreadableFileError if the text has no game or exceeds a limit."""
    matches = [_MatFile()]
    lines = text.split("\n") if "\n" in text else text.split("\r")
    for number, line in enumerate(lines, 1):
        plain = line.rstrip("\r").expandtabs(8) if len(line) <= MOST_LINE else line
        if len(plain) > MOST_LINE:
            raise transcript.UnreadableFileError(f"line {number} has more than {MOST_LINE:,} characters")
        if matches[-1].games and (parse_length(plain) is not None or _begins_header(plain)):
            matches.append(_MatFile())
            if len(matches) > MOST_GAMES:
                raise transcript.UnreadableFileError(f"it has more than {MOST_GAMES:,} matches")
        _read_line(matches[-1], number, plain)
    found = tuple(_build_match(read) for read in matches if read.games)
    if not found:
        raise transcript.UnreadableFileError("there is no game in it; match text has a line like ' Game 1'")
    return found


def _begins_header(line: str) -> bool:
    """Whether a header of another match begins here: tags inside a game are remarks, but for those about the match."""
    tag = parse_tag(line)
    return tag is not None and tag[0] in _FIRST_TAGS


def _build_match(read: _MatFile) -> transcript.Transcript:
    names = next((game.names for game in read.games if game.names is not None), _names_of_tags(read.tags))
    problems = read.problems
    games = tuple(_build_game(game, names, problems) for game in read.games)
    return transcript.Transcript(
        names[0] or "White",
        names[1] or "Black",
        read.length or 0,
        parse_variation(read.tags),
        games,
        parse_occasion(read.tags),
        parse_crawford(read.tags),
        tuple(problems),
        (Remark("\n".join(read.remarks)),) if read.remarks else (),
    )


def _names_of_tags(tags: Mapping[str, str]) -> tuple[str, str]:
    return tags.get("player 1", ""), tags.get("player 2", "")


def _read_line(file: _MatFile, number: int, line: str) -> None:
    if not line.strip():
        return
    tag = parse_tag(line) if not file.games or line.lstrip().startswith(";") else None
    if tag is not None:
        file.tags.setdefault(*tag)
        if tag[0] not in READ_TAGS:
            file.keep_remark(number, format_unread_tag(line))
        return
    length = parse_length(line)
    if length is not None:
        file.length = length
    elif is_game_line(line):
        if len(file.games) >= MOST_GAMES:
            raise transcript.UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        file.games.append(_MatGame(number))
    elif file.games and not line.lstrip().startswith(_REMARKS):
        for row in split_rows(line):
            _read_game_line(file, file.games[-1], number, row)
    elif not _read_set_position(file, number, line):
        file.keep_remark(number, line.strip(_FRAME))


def _read_set_position(file: _MatFile, number: int, line: str) -> bool:
    found = parse_set_position(line) if file.games else None
    if found is None:
        return False
    file.games[-1].boards.append(transcript.BoardEntry(number, found.board))
    if not found.is_cube_in_the_middle:
        file.report_unreadable(number, "the cube that is set here is not read")
    return True


def _read_game_line(file: _MatFile, game: _MatGame, number: int, line: str) -> None:
    cells = parse_row(line)
    turns = tuple(cell for cell in cells or () if not (cell.kind in _POINTS_WON and cell.text and _is_prose(cell)))
    if turns:
        file.add_row(_MatRow(number, turns, is_numbered=True))
    if cells is not None:
        if (not turns or turns != cells) and line.split(")")[-1].strip():
            file.report_unreadable(number, f"{line.strip()[:60]!r} is no turn; it was passed over")
        return
    scores = parse_names_and_scores(line) if not game.rows else None
    if scores is not None:
        (white, white_score), (black, black_score) = scores
        game.names, game.score = (white, black), (white_score, black_score)
        return
    bare = parse_cells(line)
    named = _find_named(line, bare[-1], game.names or _names_of_tags(file.tags)) if bare else None
    if named is not None:
        file.add_row(_MatRow(number, bare[-1:], is_numbered=False, player=named))
    elif bare and not line[: bare[0].column].strip() and not any(map(_is_prose, bare)):
        file.add_row(_MatRow(number, bare, is_numbered=False))  # a row without its number
    else:
        file.report_unreadable(number, f"{line.strip()[:60]!r} belongs to no match text; it was passed over")


def _find_named(line: str, cell: MatCell, names: tuple[str, str]) -> Player | None:
    """Who won or resigned by a line that says so with his name; None for any other line."""
    if cell.kind not in _ENDS or _is_prose(cell):
        return None
    front = line[: cell.column].strip().casefold()
    return next((one for one, name in zip(_COLUMNS, names, strict=True) if name and name.casefold() == front), None)


def _is_prose(cell: MatCell) -> bool:
    """`Double trouble` is prose: no word but `to 2` follows a word about the cube. A win has its points."""
    if cell.kind in _POINTS_WON:
        return cell.number is None
    words = cell.text.lower().removeprefix("to ")
    return cell.kind in _CUBE_ACTS and any(letter.isalpha() for letter in words)


def _build_game(
    game: _MatGame, names: tuple[str, str], problems: list[transcript.Problem]
) -> transcript.GameTranscript:
    """Reads plays up to the first unreadable one, then only the result. Columns may change from game to game."""
    entries: list[transcript.TranscriptEntry] = []
    is_readable = True
    is_turned = game.names is not None and game.names != names and game.names == names[::-1]
    for row, cell, player in _assign_players(game.rows):
        player = player.opponent if is_turned else player
        unread = transcript.ThrowEntry(row.line, player, None, transcript.PlayForm.NOT_PLAYED)
        if cell.kind is CellKind.LOSS:
            entries.append(transcript.ResignationEntry(row.line, player))
            entries.append(transcript.WinEntry(row.line, player.opponent, cell.number))
            continue
        try:
            found = _build_entry(row, cell, player) if is_readable or cell.kind is not CellKind.ROLL else unread
        except PlayTextError:
            sentence = f"line {row.line}: {cell.text[:60]!r} is no play"
            problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, row.line))
            found, is_readable = unread, False
        entries.append(found)
        if isinstance(found, transcript.ThrowEntry) and found.board is None:
            comments = find_comments(cell.text)
            entries.extend(transcript.RemarkEntry(row.line, Remark(one)) for one in comments)
    score = (game.score[1], game.score[0]) if is_turned and game.score is not None else game.score
    in_order = sorted((*game.boards, *entries, *game.remarks), key=lambda one: one.line)
    return transcript.GameTranscript(game.line, score, tuple(in_order), is_whole=is_readable)


def _assign_players(rows: list[_MatRow]) -> Iterator[tuple[_MatRow, MatCell, Player]]:
    """Every cell with its player."""
    numbered = [row for row in rows if row.is_numbered and _list_turn_cells(row)]
    for row in rows:
        turns = _list_turn_cells(row)
        alone = len(turns) == 1 and turns[0].column < RIGHT_FROM
        # A game that begins in the left column has a cell beside it, so a single cell in the first row is on the right.
        is_right_first = alone and row.is_numbered and row is numbered[0] and len(numbered) > 1
        at = 0
        for cell in row.cells:
            if row.player is not None:
                player = row.player
            elif cell.kind is CellKind.WIN or len(turns) == 1:
                player = _COLUMNS[cell.column >= RIGHT_FROM or (is_right_first and cell.kind is not CellKind.WIN)]
            else:
                player = _COLUMNS[at % 2]
                at += 1
            yield row, cell, player


def _list_turn_cells(row: _MatRow) -> list[MatCell]:
    return [cell for cell in row.cells if cell.kind is not CellKind.WIN]


def _build_entry(row: _MatRow, cell: MatCell, player: Player) -> transcript.TranscriptEntry:
    match cell.kind:
        case CellKind.ROLL:
            return _build_throw(row.line, cell, player)
        case CellKind.WIN:
            is_certain = row.player is not None or cell.column >= RIGHT_FROM
            return transcript.WinEntry(row.line, player, cell.number, is_certain=is_certain)
        case CellKind.RESIGN:
            return transcript.ResignationEntry(row.line, player, _parse_multiplier(cell.text))
        case _:
            return transcript.CubeEntry(row.line, player, _CUBE_ACTS[cell.kind], cell.number)


def _parse_multiplier(text: str) -> int | None:
    """`Resign gammon`."""
    words = text.lower().split()
    return 3 if "backgammon" in words else 2 if "gammon" in words else None


def _build_throw(line: int, cell: MatCell, player: Player) -> transcript.ThrowEntry:
    first, second = cell.dice or (0, 0)
    roll = (max(first, second), min(first, second)) if first and second else None
    text = cell.text
    entry = transcript.ThrowEntry(line, player, roll, transcript.PlayForm.PLAYED, text=text)
    if set(text) <= {"?", " "} and (text or roll is None):  # `00:` is no throw
        return replace(entry, play_form=transcript.PlayForm.NOT_PLAYED)
    if text.lower().startswith("illegal"):
        board = parse_board(text, player)
        return replace(
            entry, play_form=transcript.PlayForm.NOT_PLAYED if board is None else transcript.PlayForm.DUMP, board=board
        )
    return replace(entry, paths=parse_paths(text))
