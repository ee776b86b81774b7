"""Events as the page tells them: the event itself, a line in words, and the clauses that a ruling goes by."""

import json
from collections.abc import Iterable

from controller.match.events import DiceRolled, PlayCondoned, PlayRefused, RefereeEvent, ThrowRefused, TurnEnded
from controller.match.profile import Clause, clause_text
from controller.match_log.event_json import JsonValue, event_text
from controller.refereeing.table import Table
from controller.rules.player import Player
from controller.rules.throws import BadThrow
from controller.speech.aloud import is_said_aloud
from controller.speech.rule_sentences import sentences_said
from controller.speech.ruling_said import ruling_said
from controller.speech.said import Sentence, said_json
from controller.web.match.live_match import NumberedEvent
from controller.web.match.seen_by import Viewer, may_be_told
from controller.wording.ruling_text import ruling_text

WITHHELD = "Withheld"
"""Instead of an event that is recorded and not told. It keeps its number: nobody shall think that something was lost."""

_CLAUSE_OF = {
    BadThrow.SPLIT: Clause.WRONG_HALF,
    BadThrow.WRONG_HALF: Clause.WRONG_HALF,
    BadThrow.TOO_EARLY: Clause.EARLY_THROW,
}


def event_shown(one: NumberedEvent, table: Table, viewer: Viewer) -> str:
    """One JSON object: `number`, `event` (as the log has it) and `text`, which is empty for what goes without saying.

    `said` is the text as keys and values for pages in any language; `aloud`: whether a voice may say it in this mode.
    """
    if not may_be_told(one.event, table, viewer):
        return json.dumps({"number": one.number, "event": {"event": WITHHELD}, "text": "", "said": [], "aloud": False})
    text = json.dumps(ruling_text(one.event, names_at(table)))
    words = json.dumps(said_list(ruling_said(one.event)), separators=(",", ":"))
    aloud = json.dumps(is_said_aloud(one.event, table))
    return f'{{"number":{one.number},"event":{event_text(one.event)},"text":{text},"said":{words},"aloud":{aloud}}}'


def said_list(sentences: Iterable[Sentence]) -> list[JsonValue]:
    return [said_json(sentence) for sentence in sentences]


def names_at(table: Table) -> dict[Player, str]:
    return {Player.WHITE: table.white, Player.BLACK: table.black}


def grounds(event: RefereeEvent, table: Table) -> dict[str, JsonValue]:
    """`sentences` of the rules that stand against it, and the `clauses` of the profile that say what follows.

    `sentences_said` has a list for each of them: what a sentence tells may be two in a pack, as a rule and its example.
    """
    return {
        "text": ruling_text(event, names_at(table)),
        "said": said_list(ruling_said(event)),
        "sentences_said": [said_list(sentences_said((sentence,))) for sentence in _sentences(event)],
        "sentences": list[JsonValue](_sentences(event)),
        "rules": list[JsonValue](_rules(event)),
        "clauses": list[JsonValue](_clauses(event, table)),
    }


def _sentences(event: RefereeEvent) -> list[str]:
    match event:
        case PlayRefused():
            return list(event.sentences)
        case ThrowRefused():
            return [reason.sentence for reason in event.reasons]
        case _:
            return []


def _rules(event: RefereeEvent) -> list[str]:
    match event:
        case PlayRefused() | PlayCondoned():
            return [rule.value for rule in event.rules]
        case ThrowRefused():
            return [reason.value for reason in event.reasons]
        case _:
            return []


def _clauses(event: RefereeEvent, table: Table) -> list[str]:
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
    return [clause_text(table.profile, clause) for clause in clauses]
