"""Films the play of one throw: checker by checker, with hesitation, illegal plays and their correction."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.match import EndedBy, EndTurn, Seating
from controller.rules import (
    BAR,
    OFF,
    RESERVE,
    Contact,
    Doubles,
    FollowKind,
    Player,
    Position,
    Ruleset,
    Setup,
    Step,
    Transfer,
    legal_plays,
    position_text,
)
from controller.simulation.scripts.illegal_boards import IllegalBoard, TurnToBreak, make_illegal_board
from controller.simulation.scripts.playthrough import ThrowPlayed
from controller.simulation.scripts.throw_script import film_early_throw
from controller.simulation.staging import (
    Aside,
    Carry,
    Cue,
    Happenings,
    ScriptContext,
    Spot,
    TrueMishap,
    TruePlay,
    carries_between,
    film_incidents,
    push_aside,
    push_die,
    stacks_of,
    turn_die,
)
from vision import Place

_ONE_MOTION_P = 0.5  # probability that two steps of one checker are one movement


@dataclass(frozen=True, slots=True)
class TurnPart:
    """The play of one throw. `is_last`: the opponent throws next, or the game is over."""

    player: Player
    before: Position
    played: ThrowPlayed
    rules: Ruleset
    is_last: bool

    @property
    def numbers(self) -> tuple[int, ...]:
        """The dice, the higher first; or the numbers handed over, in the order of their stages."""
        if self.played.roll is not None:
            return (self.played.roll.high, self.played.roll.low)
        return tuple(number for stage in self.played.throw.stages for number in stage)

    @property
    def can_be_condoned(self) -> bool:
        """Whether the opponent's turn follows in any case when an illegal play stands."""
        plain = self.rules.transfer is Transfer.NONE and not self.rules.bonus_roll
        follow = self.played.follow
        ends = follow is not None and follow.kind is FollowKind.END_TURN
        return plain and ends and self.rules.doubles is Doubles.FOUR and not self.rules.mother


def film_turn_part(playing: ScriptContext, part: TurnPart) -> Happenings:
    """From dice at rest, or numbers handed over, to the end of this part of the turn."""
    film, player = playing.film, part.player
    yield from film_incidents(playing, player)
    if part.played.roll is not None and playing.may(playing.mishaps.die_pushed) and film.dice:
        yield from push_die(playing, player, film.dice[0].number)
    if playing.may(playing.mishaps.take_back):
        yield from _film_take_back(playing, part)
    wrong = _choose_wrong_board(playing, part)
    if wrong is None:
        yield from film_moves(playing, player, carries_of(part.played.steps, part, playing.seating))
        yield from film.arrange(stacks_of(part.played.after.setup, playing.seating, part.rules))
    else:
        yield from _film_move_to(playing, part, wrong.after)
    yield from film.withdraw()
    if part.played.roll is not None and playing.may(playing.mishaps.die_turned) and film.dice:
        yield from _film_die_turn(playing, player)
    yield from film.pause(film.tempo.before_lifting)
    is_early = part.is_last and part.played.roll is not None and playing.may(playing.mishaps.early_throw)
    if is_early and film.dice:  # an early throw is one beside the dice of the other player
        yield from film_early_throw(playing, part.rules, player.opponent)
    yield from _film_end(playing, part, wrong)


def carries_of(steps: Sequence[Step], part: TurnPart, seating: Seating) -> list[Carry]:
    """The carries of a hand for these steps; a hit checker goes to the bar first."""
    own, other = (seating.checkers_of(player) for player in (part.player, part.player.opponent))
    carries: list[Carry] = []
    for step in steps:
        target = _spot(step.target, part, seating)
        if step.hits and part.rules.contact is Contact.HIT:
            carries.append(Carry(other, target, Place.BAR))
        carries.append(Carry(own, _spot(step.source, part, seating), target))
    return carries


def film_moves(
    playing: ScriptContext, player: Player, carries: Sequence[Carry], *, at_once: bool = False
) -> Happenings:
    """One checker after the other; with `at_once` the hand stays over the board until the end."""
    film, waiting = playing.film, list(carries)
    while waiting:
        carry = waiting.pop(0)
        if waiting and _is_continued_by(carry, waiting[0]) and playing.may(_ONE_MOTION_P):
            carry = Carry(carry.checkers, carry.source, waiting.pop(0).target)
        yield from push_aside(playing, player, carry.target, carry.checkers)
        yield from film.carry(player, carry, hovers=playing.may(playing.mishaps.slow_hand))
        if not at_once and playing.may(playing.mishaps.hand_away):
            yield from film.withdraw()
            yield from film.pause(film.tempo.rests_between)


def _is_continued_by(carry: Carry, following: Carry) -> bool:
    return carry.checkers is following.checkers and carry.target is following.source


