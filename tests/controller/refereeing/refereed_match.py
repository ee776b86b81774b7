"""A match at a table that is seen clearly: boards are put, dice fall and are lifted, and time is whatever a test says.

Only the camera is left out: what it would have read is built from positions, everything behind it is the real thing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cache, lru_cache
from math import log
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from controller.adjudication.board_view import view_of
from controller.adjudication.grasshopper import view_of_state
from controller.match.commands import Command
from controller.match.events import PlayRefused, PlayUnclear, RefereeEvent
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.match.officiating import PROFILES
from controller.match.seating import Seating
from controller.observing.board_evidence import BoardEvidence, Pair
from controller.observing.observation import Observation
from controller.refereeing.known_misreadings import ReferenceBoard
from controller.refereeing.match_config import GameStart, MatchConfig, MatchPlayers
from controller.refereeing.referee import (
    apply_event,
    begin_match,
    replay_events,
    resume_match,
    step,
    without_perception,
)
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.transition_table import TRANSITION_TABLE
from controller.rules import Player, Ruleset, get_ruleset, parse_setup
from controller.rules.grasshopper import game as grasshopper
from tests.controller.board_sights import Sight, picture_of, sight_of
from vision.dice.readings import BoardHalf, Contact, CubePlace, CubeReading, DieReading, DieState
from vision.dice_tracking.events import DiceEvent, DiceFound, DiceLifted, DiceSettled, ExtraDice, SettledDie
from vision.pixels.picture_quality import PictureFault
from vision.places import Place

Emitted = TypeVar("Emitted")
WHITE, BLACK = Player.WHITE, Player.BLACK
SEATING = Seating()
OPENING_HALVES = (BoardHalf.RIGHT, BoardHalf.LEFT)
LEGAL, ILLEGAL = ((8, 5), (6, 5)), ((8, 4), (6, 5))  # White's plays with 3-1 from the start
LEGAL_PLACES = frozenset({Place.B5, Place.B7, Place.B8})  # White's 8, 6 and 5 point
FRAME_MS = 100
CLEAR = Sight(sureness=0.9999, high_sureness=0.9999, tray_in_view=True, looks=6)


_PLAYERS = frozenset(field.name for field in fields(MatchPlayers))


def table_of(game: str, **changes: object) -> MatchConfig:
    """The usual configuration of a game, with fields of it, of its players or of its start changed; a profile may be a name."""
    if isinstance(profile := changes.get("profile"), str):
        changes["profile"] = PROFILES[profile]
    rules = grasshopper.STANDARD if game == "grasshopper" else get_ruleset(game)
    start = GameStart(changes.pop("start", None), changes.pop("on_turn", None), changes.pop("rolls_before", 0))  # type: ignore[arg-type]
    players = MatchPlayers(**{name: changes.pop(name) for name in _PLAYERS & set(changes)})  # type: ignore[arg-type]
    table = MatchConfig(game=game, rules=rules, seating=SEATING, start=start, players=players)
    return replace(table, **changes)  # type: ignore[arg-type]


Misread = frozenset[tuple[Place, Pair]]


@lru_cache(maxsize=64)
def board_of(
    position: str,
    rules: Ruleset | grasshopper.GrasshopperRules,
    hidden: frozenset[Place] = frozenset(),
    misread: Misread = frozenset(),
) -> BoardEvidence:
    """The evidence of a position that is seen clearly."""
    if isinstance(rules, Ruleset):
        seen = sight_of(view_of(parse_setup(position), SEATING, rules), CLEAR, misread=dict(misread))
    else:
        seen = sight_of(view_of_state(grasshopper.from_text(position), SEATING), CLEAR)
    visible = seen.visible.copy()
    for number, place in enumerate(Place):
        if place in hidden and number < len(visible):
            visible[number] = 0.0
    return replace(seen, visible=visible)


@lru_cache(maxsize=64)
def _picture(position: str, rules: Ruleset | grasshopper.GrasshopperRules) -> NDArray[np.uint8] | None:
    return picture_of(view_of(parse_setup(position), SEATING, rules)) if isinstance(rules, Ruleset) else None


def die_reading(
    value: int, half: BoardHalf | None = BoardHalf.RIGHT, lies: DieState = DieState.FLAT, *, sure: float = 0.9999
) -> DieReading:
    faces = [log((1 - sure) / 5)] * 6
    faces[value - 1] = log(sure)
    tilt_deg = 20.0 if lies is DieState.COCKED else 0.5
    return DieReading(
        tuple(faces), lies, 0.99, (100.0 * value, 100.0), 20.0, (10.0, 10.0), half, Contact.NOTHING, tilt_deg, 0.5
    )


@dataclass(slots=True)
class RefereedMatch:
    """What lies on the table, and the log so far."""

    made: ClassVar[list["RefereedMatch"] | None] = None  # a list while `conftest.py` collects the matches of a test

    table: MatchConfig
    now_ms: int = 0
    position: str = ""
    dice: tuple[SettledDie, ...] = ()
    hidden: frozenset[Place] = frozenset()
    misread: Misread = frozenset()  # surely read as something else, in every picture
    disturbed: frozenset[int] = frozenset()  # points (0..23) at which dice lie
    frames_seen: int = CLEAR.looks
    has_pictures: bool = False  # beside the readings
    cube: CubePlace | None = None
    perhaps_more_dice: bool = False
    state: RefereeState = field(default_factory=RefereeState)
    events: tuple[RefereeEvent, ...] = ()
    next_number: int = 1
    still_since_ms: int = 0
    moved_mm: float = 0.0
    shows_board: bool = True
    picture_fault: PictureFault | None = None
    is_unreadable: bool = False

    def __post_init__(self) -> None:
        if self.made is not None:
            self.made.append(self)

    @classmethod
    def before_start(cls, table: MatchConfig) -> "RefereedMatch":
        """A match whose first board nobody has looked at yet."""
        match = cls(table)
        match.state, match.events = begin_match(table, 0)
        return match

    @classmethod
    def begun(cls, table: MatchConfig) -> "RefereedMatch":
        """With the start position on the board, looked at until the game has begun."""
        return replace(_begun(table))

    def give(self, given: Observation | Command | Tick | PeripheralEvent) -> tuple[RefereeEvent, ...]:
        self.state, events = step(self.state, given, self.table)
        self.events += events
        return events

    def refer_to(self, reference: ReferenceBoard | None) -> None:
        """Makes this the last board whose position is known."""
        findings = self.state.seen.findings.refer_to(reference)
        self.state = replace(self.state, seen=replace(self.state.seen, findings=findings))

    @property
    def roll(self) -> tuple[int, ...] | None:
        """The numbers that have to be played now."""
        return None if self.state.due is None else self.state.due.numbers

    def is_in(self, *phases: Phase) -> bool:
        return self.state.phase in phases

    def frame(
        self,
        *dice_events: DiceEvent,
        hand: bool = False,
        is_settled: bool = True,
        is_moving: bool = False,
        after_ms: int = FRAME_MS,
    ) -> tuple[RefereeEvent, ...]:
        self.now_ms += after_ms
        self.still_since_ms = self.now_ms if hand or is_moving or not is_settled else self.still_since_ms
        seen = board_of(self.position, self.table.rules, self.hidden, self.misread)
        shown = _picture(self.position, self.table.rules) if self.has_pictures else None
        seen = replace(
            seen,
            frame_count=self.frames_seen,
            since_ms=min(self.still_since_ms, self.now_ms - 500),
            taken_ms=self.now_ms,
            picture=shown,
            disturbed=self.disturbed,
        )
        cube = None if self.cube is None else CubeReading(2, self.cube, (0.0, 0.0), 0.99)
        return self.give(
            Observation(
                taken_ms=self.now_ms,
                frame_evidence=seen,
                board=seen if is_settled and not (hand or is_moving) else None,
                dice_events=dice_events,
                dice=self.dice,
                cube=cube,
                perhaps_more_dice=self.perhaps_more_dice,
                hand_in_view=hand,
                is_moving=hand or is_moving,
                board_moved_mm=self.moved_mm,
                shows_board=self.shows_board,
                picture_fault=self.picture_fault,
                is_unreadable=self.is_unreadable,
            )
        )

    def rest(self, for_ms: int, *, every_ms: int = FRAME_MS) -> tuple[RefereeEvent, ...]:
        """Frames of a table on which nothing happens."""
        return tuple(event for _ in range(0, for_ms, every_ms) for event in self.frame(after_ms=every_ms))

    def reveal(self, *, rest_ms: int) -> tuple[RefereeEvent, ...]:
        """From now on no place is hidden."""
        self.hidden = frozenset()
        return self.rest(rest_ms)

    def put(self, position: str, *, rest_ms: int = 0) -> tuple[RefereeEvent, ...]:
        """A hand changes the board; it is settled afterwards."""
        events = self.frame(hand=True)
        self.position = position
        return events + self.frame(hand=True) + self.frame() + self.rest(rest_ms)

    def play(self, player: Player, *ways: tuple[int, int], rest_ms: int = 0) -> None:
        """The player carries his checkers and takes up all dice."""
        self.put(moved(self.position, player, *ways))
        self.lift(rest_ms=rest_ms)

    def throw(
        self,
        *values: int,
        halves: Iterable[BoardHalf] = (),
        lies: DieState = DieState.FLAT,
        sure: float = 0.9999,
        die_chances: Iterable[float] = (),
        is_settled: bool = True,
        rest_ms: int = 0,
    ) -> tuple[RefereeEvent, ...]:
        """Dice settle, beside the dice that lie there."""
        where = tuple(halves) or (BoardHalf.RIGHT,) * len(values)
        readings = [
            replace(die_reading(value, half, lies, sure=sure), die_chance=chance)
            for value, half, chance in zip(values, where, tuple(die_chances) or (1.0,) * len(values), strict=True)
        ]
        first = self.next_number
        new = tuple(SettledDie(first + i, first, reading, self.now_ms) for i, reading in enumerate(readings))
        self.next_number += len(new)
        lay_before, self.dice = self.dice, self.dice + new
        event = ExtraDice(new, lay_before, self.now_ms) if lay_before else DiceSettled(new, self.now_ms)
        return self.frame(event, is_settled=is_settled) + self.rest(rest_ms)

    def lift(self, *, is_settled: bool = True, rest_ms: int = 0) -> tuple[RefereeEvent, ...]:
        """All dice are taken up."""
        gone, self.dice = self.dice, ()
        events = self.frame(DiceLifted(gone, (), self.now_ms), is_settled=is_settled) if gone else ()
        return events + self.rest(rest_ms)

    def find(self, dice: tuple[SettledDie, ...]) -> tuple[RefereeEvent, ...]:
        """Dice whose lifting was reported lie there."""
        self.dice = dice
        return self.frame(DiceFound(dice, self.now_ms))

    def emitted(self, kind: type[Emitted]) -> list[Emitted]:
        """All events of a type so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def only(self, kind: type[Emitted]) -> Emitted:
        """The only event of a type so far."""
        (event,) = self.emitted(kind)
        return event

    def last(self, kind: type[Emitted]) -> Emitted:
        """The last event, which is of this type."""
        event = self.events[-1]
        assert isinstance(event, kind), event
        return event

    def ends_with(self, *kinds: type) -> bool:
        return tuple(map(type, self.events[-len(kinds) :])) == kinds

    def is_asked_and_not_refused(self) -> bool:
        """Whether people were asked about a play, and nobody was accused of one."""
        return bool(self.emitted(PlayUnclear)) and not self.emitted(PlayRefused)

    def link(self, link: Peripheral, *, is_up: bool) -> tuple[RefereeEvent, ...]:
        return self.give(PeripheralEvent(link, is_up, self.now_ms, "" if is_up else "unplugged"))

    def restart(self) -> tuple[RefereeEvent, ...]:
        """The program is killed and started again from its log, in a new session's time."""
        self.state, events = resume_match(replay_events(self.events), 0)
        self.now_ms = self.still_since_ms = 0
        self.events += events
        return events

    def is_what_the_log_says(self) -> bool:
        return replay_events(self.events) == without_perception(self.state)


