"""Events as JSON for the page: the event itself, a line of text, and the clauses on which a ruling rests."""

import json
from collections.abc import Iterable
from typing import Annotated

from controller.match import (
    Clause,
    DiceRolled,
    PlayCondoned,
    PlayRefused,
    RefereeEvent,
    Remark,
    ThrowRefused,
    TurnEnded,
    clause_text,
)
from controller.match_log.event_json import JsonValue, event_text
from controller.refereeing.match_config import MatchConfig
from controller.rules import BadThrow
from controller.speech.event_filter import should_speak
from controller.speech.event_phrases import phrase_corrections, phrase_event, phrase_margin, phrase_remark
from controller.speech.phrases import Sentence, phrase_json
from controller.speech.rule_sentences import parse_rule_sentences
from controller.web.match.live_match import NumberedEvent
from controller.web.match.visibility import Viewer, may_see_event
from controller.wording.ruling_text import ruling_text

SentenceJson = Annotated[JsonValue, "Sentence"]
"""A key of the language packs with its values, or text that no pack has; the schema describes it by hand."""
WITHHELD = "Withheld"
"""The name that replaces an event withheld from spectators. Its number stays, so that no event seems to be lost."""

_CLAUSE_OF = {
    BadThrow.SPLIT: Clause.WRONG_HALF,
    BadThrow.WRONG_HALF: Clause.WRONG_HALF,
    BadThrow.TOO_EARLY: Clause.EARLY_THROW,
}


def make_event_json(one: NumberedEvent, table: MatchConfig, viewer: Viewer) -> str:
    """One JSON object: `number`, `event` as in the log, `text` (empty for events without a line), `said` and `aloud`.

    `said` is the text as keys and values, for pages in any language; `aloud` is whether a voice may say it in this mode.
    """
    if not may_see_event(one.event, table, viewer):
        return json.dumps({"number": one.number, "event": {"event": WITHHELD}, "text": "", "said": [], "aloud": False})
    text = json.dumps(ruling_text(one.event, table.players.names))
    words = json.dumps(make_sentence_list(phrase_event(one.event)), separators=(",", ":"))
    aloud = json.dumps(should_speak(one.event, table))
    return f'{{"number":{one.number},"event":{event_text(one.event)},"text":{text},"said":{words},"aloud":{aloud}}}'


def make_sentence_list(sentences: Iterable[Sentence]) -> list[SentenceJson]:
    return [phrase_json(sentence) for sentence in sentences]


def make_ruling_record(
    event: RefereeEvent, table: MatchConfig, remarks: tuple[Remark, ...] = ()
) -> dict[str, JsonValue]:
    """`remarks` are those on the event. `said` is the ruling, `sentences` the broken rules, `remedy` what puts the board right, and `clauses` what the
    officiating profile says: each once.

    `sentences_said` has a list of phrases for each sentence, because a rule and its example are separate phrases.
    """
    sentences = list(dict.fromkeys(_list_sentences(event)))
    said = phrase_event(event)
    ruling = said[:1] if sentences else said
    corrections = (
        phrase_corrections(event.take_back, event.belongs, event.player) if isinstance(event, PlayRefused) else ()
    )
    return {
        "text": ruling_text(event, table.players.names),
        "said": make_sentence_list((*ruling, *phrase_margin(event))),
        "remedy": make_sentence_list(corrections),
        "sentences_said": [make_sentence_list(parse_rule_sentences((sentence,))) for sentence in sentences],
        "sentences": list[JsonValue](sentences),
        "remarks": [make_sentence_list(phrase_remark(one)) for one in remarks],
        "rules": list[JsonValue](_list_rules(event)),
        "clauses": list[JsonValue](_list_clauses(event, table)),
    }


def _list_sentences(event: RefereeEvent) -> list[str]:
    match event:
        case PlayRefused():
            return list(event.sentences)
        case ThrowRefused():
            return [reason.sentence for reason in event.reasons]
        case _:
            return []


def _list_rules(event: RefereeEvent) -> list[str]:
    match event:
        case PlayRefused() | PlayCondoned():
            return [rule.value for rule in event.rules]
        case ThrowRefused():
            return [reason.value for reason in event.reasons]
        case _:
            return []


def _list_clauses(event: RefereeEvent, table: MatchConfig) -> list[str]:
    match event:
        case PlayRefused():
            clauses = [Clause.ILLEGAL_PLAY, Clause.CORRECTION_WINDOW]
        case ThrowRefused():
            clauses = list(dict.fromkeys(_CLAUSE_OF.get(reason, Clause.VALID_THROW) for reason in event.reasons))
        case DiceRolled(opponent_may_refuse=True):
            clauses = [Clause.EARLY_THROW]
        case TurnEnded():
            clauses = [Clause.TURN_END]
        case PlayCondoned():
            return [event.clause]
        case _:
            clauses = []
    return list(dict.fromkeys(clause_text(table.profile, clause) for clause in clauses))