def _spot(coordinate: int, part: TurnPart, seating: Seating) -> Spot:
    aside: dict[int, Spot] = {OFF: Aside.OFF, BAR: Place.BAR, RESERVE: Aside.BOX}
    return aside.get(coordinate) or seating.place_of(coordinate, part.player, part.rules.direction)


def _film_take_back(playing: ScriptContext, part: TurnPart) -> Happenings:
    """Another play is tried first and then put back."""
    film = playing.film
    plays = legal_plays(part.before, part.player, part.played.stages[0].stage, part.rules)
    tried = plays[int(playing.chance.random() * len(plays))].steps
    carries = carries_of(tried[: 1 + int(playing.chance.random() * len(tried))], part, playing.seating)
    if not carries:
        return
    before = film.stacks
    yield TrueMishap(film.now_ms, "a play is tried and taken back")
    yield from film_moves(playing, part.player, carries)
    yield from film.pause(film.tempo.rests_between)
    back = [Carry(one.checkers, one.target, one.source) for one in reversed(carries)]
    yield from film_moves(playing, part.player, back)
    yield from film.arrange(before)


def _choose_wrong_board(playing: ScriptContext, part: TurnPart) -> IllegalBoard | None:
    if part.played.roll is None or not playing.may(playing.mishaps.illegal_play):
        return None
    broken = TurnToBreak(part.before, part.player, part.played, part.rules, playing.film.plan.has_bar)
    return make_illegal_board(broken, playing.chance)


def _film_move_to(playing: ScriptContext, part: TurnPart, setup: Setup, *, at_once: bool = False) -> Happenings:
    """Carries checkers until the table shows `setup`; a checker put on the opponent's point lies on top."""
    film, then = playing.film, stacks_of(setup, playing.seating, part.rules, upper=part.player)
    yield from film_moves(playing, part.player, carries_between(film.stacks, then), at_once=at_once)
    yield from film.arrange(then)


def _film_die_turn(playing: ScriptContext, player: Player) -> Happenings:
    film = playing.film
    die = film.dice[int(playing.chance.random() * len(film.dice))]
    value = 1 + (die.value + int(playing.chance.random() * 5)) % 6
    yield TrueMishap(film.now_ms, f"a die is turned over from {die.value} to {value}")
    yield from turn_die(playing, player, die.number, value)
    yield from film.withdraw()


def _film_end(playing: ScriptContext, part: TurnPart, wrong: IllegalBoard | None) -> Happenings:
    """The signal of the end, the truth about the part, and the correction of an illegal play."""
    film = playing.film
    is_over = part.played.follow is None
    has_dice = part.played.roll is not None
    if not has_dice and not is_over:  # after numbers handed over the player's own throw is the signal
        yield from film.pause(film.tempo.before_throw)
        yield _make_truth(playing, part, wrong, EndedBy.NEXT_THROW)
        return
    if not has_dice or not film.dice or playing.may(playing.mishaps.by_button):
        by_clock = playing.may(playing.mishaps.by_clock)
        truth = _make_truth(playing, part, wrong, EndedBy.CLOCK if by_clock else EndedBy.BUTTON)
        yield truth
        yield Cue(film.now_ms, EndTurn(part.player, by_clock))
    else:
        truth = _make_truth(playing, part, wrong, EndedBy.DICE_LIFTED)
        yield truth
        yield from film.lift(part.player, film.dice)
    if truth.corrected_to is not None:
        yield from film.pause(film.tempo.before_correcting)
        yield from _film_move_to(playing, part, part.played.after.setup, at_once=True)
        yield from film.withdraw()
        yield from film.pause(film.tempo.after_correcting)
    else:
        yield from film.pause(film.tempo.before_throw)
    if film.dice:  # whoever throws next lifts them
        yield from film.lift(part.player.opponent if part.is_last else part.player, film.dice)
        yield from film.pause(film.tempo.before_throwing_again)


def _make_truth(playing: ScriptContext, part: TurnPart, wrong: IllegalBoard | None, by: EndedBy) -> TruePlay:
    before, right = position_text(part.before), position_text(part.played.after)
    now_ms = playing.film.now_ms
    if wrong is None:
        return TruePlay(now_ms, part.player, part.numbers, before, right, by)
    is_condoned = part.can_be_condoned and wrong.is_position and playing.may(playing.mishaps.condoned)
    is_condoned = (
        is_condoned and not playing.hearing.is_operated
    )  # then the players wait for the referee before they throw
    return TruePlay(
        now_ms,
        part.player,
        part.numbers,
        before,
        position_text(Position.of(wrong.after, part.rules)) if wrong.is_position else "",
        by,
        breaches=wrong.names,
        corrected_to=None if is_condoned else right,
        is_condoned=is_condoned,
        mishap=wrong.kind.value,
    )
