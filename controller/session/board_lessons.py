"""Learns what the board looks like while a match is played on it.

A turn teaches when all of it is beyond doubt. The board at the moment of the throw is a candidate: it stood still, no
hand was over it, and the log says what stands there. It becomes a lesson when a legal play that was seen begins from that
board. Whatever else happens to the turn (a refused, condoned, corrected or entered play, a dispute, a moved board)
discards the candidate. Places that dice or the cube disturb, and points with checkers of both colours, teach nothing.
Neither do points whose contents were inferred, as the height of a heap is, nor those that the play changed: a throw may
be read only when its play stands on the board already.

What was learned is an event, so that a resumed match reads as the interrupted one did. An event names the first fit that it
continues, so that a newer calibration is not overridden by an older log.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeVar

from controller.adjudication import view_of
from controller.match import BoardLearned, DiceRolled, Evidence, OpeningThrown, PlayMade, RefereeEvent, events
from controller.observing import Observation, Occupancy
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.verdicts.due_throw import position_of
from controller.rules import Ruleset
from vision.board.board_reading import BoardReading
from vision.checkers import KnownPlaces, class_of, is_of_this_network, is_valid_change, update_appearance
from vision.geometry.calibration import Appearance, Calibration
from vision.places import POINTS, Colour, Place

# Events that leave no doubt about the board; every other event discards the candidate.
_ORDINARY = (
    *(DiceRolled, OpeningThrown, events.ThrowRefused, events.TurnEnded, PlayMade, BoardLearned, events.CubeTurned),
    *(events.LightsLost, events.LightsBack, events.ClockReserve, events.ModeChanged, events.CommandRefused),
)


@dataclass(frozen=True, slots=True, eq=False)
class BoardLessons:
    """What is agreed for the match, and the candidate of the turn that is played, if any."""

    table: MatchConfig
    candidate: KnownPlaces | None = None

    def follow(
        self,
        state: RefereeState,
        emitted: Sequence[RefereeEvent],
        seen: object,
        reading: BoardReading | None,
    ) -> tuple["BoardLessons", KnownPlaces | None]:
        """The lessons after one step of the referee, and the lesson that it confirmed.

        `state` follows the events `emitted`; `seen` is the input of the step, and `reading` the newest one of the processor.
        """
        lesson, candidate = None, self.candidate
        for event in emitted:
            if isinstance(event, PlayMade):
                is_seen = event.evidence is Evidence.SEEN
                lesson = _leave_out_play(candidate, event, state, self.table) if candidate and is_seen else None
                candidate = None
            elif not isinstance(event, _ORDINARY):
                candidate = None
        is_thrown = any(isinstance(event, DiceRolled | OpeningThrown) for event in emitted)
        if is_thrown and state.phase is Phase.PLAYING and isinstance(seen, Observation) and reading is not None:
            candidate = _make_candidate(state, seen, reading, self.table)
        return replace(self, candidate=candidate), lesson


def _points_of(text: str, state: RefereeState, table: MatchConfig) -> tuple[tuple[int, int], ...]:
    """Light and dark checkers by place, for a seating that is known and a game with dice."""
    rules, seating = table.rules, state.seating
    if seating is None or not isinstance(rules, Ruleset):
        return ()
    return view_of(position_of(text, rules), seating, rules).points


def list_occupancy(state: RefereeState, table: MatchConfig) -> Occupancy:
    """What stands on the points of the board by the log; empty where that is not known."""
    stacks: dict[Place, tuple[Colour, int]] = {}
    for place, (light, dark) in zip(POINTS, _points_of(state.turn.position, state, table), strict=False):
        if light or dark:
            colour = Colour.BOTH if light and dark else Colour.LIGHT if light else Colour.DARK
            stacks[place] = (colour, light + dark)
    return stacks


def _leave_out_play(candidate: KnownPlaces, play: PlayMade, state: RefereeState, table: MatchConfig) -> KnownPlaces:
    before, after = (_points_of(text, state, table) for text in (play.before, play.after))
    contents = {
        place: known
        for place, known in candidate.contents.items()
        if before[place] == after[place] and POINTS[place].value not in play.inferred
    }
    return replace(candidate, contents=contents)


def _make_candidate(
    state: RefereeState, seen: Observation, reading: BoardReading, table: MatchConfig
) -> KnownPlaces | None:
    points = _points_of(state.turn.position, state, table)
    if not points or seen.board is None or seen.hand_in_view:
        return None
    if reading.of_network is None or reading.taken_ms != seen.taken_ms:
        return None
    contents = {
        place: class_of(Colour.LIGHT, light) if light else class_of(Colour.DARK, dark)
        for place, (light, dark) in enumerate(points)
        if place not in reading.disturbed and not (light and dark)
    }
    return KnownPlaces(reading.of_network, contents)


def take_lesson(
    appearance: Appearance | None, lesson: KnownPlaces, at_ms: int
) -> tuple[Appearance, BoardLearned] | None:
    """The appearance after the lesson, and its event; None if nothing could be seen."""
    learned = update_appearance(appearance, lesson)
    if learned is None or learned == appearance:
        return None
    change = base64.b64encode(learned.change).decode("ascii")
    return learned, BoardLearned(at_ms, learned.network, _digest(learned.first), change, learned.pictures)


def _digest(first: bytes) -> str:
    return hashlib.sha256(first).hexdigest()[:16]


class Learner(Protocol):
    """What reads frames and can be taught: a `FrameProcessor` of this room."""

    @property
    def calibration(self) -> Calibration: ...

    @property
    def newest_reading(self) -> BoardReading | None: ...

    def with_appearance(self, appearance: Appearance) -> Self: ...


Processor = TypeVar("Processor", bound=Learner)


def learn_from_step(
    lessons: BoardLessons,
    processor: Processor,
    state: RefereeState,
    emitted: Sequence[RefereeEvent],
    seen: object,
) -> tuple[BoardLessons, Processor, tuple[BoardLearned, ...]]:
    """Takes the lesson of a turn that the step confirmed, and gives its event; see `BoardLessons.follow`."""
    if not emitted:
        return lessons, processor, ()
    lessons, lesson = lessons.follow(state, emitted, seen, processor.newest_reading)
    known = processor.calibration.appearance
    learned = None if lesson is None else take_lesson(known, lesson, emitted[-1].at_ms)
    if learned is None:
        return lessons, processor, ()
    return lessons, processor.with_appearance(learned[0]), (learned[1],)


def restore_appearance(calibrated: Appearance | None, logged: Iterable[RefereeEvent]) -> Appearance | None:
    """The appearance that a match had learned, from that of its calibration and the events of its log.

    An event that does not continue this calibration, or holds no change, is passed over.
    """
    known = calibrated
    for event in logged:
        if isinstance(event, BoardLearned):
            known = _continue(known, event) or known
    return known


def has_unused_lessons(calibrated: Appearance | None, logged: Iterable[RefereeEvent]) -> bool:
    """Whether the newest thing that the match learned of the board does not continue this calibration.

    So it is after another file was given for the match, or when another network reads now.
    """
    known, is_unused = calibrated, False
    for event in logged:
        if isinstance(event, BoardLearned):
            after = _continue(known, event)
            is_unused = after is None or not is_of_this_network(after)
            known = after or known
    return is_unused


def _continue(known: Appearance | None, event: BoardLearned) -> Appearance | None:
    """The appearance after an event; None for one that does not continue `known`."""
    try:
        change = base64.b64decode(event.change, validate=True)
    except ValueError:  # binascii.Error is one
        return None
    if not is_valid_change(change):
        return None
    if known is None and event.first == _digest(change):
        return Appearance(event.network, change, change, event.pictures)
    if known is None or (known.network, _digest(known.first)) != (event.network, event.first):
        return None
    return replace(known, change=change, pictures=event.pictures)
