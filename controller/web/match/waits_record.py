"""Why the referee cannot go on, as JSON: the obstacles that neither a question nor the guide explains."""

from typing import TypedDict

from controller.match import BoardDiffers, BoardMoved, CameraLost, SetUpFault, SetUpUnclear, SightHindered
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.waiting import find_obstacle
from controller.speech.event_phrases import phrase_event
from controller.web.match.ruling_record import SentenceJson, make_sentence_list
from controller.web.match.visibility import Viewer, may_see_phase
from controller.wording.ruling_text import ruling_text


class WaitsJson(TypedDict):
    """Why the referee cannot go on and what helps."""

    text: str
    said: list[SentenceJson]


def waits_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> WaitsJson | None:
    """Why the referee cannot go on and what helps, as sentences; None where nothing hinders it, or question or guide say it."""
    obstacle = find_obstacle(state)
    match obstacle:
        case SightHindered() | CameraLost() | BoardMoved():
            pass
        case SetUpUnclear() | BoardDiffers(fault=SetUpFault()) if may_see_phase(state.phase, table, viewer):
            pass
        case _:
            return None
    return {"text": ruling_text(obstacle, table.players.names), "said": make_sentence_list(phrase_event(obstacle))}
