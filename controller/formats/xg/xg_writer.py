"""Writes eXtreme Gammon's files: White becomes Player 1. Errors and luck that stand beside a turn
have their fields; the plays that a program weighed become words of the comment.

Every turn has two records as eXtreme Gammon writes them: the decision about the cube, and the play.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from controller.formats.exporting.game_replay import Replay, ReplayTurn, make_replay
from controller.formats.exporting.header_tags import find_date_and_time, has_crawford_game, uses_jacoby
from controller.formats.match_model import CubeAction, GameEnding, GameResult, MatchHistory
from controller.formats.positions.match_state import MatchState
from controller.formats.safe_text import display_name, one_line
from controller.formats.variations import Variation, find_variation
from controller.formats.xg import xg_records as xg
from controller.formats.xg.delphi_records import RecordLayout, Value, to_days
from controller.formats.xg.xg_archive import COMMENTS_FILE, INDEX_FILE, MATCH_FILE, pack_archive
from controller.formats.xg.xg_comments import Comments, pack_comments
from controller.match import CubeAct, Remark
from controller.rules import OFF, Player, ResultKind, Setup, Side, parse_setup

_VARIATIONS = {
    Variation.BACKGAMMON: xg.Variation.BACKGAMMON,
    Variation.NACKGAMMON: xg.Variation.NACKGAMMON,
    Variation.HYPERGAMMON: xg.Variation.HYPERGAMMON,
}
_KINDS = {ResultKind.SINGLE: 1, ResultKind.MARS: 2, ResultKind.KOKS: 3}
_SIGNS = {Player.WHITE: 1, Player.BLACK: -1, None: 0}
_RESIGNED = 100
_NO_DOUBLE, _DOUBLED, _NO_CHOICE, _NO_ANSWER = 0, 1, -2, -1
_DROP, _TAKE, _BEAVER = 0, 1, 2
_NONE = -1  # no comment, no rollout, no computer's choice
Board = tuple[int, ...]


def xg_file(match: MatchHistory) -> tuple[bytes, tuple[str, ...]]:
    """The file, and remarks about everything it cannot express. Raises NotForThisGameError."""
    variation = find_variation(match)
    replays = [make_replay(game, variation, match, can_put=True) for game in match.games]
    comments = Comments()
    header = _match_header(match, variation)
    remarks = tuple(remark for replay in replays for remark in replay.remarks)
    records = [record for replay in replays for record in _game_records(match, replay, comments)]
    header["comments"] = (comments.add(*match.remarks, Remark("\n".join(remarks))), _NONE)
    first = _record(xg.RecordType.MATCH_HEADER, xg.MATCH_HEADER, header)
    last = _match_footer(match)
    return _pack(match, [first, *records, last], comments), remarks


def xgp_file(match: MatchHistory, moment: MatchState) -> bytes:
    """One moment of a match as a file of one position. Raises NotForThisGameError."""
    header = _match_header(match, find_variation(match))
    board = _board(_setup(moment))
    cube = _cube_sign(moment.cube, moment.owner)
    game: dict[str, Value] = {
        "score": moment.score,
        "is_crawford": moment.is_crawford,
        "position": board,
        "number": 1,
        "is_in_progress": 1,
        "comments": (_NONE, _NONE),
    }
    turn = _Turn(moment.on_roll, board, cube)
    if moment.doubled:
        turn.doubled = _DOUBLED
    records = [
        _record(xg.RecordType.MATCH_HEADER, xg.MATCH_HEADER, header),
        _record(xg.RecordType.GAME_HEADER, xg.GAME_HEADER, game),
        _cube_record(turn, Comments()),
    ]
    if moment.dice is not None:
        records.append(_move_record(turn, moment.dice, board, None, _NONE))
    return _pack(match, records, Comments())


@dataclass(slots=True)
class _Turn:
    """What stands before a throw: the board, the cube and its decision."""

    player: Player
    board: Board
    cube: int
    doubled: int = _NO_DOUBLE
    answers: list[int] = field(default_factory=list)
    is_edited: bool = False
    note: Remark = field(default_factory=Remark)


@dataclass(slots=True)
class _Cursor:
    """The state between two turns of a game."""

    board: Board
    may_double: bool
    cube: int = 0
    is_edited: bool = False
    offer: list[CubeAction] = field(default_factory=list)
    note: Remark = field(default_factory=Remark)  # on the offer

    def begin_turn(self, player: Player, note: Remark) -> _Turn:
        """`note`: on the decision not to double."""
        turn = _Turn(player, self.board, self.cube, is_edited=self.is_edited, note=self.note.join(note))
        self.is_edited, self.note = False, Remark()
        if self.offer:
            turn.player = self.offer[0].player or player
            turn.doubled = _DOUBLED
            turn.answers = [_ANSWERS[one.act] for one in self.offer[1:]] or [_NO_ANSWER]
            taken = self.offer[-1]
            if taken.act is CubeAct.TAKEN:
                self.cube = _cube_sign(taken.value, turn.player.opponent)
            self.offer = []
        elif not self.may_double or self.cube * _SIGNS[player] < 0:
            turn.doubled = _NO_CHOICE
        return turn


_ANSWERS = {CubeAct.DROPPED: _DROP, CubeAct.TAKEN: _TAKE, CubeAct.BEAVERED: _BEAVER}


def _game_records(match: MatchHistory, replay: Replay, comments: Comments) -> Iterator[bytes]:
    game = replay.game
    board = _board(parse_setup(game.start))
    yield _record(
        xg.RecordType.GAME_HEADER,
        xg.GAME_HEADER,
        {
            "score": game.score,
            "is_crawford": game.is_crawford and has_crawford_game(match),
            "position": board,
            "number": game.number,
            "is_in_progress": game.result is None,
            "comments": (comments.add(*game.remarks_after(0)), comments.add(*game.remarks_on_result)),
        },
    )
    cursor = _Cursor(board, may_double=False)
    for cell, note in zip(replay.cells, replay.notes, strict=True):
        match cell:
            case CubeAction():
                cursor.offer.append(cell)
                cursor.note = cursor.note.join(note)
            case ReplayTurn():
                yield from _turn_records(cursor, cell, note, comments)
                cursor.may_double = not game.is_crawford
            case _:
                cursor.board, cursor.is_edited = _board(parse_setup(cell.position)), True
    if cursor.offer:
        yield _cube_record(cursor.begin_turn(cursor.offer[0].player or Player.WHITE, Remark()), comments)
    if game.thrown is not None and replay.is_whole:  # the player may have resigned after it
        turn = cursor.begin_turn(game.thrown.player, Remark())
        yield _cube_record(turn, comments)
        turn.note = Remark()
        yield _move_record(turn, game.thrown.roll, turn.board, None, _NONE)
    if game.result is not None:
        yield _game_footer(match, replay, game.result)


def _turn_records(cursor: _Cursor, cell: ReplayTurn, note: Remark, comments: Comments) -> Iterator[bytes]:
    played = cell.turn
    cursor.board = _board(parse_setup(played.before))
    turn = cursor.begin_turn(played.player, Remark(cube_error=note.cube_error, answer_error=note.answer_error))
    yield _cube_record(turn, comments)
    turn.player, turn.cube, turn.note = played.player, cursor.cube, note
    cursor.board = _board(parse_setup(played.after or played.before))
    words = Remark(note.text, note.source if note.is_of_decision else "", candidates=note.candidates)
    comment = comments.add(Remark(cell.remark), words)
    yield _move_record(turn, cell.dice, cursor.board, cell.steps, comment)


def _format_error(given_away: float | None) -> float:
    return xg.NOT_ANALYSED if given_away is None else -given_away


def _cube_record(turn: _Turn, comments: Comments) -> bytes:
    answers = [*turn.answers, _NO_ANSWER, _NO_ANSWER, _NO_ANSWER]
    return _record(
        xg.RecordType.CUBE,
        xg.CUBE,
        {
            "player": _SIGNS[turn.player],
            "doubled": turn.doubled,
            "answer": answers[0],
            "answer_to_beaver": answers[1],
            "answer_to_raccoon": answers[2],
            "cube": turn.cube,
            "position": turn.board,
            "error": _format_error(turn.note.cube_error),
            "error_of_answer": _format_error(turn.note.answer_error),
            "rollout": _NONE,
            "choice": _NONE,
            "level": _NONE,
            "more_errors": (xg.NOT_ANALYSED, xg.NOT_ANALYSED),
            "asked_level": _NONE,
            "tutor_errors": (xg.NOT_ANALYSED, xg.NOT_ANALYSED),
            "comment": comments.add(Remark(turn.note.text)),
            "is_edited": turn.is_edited,
        },
    )


def _move_record(
    turn: _Turn,
    roll: tuple[int, int],
    after: Board,
    steps: tuple[tuple[int, int], ...] | None,
    comment: int,
) -> bytes:
    """`steps` None: the roll was not played."""
    places = [place for step in steps or () for place in map(_place, step)]
    seen = after if turn.player is Player.WHITE else xg.turn_position(after)
    return _record(
        xg.RecordType.MOVE,
        xg.MOVE,
        {
            "before": turn.board,
            "after": seen,
            "player": _SIGNS[turn.player],
            "steps": tuple((places + [_NONE] * 8)[:8]),
            "dice": roll,
            "cube": turn.cube,
            "is_played": steps is not None,
            "error": _format_error(turn.note.play_error),
            "luck": xg.NOT_ANALYSED if turn.note.luck is None else turn.note.luck,
            "choice": _NONE,
            "rollouts": (_NONE,) * 32,
            "level": _NONE,
            "level_of_luck": _NONE,
            "tutor_error": xg.NOT_ANALYSED,
            "comment": comment,
            "is_edited": turn.is_edited,
        },
    )


def _game_footer(match: MatchHistory, replay: Replay, result: GameResult) -> bytes:
    termination = 0 if result.ending is GameEnding.DROPPED else _KINDS.get(result.kind, 1)
    if result.ending in (GameEnding.RESIGNED, GameEnding.REPORTED):
        termination += _RESIGNED
    at = match.games.index(replay.game)
    following = match.games[at + 1] if at + 1 < len(match.games) else None
    return _record(
        xg.RecordType.GAME_FOOTER,
        xg.GAME_FOOTER,
        {
            "score": result.score,
            "is_crawford_next": following is not None and following.is_crawford,
            "winner": _SIGNS[result.winner],
            "points": result.points,
            "termination": termination,
            "error_of_resigning": xg.NOT_ANALYSED,
            "error_of_answer": xg.NOT_ANALYSED,
            "level": _NONE,
        },
    )


def _match_header(match: MatchHistory, variation: Variation) -> dict[str, Value]:
    occasion = match.occasion
    texts = {
        "player_1": display_name(match, Player.WHITE),
        "player_2": display_name(match, Player.BLACK),
        "event": one_line(occasion.event),
        "site": one_line(occasion.site),
        "round": one_line(occasion.round),
    }
    return {
        **texts,
        **{f"{name}_ansi": text for name, text in texts.items()},
        "transcriber": one_line(occasion.transcriber),
        "length": match.length or xg.MONEY,
        "variation": _VARIATIONS[variation],
        "crawford": has_crawford_game(match),
        "jacoby": uses_jacoby(match),
        "beaver": not match.length and match.rules is not None and match.rules.beaver,
        "elo": (1600.0, 1600.0),  # what a player without a rating has
        "date": _days(match),
        "levels": (_NONE, _NONE),
        "is_imported": 1,
        "invert": 1,
        "version": xg.VERSION,
        "magic": xg.MAGIC,
        "comments": (_NONE, _NONE),
        "site_number": _NONE,
        "cube_limit": 10,  # 1024
        "is_transcribed": 1,
    }


def _match_footer(match: MatchHistory) -> bytes:
    return _record(
        xg.RecordType.MATCH_FOOTER,
        xg.MATCH_FOOTER,
        {
            "score": match.final_score,
            "winner": _SIGNS[match.winner],
            "elo": (1600.0, 1600.0),
            "date": _days(match),
        },
    )


def _days(match: MatchHistory) -> float:
    date, time = find_date_and_time(match)
    try:
        return to_days(datetime.fromisoformat(f"{date}T{time or '00:00'}"))
    except ValueError:
        return 0.0


def _record(kind: xg.RecordType, layout: RecordLayout, values: dict[str, Value]) -> bytes:
    record = bytearray(layout.write(values))
    record[xg.TYPE_AT] = kind
    return bytes(record)


def _pack(match: MatchHistory, records: list[bytes], comments: Comments) -> bytes:
    files = {
        INDEX_FILE: records[0] + records[-1],
        MATCH_FILE: b"".join(records),
    }
    if comments.texts:  # a reader of others takes an empty file for damage
        files[COMMENTS_FILE] = pack_comments(comments.texts)
    match_id = uuid.uuid5(uuid.NAMESPACE_OID, match.match_id or repr(match.games)).bytes_le
    name = f"{display_name(match, Player.WHITE)} - {display_name(match, Player.BLACK)}"
    return pack_archive(files, match_id=match_id, name=name)


def _setup(moment: MatchState) -> Setup:
    white, black = (Side(0, counts[:24], counts[24]) for counts in (moment.white, moment.black))
    return Setup(white, black)


def _board(setup: Setup) -> Board:
    white, black = setup.white.counts[:26], setup.black.counts[:26]
    return (-black[25], *(white[point] - black[25 - point] for point in range(1, 25)), white[25])


def _cube_sign(value: int, owner: Player | None) -> int:
    return (value.bit_length() - 1) * (_SIGNS[owner] or 1)


def _place(place: int) -> int:
    return -2 if place == OFF else place - 1
