"""A score sheet to print, for every game: one self-contained HTML file, with boards of the disputed turns.

All text from people is escaped. An `EvidenceSource` supplies the photographs of a turn, which are embedded as data.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from controller.formats import match_model
from controller.formats.exporting.header_tags import find_date_and_time
from controller.formats.reports import svg
from controller.formats.reports.board_svg import board_svg
from controller.formats.reports.match_statistics import compute_statistics
from controller.formats.reports.statistics_svg import statistics_svg
from controller.formats.safe_text import display_name, one_line
from controller.match import CubeAct
from controller.match_log import MatchLogError, MatchRecord, TurnRuling
from controller.match_log.replay import read_picture
from controller.rules import Player, ResultKind
from controller.wording.log_text import describe_set_up

_MOST_PICTURES_OF_TURN = 6
_QR_MODULE_PX = 4
"""At 96 px an inch a module is 1 mm wide, which any phone reads from paper."""
EvidenceSource = Callable[[match_model.PlayedTurn], tuple[bytes, ...]]

_STYLE = """
body { font: 11pt/1.35 sans-serif; margin: 1.5cm; color: #000; }
h1 { font-size: 16pt; } h2 { font-size: 13pt; margin: 1.2em 0 .3em; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid #999; padding: .1em .4em; text-align: left; vertical-align: top; }
td.n { width: 2.5em; text-align: right; } tr { break-inside: avoid; }
.note { font-size: 9pt; } .bad { font-weight: bold; }
figure { display: inline-block; margin: .5em 1em .5em 0; break-inside: avoid; } figcaption { font-size: 9pt; }
.signed td { height: 2.2em; } .signed td:last-child { width: 50%; color: #666; font-size: 9pt; }
figure img { max-width: 9cm; }
"""
_KINDS = {
    ResultKind.KOKS_UNMOVED: "koks",
    ResultKind.KOKS: "backgammon (koks)",
    ResultKind.HOME_MARS: "home mars",
    ResultKind.MARS: "gammon (mars)",
    ResultKind.SINGLE: "",
    ResultKind.MOTHER: "mother checker",
    ResultKind.DRAW: "",
}
_ENDINGS = {
    match_model.GameEnding.PLAYED_OUT: "",
    match_model.GameEnding.DROPPED: "the double was dropped",
    match_model.GameEnding.RESIGNED: "resigned",
    match_model.GameEnding.REPORTED: "as the players said",
}


@dataclass(frozen=True, slots=True)
class EvidenceLoader:
    """The JPEG files of a ruling, read from a match log; pruned pictures are missing."""

    record: MatchRecord
    path: Path

    def __call__(self, turn: match_model.PlayedTurn) -> tuple[bytes, ...]:
        if not 0 < turn.event <= len(self.record.logged):
            return ()
        pictures = self.record.logged[turn.event - 1].pictures
        found: list[bytes] = []
        for number in range(min(len(pictures), _MOST_PICTURES_OF_TURN)):
            try:
                content = read_picture(self.path, turn.event, number)
            except MatchLogError:
                continue
            if content is not None:
                found.append(content)
        return tuple(found)


def no_evidence(_turn: match_model.PlayedTurn) -> tuple[bytes, ...]:
    """The evidence source of a match without pictures."""
    return ()


@dataclass(frozen=True, slots=True)
class SheetProof:
    """What proves which log the sheet was printed from: its number of events and its head, also as the rows of a QR code."""

    n_events: int
    head: str
    qr_rows: tuple[str, ...]


def proof_text(match_id: str, n_events: int, head: str) -> str:
    """The content of the QR code."""
    return f"zarbiter log verify {match_id} --head {head} ({n_events} events)"


def sheet_html(
    match: match_model.MatchHistory, evidence: EvidenceSource = no_evidence, proof: SheetProof | None = None
) -> str:
    """The page; `evidence` returns the JPEG files of a disputed turn."""
    title = f"{display_name(match, Player.WHITE)} - {display_name(match, Player.BLACK)}"
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style></head><body>',
        f"<h1>{escape(title)}</h1>",
        f"<p>{'<br>'.join(escape(line) for line in _describe_match(match))}</p>",
        *(_game_html(match, game, evidence) for game in match.games),
        f"<h2>Facts</h2>{statistics_svg(match, compute_statistics(match))}",
        *_close_sheet(match, proof),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _close_sheet(match: match_model.MatchHistory, proof: SheetProof | None) -> Iterator[str]:
    """The set-up, who has confirmed the score, the head of the log, and lines for signatures."""
    white, black = match.final_score
    yield f"<h2>Result {white}-{black}</h2>"
    rows = "".join(_signature_row(display_name(match, one), one in match.confirmed_by) for one in Player)
    yield f'<table class="signed">{rows}{_signature_row("Director", False)}</table>'
    if match.set_up is not None:
        yield f'<p class="note">{"<br>".join(escape(one_line(line)) for line in describe_set_up(match.set_up))}</p>'
    if proof is not None:
        words = f"Head of the log after {proof.n_events} events: {proof.head}"
        yield _figure(_qr_svg(proof), words)


def _signature_row(name: str, is_confirmed: bool) -> str:
    said = "has confirmed the score at the table" if is_confirmed else ""
    return f"<tr><td>{escape(name)}</td><td>{said}</td><td>signature</td></tr>"


def _qr_svg(proof: SheetProof) -> str:
    modules = "".join(
        f"M{column} {row}h1v1h-1z"
        for row, line in enumerate(proof.qr_rows)
        for column, module in enumerate(line)
        if module == "1"
    )
    size = len(proof.qr_rows)
    drawn = svg.element("path", d=modules, transform=f"scale({_QR_MODULE_PX})", shape_rendering="crispEdges")
    return svg.picture(drawn, _QR_MODULE_PX * size, _QR_MODULE_PX * size, "QR code of the head")


def _describe_match(match: match_model.MatchHistory) -> Iterator[str]:
    length = f"match to {match.length} points" if match.length else "money games"
    yield f"{match.game}, {length}; rules of officiating: {one_line(match.profile) or 'not recorded'}"
    date, time = find_date_and_time(match)
    occasion = match.occasion
    round_ = occasion.round and f"round {occasion.round}"
    parts = (occasion.event, round_, occasion.site, date, time, occasion.transcriber)
    line = ", ".join(one_line(part) for part in parts if part)
    if line:
        yield line
    yield f"White: {display_name(match, Player.WHITE)}. Black: {display_name(match, Player.BLACK)}."
    white, black = match.final_score
    winner = "" if match.winner is None else f"; {display_name(match, match.winner)} won the match"
    yield f"Score {white}-{black}{winner}."
    if match.out_of_time is not None:
        yield f"{display_name(match, match.out_of_time)} ran out of time."


def _game_html(match: match_model.MatchHistory, game: match_model.GameHistory, evidence: EvidenceSource) -> str:
    crawford = ", Crawford game" if game.is_crawford and (match.length or 0) > 1 else ""
    openings = ", ".join(f"{white}-{black}" for white, black in game.openings)
    parts = [f"<h2>Game {game.number} ({game.score[0]}-{game.score[1]}{crawford})</h2>"]
    if openings:
        parts.append(f'<p class="note">Opening throw, White first: {openings}</p>')
    head = "".join(f"<th>{escape(display_name(match, player))}</th>" for player in Player)
    rows = "".join(f'<tr><td class="n">{n}</td><td>{w}</td><td>{b}</td></tr>' for n, w, b in _pair_columns(game))
    parts.append(f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>")
    parts.append(f"<p><b>{escape(_format_result(match, game))}</b></p>")
    parts.extend(_list_disputes(match, game, evidence))
    last = next((turn for turn in reversed(game.played_turns) if turn.after is not None), None)
    if last is not None and last.after is not None:
        parts.append(_figure(board_svg(last.after, match.rules, "board"), "The board at the end"))
    return "\n".join(parts)


def _pair_columns(game: match_model.GameHistory) -> Iterator[tuple[int, str, str]]:
    """The rows of the table: number, White's cell, Black's cell."""
    number, left = 0, ""
    for player, words in map(_format_turn, game.turns):
        if player is Player.BLACK:
            number += 1
            yield number, left, words
            left = ""
        else:
            if left:
                number += 1
                yield number, left, ""
            left = words
    if left:
        yield number + 1, left, ""


def _format_turn(turn: match_model.GameAction) -> tuple[Player, str]:
    """The player whose column it is, and the content of the cell as HTML."""
    match turn:
        case match_model.PlayedTurn():
            return turn.player, _format_play(turn)
        case match_model.CubeAction():
            words = {
                CubeAct.OFFERED: f"doubles to {turn.value}",
                CubeAct.BEAVERED: f"beavers to {turn.value}",
                CubeAct.TAKEN: "takes",
                CubeAct.DROPPED: "drops",
                CubeAct.DOUBLED_BY_EQUAL_DICE: f"equal dice: the cube is {turn.value}",
            }
            return turn.player or Player.WHITE, words[turn.act]
        case match_model.Resignation():
            answer = {True: ", accepted", False: ", refused", None: ""}[turn.is_accepted]
            kind = _KINDS[turn.kind] or "single game"
            return turn.player, f"offers to resign a {kind}{answer}"
        case match_model.BoardPut():  # pragma: no branch - mypy sees that no other case is left
            return Player.WHITE, match_model.describe_board_put(turn)


def _format_play(turn: match_model.PlayedTurn) -> str:
    roll = "-".join(map(str, turn.roll))
    origin = " (handed over)" if turn.is_handed_over else ""
    words = escape(f"{roll}{origin}: " if roll else "") + escape(one_line(turn.play or ""))
    notes = []
    if turn.ruling is TurnRuling.ILLEGAL:
        state = "not legal, stands" if turn.clause else "not legal, not settled"
        words += f'<span class="bad">{state}</span>'
        notes.append(", ".join(rule.value.replace("_", " ") for rule in turn.rules))
    if turn.ruling is TurnRuling.NOT_SEEN:
        words += '<span class="bad">not seen</span>'
    if turn.ruling is TurnRuling.UNSURE:
        words += '<span class="bad">not recognised</span>'
    notes.extend(f"taken back: {', '.join(r.value.replace('_', ' ') for r in one.rules)}" for one in turn.taken_back)
    notes.extend(f"throw not counted: {', '.join(r.value.replace('_', ' ') for r in one)}" for one in turn.bad_throws)
    return words + "".join(f'<br><span class="note">{escape(note)}</span>' for note in notes if note)


def _format_result(match: match_model.MatchHistory, game: match_model.GameHistory) -> str:
    result, thrown = game.result, game.thrown
    if result is None:
        roll = (
            "" if thrown is None else f"; {display_name(match, thrown.player)} has thrown {_format_roll(thrown.roll)}"
        )
        return f"Not finished{roll}."
    if result.winner is None:
        return f"A draw. {result.score[0]}-{result.score[1]}."
    details = ", ".join(filter(None, (_KINDS[result.kind], _ENDINGS[result.ending])))
    points = f"{result.points} point{'' if result.points == 1 else 's'}"
    how = f" ({details})" if details else ""
    return f"{display_name(match, result.winner)} wins {points}{how}. {result.score[0]}-{result.score[1]}."


def _list_disputes(
    match: match_model.MatchHistory, game: match_model.GameHistory, evidence: EvidenceSource
) -> Iterator[str]:
    """The boards of turns with an illegal or unrecognised play, with the photographs."""
    for turn in game.played_turns:
        if turn.ruling is TurnRuling.LEGAL and not turn.taken_back:
            continue
        front = f"Turn {turn.number}, {display_name(match, turn.player)} with {_format_roll(turn.roll)}"
        yield _figure(board_svg(turn.before, match.rules, "before"), f"{front}: before")
        for attempt in turn.taken_back:
            yield _figure(board_svg(attempt.after, match.rules, "attempt"), f"{front}: taken back")
        if turn.after is not None:
            yield _figure(board_svg(turn.after, match.rules, "after"), f"{front}: {turn.clause or 'after'}")
        for jpeg in evidence(turn):
            source = f"data:image/jpeg;base64,{b64encode(jpeg).decode('ascii')}"
            yield _figure(f'<img alt="photograph" src="{source}">', f"{front}: as the camera saw it")


def _figure(inside: str, caption: str) -> str:
    return f"<figure>{inside}<figcaption>{escape(one_line(caption))}</figcaption></figure>"


def _format_roll(roll: tuple[int, ...]) -> str:
    return "-".join(map(str, roll)) or "no dice"
