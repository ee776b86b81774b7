"""The WebSocket: events by number without a gap, then the newest state, again and again.

Nothing is queued for a browser. It has a number, the last event it was sent; when there is news it is sent what lies
behind that number and the state of this moment, which is never ahead of the events unless these come in parts. A slow
one simply gets fewer states; one that takes nothing is dropped. The browser says nothing after its handshake, in which
it may name the match and the event it stopped at.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.match_log import MatchLogError
from controller.web.access import identify_socket_viewer
from controller.web.guard import client_of
from controller.web.limits import SEND_WITHIN_S
from controller.web.match.visibility import Viewer
from controller.web.page_context import MOST_AT_ONCE, STATE_INTERVAL_S, PageContext, StateText

SUBPROTOCOL = "zarbiter"
_TRY_LATER, _POLICY, _GOING_AWAY = 1013, 1008, 1001
_LONGEST_NUMBER = 9


@dataclass(slots=True)
class _FeedCursor:
    """How far a browser has come."""

    match_name: str
    since: int
    last_state_text: str = ""


async def feed(socket: WebSocket, context: PageContext) -> None:
    """One browser, until it or the server goes."""
    address = client_of(socket.scope)
    viewer = identify_socket_viewer(socket, context)
    if viewer is None:
        await socket.close(_POLICY)
        return
    if not context.socket_slots.acquire(address):
        await socket.close(_TRY_LATER)
        return
    try:
        await socket.accept(SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
        await _run_until_one_ends(socket, context, viewer)
    finally:
        context.socket_slots.release(address)


async def _run_until_one_ends(socket: WebSocket, context: PageContext, viewer: Viewer) -> None:
    news = context.subscribe()
    heard = asyncio.create_task(socket.receive())  # that it has gone; it has no reason to say anything else
    sending = asyncio.create_task(_send_all(socket, context, viewer, news))
    tasks = {heard, sending, asyncio.create_task(context.is_closing.wait())}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        context.unsubscribe(news)
        for task in tasks:
            task.cancel()
    await asyncio.wait(tasks)
    if not sending.cancelled():
        with suppress(OSError, WebSocketDisconnect):  # a browser that has gone, or takes nothing, is no fault
            sending.result()
    if _has_gone(heard):
        return
    with suppress(OSError, WebSocketDisconnect):
        async with asyncio.timeout(1):
            await socket.close(_GOING_AWAY if context.is_closing.is_set() else _POLICY)


def _has_gone(heard: asyncio.Task[Message]) -> bool:
    if heard.cancelled():
        return False
    return heard.exception() is not None or heard.result()["type"] == "websocket.disconnect"


async def _send_all(socket: WebSocket, context: PageContext, viewer: Viewer, news: asyncio.Event) -> None:
    reader = _FeedCursor(socket.query_params.get("match", ""), _parse_number(socket.query_params.get("since", "")))
    while True:
        news.clear()
        state = context.state_text(
            viewer
        )  # before the events: what happens while they are sent belongs to the next state
        is_all = await _send_events(socket, context, viewer, reader)
        await _send_state(socket, state, viewer, reader)
        if is_all:
            await news.wait()
            await asyncio.sleep(STATE_INTERVAL_S)


async def _send_events(socket: WebSocket, context: PageContext, viewer: Viewer, reader: _FeedCursor) -> bool:
    """Whether these were all. Of another match than the browser knows, and of one that is shorter, all from the first."""
    match = context.match
    if reader.match_name != match.name or reader.since > match.newest.n_events:
        reader.match_name, reader.since, reader.last_state_text = match.name, 0, ""
        await _send(socket, '{"type":"match"}')
    try:
        texts = await context.event_texts(reader.since, viewer)
    except MatchLogError:
        reader.since = match.newest.n_events - 1  # what cannot be read any more nobody can be sent
        return False
    if texts and context.match is match:
        reader.since += len(texts)
        await _send(socket, f'{{"type":"events","events":[{",".join(texts)}]}}')
    return len(texts) < MOST_AT_ONCE


async def _send_state(socket: WebSocket, state: StateText, viewer: Viewer, reader: _FeedCursor) -> None:
    if state.text != reader.last_state_text:
        reader.last_state_text = state.text
        await _send(
            socket, f'{{"type":"state","now_ms":{state.now_ms},"viewer":"{viewer.value}","state":{state.text}}}'
        )


async def _send(socket: WebSocket, text: str) -> None:
    async with asyncio.timeout(SEND_WITHIN_S):
        await socket.send_text(text)


def _parse_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER else 0
