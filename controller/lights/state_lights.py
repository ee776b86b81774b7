"""From the state of a match to the picture of the strip: what lights up in which phase, and what a mode allows.

Pure in time: whatever blinks or ends does so by the time that is handed in. What is shown is no ruling; it says what
was ruled, and helps where help was asked for.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType

from controller.lights.hints import PlayHints, compute_hints
from controller.lights.vocabulary import (
    BOTH_RIMS,
    CORNERS,
    LEFT_HALF,
    PLAY_LEGAL_SHOWN_MS,
    RIGHT_HALF,
    LightSign,
    Meaning,
    render_signs,
)
from controller.match.events import Mode, ThrowRefused
from controller.match.officiating import may_speak_up
from controller.match.seating import Checkers
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import Phase, RefereeState
from controller.rules import HOME, Player
from controller.rules.grasshopper.game import GrasshopperRules
from firmware_bridge.layout import LOWER_ROW, UPPER_ROW, LedLayout, LedPlace
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.patterns import SWEEP_MS
from vision.dice.readings import BoardHalf
from vision.places import Place

VOID_SHOWN_MS = 5_000
"""How long a throw that does not count is shown when none of its dice lie on the board any more."""
PASS_SHOWN_MS = 2 * SWEEP_MS
"""How long a pass is shown that is over at once, for there are no dice to be lifted."""


class Topic(Enum):
    """What lights speak of."""

    FAULT = "fault"  # camera or disk
    THROW = "throw"  # one that does not count, or cannot be told
    TURN = "turn"  # whose it is
    HELP = "help"  # what may be played, and that nothing can be
    PLAY = "play"  # an illegal one
    DOUBT = "doubt"  # about a play
    SET_UP = "set_up"
    RESTORE = "restore"


TOPICS_BY_MODE: Mapping[Mode, frozenset[Topic]] = MappingProxyType(
    {
        Mode.TEACH: frozenset(Topic),
        Mode.REFEREE: frozenset(Topic) - {Topic.HELP},
        # No aid for the players (US 1.5): a bad throw, and a board that must be put back before anything can go on.
        Mode.TOURNAMENT: frozenset({Topic.FAULT, Topic.THROW, Topic.RESTORE}),
        Mode.SILENT: frozenset({Topic.FAULT}),
    }
)
MONITOR_TOPICS = frozenset({Topic.PLAY, Topic.DOUBT, Topic.SET_UP})
"""What a monitor says in a tournament when he was appointed."""


def select_topics(table: MatchConfig) -> frozenset[Topic]:
    """What may light up in this match."""
    topics = TOPICS_BY_MODE[table.mode]
    if not may_speak_up(table.profile, table.mode, is_appointed=table.monitor_appointed):
        return topics - {Topic.PLAY}
    return topics | MONITOR_TOPICS


def render_state(state: RefereeState, layout: LedLayout, now_ms: int, *, table: MatchConfig) -> LedFrame:
    """The picture of the strip."""
    return render_signs(select_signs(state, table, now_ms), layout, now_ms)


def select_signs(state: RefereeState, table: MatchConfig, now_ms: int) -> tuple[LightSign, ...]:
    """Everything that is shown now; empty is a dark strip."""
    if not state.seen.storage_up:
        return (LightSign(Meaning.UNSURE, BOTH_RIMS),)
    table = with_current_mode(table, state)
    topics = select_topics(table)
    return tuple(sign for topic, sign in _generate_signs(state, table, now_ms) if topic in topics and sign.places)


def _generate_signs(state: RefereeState, table: MatchConfig, now_ms: int) -> Iterator[tuple[Topic, LightSign]]:
    """Whatever the mode."""
    match state.phase:
        case Phase.BLIND:
            yield Topic.FAULT, _sign_blindness(state)
        case Phase.SET_UP:
            yield from ((Topic.SET_UP, sign) for sign in _sign_differences(state))
        case Phase.RESTORE:
            yield from ((Topic.RESTORE, sign) for sign in _sign_differences(state))
        case Phase.OPENING | Phase.AWAIT_ROLL:
            yield from _sign_last_play(state, table, now_ms)
            throw = tuple(_sign_throw(state, now_ms))
            yield from ((Topic.THROW, sign) for sign in throw)
            if not throw:
                yield from ((Topic.TURN, sign) for sign in _sign_turn(state, table))
        case Phase.PLAYING:
            yield from _sign_last_play(state, table, now_ms)
            yield from ((Topic.HELP, sign) for sign in _sign_play(state, table))
            yield from ((Topic.THROW, sign) for sign in _sign_early_throw(state, now_ms))
        case Phase.ILLEGAL:
            yield from ((Topic.PLAY, sign) for sign in _sign_illegal_play(state, table))
        case Phase.UNSURE:
            yield (
                Topic.DOUBT,
                LightSign(Meaning.UNSURE, _find_leds(state.unclear.places if state.unclear else ()) or BOTH_RIMS),
            )
        case _:
            return  # nobody is asked for anything that a light could tell


def _sign_blindness(state: RefereeState) -> LightSign:
    """Lost since the last frame; where the camera is there, it is the board that cannot be read."""
    glimpse = state.seen.glimpse
    if glimpse is not None and state.seen.camera_up:
        return LightSign(Meaning.UNSURE, BOTH_RIMS)
    return LightSign(Meaning.CAMERA_LOST, CORNERS, since_ms=0 if glimpse is None else glimpse.taken_ms)


def _sign_differences(state: RefereeState) -> Iterator[LightSign]:
    """A point with the wrong colour has one too many and lacks one; what must go first is shown."""
    if state.set_up_unclear is not None:
        yield LightSign(Meaning.UNSURE, _find_leds(state.set_up_unclear.places) or BOTH_RIMS)
    if state.differs is not None:
        yield LightSign(Meaning.MISSING, _find_leds(state.differs.missing))
        yield LightSign(Meaning.EXTRA, _find_leds(state.differs.extra))


def _sign_last_play(state: RefereeState, table: MatchConfig, now_ms: int) -> Iterator[tuple[Topic, LightSign]]:
    """That it was legal, for a moment; and that somebody passed without having thrown."""
    accepted, passed = state.seen.accepted, state.seen.passed
    if accepted is not None and 0 <= now_ms - accepted.at_ms < PLAY_LEGAL_SHOWN_MS:
        home = set(find_home_rim(state, accepted.player, table))
        own_row = tuple(place for row in (UPPER_ROW, LOWER_ROW) if home & set(row) for place in row)
        yield Topic.PLAY, LightSign(Meaning.PLAY_LEGAL, own_row or BOTH_RIMS, accepted.at_ms)
    if passed is not None and 0 <= now_ms - passed.at_ms < PASS_SHOWN_MS:
        yield Topic.HELP, LightSign(Meaning.NO_PLAY, (*BOTH_RIMS, LedPlace.BAR), passed.at_ms)


def _sign_throw(state: RefereeState, now_ms: int) -> Iterator[LightSign]:
    """Of one that does not count, or cannot be told, while its dice lie there."""
    lying = _find_halves(state, set())
    if state.throw_unclear is not None:
        yield LightSign(Meaning.UNSURE, lying or BOTH_RIMS)
    elif state.throw_refused is not None and (lying or _is_fresh(state.throw_refused, now_ms)):
        yield LightSign(Meaning.THROW_VOID, lying or BOTH_RIMS)


def _sign_early_throw(state: RefereeState, now_ms: int) -> Iterator[LightSign]:
    """The opponent threw while this turn was not over, and it does not count; dice of the turn do not blink."""
    refused = state.throw_refused
    if refused is not None and refused.player is not state.on_turn and _is_fresh(refused, now_ms):
        yield LightSign(Meaning.THROW_VOID, _find_halves(state, set(state.seen.own_dice)) or BOTH_RIMS)


def _is_fresh(refused: ThrowRefused, now_ms: int) -> bool:
    return 0 <= now_ms - refused.at_ms < VOID_SHOWN_MS


def _find_halves(state: RefereeState, without: set[int]) -> tuple[LedPlace, ...]:
    """Of the board where dice lie; a die on bar or rim lies in none."""
    halves = {die.reading.half for die in state.seen.dice if die.number not in without}
    left = LEFT_HALF if BoardHalf.LEFT in halves else ()
    return left + (RIGHT_HALF if BoardHalf.RIGHT in halves else ())


def _sign_turn(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """Who throws; in the opening both."""
    players = tuple(Player) if state.phase is Phase.OPENING else (state.on_turn,)
    for player in players:
        if player is not None and state.seating is not None:
            is_light = state.seating.checkers_of(player) is Checkers.LIGHT
            yield LightSign(
                Meaning.THROW_LIGHT if is_light else Meaning.THROW_DARK, find_home_rim(state, player, table)
            )


def find_home_rim(state: RefereeState, player: Player, table: MatchConfig) -> tuple[LedPlace, ...]:
    """The points of his home; of Grasshopper, which has none, and before it is known who sits where, nothing."""
    if state.seating is None or isinstance(table.rules, GrasshopperRules):
        return ()
    direction = table.rules.direction
    return _find_leds(state.seating.place_of(point, player, direction).value for point in HOME)


def _sign_play(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """What may be played; of numbers handed over, to whom they were handed."""
    if state.is_pass_forced:
        yield LightSign(Meaning.NO_PLAY, (*BOTH_RIMS, LedPlace.BAR))
        return
    yield from _sign_hints(compute_hints(state, table))


def _sign_hints(found: PlayHints) -> Iterator[LightSign]:
    source, destination = Meaning.LEGAL_SOURCE, Meaning.LEGAL_DESTINATION
    if found.is_only:
        source, destination = Meaning.ONLY_SOURCE, Meaning.ONLY_DESTINATION
    yield LightSign(source, _find_place_leds(found.sources))
    yield LightSign(destination, _find_place_leds(found.destinations))


def _sign_illegal_play(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """What is to be undone; where nothing is, as when too little was played, the page is pointed at."""
    refused = state.refused
    if refused is None:
        return
    back, belongs = _find_leds(refused.take_back), _find_leds(refused.belongs)
    if not back and not belongs:
        yield LightSign(Meaning.UNSURE, find_home_rim(state, refused.player, table) or BOTH_RIMS)
    yield LightSign(Meaning.BELONGS_HERE, belongs)
    yield LightSign(Meaning.TAKE_BACK, back)


def _find_place_leds(places: Iterable[Place]) -> tuple[LedPlace, ...]:
    return _find_leds(place.value for place in places)


_LED_PLACES = MappingProxyType({place.value: place for place in LedPlace})


def _find_leds(names: Iterable[str]) -> tuple[LedPlace, ...]:
    """Of places of the picture, as events name them; what has no place on the strip is left out."""
    return tuple(_LED_PLACES[name] for name in names if name in _LED_PLACES)
