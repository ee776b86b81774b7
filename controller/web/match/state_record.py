"""A state as one JSON object: everything that the page draws, and nothing that is withheld from the viewer."""

from typing import Annotated, TypedDict

from controller.questions.question import Question
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.web.match.live_match import Snapshot
from controller.web.match.orders import list_available_orders
from controller.web.match.page_board import (
    BoardJson,
    NumbersJson,
    ShownSeatingJson,
    make_page_board,
    pip_counts,
    player_point_numbers,
    resolve_seating,
    seating_record,
)
from controller.web.match.question_record import QuestionJson, ThrowJson, question_record, throw_record
from controller.web.match.score_record import (
    ClockJson,
    CubeJson,
    DiceJson,
    MatchJson,
    PlayerLetter,
    ResignationJson,
    clock_record,
    cube_record,
    dice_record,
    letter_of,
    match_record,
    resignation_record,
)
from controller.web.match.signal_record import GuideJson, LightJson, guide_record, light_records
from controller.web.match.visibility import Viewer, mask_phase, may_show_pips
from controller.web.match.waits_record import WaitsJson, waits_record


class StateJson(TypedDict):
    """The newest state of a match. `events`: the number of the last event that led to it. Where `is_saved` is false nothing
    can be saved and nothing is refereed. `lost`: parts that do not answer. `on_turn` null: nobody, or it is not known.
    `board`: the last position that was ruled. `pips`: White's and Black's count. `orders`: what the operator may order now.
    """

    events: int
    match: MatchJson
    phase: Annotated[str, Phase]
    is_saved: bool
    lost: list[str]
    on_turn: PlayerLetter | None
    seating: ShownSeatingJson
    numbers: NumbersJson
    board: BoardJson | None
    dice: DiceJson | None
    throw: ThrowJson | None
    cube: CubeJson | None
    pips: list[int] | None
    clock: ClockJson | None
    resignation: ResignationJson | None
    lights: list[LightJson]
    guide: GuideJson | None
    question: QuestionJson | None
    waits: WaitsJson | None
    orders: list[str]


def make_state_record(
    newest: Snapshot, table: MatchConfig, viewer: Viewer, question: Question | None = None
) -> StateJson:
    """The record has no time, so that equal records mean that nothing has changed."""
    state = newest.state
    phase = mask_phase(state, table, viewer)
    seating = resolve_seating(state, table)
    return {
        "events": newest.n_events,
        "match": match_record(state, table),
        "phase": phase.value,
        "is_saved": state.seen.outages.storage_up,
        "lost": _lost_parts(state),
        "on_turn": letter_of(None if state.real_phase is Phase.GAME_OVER else state.on_turn),
        "seating": seating_record(state.seating, seating),
        "numbers": player_point_numbers(seating, table),
        "board": _board_record(state, table, phase),
        "dice": dice_record(state),
        "throw": throw_record(state, table, viewer),
        "cube": cube_record(state, table),
        "pips": _pip_counts_or_none(state, table),
        "clock": clock_record(state),
        "resignation": resignation_record(state),
        "lights": light_records(newest, table),
        "guide": guide_record(state, table, viewer),
        "question": question_record(question, state, table, viewer, seating=seating),
        "waits": waits_record(state, table, viewer),
        "orders": list(list_available_orders(state, table)) if viewer is Viewer.OPERATOR else [],
    }


def _lost_parts(state: RefereeState) -> list[str]:
    """What does not answer at present."""
    parts = {"camera": state.seen.outages.camera_up, "lights": state.lights_up}
    return [name for name, is_up in parts.items() if not is_up]


def _board_record(state: RefereeState, table: MatchConfig, phase: Phase) -> BoardJson | None:
    """The last position that was ruled; an illegal play as it was made."""
    refused = state.questions.refused.after if phase is Phase.ILLEGAL and state.questions.refused is not None else ""
    board = make_page_board(
        refused or state.position or table.start.position or table.start_text, resolve_seating(state, table), table
    )
    return None if board is None else board.to_record()


def _pip_counts_or_none(state: RefereeState, table: MatchConfig) -> list[int] | None:
    found = pip_counts(state.position or table.start.position or table.start_text) if may_show_pips(table) else None
    return None if found is None else list(found)
