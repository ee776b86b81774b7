"""From the state of a match to the picture of the strip: which signs a phase shows, and which topics a mode allows.

A pure function of state and time: blinks and time-outs follow the `now_ms` that is passed in. Lights make no ruling;
they show rulings, and hints where the mode gives hints.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from types import MappingProxyType

from controller.lights.hints import compute_hints
from controller.lights.vocabulary import (
    BOTH_RIMS,
    CORNERS,
    LEFT_HALF,
    PASS_SHOWN_MS,
    PLAY_LEGAL_SHOWN_MS,
    RIGHT_HALF,
    LightSign,
    Meaning,
    render_signs,
)
from controller.match import Checkers, Mode, SightHindered, ThrowRefused, may_speak_up
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.waiting import find_obstacle
from controller.rules import HOME, Player
from firmware_bridge.layout import LOWER_ROW, UPPER_ROW, LedLayout, LedPlace
from firmware_bridge.led_frame import LedFrame
from vision.dice.readings import BoardHalf

# How long a refused throw is shown when none of its dice lie on the board.
VOID_SHOWN_MS = 5_000


class Topic(Enum):
    """What a sign is about; each mode allows a set of topics."""

    FAULT = "fault"  # camera or disk
    THROW = "throw"  # a throw that does not count, or that could not be read
    TURN = "turn"  # who throws
    HELP = "help"  # what may be played, or that no play is possible
    PLAY = "play"  # the ruling on a play
    DOUBT = "doubt"  # a play that could not be recognised
    SET_UP = "set_up"  # differences from the start position
    RESTORE = "restore"  # differences from the position of the log


TOPICS_BY_MODE: Mapping[Mode, frozenset[Topic]] = MappingProxyType(
    {
        Mode.TEACH: frozenset(Topic),
        Mode.REFEREE: frozenset(Topic) - {Topic.HELP},
        # No aid for the players (USBGF Rules of Backgammon 2021, 1.5): only bad throws, and a board that must be put
        # back before play can go on.
        Mode.TOURNAMENT: frozenset({Topic.FAULT, Topic.THROW, Topic.RESTORE}),
        Mode.SILENT: frozenset({Topic.FAULT}),
    }
)
# What a device that the tournament director appointed as a monitor shows as well.
MONITOR_TOPICS = frozenset({Topic.PLAY, Topic.DOUBT, Topic.SET_UP})


def select_topics(table: MatchConfig) -> frozenset[Topic]:
    """The topics that may light up, by mode, officiating profile and appointment."""
    topics = TOPICS_BY_MODE[table.mode]
    if not may_speak_up(table.profile, table.mode, is_appointed=table.monitor_appointed):
        return topics - {Topic.PLAY}
    return topics | MONITOR_TOPICS


def render_state(state: RefereeState, layout: LedLayout, now_ms: int, *, table: MatchConfig) -> LedFrame:
    return render_signs(select_signs(state, table, now_ms), layout, now_ms)


def select_signs(state: RefereeState, table: MatchConfig, now_ms: int) -> tuple[LightSign, ...]:
    """The signs shown now; an empty tuple is a dark strip. While nothing can be saved, nothing else is shown."""
    if not state.seen.outages.storage_up:
        return (LightSign(Meaning.UNSURE, BOTH_RIMS),)
    table = with_current_mode(table, state)
    topics = select_topics(table)
    return tuple(sign for topic, sign in _generate_signs(state, table, now_ms) if topic in topics and sign.places)


def _generate_signs(state: RefereeState, table: MatchConfig, now_ms: int) -> Iterator[tuple[Topic, LightSign]]:
    """All signs of the phase with their topics, before the mode filters them."""
    if isinstance(find_obstacle(state), SightHindered):
        yield Topic.FAULT, LightSign(Meaning.UNSURE, BOTH_RIMS)
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
            places = _find_leds(state.questions.unclear.places if state.questions.unclear else ())
            yield Topic.DOUBT, LightSign(Meaning.UNSURE, places or BOTH_RIMS)
        case _:
            return


def _sign_blindness(state: RefereeState) -> LightSign:
    """The camera is lost since its last frame; if the camera works, the board has moved and cannot be read."""
    glimpse = state.seen.view.glimpse
    if glimpse is not None and state.seen.outages.camera_up:
        return LightSign(Meaning.UNSURE, BOTH_RIMS)
    return LightSign(Meaning.CAMERA_LOST, CORNERS, since_ms=0 if glimpse is None else glimpse.taken_ms)


def _sign_differences(state: RefereeState) -> Iterator[LightSign]:
    """A point with the wrong colour is both missing and extra. EXTRA comes last and is shown: it must go first."""
    if state.questions.set_up_unclear is not None:
        yield LightSign(Meaning.UNSURE, _find_leds(state.questions.set_up_unclear.places) or BOTH_RIMS)
    if state.questions.differs is not None:
        yield LightSign(Meaning.MISSING, _find_leds(state.questions.differs.missing))
        yield LightSign(Meaning.EXTRA, _find_leds(state.questions.differs.extra))


def _sign_last_play(state: RefereeState, table: MatchConfig, now_ms: int) -> Iterator[tuple[Topic, LightSign]]:
    """For a moment, that the last play was legal, or that a player passed without throwing."""
    accepted, passed = state.seen.timing.accepted, state.seen.timing.passed
    if accepted is not None and 0 <= now_ms - accepted.at_ms < PLAY_LEGAL_SHOWN_MS:
        home = set(find_home_rim(state, accepted.player, table))
        own_row = tuple(place for row in (UPPER_ROW, LOWER_ROW) if home & set(row) for place in row)
        yield Topic.PLAY, LightSign(Meaning.PLAY_LEGAL, own_row or BOTH_RIMS, accepted.at_ms)
    if passed is not None and 0 <= now_ms - passed.at_ms < PASS_SHOWN_MS:
        yield Topic.HELP, LightSign(Meaning.NO_PLAY, (*BOTH_RIMS, LedPlace.BAR), passed.at_ms)


def _sign_throw(state: RefereeState, now_ms: int) -> Iterator[LightSign]:
    """A throw that does not count or could not be read, while its dice lie on the board."""
    lying = _find_halves(state, set())
    if state.questions.throw_unclear is not None:
        yield LightSign(Meaning.UNSURE, lying or BOTH_RIMS)
    elif state.questions.throw_refused is not None and (lying or _is_fresh(state.questions.throw_refused, now_ms)):
        yield LightSign(Meaning.THROW_VOID, lying or BOTH_RIMS)


def _sign_early_throw(state: RefereeState, now_ms: int) -> Iterator[LightSign]:
    """A refused throw that the opponent made during this turn. The dice of the turn itself do not blink."""
    refused = state.questions.throw_refused
    if refused is not None and refused.player is not state.on_turn and _is_fresh(refused, now_ms):
        yield LightSign(Meaning.THROW_VOID, _find_halves(state, set(state.seen.dice.own)) or BOTH_RIMS)


def _is_fresh(refused: ThrowRefused, now_ms: int) -> bool:
    return 0 <= now_ms - refused.at_ms < VOID_SHOWN_MS


def _find_halves(state: RefereeState, without: set[int]) -> tuple[LedPlace, ...]:
    """The halves where dice lie, without the dice numbered in `without`; a die on the bar or the rim is in no half."""
    halves = {die.reading.half for die in state.seen.view.dice if die.number not in without}
    left = LEFT_HALF if BoardHalf.LEFT in halves else ()
    return left + (RIGHT_HALF if BoardHalf.RIGHT in halves else ())


def _sign_turn(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """The home rim of the player who throws; in the opening of both."""
    players = tuple(Player) if state.phase is Phase.OPENING else (state.on_turn,)
    for player in players:
        if player is not None and state.seating is not None:
            is_light = state.seating.checkers_of(player) is Checkers.LIGHT
            meaning = Meaning.THROW_LIGHT if is_light else Meaning.THROW_DARK
            yield LightSign(meaning, find_home_rim(state, player, table))


def find_home_rim(state: RefereeState, player: Player, table: MatchConfig) -> tuple[LedPlace, ...]:
    """The points of the player's home; empty in Grasshopper, which has none, and while the seating is unknown."""
    if state.seating is None or table.is_grasshopper:
        return ()
    direction = table.dice_rules.direction
    return _find_leds(state.seating.place_of(point, player, direction).value for point in HOME)


