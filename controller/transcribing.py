"""A recording becomes a match log: who plays in it, what goes on where a broken-off run ended, and what came of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from controller.events import GameWon, MatchStarted, RefereeEvent, ThrowRefused
from controller.film import Film, Rewatched, Stills
from controller.joining import Joining
from controller.match_log import Ruled, turn_lines
from controller.seating import ALL_SEATINGS, Seating
from controller.table import Patience, Table
from vision.frame import Frame

WARM_UP_MS = 10_000
"""So much before the last event is looked at again when a run goes on: what lies there is known then, as it was."""

NO_PATIENCE = Patience(
    illegal_ms=0, unclear_ms=0, differs_ms=0, second_die_ms=0, cube_ms=0, still_ms=0, look_again_ms=0
)
"""For settled scenes: whatever stands there is meant."""


def for_stills(table: Table) -> Table:
    """The table as it is known from pictures of settled scenes."""
    return replace(table, patience=NO_PATIENCE, is_watched=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a transcription found. `turns` counts those that are legal, illegal or unsure in the end."""

    games: int
    turns: int
    unsure: int
    illegal: int
    bad_throws: int


def outcome_of(events: Iterable[RefereeEvent]) -> Outcome:
    """Of everything in the log."""
    events = tuple(events)
    rulings = [turn.ruling for turn in turn_lines(events)]
    return Outcome(
        games=sum(isinstance(event, GameWon) for event in events),
        turns=len(rulings),
        unsure=rulings.count(Ruled.UNSURE),
        illegal=rulings.count(Ruled.ILLEGAL),
        bad_throws=sum(isinstance(event, ThrowRefused) for event in events),
    )


def is_of_this_match(events: Iterable[RefereeEvent], table: Table) -> bool:
    """Whether a log that was begun is of the match that is asked for."""
    asked = (table.game, table.rules_toml, table.profile.name)
    started = (event for event in events if isinstance(event, MatchStarted))
    return all((event.game, event.rules_toml, event.profile) == asked for event in started)


def joined(
    frames: Iterable[Frame], watch: Film | Stills, table: Table, seatings: tuple[Seating, ...]
) -> tuple[Table, Rewatched]:
    """The table as the first frames tell it, and a watch that knows these. No seatings: any."""
    joining = Joining(table, seatings or ALL_SEATINGS)
    known = {}
    for frame in frames:
        watch, seen = watch.seen(frame)
        known[frame.taken_ms] = seen
        joining = joining.after(seen)
        if joining.decided is not None:
            break
    return joining.decided or joining.likeliest, Rewatched(watch, known)


def warmed(watch: Film | Stills, frames: Iterator[Frame], until_ms: int) -> tuple[Film | Stills, Iterator[Frame]]:
    """The watch after the frames up to that time, of which the log knows already, and the frames that are left."""
    for frame in frames:
        if frame.taken_ms > until_ms:
            return watch, _from(frame, frames)
        if frame.taken_ms > until_ms - WARM_UP_MS:
            watch, _ = watch.seen(frame)
    return watch, frames


def _from(first: Frame, others: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from others
