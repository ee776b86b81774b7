"""The WebSocket: events by number without a gap, then the newest state, again and again.

Nothing is queued for a browser. The server knows the number of the last event that it has sent to it. When there is news
it sends the events after that number, then the newest state, which is never ahead of the events unless these come in
parts. A slow browser gets fewer states; one that takes nothing is disconnected. The browser sends nothing after its
handshake, in which it may name its match and its last event.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.match_log import MatchLogError
from controller.web.access import client_of, identify_socket_viewer
from controller.web.bodies import parse_number
from controller.web.limits import SEND_WITHIN_S
from controller.web.match.match_texts import MOST_AT_ONCE, StateText
from controller.web.match.visibility import Viewer
from controller.web.page_context import STATE_INTERVAL_S, PageContext
from controller.web.shown_view import PageView

SUBPROTOCOL = "zarbiter"
_TRY_LATER, _POLICY, _GOING_AWAY = 1013, 1008, 1001
_COUNT_DOWN_S = 1.0


@dataclass(slots=True)
class _FeedCursor:
    """The last event and the last state that a browser has been sent."""

    match_name: str
    since: int
    last_state_text: str = ""


async def feed(socket: WebSocket, context: PageContext) -> None:
    """Serves one browser until it or the server closes the socket."""
    address = client_of(socket.scope)
    viewer = identify_socket_viewer(socket, context.access)
    if viewer is None:
        await socket.close(_POLICY)
        return
    slots = context.socket_slots[viewer]
    if not slots.acquire(address):
        await socket.close(_TRY_LATER)
        return
    try:
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
        await _run_until_one_ends(socket, context, viewer)
    finally:
        slots.release(address)


async def _run_until_one_ends(socket: WebSocket, context: PageContext, viewer: Viewer) -> None:
    news = context.subscribe()
    receiving = asyncio.create_task(socket.receive())  # ends when the browser disconnects, or sends something
    sending = asyncio.create_task(_send_all(socket, context, viewer, news))
    tasks = {receiving, sending, asyncio.create_task(context.is_closing.wait())}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        context.unsubscribe(news)
        for task in tasks:
            task.cancel()
    await asyncio.wait(tasks)
    if not sending.cancelled():
        with suppress(OSError, WebSocketDisconnect):  # the browser has disconnected, or takes nothing
            sending.result()
    if _has_disconnected(receiving):
        return
    with suppress(OSError, WebSocketDisconnect):
        async with asyncio.timeout(1):
            await socket.close(_GOING_AWAY if context.is_closing.is_set() else _POLICY)


def _has_disconnected(receiving: asyncio.Task[Message]) -> bool:
    if receiving.cancelled():
        return False
    return receiving.exception() is not None or receiving.result()["type"] == "websocket.disconnect"


async def _send_all(socket: WebSocket, context: PageContext, viewer: Viewer, news: asyncio.Event) -> None:
    query = socket.query_params
    cursor = _FeedCursor(query.get("match", ""), parse_number(query.get("since", "")) or 0)
    while True:
        news.clear()
        view = context.find_view(viewer)
        if view is None:
            await _send(socket, f'{{"type":"delay","wait_s":{context.seconds_to_begin()}}}')
            await asyncio.sleep(_COUNT_DOWN_S)
            continue
        state = context.state_text(view, viewer)  # what happens while the events are sent is in the next view
        is_all = await _send_events(socket, context, viewer, view, cursor)
        await _send_state(socket, state, viewer, cursor)
        if is_all:
            await context.wait_for_news(viewer, news)
            await asyncio.sleep(STATE_INTERVAL_S)


async def _send_events(
    socket: WebSocket, context: PageContext, viewer: Viewer, view: PageView, cursor: _FeedCursor
) -> bool:
    """Sends the events after the cursor up to the view; whether no more remain. A match new to the browser begins with its
    first event.
    """
    match, last = view.match, view.newest.n_events
    if cursor.match_name != match.name or cursor.since > last:
        cursor.match_name, cursor.since, cursor.last_state_text = match.name, 0, ""
        await _send(socket, '{"type":"match"}')
    try:
        texts = await context.event_texts(view, cursor.since, viewer)
    except MatchLogError:
        cursor.since = last - 1  # skips the events that can no longer be read
        return False
    now = context.find_view(viewer)
    if texts and now is not None and now.match is match:
        cursor.since += len(texts)
        await _send(socket, f'{{"type":"events","events":[{",".join(texts)}]}}')
    return len(texts) < MOST_AT_ONCE


async def _send_state(socket: WebSocket, state: StateText, viewer: Viewer, cursor: _FeedCursor) -> None:
    if state.text != cursor.last_state_text:
        cursor.last_state_text = state.text
        head = f'"type":"state","now_ms":{state.now_ms},"viewer":"{viewer.value}"'
        await _send(socket, f'{{{head},"state":{state.text}}}')


async def _send(socket: WebSocket, text: str) -> None:
    async with asyncio.timeout(SEND_WITHIN_S):
        await socket.send_text(text)
