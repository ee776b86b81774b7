"""What the referee is not sure of, as JSON: the question with its offered answers, and a throw that does not count."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.lights.state_lights import Topic, select_topics
from controller.match import Seating
from controller.match_log.event_json import JsonValue
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.speech.event_phrases import phrase_event
from controller.speech.rule_sentences import parse_rule_sentences
from controller.web.match.alternatives import PlayOption
from controller.web.match.page_board import make_page_board
from controller.web.match.ruling_record import make_sentence_list
from controller.web.match.score_record import Record
from controller.web.match.visibility import Viewer, may_see_phase


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """The answers offered to a question: plays or rolls, the most likely first."""

    plays: tuple[PlayOption, ...] = ()
    rolls: tuple[tuple[int, int], ...] = ()


def throw_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> Record | None:
    """The last throw, if it does not count or is unclear."""
    if viewer is Viewer.SPECTATOR and Topic.THROW not in select_topics(table):
        return None
    if state.questions.throw_refused is not None:
        refused = state.questions.throw_refused
        sentences = [reason.sentence for reason in refused.reasons]
        return {
            "is_refused": True,
            "values": list[JsonValue](refused.values),
            "sentences": list[JsonValue](sentences),
            "said": make_sentence_list(parse_rule_sentences(sentences)),
        }
    if state.questions.throw_unclear is not None:
        values = list[JsonValue](state.questions.throw_unclear.values)
        return {"is_refused": False, "values": values, "sentences": [], "said": []}
    return None


def question_record(
    state: RefereeState, table: MatchConfig, viewer: Viewer, offered: AnswerOptions, *, seating: Seating
) -> Record | None:
    """The question that somebody must answer before play goes on."""
    rolls = [list[JsonValue](values) for values in offered.rolls]
    if (
        state.phase is Phase.UNSURE
        and state.questions.unclear is not None
        and may_see_phase(state.phase, table, viewer)
    ):
        return {
            "about": "play" if state.due is not None or table.is_grasshopper else "roll",
            "sentence": state.questions.unclear.sentence,
            "said": make_sentence_list(
                parse_rule_sentences((state.questions.unclear.sentence,), state.questions.unclear.player)
            ),
            "places": list[JsonValue](state.questions.unclear.places),
            "plays": [_play_option_record(option, table, seating) for option in offered.plays],
            "rolls": [*rolls],
        }
    if state.questions.throw_unclear is not None and state.phase in (Phase.OPENING, Phase.AWAIT_ROLL):
        return _make_question("opening" if state.phase is Phase.OPENING else "roll", rolls=rolls)
    unclear = state.questions.set_up_unclear
    is_seating_open = state.phase is Phase.SET_UP and unclear is not None and unclear.is_seating_open
    if unclear is not None and is_seating_open and may_see_phase(state.phase, table, viewer):
        return _make_question("seating", make_sentence_list(phrase_event(unclear)))
    return None


def _make_question(about: str, phrases: Sequence[JsonValue] = (), rolls: Sequence[JsonValue] = ()) -> Record:
    return {"about": about, "sentence": "", "said": [*phrases], "places": [], "plays": [], "rolls": [*rolls]}


def _play_option_record(option: PlayOption, table: MatchConfig, seating: Seating) -> Record:
    board = make_page_board(option.after, seating, table)
    return {"play": option.play, "after": option.after, "board": None if board is None else board.to_record()}
