"""The referee: a state, an input, and what follows from them. No clock, no camera, no disk; time is in the inputs.

    state, events = step(state, seen, table)

What a match is made of are the events: the durable part of the state is what they amount to (`replayed`), so that a log
is all that has to survive. The table of handlers is in `referee_table.py`, the handlers in `refereeing/`.
"""

from dataclasses import replace

from controller.match.commands import Command
from controller.match.events import BoardUsed, MatchResumed, MatchStarted, RefereeEvent
from controller.match.inputs import Link, LinkEvent, Tick
from controller.match.seating import ALL_SEATINGS
from controller.observing.observation import Observation
from controller.refereeing.applied import applied, replayed
from controller.refereeing.phases import links
from controller.refereeing.state import Awareness, Phase, RefereeState, durable
from controller.refereeing.table import Patience, Table
from controller.refereeing.transition import Course, noticed
from controller.refereeing.transitions import TABLE, refused

__all__ = [
    "Awareness",
    "Patience",
    "Phase",
    "RefereeState",
    "Table",
    "applied",
    "begin",
    "durable",
    "replayed",
    "resumed",
    "step",
]


def begin(table: Table, now_ms: int) -> tuple[RefereeState, tuple[RefereeEvent, ...]]:
    """A new match; its first event is to be saved like all others."""
    seatings = table.seatings if table.seating is None and table.seatings != ALL_SEATINGS else ()
    started = MatchStarted(
        now_ms,
        table.game,
        table.rules_toml,
        table.profile.name,
        table.mode,
        table.white,
        table.black,
        table.match.target,
        table.white_score,
        table.black_score,
        None if table.clock is None else table.clock.name,
        crawford=table.match.crawford,
        board=BoardUsed(table.has_bar, table.seating, table.start, table.on_turn, seatings),
    )
    course = Course(RefereeState(seen=Awareness(now_ms=now_ms))).told(started)
    return course.state, course.events


def resumed(state: RefereeState, now_ms: int) -> tuple[RefereeState, tuple[RefereeEvent, ...]]:
    """A match that a log tells of (`replayed`) goes on; the board is compared with it as soon as one is seen."""
    course = Course(replace(state, seen=Awareness(now_ms=now_ms, was_blind=True, lay_before_start=True)))
    course = course.told(MatchResumed(now_ms, after_restart=True))
    return course.state, course.events


def step(
    state: RefereeState, seen: Observation | Command | Tick | LinkEvent, table: Table
) -> tuple[RefereeState, tuple[RefereeEvent, ...]]:
    """The state after one input, and what happened. While nothing can be saved, nothing happens."""
    course = Course(state)
    if isinstance(seen, Observation):
        course = noticed(course, seen)
    if not state.seen.storage_up and not (isinstance(seen, LinkEvent) and seen.link is Link.STORAGE):
        return (links.missed(course, seen) if isinstance(seen, LinkEvent) else course).state, ()
    if isinstance(seen, Observation):
        course = _observed(course, seen, table)
    else:
        answer = TABLE.get((course.state.phase, type(seen)))
        course = (answer.handler if answer else refused)(course, seen, table)
    return course.state, course.events


def _observed(course: Course, seen: Observation, table: Table) -> Course:
    """A bumped board is no board to judge, whatever the phase."""
    if seen.board_moved_mm >= table.patience.moved_mm and course.state.phase is not Phase.BLIND:
        course = links.board_moved(course, seen)
    else:
        course = TABLE[course.state.phase, Observation].handler(course, seen, table)
    return links.with_clock(course)
