"""The evidence of one turn: the turn, the likelihoods of the board at its end, and the boards that would explain it."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace

import numpy as np

from controller.adjudication.board_view import setup_of, view_of
from controller.adjudication.hypotheses import (
    BoardHypothesis,
    MixedStack,
    TemporalPrior,
    enumerate_hypotheses,
    list_place_hypotheses,
)
from controller.adjudication.off_board_count import make_off_board_prior, predict_off_board_counts
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.match import Checkers, Seating, numbers_along
from controller.observing import (
    COUNTS,
    MOST,
    RENEWED_NATS,
    BoardEvidence,
    BoardView,
    FloatTable,
    Likelihoods,
    likelihoods_of,
)
from controller.rules import (
    BAR,
    HOME,
    OFF,
    Contact,
    Player,
    Position,
    Ruleset,
    Ruling,
    Setup,
    Stage,
    Throw,
    Turn,
    judge,
)
from controller.rules import (
    POINTS as OWN_POINTS,
)
from vision.places import Place

_NEVER = -1e9
_MOST_PUT_DOWN = 4  # the most checkers that one throw brings to one point


@dataclass(frozen=True, slots=True)
class ThrowInPlay:
    """A throw that the mover plays from `before`; hashable, so that it is a cache key.

    `bar_is_used`: False on boards without a bar, where hit checkers wait in the hand or on the rim.
    """

    before: Position
    mover: Player
    throw: Throw
    seating: Seating
    rules: Ruleset
    bar_is_used: bool = True

    @property
    def first_stage(self) -> Stage:
        return Stage(self.throw.stages[0], self.throw.is_first_roll)


@dataclass(frozen=True, slots=True)
class TurnEvidence(ThrowInPlay):
    """A throw that was played, and the likelihoods of the board after it."""

    _: KW_ONLY
    likelihoods: Likelihoods
    frame_count: int
    changed: frozenset[int]  # points (0..23) whose picture changed since the board before
    renewed: frozenset[int]  # those where a checker surely came or went
    limits: AdjudicationThresholds

    @property
    def view_before(self) -> BoardView:
        return view_of(self.before, self.seating, self.rules)

    def with_renewed_points(self) -> "TurnEvidence":
        """The same turn, in which the contents before are unlikely wherever a checker surely came or went."""
        points = self.likelihoods.points.copy()
        for number in self.renewed:
            light, dark = self.view_before.points[number]
            points[number, :, light, dark] -= RENEWED_NATS
        points.flags.writeable = False
        return replace(self, likelihoods=replace(self.likelihoods, points=points))

    def without_missing_bar(self, places: tuple[Place, ...]) -> tuple[Place, ...]:
        """The places without the bar if the board has none."""
        return tuple(place for place in places if place is not Place.BAR or self.likelihoods.has_bar)

    def select_places_in_view(self, places: tuple[Place, ...]) -> tuple[Place, ...]:
        """The same, and without the trays if no tray is in view."""
        shown = self.without_missing_bar(places)
        return shown if self.likelihoods.has_tray else tuple(place for place in shown if place is not Place.TRAY)

    def judge_view(self, view: BoardView) -> Ruling:
        """The judge's ruling on the board `view`."""
        return self.judge_setup(self.to_setup(view))

    def to_setup(self, view: BoardView) -> Setup:
        """The claim of the players' own counts for `view`."""
        return setup_of(view, self.seating, self.rules, self.before)

    def judge_setup(self, after: Setup) -> Ruling:
        return judge(self.before, self.mover, Turn((self.throw,)), after, self.rules)

    def home_points(self, player: Player) -> frozenset[int]:
        """The point numbers (0..23) of the player's home."""
        numbers = numbers_along(self.seating, player, self.rules.direction)
        return frozenset(number for point, number in enumerate(numbers, 1) if point in HOME)

    def by_place(self, view: BoardView) -> FloatTable:
        """(26,): the log-likelihoods of points, bar and trays for `view`."""
        return np.append(self.likelihoods.by_place(view), self.likelihoods.tray[view.off])

    def enumerate_boards(self, within: float) -> Iterator[BoardHypothesis]:
        """Boards, legal or not, from the most likely one down to `within` nats below it."""
        limits = self.limits
        memory = TemporalPrior(
            view=self.view_before,
            unchanged_bonus=limits.unchanged_bonus,
            mixed_stacks=self._find_mixed_stacks(),
            freed_cost=limits.freed_cost,
        )
        beside = predict_off_board_counts(self.before, self.mover, self.throw, self.rules)
        ending = make_off_board_prior(
            beside, known=self.likelihoods, seating=self.seating, mismatch_cost=limits.count_mismatch_cost
        )
        return enumerate_hypotheses(list_place_hypotheses(self.likelihoods, within, memory), ending, within=within)

    def _find_mixed_stacks(self) -> dict[int, tuple[MixedStack, ...]]:
        """Points that may hold both colours: a checker was pinned there before, or the mover covered opposing ones."""
        found: dict[int, tuple[MixedStack, ...]] = {}
        reached = _find_reachable_points(self.before, self.mover, self.throw)
        for player in Player:
            counts, pinned = self.before.counts(player), self.before.pinned_mask(player)
            numbers = numbers_along(self.seating, player, self.rules.direction)
            for point, number in zip(OWN_POINTS, numbers, strict=True):
                if pinned >> point & 1:
                    found[number] = self._list_stacks_above(player, 1, MOST)
                elif counts[point] and player is not self.mover:
                    is_far = self.rules.direction.across(point) not in reached
                    found.setdefault(
                        number, self._list_stacks_above(player, counts[point], _MOST_PUT_DOWN, is_far=is_far)
                    )
        return found

    def _list_stacks_above(
        self, below: Player, count: int, most: int, *, is_far: bool = False
    ) -> tuple[MixedStack, ...]:
        """One to `most` checkers on `count` checkers of `below`; a breach, except on a blot in games with pins."""
        is_dark_above = self.seating.checkers_of(below) is Checkers.LIGHT
        breach = self.limits.covering_far_cost if is_far else self.limits.covering_cost
        may_pin = count == 1 and self.rules.contact is Contact.PIN and not is_far
        cost = 0.0 if may_pin else breach
        return tuple(
            MixedStack((count, above) if is_dark_above else (above, count), is_dark_above, cost * above)
            for above in range(1, most + 1)
        )


