"""What the referee is not sure of, as JSON: the question with its answers, and a throw that does not count."""

from dataclasses import fields
from enum import Enum
from typing import Annotated, TypedDict

from controller.lights.state_lights import Topic, select_topics
from controller.match import Answer, PlayUnclear, Seating
from controller.match_log.event_json import JsonValue
from controller.questions.question import About, OfferedAnswer, Question
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.speech.question_phrases import phrase_answer, phrase_question, phrase_reason
from controller.speech.rule_sentences import parse_rule_sentences
from controller.web.match.page_board import BoardJson, make_page_board
from controller.web.match.ruling_record import SentenceJson, make_sentence_list
from controller.web.match.score_record import Record
from controller.web.match.visibility import Viewer, may_see_phase


class ThrowJson(TypedDict):
    """The last throw, if it does not count or is unclear. A value is null where a die could not be read."""

    is_refused: bool
    values: list[int | None]
    sentences: list[str]
    said: list[SentenceJson]


class AnswerJson(TypedDict):
    """An answer: its words, the play, the order that gives it, and the board that it speaks of."""

    said: list[SentenceJson]
    play: str
    command: Record
    board: BoardJson | None


class QuestionJson(TypedDict):
    """What the referee asks. `is_open`: play waits for an answer. Spectators get no answers."""

    about: Annotated[str, About]
    asked_ms: int
    is_open: bool
    title: list[SentenceJson]
    said: list[SentenceJson]
    places: list[str]
    answers: list[AnswerJson]


def throw_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> ThrowJson | None:
    """The last throw, if it does not count or is unclear."""
    if viewer is Viewer.SPECTATOR and Topic.THROW not in select_topics(table):
        return None
    if state.questions.throw_refused is not None:
        refused = state.questions.throw_refused
        sentences = [reason.sentence for reason in refused.reasons]
        return {
            "is_refused": True,
            "values": list(refused.values),
            "sentences": sentences,
            "said": make_sentence_list(parse_rule_sentences(sentences)),
        }
    if state.questions.throw_unclear is not None:
        values = list(state.questions.throw_unclear.values)
        return {"is_refused": False, "values": values, "sentences": [], "said": []}
    return None


def question_record(
    question: Question | None, state: RefereeState, table: MatchConfig, viewer: Viewer, *, seating: Seating
) -> QuestionJson | None:
    """The question that is open, with its answers as orders and boards, which only the operator gets: to anybody else they
    are hints. `is_open`: play waits for an answer.
    """
    if question is None or not may_see_phase(state.phase, table, viewer):
        return None
    asked, answers = question.asked, question.answers if viewer is Viewer.OPERATOR else ()
    return {
        "about": question.about.value,
        "asked_ms": asked.at_ms,
        "is_open": question.is_open,
        "title": make_sentence_list((phrase_question(question),)),
        "said": make_sentence_list(phrase_reason(question)),
        "places": list(asked.places) if isinstance(asked, PlayUnclear) else [],
        "answers": [_answer_record(answer, table, seating) for answer in answers],
    }


def _answer_record(answer: OfferedAnswer, table: MatchConfig, seating: Seating) -> AnswerJson:
    board = make_page_board(answer.after, seating, table) if answer.after else None
    return {
        "said": make_sentence_list((phrase_answer(answer),)),
        "play": answer.play,
        "command": _command_record(answer.command),
        "board": None if board is None else board.to_record(),
    }


def _command_record(command: Answer) -> Record:
    """The order as the page sends it back (`command_json`)."""
    record: Record = {"command": type(command).__name__}
    for field in fields(command):
        value = getattr(command, field.name)
        if value is not None:
            record[field.name] = _value_record(value)
    return record


def _value_record(value: object) -> JsonValue:
    if isinstance(value, Seating):
        return {"white_plays": value.white_plays.value, "edge": value.edge.value, "mirrored": value.mirrored}
    if isinstance(value, Enum):
        return str(value.value)
    return list[JsonValue](value) if isinstance(value, tuple) else str(value)
