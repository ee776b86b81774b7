"""The thresholds of adjudication: from where on a settled board is legal, illegal, ambiguous or undecided.

All numbers are knobs unless marked otherwise. `confident_from` and `min_visible_share` are probabilities and shares, the
counts are counts, and everything else is in nats (differences of log-likelihoods): 3 nats are 20 to 1, 7 are 1,100 to 1.
"""

from dataclasses import dataclass, field

from controller.observing import Trust

PRIOR_OF_BREACH = 0.01  # the share of turns that break a rule (an estimate)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationThresholds:
    """Each number with its effect."""

    trust: Trust = field(default_factory=Trust)
    legal_within: float = 1.0  # largest deficit of a legal result against the best board; more accepts more
    rival: float = 2.0  # a board that contradicts the play and comes this near makes it undecided; more asks more often
    contradicted: float = 5.0  # evidence of one place that makes a legal result undecided; more accepts more
    # The same threshold for a board with a checker too many or too few (without the heights of heaps), because it contains
    # a misreading; and for a heap whose picture changed, from which a checker may have been borne off.
    contradicted_misread: float = 1.5
    apart: float = 4.0  # distance below which two legal results are ambiguous; more asks more often
    illegal_from: float = 5.0  # deficit of every legal result from which the board is illegal; more accuses less
    second_place: float = 3.0  # the part of that deficit that must remain without the strongest place,
    agreeing_frames: int = 3  # unless this many different frames agree (statistical: a misreading rarely repeats)
    count_mismatch_cost: float = -1.5  # log-prior of each missing or extra checker
    whole_within: float = 3.0  # largest deficit of a board with the right totals that is reported instead
    covering_cost: float = -0.3  # log-prior of each checker laid on an opposing one in games without pins
    covering_far_cost: float = -2.5  # the same where no number leads: rarer than a checker that fell off the board
    freed_cost: float = -4.0  # log-prior of a pinned checker that is gone while the checkers above it are there
    extra_on_bar_cost: float = -3.0  # log-prior of each checker on the bar that was not hit
    not_on_bar_cost: float = -1.5  # log-prior of each hit checker that lies beside the board: a common mistake
    unchanged_bonus: float = 0.1  # bonus of an unchanged place; it decides only where the picture does not
    min_visible_share: float = 0.8  # share of the points that must be in view for a ruling
    confident_from: float = 0.9  # posterior from which a place counts as seen; below it, its contents are inferred
    named_within: float = 6.9  # distance, 1,000 to 1, up to which the play that comes next is named with a ruling
    cascade_within: float = 10.0  # deficit down to which boards of a cascade are judged; beyond any misreading
    max_boards: int = 96  # boards of a cascade that are judged before it is undecided; more takes longer


DEFAULT_THRESHOLDS = AdjudicationThresholds()
