"""The page of the hall: what the listener heard becomes one view, and browsers ask for what changed in it.

Browsers wait for news in a request of their own (`/api/club?after=N`). Only who has the token sees the hall.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.club.hall import (
    MOST_TABLES,
    Hall,
    Wanted,
    list_wanted,
    lose_unheard,
    order_tables,
    show_picture,
    take_message,
)
from controller.club.listener import Heard
from controller.club.records import Record, make_table_record
from controller.publishing.pictures import LONGEST_PX, MOST_BYTES
from controller.web.access import Access, TokenOfPort, require_operator
from controller.web.address import Address, names_of_this_machine
from controller.web.bodies import NOT_STORED, REFUSALS, parse_number, problem, respond_json_text
from controller.web.connections import PageError, open_listening_socket
from controller.web.guard import Guard
from controller.web.server_thread import ServerThread
from controller.web.static_files import STATIC_ROUTE, page_route
from vision.pixels.small_jpeg import shrink_jpeg

LOOK_EVERY_S = 0.2
"""A knob: between two looks at what the broker delivered, while a browser waits."""
TOLD_WITHIN_S = 2.0
"""A knob: so soon after a new connection the broker has said which tables are there."""
WAIT_S = 5.0
"""A knob: a request without news is answered after this, so that a browser notices a server that is gone."""
_MOST_VERSION = 10**8  # nine digits, so that a restarted server begins elsewhere and a browser asks for all


class HallView:
    """The hall as the page shows it; belongs to the thread of the server."""

    def __init__(
        self, take: Callable[[], Heard], ask: Callable[[Wanted], None], clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._take, self._ask, self._clock_s = take, ask, clock_s
        self._asked: dict[str, str] = {}  # table -> the match that was asked for
        self._hall, self._order = Hall(), tuple[str, ...]()
        self._records: dict[str, tuple[int, Record]] = {}
        self._link: Record = {}
        self._looked_s = float("-inf")
        self.is_closing = False  # nobody waits any more
        self.version = self._first = secrets.randbelow(_MOST_VERSION) + 1

    def look(self) -> None:
        """Takes what came, at most every `LOOK_EVERY_S`, however many browsers ask."""
        now_s = self._clock_s()
        if now_s - self._looked_s < LOOK_EVERY_S:
            return
        self._looked_s = now_s
        heard = self._take()
        hall = self._hall
        for message in heard.messages:
            hall = take_message(hall, message)
        if heard.is_up and now_s - heard.since_s >= TOLD_WITHIN_S:
            hall = lose_unheard(hall, heard.since_s)
        self._hall = replace(hall, is_full=hall.is_full or heard.is_full)
        self._show(heard, now_s)
        for wanted in list_wanted(self._hall):
            if self._asked.get(wanted.name) != wanted.match:
                self._asked[wanted.name] = wanted.match
                self._ask(wanted)

    def _show(self, heard: Heard, now_s: float) -> None:
        ordered = order_tables(self._hall, now_s)
        order = tuple(table.name for table, _ in ordered)
        link: Record = {"is_up": heard.is_up, "since_s": round(heard.since_s, 3), "is_full": self._hall.is_full}
        found = {table.name: make_table_record(table, needs) for table, needs in ordered}
        changed = [name for name in order if name not in self._records or self._records[name][1] != found[name]]
        if changed or order != self._order or link != self._link:
            self.version += 1
            self._order, self._link = order, link
            self._records |= {name: (self.version, found[name]) for name in changed}

    def answer(self, after: int) -> str:
        """What changed since version `after`, as JSON text; everything where that is none of this server."""
        is_known = self._first <= after <= self.version
        tables = {name: record for name, (version, record) in self._records.items() if version > after or not is_known}
        record: dict[str, Any] = {
            "version": self.version,
            "now_s": round(self._clock_s(), 3),
            "link": self._link,
            "most": MOST_TABLES,
            "order": self._order,
            "tables": tables,
        }
        return json.dumps(record, separators=(",", ":"))

    def find_picture(self, name: str, number: int | None) -> bytes | None:
        """What the table sent as the picture of that ruling, if it is the last one."""
        table = self._hall.tables.get(name)
        picture = None if table is None else show_picture(table)
        return None if picture is None or picture.number != number else picture.jpeg


class ClubServer:
    """Serves the page from its construction to `close`. PageError where the server cannot start.

    `take` gives what came from the broker since its last call, `ask` asks a table for events once more (`Listener`).
    """

    def __init__(
        self, address: Address, token: str | TokenOfPort, take: Callable[[], Heard], ask: Callable[[Wanted], None]
    ) -> None:
        self._socket = open_listening_socket(address)
        self.address = Address(address.host, self._socket.getsockname()[1])
        self._token = token if isinstance(token, str) else token(self.address.port)
        self._view = view = HallView(take, ask)
        access = Access(self._token)

        async def respond(request: Request) -> Response:
            require_operator(request, access)
            return respond_json_text(
                await _wait_for_news(view, parse_number(request.query_params.get("after", "")) or 0)
            )

        async def respond_picture(request: Request) -> Response:
            require_operator(request, access)
            query = request.query_params
            given = view.find_picture(query.get("table", ""), parse_number(query.get("number", "")))
            content = None if given is None else await asyncio.to_thread(shrink_jpeg, given, LONGEST_PX, MOST_BYTES)
            if content is None:
                raise problem(404, "There is no such picture.")
            return Response(content, media_type="image/jpeg", headers=NOT_STORED)

        routes = [
            *(page_route("/", "club.html"), STATIC_ROUTE, Route("/api/club", respond, methods=["GET"])),
            Route("/api/club/picture", respond_picture, methods=["GET"]),
        ]
        inside = Starlette(routes=routes, exception_handlers=REFUSALS)
        app = Guard(inside, names_of_this_machine(self.address), lambda: self.address.port, access)
        try:
            self._server = ServerThread(app, self._socket, "club page")
        except PageError:
            self._socket.close()
            raise

    @property
    def link(self) -> str:
        """The link for the director; on a network with the address that other machines see."""
        return f"{self.address.network_link()}#operator={self._token}"

    def close(self) -> None:
        """Requests that are being answered get their answers; then the port is free."""
        self._view.is_closing = True
        self._server.end()
        self._socket.close()


async def _wait_for_news(view: HallView, after: int) -> str:
    """Returns at the next change, or after `WAIT_S`."""
    end_s = time.monotonic() + WAIT_S
    view.look()
    while view.version == after and time.monotonic() < end_s and not view.is_closing:
        await asyncio.sleep(LOOK_EVERY_S)
        view.look()
    return view.answer(after)
