"""Any input to the API: no response is an error of the server, and nothing happens without the token."""

import json
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from controller.match.commands import Command
from controller.refereeing.referee import without_perception
from tests.controller.web.shown_match import OPERATOR, ShownMatch, leave_unsure

pytestmark = [pytest.mark.broad, pytest.mark.usefixtures("unlimited")]

PLAYERS, POSITIONS = st.sampled_from(["W", "B", "X", None, 0]), st.text(st.characters(codec="utf-8"), max_size=60)
HALF = st.text("0123456789abcdef", min_size=26, max_size=27)
COUNTS = st.lists(st.integers(-1, 16), min_size=2, max_size=2)
BOARDS = st.fixed_dictionaries(
    {"points": st.lists(COUNTS, min_size=24, max_size=24)},
    optional={"bar": COUNTS, "off": COUNTS, "dark_above": st.lists(st.integers(-1, 24), max_size=3)},
)
VALUES = st.one_of(
    PLAYERS,
    st.booleans(),
    st.lists(st.integers(0, 7), min_size=2, max_size=2),
    st.sampled_from(["single", "mars", "koks", "draw"]),
    POSITIONS,
    st.tuples(HALF, HALF).map("/".join),
    BOARDS,
    st.fixed_dictionaries(
        {"white_plays": st.sampled_from(["light", "dark"]), "edge": st.just("top"), "mirrored": st.booleans()}
    ),
)
FIELDS = st.sampled_from(
    ["player", "kind", "accept", "position", "after", "values", "board", "seating", "by_clock", "x"]
)
KINDS = st.sampled_from([kind.__name__ for kind in get_args(Command)] + ["", "Tick"])
ORDERS = st.builds(lambda kind, rest: {**rest, "command": kind}, KINDS, st.dictionaries(FIELDS, VALUES, max_size=3))
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("game", ["backgammon", "plakoto", "grasshopper", "gul_bara"])
def test_orders_of_any_kind(game: str) -> None:
    """An order is refused, or the referee answers it; the log and the state agree."""
    shown = ShownMatch.begun(game)
    if game == "backgammon":
        leave_unsure(shown.match)
        shown.publish()
    client = shown.client()

    @given(st.lists(ORDERS, min_size=1, max_size=6))
    def send(orders: list[dict[str, object]]) -> None:
        for order in orders:
            answer = client.post("/api/commands", json=order, headers=OPERATOR)
            assert answer.status_code in (202, 422), answer.text
            shown.obey()
            shown.match.rest(200)
            shown.publish()
            assert client.get("/api/state", headers=OPERATOR).status_code == 200
        assert shown.match.is_what_the_log_says()

    send()


@given(ANYTHING | ORDERS)
def test_without_the_token_nothing_happens(sent: object) -> None:
    """No order reaches the loop, and no state changes."""
    shown = ShownMatch.begun()
    before = without_perception(shown.match.state)
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        json_type = {**headers, "Content-Type": "application/json"}
        body = json.dumps(sent)  # may contain Infinity, which is no JSON
        assert shown.client().post("/api/commands", content=body, headers=json_type).status_code == 401
    assert shown.obey() == ()
    assert without_perception(shown.match.state) == before


@pytest.fixture(scope="module")
def played() -> TestClient:
    shown = ShownMatch.after_first_turn()
    return shown.client()


@given(body=st.binary(max_size=300) | ANYTHING.map(lambda value: json.dumps(value).encode()))
def test_bodies_of_any_kind(played: TestClient, body: bytes) -> None:
    """A malformed order is refused."""
    headers = {**OPERATOR, "Content-Type": "application/json"}
    assert played.post("/api/commands", content=body, headers=headers).status_code in (400, 422)


SEGMENTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12)


@example(start="/", rest="/×", query={})
@given(
    start=st.sampled_from(
        ["/api/", "/api/events", "/api/rulings/", "/api/evidence/", "/api/evidence/1/", "/static/", "/"]
    ),
    rest=SEGMENTS,
    query=st.dictionaries(st.sampled_from(["since", "match", "x"]), SEGMENTS, max_size=2),
)
def test_paths_of_any_kind(played: TestClient, start: str, rest: str, query: dict[str, str]) -> None:
    """Unknown paths are not found."""
    if start + rest == "/api/camera":
        return
    path = start + rest.replace("?", "").replace("#", "")
    answer = played.get(f"{played.base_url}{path}", params=query)  # two slashes alone would name another host
    assert answer.status_code in (200, 400, 404, 405)
