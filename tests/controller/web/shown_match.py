"""A refereed match whose events and states are published to the page, with or without a socket."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from starlette.testclient import TestClient

from controller.match.commands import Command
from controller.match.events import PlayMade, PlayRefused, RefereeEvent
from controller.match_log import EvidencePicture, MatchLog, PictureKind, create_match
from controller.rules import Player
from controller.web.application import make_application
from controller.web.match.live_match import LiveMatch, OrderQueue, PageSink
from controller.web.page_context import PageContext
from tests.controller.refereeing.refereed_match import LEGAL, OPENING_HALVES, RefereedMatch, table_of
from vision.pixels.picture_quality import PictureFault

PORT = 8080
TOKEN = "a-token-for-tests-only"  # noqa: S105 - it opens nothing
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
NAMES = frozenset({"localhost"})
PLACES = {
    f"{row}{column}": (column / 13, first, column / 13, fifth)
    for row, first, fifth in (("T", 0.06, 0.4), ("B", 0.94, 0.6))
    for column in range(1, 13)
}
"""Where the checkers lie in the pictures of `_evidence`."""
_OPEN_LOGS: list[MatchLog] = []  # of the running test; `conftest.py` closes them after it


@dataclass(slots=True)
class ShownMatch:
    """`n_published` counts the events that the page has been sent."""

    match: RefereedMatch
    live: LiveMatch
    sink: PageSink
    n_published: int = 0
    log: MatchLog | None = None
    orders: OrderQueue = field(default_factory=OrderQueue)

    @classmethod
    def begun(cls, game: str = "backgammon", *, folder: Path | None = None, **changes: object) -> "ShownMatch":
        """A match with the start position on the board; in a folder, with a log and drawn evidence."""
        return cls.of(RefereedMatch.begun(table_of(game, **changes)), folder=folder)

    @classmethod
    def after_first_turn(
        cls, game: str = "backgammon", *, folder: Path | None = None, **changes: object
    ) -> "ShownMatch":
        """White has played 3-1 as 8/5 6/5."""
        shown = cls.begun(game, folder=folder, **changes)
        play_first_turn(shown.match)
        shown.publish()
        return shown

    @classmethod
    def unsure(cls) -> "ShownMatch":
        """The referee is not sure how White played 3-1."""
        shown = cls.begun()
        leave_unsure(shown.match)
        shown.publish()
        return shown

    @classmethod
    def in_the_dark(cls) -> "ShownMatch":
        """The start position stands there, and the referee has waited for light for five seconds."""
        match = RefereedMatch.before_start(table_of("backgammon", seating=None))
        match.position, match.picture_fault = match.table.start_text, PictureFault.TOO_DARK
        for _ in range(50):
            match.frame(is_settled=False)
        return cls.of(match)

    @classmethod
    def of(cls, match: RefereedMatch, *, folder: Path | None = None) -> "ShownMatch":
        log = None if folder is None else create_match(folder / "m.zmatch", match.table.game)
        if log is not None:
            _OPEN_LOGS.append(log)
        path = None if log is None else log.path
        live = LiveMatch("m", match.table, match.state, (), path=path)
        shown = cls(match, live, PageSink(live, _nobody), log=log)
        shown.publish()
        return shown

    def publish(self) -> None:
        """Publishes the new events as the loop does: saved first."""
        events = self.match.events[self.n_published :]
        self.n_published = len(self.match.events)
        if self.log is not None:
            self.log.append(events, _evidence(events))
        self.sink.publish(self.match.state, events, self.match.now_ms)

    def obey(self) -> tuple[Command, ...]:
        """Carries out the orders that came from the page, and returns them."""
        orders = tuple(self.orders())
        for order in orders:
            self.match.give(order)
        self.publish()
        return orders

    def client(self) -> TestClient:
        context = PageContext(self.live, TOKEN)
        self.orders = context.orders
        return client_of(context)

    def state(self, headers: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
        """The state as a new client gets it: a spectator's, or with `OPERATOR` the operator's."""
        return dict(self.client().get("/api/state", headers=headers).json()["state"])


def client_of(context: PageContext) -> TestClient:
    """A client without a socket."""
    app = make_application(context, NAMES, lambda: PORT)
    return TestClient(app, base_url=f"http://127.0.0.1:{PORT}", client=("127.0.0.1", 50_000))


def number_of(shown: ShownMatch, kind: type) -> int:
    """The number of the first event of a type."""
    return next(number for number, event in enumerate(shown.match.events, 1) if isinstance(event, kind))


def close_logs() -> None:
    """Closes the logs of all matches that were begun in a folder."""
    while _OPEN_LOGS:
        _OPEN_LOGS.pop().close()


def _nobody() -> None:
    """Stands for the server's `wake`."""


def _evidence(events: Sequence[RefereeEvent]) -> tuple[EvidencePicture, ...]:
    """A picture after each play, and three of a play that was refused; the grey level follows from the number of the event."""
    kinds = {PlayMade: (PictureKind.AFTER,), PlayRefused: tuple(PictureKind)}
    return tuple(
        EvidencePicture(kind, np.full((60, 90, 3), 40 + 10 * number, np.uint8), number, PLACES)
        for number, event in enumerate(events)
        for kind in kinds.get(type(event), ())
    )


def play_first_turn(match: RefereedMatch) -> None:
    """White wins the opening with 3-1 and plays it as 8/5 6/5."""
    match.throw(3, 1, halves=OPENING_HALVES)
    match.play(Player.WHITE, *LEGAL)


def leave_unsure(match: RefereedMatch) -> None:
    """White's 3-1 is played under a hand, and Black's throw already lies on the board."""
    match.throw(3, 1, halves=OPENING_HALVES)
    match.lift(is_settled=False)
    match.throw(6, 4, is_settled=False)
    match.frame(hand=True)