def _sign_play(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """What the player on turn may play, or that no play is possible."""
    if state.turn.is_pass_forced:
        yield LightSign(Meaning.NO_PLAY, (*BOTH_RIMS, LedPlace.BAR))
        return
    hints = compute_hints(state, table)
    source, destination = Meaning.LEGAL_SOURCE, Meaning.LEGAL_DESTINATION
    if hints.is_only:
        source, destination = Meaning.ONLY_SOURCE, Meaning.ONLY_DESTINATION
    yield LightSign(source, _find_leds(place.value for place in hints.sources))
    yield LightSign(destination, _find_leds(place.value for place in hints.destinations))


def _sign_illegal_play(state: RefereeState, table: MatchConfig) -> Iterator[LightSign]:
    """The checkers to take back. If none stands wrong, because too little was played, the light refers to the page."""
    refused = state.questions.refused
    if refused is None:
        return
    back, belongs = _find_leds(refused.take_back), _find_leds(refused.belongs)
    if not back and not belongs:
        yield LightSign(Meaning.UNSURE, find_home_rim(state, refused.player, table) or BOTH_RIMS)
    yield LightSign(Meaning.BELONGS_HERE, belongs)
    yield LightSign(Meaning.TAKE_BACK, back)


_LED_PLACES = MappingProxyType({place.value: place for place in LedPlace})


def _find_leds(names: Iterable[str]) -> tuple[LedPlace, ...]:
    """Strip places by the names that events give to places of the picture; names without an LED place are left out."""
    return tuple(_LED_PLACES[name] for name in names if name in _LED_PLACES)