def _find_reachable_points(before: Position, mover: Player, throw: Throw) -> set[int]:
    """The mover's own points that some checker reaches with some of the numbers, whatever lies in between."""
    sums = {0}
    for number in (number for stage in throw.stages for number in stage):
        sums |= {pips + number for pips in sums}
    counts = before.counts(mover)
    sources = [min(at, BAR) for at, count in enumerate(counts) if count and at != OFF]
    return {source - pips for source in sources for pips in sums if pips}


def make_turn_evidence(
    turn: ThrowInPlay, seen: BoardEvidence, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> TurnEvidence:
    """Prepares the evidence of a turn; places without information in this game (no or unused bar, trays) become flat."""
    rules, bar_is_used = turn.rules, turn.bar_is_used and seen.has_bar
    # A single pinned checker lies below the others, never beside them.
    trust = replace(limits.trust, beside_one=0.0) if rules.contact is Contact.PIN else limits.trust
    known = likelihoods_of(seen, trust)
    waiting = _compute_bar_ranges(turn)
    bar = known.bar + _compute_bar_penalty(waiting, limits) if bar_is_used else _make_flat_bar_table(waiting)
    known = replace(known, bar=bar, has_bar=bar_is_used)
    if rules.has_reserve:
        known = replace(known, tray=np.zeros_like(known.tray), has_tray=False)  # the reserve may lie in the trays too
    return TurnEvidence(
        *(turn.before, turn.mover, turn.throw, turn.seating, rules, bar_is_used),
        likelihoods=known,
        frame_count=seen.frame_count,
        changed=seen.changed,
        renewed=seen.renewed,
        limits=limits,
    )


def _compute_bar_ranges(turn: ThrowInPlay) -> tuple[range, range]:
    """The possible numbers of light and of dark checkers on the bar after the throw."""
    numbers, other_player = sum(len(stage) for stage in turn.throw.stages), turn.mover.opponent
    own, other = turn.before.counts(turn.mover)[BAR], turn.before.counts(other_player)[BAR]
    may_wait = {turn.mover: range(own + 1), other_player: range(other, other + numbers + 1)}
    light, dark = (may_wait[turn.seating.player_of(checkers)] for checkers in Checkers)
    return light, dark


def _make_flat_bar_table(waiting: tuple[range, range]) -> FloatTable:
    """(16, 16): every possible pair of numbers is equally likely."""
    light, dark = waiting
    bar = np.full((COUNTS, COUNTS), _NEVER)
    bar[light.start : light.stop, dark.start : dark.stop] = 0.0
    return bar


def _compute_bar_penalty(waiting: tuple[range, range], limits: AdjudicationThresholds) -> FloatTable:
    """(16, 16): the log-prior of more checkers on the bar than the throw can bring there."""
    light, dark = (limits.extra_on_bar_cost * np.maximum(np.arange(COUNTS) - may.stop + 1, 0) for may in waiting)
    return np.asarray(np.add.outer(light, dark))
