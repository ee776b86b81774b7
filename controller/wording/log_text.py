"""The output of `zarbiter log`: matches, turns and verdicts, as lines for people and as JSON objects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile

from controller.match import (
    GameWon,
    MatchStarted,
    PlayCondoned,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    Remark,
    RemarkMade,
    SetUpCertified,
)
from controller.match_log import BrokenChain, IntactChain, MatchRecord, TurnLine, TurnRuling, turn_lines
from controller.match_log.catalogue import MatchListing, MatchSummary
from controller.rules import BadThrow
from controller.wording.remark_text import remark_lines

_HEADINGS = ("MATCH", "GAME", "PLAYERS", "SCORE", "EVENTS", "SIZE", "BEGUN")
_TO_THE_RIGHT = {"EVENTS", "SIZE"}
_GAP = "  "
_RULINGS = (PlayMade, PlayRefused, PlayUnclear, PlayCondoned)


def list_record(match: MatchListing) -> dict[str, object]:
    """The line of `log list --json`."""
    known: dict[str, object] = {"match": match.name, "path": str(match.path), "bytes": match.n_bytes}
    summary = match.summary
    if summary is None:
        return {**known, "error": match.problem}
    return {
        **known,
        "game": summary.game,
        "white": summary.white,
        "black": summary.black,
        "length": summary.length,
        "score": [summary.white_score, summary.black_score],
        "winner": summary.winner_name,
        "events": summary.n_events,
        "created": summary.created_utc,
        "being_written": match.is_being_written,
    }


def list_lines(matches: Sequence[MatchListing]) -> Iterator[str]:
    """A table of the readable matches; empty without one."""
    rows = [_list_row(match, match.summary) for match in matches if match.summary is not None]
    if not rows:
        return
    table = [_HEADINGS, *rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(_HEADINGS))]
    for row in table:
        cells = (
            cell.rjust(width) if heading in _TO_THE_RIGHT else cell.ljust(width)
            for cell, width, heading in zip(row, widths, _HEADINGS, strict=True)
        )
        yield _GAP.join(cells).rstrip()


def show_lines(match: MatchRecord, name: str) -> Iterator[str]:
    """A title with the name of the match, and one line for each turn."""
    yield _format_title(match, name)
    turns = turn_lines(match.events)
    yield from _list_set_up(match.events)
    yield from _list_first_remarks(match.events)
    if not turns:
        yield "no turn has been ruled yet"
        return
    plays = [turn.play or "-" for turn in turns]
    width = max(map(len, plays))
    for turn, play in zip(turns, plays, strict=True):
        roll = "-".join(map(str, turn.roll))
        yield f"{turn.turn:4}  {turn.player.value}  {roll:<5}  {play:<{width}}  {_format_ruling(turn)}".rstrip()
        yield from _indent(turn.remarks)


def _list_set_up(events: Sequence[RefereeEvent]) -> Iterator[str]:
    """The newest certificate: a match that went on may have been set up anew."""
    certified = next((event for event in reversed(events) if isinstance(event, SetUpCertified)), None)
    return iter(()) if certified is None else describe_set_up(certified)


def describe_set_up(certified: SetUpCertified) -> Iterator[str]:
    """Who answers for the set-up, how good the calibration is, and the digests, a line each."""
    off = "not measured" if certified.error_mm is None else f"{certified.error_mm:g} mm off on average"
    by = f" by {certified.by}" if certified.by else ""
    yield f"Set up{by}; board calibrated {certified.calibrated}, {off}."
    yield f"Calibration SHA-256 {certified.calibration}"
    yield f"Settings SHA-256 {certified.settings}"


def _list_first_remarks(events: Sequence[RefereeEvent]) -> Iterator[str]:
    """Those on the match and its first game, which stand before the first turn."""
    before = takewhile(lambda event: not isinstance(event, _RULINGS), events)
    return _indent(tuple(event.remark for event in before if isinstance(event, RemarkMade)))


def _indent(remarks: tuple[Remark, ...]) -> Iterator[str]:
    return (f"      {line}" for remark in remarks for line in remark_lines(remark))


@dataclass(frozen=True, slots=True)
class Proof:
    """What a `head` that was noted, or a `signature`, proves: the match up to `event`, or nothing and why (`problem`)."""

    kind: str
    event: int | None
    problem: str = ""

    @property
    def is_good(self) -> bool:
        return self.event is not None


def verdict_record(name: str, verdict: IntactChain | BrokenChain, proofs: Sequence[Proof] = ()) -> dict[str, object]:
    """The line of `log verify --json`."""
    found = {proof.kind: {"event": proof.event, "problem": proof.problem or None} for proof in proofs}
    match verdict:
        case IntactChain():
            counts = {"events": verdict.events, "pictures": verdict.pictures, "pruned": verdict.pruned}
            return {"match": name, "intact": True, **counts, "last_hash": verdict.last_hash, **found}
        case BrokenChain():
            return {"match": name, "intact": False, "event": verdict.sequence, "problem": verdict.problem}


def verdict_line(name: str, verdict: IntactChain | BrokenChain, proofs: Sequence[Proof] = ()) -> str:
    match verdict:
        case IntactChain():
            pruned = f", {verdict.pruned} deleted to save space" if verdict.pruned else ""
            counts = f"{_format_count(verdict.events, 'event')}, {_format_count(verdict.pictures, 'picture')}{pruned}"
            head = f", head {verdict.last_hash}" if verdict.last_hash else ""
            return "; ".join((f"{name}: intact, {counts}{head}", *map(_format_proof, proofs)))
        case BrokenChain():
            where = "" if verdict.sequence is None else f"event {verdict.sequence}: "
            return f"{name}: broken: {where}{verdict.problem}"


def _format_proof(proof: Proof) -> str:
    if not proof.is_good:
        return f"NOT PROVED: {proof.problem}"
    return f"{'noted head' if proof.kind == 'head' else 'signature'} holds up to event {proof.event}"


def _list_row(match: MatchListing, summary: MatchSummary) -> tuple[str, ...]:
    players = f"{summary.white} - {summary.black}" if summary.white or summary.black else "not begun"
    score = f"{summary.white_score}-{summary.black_score}" + (f" to {summary.length}" if summary.length else "")
    if summary.winner_name is not None:
        score += f", {summary.winner_name} won"
    begun = _format_local_time(summary.created_utc) + (", being written" if match.is_being_written else "")
    return (match.name, summary.game, players, score, f"{summary.n_events:,}", _format_size(match.n_bytes), begun)


def _format_title(match: MatchRecord, name: str) -> str:
    started = next((event for event in match.events if isinstance(event, MatchStarted)), None)
    title = f"{name}  {match.facts.game}"
    if started is None:
        return title
    length = f" to {started.length}" if started.length else ""
    score = _find_score(started, match.events)
    return f"{title}, {started.white} (W) - {started.black} (B), {score[0]}-{score[1]}{length}"


def _find_score(started: MatchStarted, events: Sequence[RefereeEvent]) -> tuple[int, int]:
    won = [event for event in events if isinstance(event, GameWon)]
    last = won[-1] if won else started
    return last.white_score, last.black_score


def _format_ruling(turn: TurnLine) -> str:
    details = [", ".join(rule.value for rule in turn.rules)] if turn.ruling is TurnRuling.ILLEGAL else []
    if turn.bad_throws:
        details.append(f"thrown before: {'; '.join(map(_join_reasons, turn.bad_throws))}")
    return f"{turn.ruling.value:<8}  {'  '.join(details)}"


def _join_reasons(reasons: tuple[BadThrow, ...]) -> str:
    return ", ".join(reason.value for reason in reasons)


def _format_local_time(utc: str) -> str:
    """In the local time zone; text that is no time stays as it is."""
    try:
        return datetime.fromisoformat(utc).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return utc[:20]


def _format_size(n_bytes: int) -> str:
    return f"{n_bytes / 1_000_000:.1f} MB" if n_bytes >= 1_000_000 else f"{max(1, n_bytes // 1_000)} kB"


def _format_count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