def opened(game: str = "backgammon", **changes: object) -> RefereedMatch:
    """White starts with 3-1; in games that throw again he still has to throw."""
    return replace(_opened(table_of(game, **changes)))


def to_throw(**changes: object) -> RefereedMatch:
    """White has played 3-1 as 8/5 6/5, and Black has to throw; the cube is in the middle."""
    return replace(_to_throw(table_of(**{"game": "backgammon", **changes})))  # type: ignore[arg-type]


# Many tests begin alike. A match holds only values, so that each test gets a copy of the one that was played once.


@cache
def _begun(table: MatchConfig) -> RefereedMatch:
    match = RefereedMatch.before_start(table)
    match.position = table.start.position or table.start_text
    match.rest(600)
    return match


@cache
def _opened(table: MatchConfig) -> RefereedMatch:
    match = RefereedMatch.begun(table)
    match.throw(3, 1, halves=OPENING_HALVES)
    return match


@cache
def _to_throw(table: MatchConfig) -> RefereedMatch:
    match = replace(_opened(table))
    match.play(WHITE, *LEGAL)
    return match


def undeclared(events: tuple[RefereeEvent, ...]) -> set[tuple[object, type, object]]:
    """(phase, event, phase) that happened and are in no row of the table."""
    declared = {
        (phase, kind, to) for (phase, _), answer in TRANSITION_TABLE.items() for kind, to in answer.phase_changes
    }
    found: set[tuple[object, type, object]] = set()
    state = RefereeState()
    for event in events:
        after = apply_event(state, event)
        lead = (state.phase, type(event), after.phase)
        if after.phase is not state.phase and lead not in declared and (*lead[:2], None) not in declared:
            found.add(lead)
        state = after
    return found


def moved(position: str, player: Player, *ways: tuple[int, int]) -> str:
    """The board with checkers of the player carried along his own path (0 off, 25 bar), whatever the rules say."""
    side, other = position.split("/")[:2] if player is Player.WHITE else position.split("/")[1::-1]
    counts, others = [int(digit, 16) for digit in side], [int(digit, 16) for digit in other]
    for source, target in ways:
        counts[source] -= 1
        counts[target] += 1
    texts = ["".join(f"{count:x}" for count in each) for each in (counts, others)]
    return "/".join(texts if player is Player.WHITE else texts[::-1])
