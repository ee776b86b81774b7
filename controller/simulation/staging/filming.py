"""The table while it is filmed: each action of hands and dice becomes one or more beats in sequence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from controller.match import Checkers, PictureEdge, Seating
from controller.rules import Player
from controller.simulation.staging.beats import STEADY, Beat, DieAtRest, HandMovement, RollingDie
from controller.simulation.staging.board_plan import BoardPlan, PointMm
from controller.simulation.staging.stacks import Aside, Carry, Spot, Stacks, add_checker, remove_checker
from controller.simulation.staging.tempo import Span, Tempo, draw_ms

Beats = Iterator[Beat]


class Filming:
    """The current table. Every method yields the beats of an action and leaves the table as it is afterwards."""

    def __init__(self, plan: BoardPlan, tempo: Tempo, chance: Random, stacks: Stacks, seating: Seating) -> None:
        self.plan = plan
        self.tempo = tempo
        self.chance = chance
        self.stacks = stacks
        self.seating = seating
        self.now_ms = 0
        self.dice: tuple[DieAtRest, ...] = ()
        self.conditions = STEADY
        self._hand: HandMovement | None = None

    def pause(self, span: Span) -> Beats:
        """Nothing moves; a hand over the board stays where it is."""
        hand = None if self._hand is None else replace(self._hand, from_mm=self._hand.to_mm)
        yield self._make_beat(draw_ms(span, self.chance), hand=hand)

    def reach(self, player: Player, to_mm: PointMm) -> Beats:
        """The player's hand comes in, or moves on."""
        from_mm = None if self._hand is None else self._hand.to_mm
        self._hand = HandMovement(player, self.is_below(player), from_mm, to_mm)
        yield self._make_beat(draw_ms(self.tempo.reaches, self.chance), hand=self._hand)

    def withdraw(self) -> Beats:
        """The hand leaves the picture, if one is there."""
        if self._hand is not None:
            gone = replace(self._hand, from_mm=self._hand.to_mm, to_mm=None)
            self._hand = None
            yield self._make_beat(draw_ms(self.tempo.reaches, self.chance), hand=gone)

    def carry(self, player: Player, carry: Carry, *, hovers: bool = False) -> Beats:
        """The player's hand carries one checker."""
        yield from self.reach(player, self.spot_mm(carry.source, carry.checkers))
        self.stacks = remove_checker(self.stacks, carry.checkers, carry.source)
        to_mm = self.spot_mm(carry.target, carry.checkers, is_free=True)
        if hovers:
            yield from self._carry_beats(carry, to_mm, self.tempo.hovers)
        yield from self._carry_beats(carry, to_mm, self.tempo.carries)
        self.stacks = add_checker(self.stacks, carry.checkers, carry.target)
        yield from self.pause(self.tempo.between)

    def arrange(self, stacks: Stacks) -> Beats:
        """Sets the table to exactly these stacks, for example which checker of a pin lies below."""
        if self.stacks != stacks:
            self.stacks = stacks
            yield from self.pause(self.tempo.between)

    def roll(self, dice: Sequence[DieAtRest], player: Player) -> Beats:
        """Dice roll in from the player's edge and come to rest."""
        edge_mm = self._edge_mm(player)
        rolling = tuple(RollingDie(edge_mm, die) for die in dice)
        yield self._make_beat(draw_ms(self.tempo.rolls, self.chance), rolling=rolling)
        self.dice = (*self.dice, *dice)

    def push(self, player: Player, moved: DieAtRest) -> Beats:
        """A hand pushes the die with the number of `moved` to its place, or turns it over."""
        was = next(die for die in self.dice if die.number == moved.number)
        yield from self.reach(player, was.centre_mm)
        self.dice = tuple(die for die in self.dice if die is not was)
        hand = HandMovement(player, self.is_below(player), was.centre_mm, moved.centre_mm)
        rolling = (RollingDie(was.centre_mm, moved, is_pushed=True),)
        yield self._make_beat(draw_ms(self.tempo.carries, self.chance), rolling=rolling, hand=hand)
        self.dice = (*self.dice, moved)
        self._hand = hand

    def lift(self, player: Player, dice: Sequence[DieAtRest]) -> Beats:
        """The player takes these dice away together."""
        for die in dice[:1]:
            yield from self.reach(player, die.centre_mm)
        self.dice = tuple(die for die in self.dice if die not in dice)
        if self._hand is not None:
            self._hand = replace(self._hand, dice=len(dice))
        yield from self.withdraw()

    def lose_camera(self, ms: int) -> Beats:
        """No picture comes for `ms`."""
        here, self.conditions = self.conditions, replace(self.conditions, is_camera_there=False)
        yield self._make_beat(ms)
        self.conditions = here

    def _carry_beats(self, carry: Carry, to_mm: PointMm, span: Span) -> Beats:
        if self._hand is None:
            return
        self._hand = replace(self._hand, from_mm=self._hand.to_mm, to_mm=to_mm, carries=carry.checkers)
        yield self._make_beat(draw_ms(span, self.chance), hand=self._hand)
        self._hand = replace(self._hand, from_mm=to_mm, carries=None)

    def _make_beat(self, ms: int, *, rolling: tuple[RollingDie, ...] = (), hand: HandMovement | None = None) -> Beat:
        beat = Beat(self.now_ms, ms, self.stacks, self.dice, rolling, hand, self.conditions)
        self.now_ms += ms
        return beat

    def spot_mm(self, spot: Spot, checkers: Checkers, *, is_free: bool = False) -> PointMm:
        """The position of the highest checker on the spot; with `is_free` of the place above it."""
        if isinstance(spot, Aside):
            return self.plan.spot_mm(spot, 0, is_light=checkers is Checkers.LIGHT)
        layer = sum(self.stacks.at(spot)) - (0 if is_free else 1)
        return self.plan.spot_mm(spot, max(layer, 0), is_light=checkers is Checkers.LIGHT)

    def is_below(self, player: Player) -> bool:
        return (self.seating.edge is PictureEdge.BOTTOM) == (player is Player.WHITE)

    def _edge_mm(self, player: Player) -> PointMm:
        y_mm = self.plan.height_mm + 60.0 if self.is_below(player) else -60.0
        return self.plan.width_mm / 2, y_mm
