from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from controller.web.guard import Guard
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext
from controller.web.shown_view import PageView
from tests.controller.web.shown_match import PORT, TOKEN, ShownMatch, play_first_turn

LIVE = f"ws://127.0.0.1:{PORT}/api/live"


def context_of(client: TestClient) -> PageContext:
    guard: object = client.app
    assert isinstance(guard, Guard)
    inside: object = guard.app
    assert isinstance(inside, Starlette)
    context = inside.state.context
    assert isinstance(context, PageContext)
    return context


def up_to_state(socket: WebSocketTestSession) -> tuple[list[dict[str, Any]], list[int]]:
    """The messages up to the first state, and the numbers of the events among them."""
    messages: list[dict[str, Any]] = []
    numbers: list[int] = []
    while not messages or messages[-1]["type"] != "state":
        messages.append(socket.receive_json())
        numbers += [one["number"] for one in messages[-1].get("events", ())]
    return messages, numbers


def test_all_events_come_in_their_order_and_then_the_state() -> None:
    """A new browser gets everything from the first event on."""
    shown = ShownMatch.after_first_turn()
    with shown.client().websocket_connect(LIVE) as socket:
        messages, numbers = up_to_state(socket)
    assert [message["type"] for message in messages] == ["match", "events", "state"]
    assert numbers == list(range(1, len(shown.match.events) + 1))
    assert messages[-1]["viewer"] == "spectator"


def test_a_reconnected_browser_gets_the_next_events() -> None:
    """No event is missing, and none comes twice."""
    shown = ShownMatch.begun()
    with shown.client() as client:
        with client.websocket_connect(LIVE) as socket:
            messages, first = up_to_state(socket)
        play_first_turn(shown.match)
        shown.publish()
        state = messages[-1]["state"]
        with client.websocket_connect(f"{LIVE}?match={state['match_id']}&since={first[-1]}") as socket:
            messages, second = up_to_state(socket)
    assert [message["type"] for message in messages] == ["events", "state"]
    assert first + second == list(range(1, len(shown.match.events) + 1))


@pytest.mark.parametrize("query", ["match=another&since=3", "match=m&since=99999", "match=m&since=x"])
def test_another_match_begins_with_its_first_event(query: str) -> None:
    """Numbers of another match, or beyond the end, are ignored."""
    shown = ShownMatch.begun()
    with shown.client().websocket_connect(f"{LIVE}?{query}") as socket:
        _, numbers = up_to_state(socket)
    assert numbers == list(range(1, len(shown.match.events) + 1))


def test_old_events_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size of a message does not grow with the match."""
    monkeypatch.setattr("controller.web.match.match_texts.MOST_AT_ONCE", 2)
    monkeypatch.setattr("controller.web.socket_feed.MOST_AT_ONCE", 2)
    shown = ShownMatch.after_first_turn()
    n_events = len(shown.match.events)
    numbers: list[int] = []
    with shown.client().websocket_connect(LIVE) as socket:
        while len(numbers) < n_events:
            message = socket.receive_json()
            assert len(message.get("events", ())) <= 2
            numbers += [one["number"] for one in message.get("events", ())]
    assert numbers == list(range(1, n_events + 1))


def test_new_events_and_the_newest_state_are_sent_at_once() -> None:
    """A waiting browser is woken."""
    shown = ShownMatch.begun()
    client = shown.client()
    with client.websocket_connect(LIVE) as socket:
        up_to_state(socket)
        play_first_turn(shown.match)
        shown.publish()
        context_of(client).wake()
        messages, numbers = up_to_state(socket)
    assert numbers[-1] == len(shown.match.events)
    assert messages[-1]["state"]["on_turn"] == "B"


def test_no_state_is_ahead_of_its_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that is played while events are sent comes with the next events and the next state."""
    shown = ShownMatch.begun()
    n_before = len(shown.match.events)
    event_texts, is_played = PageContext.event_texts, False

    async def played_meanwhile(self: PageContext, view: PageView, since: int, viewer: Viewer) -> list[str]:
        nonlocal is_played
        texts = await event_texts(self, view, since, viewer)
        if not is_played:
            is_played = True
            play_first_turn(shown.match)
            shown.publish()
            self.wake()
        return texts

    monkeypatch.setattr(PageContext, "event_texts", played_meanwhile)
    with shown.client().websocket_connect(LIVE) as socket:
        first, numbers = up_to_state(socket)
        assert (numbers[-1], first[-1]["state"]["on_turn"]) == (n_before, None)
        second, numbers = up_to_state(socket)
    assert (numbers[-1], second[-1]["state"]["on_turn"]) == (len(shown.match.events), "B")


def test_the_operator_is_known_by_his_token() -> None:
    """The token is one of the offered protocols; the server does not accept it as protocol."""
    shown = ShownMatch.begun()
    with shown.client().websocket_connect(LIVE, subprotocols=["zarbiter", f"operator.{TOKEN}"]) as socket:
        messages, _ = up_to_state(socket)
        protocol: object = socket.accepted_subprotocol
    assert (protocol, messages[-1]["viewer"]) == ("zarbiter", "operator")


def test_a_wrong_token_gets_no_socket() -> None:
    client = ShownMatch.begun().client()
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(LIVE, subprotocols=["zarbiter", "operator.wrong"]),
    ):
        pass


def test_a_browser_that_sends_something_is_disconnected() -> None:
    """The feed goes one way only."""
    with ShownMatch.begun().client().websocket_connect(LIVE) as socket:
        up_to_state(socket)
        socket.send_text("hello")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_the_number_of_sockets_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """One socket too many is refused; a closed one frees its slot."""
    monkeypatch.setattr("controller.web.page_context.MOST_SOCKETS", 1)
    with ShownMatch.begun().client() as client:
        with client.websocket_connect(LIVE) as socket:
            up_to_state(socket)
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE):
                pass
        with client.websocket_connect(LIVE) as socket:
            up_to_state(socket)


def test_a_second_match_takes_the_place_of_the_first() -> None:
    """A browser gets the message `match`, then the first event."""
    shown, second = ShownMatch.begun(), ShownMatch.begun("tavla")
    second.live.name = "n"
    client = shown.client()
    context = context_of(client)
    with client.websocket_connect(LIVE) as socket:
        up_to_state(socket)
        context.match = second.live
        context.wake()
        messages, numbers = up_to_state(socket)
    assert messages[0]["type"] == "match"
    assert numbers[0] == 1


def test_a_match_shown_anew_under_its_name_has_its_own_events() -> None:
    """As one that is resumed after its log was put right."""
    shown, again = ShownMatch.begun(), ShownMatch.begun("tavla")
    assert again.live.name == shown.live.name
    with again.client() as client, client.websocket_connect(LIVE) as socket:
        expected, _ = up_to_state(socket)
    with shown.client() as client:
        with client.websocket_connect(LIVE) as socket:
            before, _ = up_to_state(socket)
        context_of(client).match = again.live
        with client.websocket_connect(LIVE) as socket:
            after, _ = up_to_state(socket)
    assert events_of(after) == events_of(expected) != events_of(before)


def events_of(messages: list[dict[str, Any]]) -> list[Any]:
    return [event for message in messages for event in message.get("events", ())]
