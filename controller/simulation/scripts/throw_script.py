"""Films throws: valid ones, and before them invalid ones."""

from collections.abc import Sequence
from dataclasses import replace

from controller.match import CASUAL
from controller.rules import DiceHalf, Half, Player, Ruleset, ThrowContext, ThrowRuling, judge_throw
from controller.simulation.scripts.playthrough import OpeningThrow
from controller.simulation.staging import (
    DieAtRest,
    Happenings,
    Landing,
    ScriptContext,
    ThrowMishap,
    TrueThrow,
    place_dice,
)

_RIGHT_HALF_P = 0.75  # probability of the right half where both halves are allowed
_OPENING_MISHAPS = (
    ThrowMishap.COCKED,
    ThrowMishap.ON_CHECKER,
    ThrowMishap.ON_BAR,
    ThrowMishap.ON_RIM,
    ThrowMishap.OFF_BOARD,
)
_SECOND_PAIR = 2  # the first die number of the opponent's own pair


def film_opening_throw(playing: ScriptContext, rules: Ruleset, opening: OpeningThrow) -> Happenings:
    """One die each, after possible invalid throws."""
    while playing.may(playing.mishaps.bad_throw):
        possible = _select_possible(_OPENING_MISHAPS, playing)
        mishap = possible[int(playing.chance.random() * len(possible))]
        values = (_draw_face(playing), _draw_face(playing))
        yield from _place_opening_dice(playing, rules, values, mishap)
        yield from _film_lift(playing, Player.WHITE)
    yield from _place_opening_dice(playing, rules, (opening.white, opening.black), None)


def film_throw(playing: ScriptContext, rules: Ruleset, player: Player, values: Sequence[int]) -> Happenings:
    """The player throws until a throw is valid; afterwards the dice lie on the board and the player has read them."""
    while playing.may(playing.mishaps.bad_throw):
        mishap = _choose_mishap(playing, rules)
        dice = place_dice(
            (_draw_face(playing), _draw_face(playing)), _make_landing(playing, rules, player), playing.chance, mishap
        )
        if not _judge_throw(playing, rules, player, dice).reasons:
            continue
        yield from _film_roll(playing, rules, player, dice)
        is_short = len(dice) < 2  # the player looks for the missing die
        yield from playing.film.pause(playing.film.tempo.waits_for_a_die if is_short else playing.film.tempo.reads_dice)
        yield from _film_lift(playing, player)
    dice = place_dice(values, _make_landing(playing, rules, player), playing.chance)
    yield from _film_roll(playing, rules, player, dice)
    yield from playing.film.pause(playing.film.tempo.reads_dice)


def film_early_throw(playing: ScriptContext, rules: Ruleset, player: Player) -> Happenings:
    """The player throws a pair of his own before the opponent has lifted his dice, and takes it back."""
    landing = replace(_make_landing(playing, rules, player), first_number=_SECOND_PAIR)
    dice = place_dice((_draw_face(playing), _draw_face(playing)), landing, playing.chance)
    yield from _film_roll(playing, rules, player, dice, is_early=True)
    yield from playing.film.pause(playing.film.tempo.reads_dice)
    yield from playing.film.lift(player, dice)
    yield from playing.film.pause(playing.film.tempo.before_throwing_again)


def _choose_mishap(playing: ScriptContext, rules: Ruleset) -> ThrowMishap:
    among = [one for one in ThrowMishap if one is not ThrowMishap.WRONG_HALF or rules.dice_half is DiceHalf.RIGHT]
    possible = _select_possible(among, playing)
    return possible[int(playing.chance.random() * len(possible))]


def _select_possible(mishaps: Sequence[ThrowMishap], playing: ScriptContext) -> list[ThrowMishap]:
    """The mishaps that this board allows."""
    return [one for one in mishaps if one is not ThrowMishap.ON_BAR or playing.film.plan.has_bar]


def _place_opening_dice(
    playing: ScriptContext, rules: Ruleset, values: tuple[int, int], mishap: ThrowMishap | None
) -> Happenings:
    """White's die, then Black's, which has the mishap."""
    film = playing.film
    for number, player in enumerate(Player):
        landing = Landing(film.plan, film.stacks, film.dice, playing.seating.right_half(player), player, number)
        wrong = mishap if player is Player.BLACK else None
        yield from film.roll(place_dice(values[number : number + 1], landing, playing.chance, wrong), player)
    ruling = _judge_throw(playing, rules, None, film.dice)
    yield TrueThrow(film.now_ms, None, values, ruling.reasons)
    yield from film.pause(film.tempo.reads_dice)


def _film_roll(
    playing: ScriptContext, rules: Ruleset, player: Player, dice: tuple[DieAtRest, ...], *, is_early: bool = False
) -> Happenings:
    ruling = _judge_throw(playing, rules, player, dice, is_early=is_early)
    yield from playing.film.roll(dice, player)
    values = tuple(sorted((die.value for die in dice), reverse=True))
    yield TrueThrow(playing.film.now_ms, player, values, ruling.reasons, is_early)


def _film_lift(playing: ScriptContext, player: Player) -> Happenings:
    yield from playing.film.lift(player, playing.film.dice)
    yield from playing.film.pause(playing.film.tempo.before_throwing_again)


def _make_landing(playing: ScriptContext, rules: Ruleset, player: Player) -> Landing:
    right = playing.seating.right_half(player)
    is_right = playing.may(_RIGHT_HALF_P) or rules.dice_half is DiceHalf.RIGHT
    half: Half = right if is_right else right.other
    return Landing(playing.film.plan, playing.film.stacks, playing.film.dice, half, player, 0)


def _judge_throw(
    playing: ScriptContext,
    rules: Ruleset,
    player: Player | None,
    dice: tuple[DieAtRest, ...],
    *,
    is_early: bool = False,
) -> ThrowRuling:
    """The ruling on the dice as they truly lie; `player` is None for the opening throw."""
    context = ThrowContext(
        is_opening=player is None,
        right_half=playing.seating.right_half(player or Player.WHITE),
        thrown_together=True,
        opponent_lifted=not is_early,
    )
    return judge_throw(tuple(die.thrown for die in dice if die.thrown), context, CASUAL.throw_rules(rules))


def _draw_face(playing: ScriptContext) -> int:
    return 1 + int(playing.chance.random() * 6)
