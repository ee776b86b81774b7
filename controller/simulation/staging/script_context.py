"""The context that the parts of a script share, and incidents at the table beside the game."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.match import Checkers, Peripheral, PeripheralEvent, Seating
from controller.rules import Player
from controller.simulation.staging.beats import Beat, Cue
from controller.simulation.staging.board_plan import distance_mm
from controller.simulation.staging.dice_placement import Landing, find_flat_place
from controller.simulation.staging.filming import Filming
from controller.simulation.staging.hearing import Hearing
from controller.simulation.staging.mishaps import Mishaps, happens
from controller.simulation.staging.stacks import Aside, Spot
from controller.simulation.staging.truth import TrueEvent, TrueMishap

Happening = Beat | Cue | TrueEvent
Happenings = Iterator[Happening]

_LINK_REPORT_MS = 1500  # from the last picture to the report of a lost camera
_CAMERA_GONE_MS = 5000
_BUMP_MM = 2.0  # most in x and in y: a shift that the drift correction can follow
_LED_PATTERNS = 4


@dataclass(slots=True)
class ScriptContext:
    """One game that is being filmed."""

    seating: Seating
    film: Filming
    mishaps: Mishaps
    chance: Random
    are_lights_gone: bool = False
    hearing: Hearing = field(default_factory=Hearing)

    def may(self, probability: float) -> bool:
        return happens(probability, self.chance)


def film_incidents(playing: ScriptContext, player: Player) -> Happenings:
    """Incidents of a turn that must not change any ruling."""
    film, mishaps = playing.film, playing.mishaps
    if playing.may(mishaps.led_light):
        pattern = int(playing.chance.random() * (_LED_PATTERNS + 1))
        film.conditions = replace(film.conditions, led_light=pattern)
    if playing.are_lights_gone:
        yield Cue(film.now_ms, PeripheralEvent(Peripheral.LIGHTS, True, film.now_ms))
        playing.are_lights_gone = False
    if playing.may(mishaps.lights_gone):
        yield TrueMishap(film.now_ms, "the board of lights is unplugged")
        film.conditions = replace(film.conditions, led_light=0)
        yield Cue(
            film.now_ms,
            PeripheralEvent(Peripheral.LIGHTS, False, film.now_ms),
        )
        playing.are_lights_gone = True
    if playing.may(mishaps.camera_gone):
        yield from _film_camera_loss(playing)
    if playing.may(mishaps.camera_bumped):
        yield TrueMishap(film.now_ms, "the camera is bumped")
        shift = tuple(_BUMP_MM * (2 * playing.chance.random() - 1) for _ in range(2))
        film.conditions = replace(film.conditions, shift_mm=(shift[0], shift[1]))
    if playing.may(mishaps.hand_rests):
        yield from _film_hand_rest(playing, player)


def _film_camera_loss(playing: ScriptContext) -> Happenings:
    film = playing.film
    yield TrueMishap(film.now_ms, "the camera is gone")
    yield from film.lose_camera(_LINK_REPORT_MS)
    yield Cue(film.now_ms, PeripheralEvent(Peripheral.CAMERA, False, film.now_ms))
    yield from film.lose_camera(_CAMERA_GONE_MS - _LINK_REPORT_MS)
    yield Cue(film.now_ms, PeripheralEvent(Peripheral.CAMERA, True, film.now_ms))
    yield from film.pause((900, 1300))


def _film_hand_rest(playing: ScriptContext, player: Player) -> Happenings:
    film, plan = playing.film, playing.film.plan
    yield TrueMishap(film.now_ms, "a hand rests at the rim")
    y_mm = plan.height_mm - 20 if film.is_below(player) else 20.0
    yield from film.reach(player, (plan.width_mm * (0.2 + 0.6 * playing.chance.random()), y_mm))
    yield from film.pause((1500, 3500))
    yield from film.withdraw()


def push_aside(playing: ScriptContext, player: Player, spot: Spot, checkers: Checkers) -> Happenings:
    """Pushes dice out of the way of a checker."""
    film = playing.film
    if isinstance(spot, Aside):
        return
    at_mm = film.spot_mm(spot, checkers, is_free=True)
    for die in film.dice:
        if distance_mm(die.centre_mm, at_mm) < film.plan.checker_mm / 2 + film.plan.die_mm:
            yield from push_die(playing, player, die.number)


def push_die(playing: ScriptContext, player: Player, number: int) -> Happenings:
    """Pushes a die to a free place of its half."""
    film = playing.film
    die = next(one for one in film.dice if one.number == number)
    half = film.plan.half_at(die.centre_mm[0])
    if half is not None:
        others = tuple(one for one in film.dice if one is not die)
        there = Landing(film.plan, film.stacks, others, half, die.pair, number)
        centre_mm = find_flat_place(half, there, playing.chance)
        yield from film.push(player, replace(die, centre_mm=centre_mm, yaw_deg=90 * playing.chance.random()))


def turn_die(playing: ScriptContext, player: Player, number: int, value: int) -> Happenings:
    """A sleeve tips a die over: it shows another face in nearly the same place."""
    film = playing.film
    die = next(one for one in film.dice if one.number == number)
    if die.thrown is not None:
        turned = replace(die, value=value, thrown=replace(die.thrown, value=value))
        yield from film.push(player, replace(turned, yaw_deg=90 * playing.chance.random()))
