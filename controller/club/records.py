"""A table as JSON for the page: what `reading.py` let through, in the form of the state that the page of one table gets."""

import json
from dataclasses import asdict
from typing import Any

from controller.club.hall import Need, TableView, show_picture
from controller.club.reading import ClockView, RulingView, StateView

Record = dict[str, Any]


def make_table_record(table: TableView, needs: tuple[Need, ...]) -> Record:
    """`heard_s`, `state_at_s`: on the clock of the server, so that the browser counts on."""
    state = table.state
    ruling = table.ruling if state is None or (table.ruling and table.ruling.match == state.match.id) else None
    return {
        "title": table.title,
        "is_online": table.is_online,
        "needs": [need.value for need in needs],
        "is_kept": table.is_state_kept,
        "state_at_s": round(table.state_at_s, 3),
        "heard_s": None if table.is_online else round(table.heard_s, 3),
        "state": None if state is None else _state_record(state),
        "ruling": None if ruling is None else _ruling_record(ruling, table),
    }


def _ruling_record(ruling: RulingView, table: TableView) -> Record:
    """`picture`: under which number `/api/club/picture` has the picture; None where it has none."""
    picture = None if show_picture(table) is None else ruling.number
    return {"kind": ruling.kind, "text": ruling.text, "said": _said(ruling.said), "picture": picture}


def _state_record(state: StateView) -> Record:
    match = asdict(state.match)
    return {
        "match": match,
        "phase": state.phase.value,
        "now_ms": state.now_ms,
        "is_playing": state.is_playing,
        "on_turn": state.on_turn,
        "resignation": None
        if state.resignation is None
        else {"player": state.resignation[0], "kind": state.resignation[1].value},
        "cube": {"offered_by": state.offered_by},
        "dice": {"values": state.dice, "is_handed_over": state.is_handed_over} if state.dice else None,
        "numbers": None if state.numbers is None else dict(zip("WB", state.numbers, strict=True)),
        "clock": None if state.clock is None else _clock_record(state.clock),
        "question": _said(state.question),
        "waits": _said(state.waits),
    }


def _clock_record(clock: ClockView) -> Record:
    return asdict(clock) | {"delay": clock.delay.value}


def _said(text: str) -> list[Record]:
    return list(json.loads(text)) if text else []
