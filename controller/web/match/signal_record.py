"""What points at places of the board: the lights of the strip, and the guide that says which checkers must move."""

from typing import Annotated, TypedDict

from controller.lights.state_lights import select_signs
from controller.lights.vocabulary import LIGHT_STYLES, LightSign
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.web.match.live_match import Snapshot
from controller.web.match.visibility import Viewer, may_see_phase
from firmware_bridge.patterns import Rhythm


class LightJson(TypedDict):
    """A light of the strip: what it says, how it looks, and the places at which it is lit."""

    meaning: str
    colour: str
    rhythm: Annotated[str, Rhythm]
    places: list[str]


class GuideJson(TypedDict):
    """The places with too many and with too few checkers, once for each checker."""

    extra: list[str]
    missing: list[str]


def light_records(newest: Snapshot, table: MatchConfig) -> list[LightJson]:
    """What the strip shows now. Everybody sees the strip, so every viewer sees these records."""
    signs = select_signs(newest.state, table, newest.now_ms)
    return [
        {
            "meaning": sign.meaning.name.lower(),
            "colour": LIGHT_STYLES[sign.meaning].colour,
            "rhythm": LIGHT_STYLES[sign.meaning].rhythm.value,
            "places": [place.value for place in sign.places],
        }
        for sign in signs
        if not _is_over(sign, newest.now_ms)
    ]


def _is_over(sign: LightSign, now_ms: int) -> bool:
    shown_ms = LIGHT_STYLES[sign.meaning].shown_ms
    return shown_ms is not None and now_ms - sign.since_ms >= shown_ms


def guide_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> GuideJson | None:
    """The places with too many and with too few checkers, where the board must be put right."""
    if not may_see_phase(state.phase, table, viewer):
        return None
    if state.phase is Phase.ILLEGAL and state.questions.refused is not None:
        extra, missing = state.questions.refused.take_back, state.questions.refused.belongs
    elif state.phase in (Phase.SET_UP, Phase.RESTORE) and state.questions.differs is not None:
        extra, missing = state.questions.differs.extra, state.questions.differs.missing
    else:
        return None
    return {"extra": list(extra), "missing": list(missing)}
