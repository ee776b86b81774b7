"""Reads a log that was exported as JSON lines; verifies the hash chain and judges every play again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.formats.importing.play_verifier import PlayVerifier
from controller.formats.limits import MOST_EVENTS_OF_GAME, MOST_GAMES
from controller.formats.transcript import Problem, ProblemKind, UnreadableFileError
from controller.match import EventRevised, GameStarted, PlayMade, RefereeEvent
from controller.match_log.chain import ChainRow, MatchFacts, PictureDigest, first_link, next_link
from controller.match_log.errors import EventTextError
from controller.match_log.event_json import canonical_text, parse_event
from controller.match_log.schema import SCHEMA_VERSION
from controller.match_log.turns import parse_revision, revise
from controller.rules import RulesError

_HEAD = "zarbiter_match"
# Errors that a foreign log can cause although each of its events is well formed.
_EVENT_ERRORS = (ValueError, KeyError, TypeError, IndexError, RecursionError, RuntimeError, RulesError, OverflowError)


@dataclass(frozen=True, slots=True)
class ParsedLog:
    """The part of a log that was kept."""

    facts: MatchFacts
    events: tuple[RefereeEvent, ...]
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class _LogState:
    facts: MatchFacts
    link: bytes
    verifier: PlayVerifier = field(default_factory=PlayVerifier)
    events: list[RefereeEvent] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    is_chained: bool = True
    games: int = 0
    n_events_of_game: int = 0
    turns: int = 0


def read_jsonl(text: str) -> ParsedLog:
    """Reads up to the first line that is no event. Raises UnreadableFileError if the text is no log."""
    lines = _number_lines(text)
    facts = _parse_facts(next(lines, (1, ""))[1])
    log = _LogState(facts, first_link(facts, SCHEMA_VERSION))
    for number, line in lines:
        try:
            _add_line(log, number, line)
        except UnreadableFileError:
            raise
        except _EVENT_ERRORS as error:
            reason = str(error).rstrip(".") if isinstance(error, EventTextError) else "it is no event that can follow"
            sentence = f"line {number}: {reason}; the {len(log.events)} events before it are kept, the rest is not"
            log.problems.append(Problem(ProblemKind.UNREADABLE, sentence, number, log.games))
            break
    if not log.is_chained:
        sentence = "its hashes do not fit its events: it was changed after it was written"
        log.problems.insert(0, Problem(ProblemKind.ORDER, sentence))
    if not log.games:
        raise UnreadableFileError("there is no game in it")
    _judge_revisions(log)
    return ParsedLog(facts, tuple(log.events), tuple(log.problems))


def _judge_revisions(log: _LogState) -> None:
    """Judges the plays that were put right, each where it belongs. Corrections that cannot stand there are not kept."""
    revised = {event.number for event in log.events if isinstance(event, EventRevised)}
    verifier = PlayVerifier()
    try:
        for number, event in enumerate(revise(log.events) if revised else (), 1):
            rules, sentence = verifier.verify_event(event)
            if number in revised and sentence and isinstance(event, PlayMade):
                where = f"event {number} as it was put right, {event.play[:60]!r}"
                names = tuple(rule.value for rule in rules)
                problem = Problem(ProblemKind.ILLEGAL_PLAY, f"{where}: {sentence}", player=event.player, rules=names)
                log.problems.append(problem)
    except _EVENT_ERRORS:
        log.events = [event for event in log.events if not isinstance(event, EventRevised)]
        sentence = "what was put right in it makes no match; what the referee ruled is kept"
        log.problems.append(Problem(ProblemKind.UNREADABLE, sentence))


def _number_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty. Only a line feed ends a line, because names may contain any other character."""
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def _parse_facts(line: str) -> MatchFacts:
    try:
        record = json.loads(line)
        version = record[_HEAD]
        facts = MatchFacts(record["match"], record["game"], record["created"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise UnreadableFileError(f"its first line is none of a match log ({_HEAD})") from None
    if version != SCHEMA_VERSION or not all(isinstance(one, str) for one in (facts.match_id, facts.game)):
        raise UnreadableFileError("it was written by another version; use the zarbiter that wrote it")
    return facts


def _add_line(log: _LogState, number: int, line: str) -> None:
    event = _parse_event_line(log, line)
    rules, sentence = log.verifier.verify_event(event)
    log.n_events_of_game += 1
    if log.n_events_of_game > MOST_EVENTS_OF_GAME:
        raise UnreadableFileError(f"line {number}: a game has more than {MOST_EVENTS_OF_GAME:,} events")
    if isinstance(event, GameStarted):
        log.games += 1
        log.n_events_of_game = 0
        if log.games > MOST_GAMES:
            raise UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
    if isinstance(event, PlayMade):
        log.turns += 1
    if sentence and isinstance(event, PlayMade):
        where = f"line {number}: game {log.games}, play {log.turns}, {event.play[:60]!r}"
        names = tuple(rule.value for rule in rules)
        place = (number, log.games, log.turns, event.player, names)
        log.problems.append(Problem(ProblemKind.ILLEGAL_PLAY, f"{where}: {sentence}", *place))
    if isinstance(event, EventRevised):
        parse_revision(event, log.events)
    log.events.append(event)


def _parse_event_line(log: _LogState, line: str) -> RefereeEvent:
    record = json.loads(line)
    text = canonical_text(record["event"])
    event = parse_event(text)
    pictures = tuple(
        PictureDigest(one["kind"], one["width_px"], one["height_px"], one["bytes"], bytes.fromhex(one["sha256"]))
        for one in record["pictures"]
    )
    row = ChainRow(record["sequence"], record["written"], event.at_ms, text, pictures)
    log.link = next_link(log.link, row)
    log.is_chained &= log.link.hex() == record["hash"]
    return event
