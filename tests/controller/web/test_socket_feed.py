from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from controller.web.guard import Guard
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext
from tests.controller.web.shown_match import PORT, TOKEN, ShownMatch, play_first_turn

LIVE = f"ws://127.0.0.1:{PORT}/api/live"


def show_of(client: TestClient) -> PageContext:
    """What the server behind this client shows."""
    guard: object = client.app
    assert isinstance(guard, Guard)
    inside: object = guard.app
    assert isinstance(inside, Starlette)
    show = inside.state.context
    assert isinstance(show, PageContext)
    return show


def up_to_state(socket: WebSocketTestSession) -> tuple[list[dict[str, Any]], list[int]]:
    """The messages up to the first state, and the numbers of the events among them."""
    messages: list[dict[str, Any]] = []
    numbers: list[int] = []
    while not messages or messages[-1]["type"] != "state":
        messages.append(socket.receive_json())
        numbers += [one["number"] for one in messages[-1].get("events", ())]
    return messages, numbers


def test_all_events_come_in_their_order_and_then_the_state() -> None:
    """Who knows nothing is sent everything from the first event on."""
    shown = ShownMatch.begun()
    play_first_turn(shown.match)
    shown.publish()
    with shown.client().websocket_connect(LIVE) as socket:
        messages, numbers = up_to_state(socket)
    assert [message["type"] for message in messages] == ["match", "events", "state"]
    assert numbers == list(range(1, len(shown.match.events) + 1))
    assert messages[-1]["viewer"] == "spectator"


def test_it_goes_on_where_it_stopped() -> None:
    """After a drop no event is missing and none comes twice, whatever happened meanwhile."""
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
def test_another_match_begins_anew(query: str) -> None:
    """Numbers of another match, or beyond this one, mean nothing here."""
    shown = ShownMatch.begun()
    with shown.client().websocket_connect(f"{LIVE}?{query}") as socket:
        _, numbers = up_to_state(socket)
    assert numbers == list(range(1, len(shown.match.events) + 1))


def test_old_events_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message grows with the length of the match."""
    monkeypatch.setattr("controller.web.match.match_texts.MOST_AT_ONCE", 2)
    monkeypatch.setattr("controller.web.socket_feed.MOST_AT_ONCE", 2)
    shown = ShownMatch.begun()
    play_first_turn(shown.match)
    shown.publish()
    n_events = len(shown.match.events)
    numbers: list[int] = []
    with shown.client().websocket_connect(LIVE) as socket:
        while len(numbers) < n_events:
            message = socket.receive_json()
            assert len(message.get("events", ())) <= 2
            numbers += [one["number"] for one in message.get("events", ())]
    assert numbers == list(range(1, n_events + 1))


def test_what_happens_is_sent_when_it_has_happened() -> None:
    """A browser that waits is woken; of states between two looks it sees only the newest."""
    shown = ShownMatch.begun()
    client = shown.client()
    with client.websocket_connect(LIVE) as socket:
        up_to_state(socket)
        play_first_turn(shown.match)
        shown.publish()
        show_of(client).wake()
        messages, numbers = up_to_state(socket)
    assert numbers[-1] == len(shown.match.events)
    assert messages[-1]["state"]["on_turn"] == "B"


def test_no_state_is_ahead_of_its_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn that is played while events are put together is in neither; it comes with the next ones, and then the state."""
    shown = ShownMatch.begun()
    n_before = len(shown.match.events)
    together, is_played = PageContext.event_texts, False

    async def played_meanwhile(self: PageContext, since: int, viewer: Viewer) -> list[str]:
        nonlocal is_played
        texts = await together(self, since, viewer)
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
    """It comes as a protocol, since a browser cannot send headers; it is not sent back."""
    shown = ShownMatch.begun()
    with shown.client().websocket_connect(LIVE, subprotocols=["zarbiter", f"operator.{TOKEN}"]) as socket:
        messages, _ = up_to_state(socket)
        protocol: object = socket.accepted_subprotocol
    assert (protocol, messages[-1]["viewer"]) == ("zarbiter", "operator")


def test_a_wrong_token_gets_no_socket() -> None:
    """The page learns it, and asks its user for the link."""
    client = ShownMatch.begun().client()
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(LIVE, subprotocols=["zarbiter", "operator.wrong"]),
    ):
        pass


def test_who_says_something_is_let_go() -> None:
    """The feed only tells; there is nothing to say to it."""
    with ShownMatch.begun().client().websocket_connect(LIVE) as socket:
        up_to_state(socket)
        socket.send_text("hello")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


def test_there_are_only_so_many_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than there are is told to come back later; a seat that is left is free."""
    monkeypatch.setattr("controller.web.page_context.MOST_SOCKETS", 1)
    with ShownMatch.begun().client() as client:
        with client.websocket_connect(LIVE) as socket:
            up_to_state(socket)
            with pytest.raises(WebSocketDisconnect), client.websocket_connect(LIVE):
                pass
        with client.websocket_connect(LIVE) as socket:
            up_to_state(socket)


def test_a_second_match_takes_the_place_of_the_first() -> None:
    """Whoever looks on is told that it is another one, and starts with its first event."""
    shown, second = ShownMatch.begun(), ShownMatch.begun("tavla")
    second.live.name = "n"
    client = shown.client()
    show = show_of(client)
    with client.websocket_connect(LIVE) as socket:
        up_to_state(socket)
        show.match = second.live
        show.wake()
        messages, numbers = up_to_state(socket)
    assert messages[0]["type"] == "match"
    assert numbers[0] == 1
