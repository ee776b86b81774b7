import json
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.web.calibration.orders import (
    CalibrationOrderError,
    FindOrder,
    KeepOrder,
    check_is_empty,
    parse_find_order,
    parse_keep_order,
    parse_result_number,
    parse_source,
)

GAMES = {"tavla": None}
SQUARE = [[10, 10], [90, 10.5], [90, 90], [10, 90]]


def test_a_search_with_everything() -> None:
    """It has corners, the size of the field, and a game in its start position."""
    found = parse_find_order({"corners": SQUARE, "field_mm": [440, 360.5], "game": "tavla"}, GAMES)  # type: ignore[dict-item]
    assert found == FindOrder(((10, 10), (90, 10.5), (90, 90), (10, 90)), (440, 360.5), "tavla")


def test_a_search_with_nothing() -> None:
    """The board is then detected anywhere."""
    assert parse_find_order({}, GAMES) == parse_find_order({"corners": None, "field_mm": None, "game": None}, GAMES)
    assert parse_find_order({}, GAMES) == FindOrder(None, None, None)


@pytest.mark.parametrize(
    "sent",
    [
        {"corner": SQUARE},
        *({"corners": each} for each in ("x", [], SQUARE[:3], [*SQUARE, [1, 1]], [[1, 2, 3]] * 4, [["1", "2"]] * 4)),
        *({"corners": [[number, 1]] * 4} for number in (float("nan"), float("inf"), 1e6, -1e6, True, None)),
        *({"field_mm": size} for size in (440, [440], [440, 10], [440, 1e9], [440, "360"], [440, float("nan")])),
        *({"game": name} for name in ("", "chess", 1, ["tavla"], {"name": "tavla"})),
    ],
)
def test_a_malformed_search_is_refused(sent: Any) -> None:
    with pytest.raises(CalibrationOrderError, match=r"\.$"):
        parse_find_order(sent, GAMES)


def test_only_an_offered_source_can_be_chosen() -> None:
    """It is chosen by its number, not by a name or a path."""
    assert parse_source({"source": 1}, 2) == 1
    wrong: Any
    for wrong, count in (*((one, 2) for one in (2, -1, 0.0, "0", True, None, "/etc/passwd", [0])), (0, 0)):
        with pytest.raises(CalibrationOrderError):
            parse_source({"source": wrong}, count)


def test_a_result_is_saved_by_its_number() -> None:
    """The order cannot name a file."""
    assert parse_keep_order({"number": 3}) == KeepOrder(3, False)
    assert parse_keep_order({"number": 3, "is_unsure_meant": True}) == KeepOrder(3, True)
    faulty: Any = ({}, {"number": "3"}, {"number": 3, "is_unsure_meant": 1}, {"number": 3, "file": "x.json"})
    for wrong in faulty:
        with pytest.raises(CalibrationOrderError):
            parse_keep_order(wrong)


NAMES = st.sampled_from(["corners", "field_mm", "game", "number", "source", "x"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=16,
)


@given(st.dictionaries(NAMES, JSON, max_size=4))
def test_any_object_is_an_order_or_a_fault(sent: Any) -> None:
    """Every JSON object is parsed or raises CalibrationOrderError."""
    sent = json.loads(json.dumps(sent))
    for read in (parse_keep_order, parse_result_number, check_is_empty):
        with suppress(CalibrationOrderError):
            read(sent)
    with suppress(CalibrationOrderError):
        found = parse_find_order(sent, GAMES)
        assert found.corners is None or np.isfinite(found.corners).all()
