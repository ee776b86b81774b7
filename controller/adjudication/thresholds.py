"""From where on a settled board is called legal, illegal, ambiguous, or not to be told: all numbers in one place."""

from dataclasses import dataclass, field

from controller.observing.likelihoods import Trust

PRIOR_OF_BREACH = 0.01
"""About so many turns are played against the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationThresholds:
    """Likelihoods are compared as differences of logarithms, in nats: 3 nats are 20 to 1, 7 are 1,100 to 1."""

    trust: Trust = field(default_factory=Trust)
    legal_within: float = 1.0  # a legal result may be so much less likely than the best board; more accepts more
    rival: float = 2.0  # no board that denies the play comes so near to it; more asks more often
    contradicted: float = 5.0  # one place that speaks so much against a result makes it doubtful all the same
    # The same where a checker too many or too few is seen, for something is misread; but not by how high heaps are. And of
    # a heap from which one may have been borne off unasked, since it looks otherwise.
    contradicted_misread: float = 1.5
    apart: float = 4.0  # between two legal results; more asks more often
    illegal_from: float = 5.0  # so much likelier than every legal result is an illegal board; more accuses less
    second_place: float = 3.0  # of that, what remains without the one place that says most: one may be misread,
    agreeing_frames: int = 3  # unless so many different pictures agree
    count_mismatch_cost: float = -1.5  # what a board costs for each checker that is missing or too many
    # So much less likely a board may be that has that checker where it was, and be told instead.
    whole_within: float = 3.0
    covering_cost: float = -0.3  # what it costs for each checker put upon the other side's where the game knows no pins
    covering_far_cost: float = (
        -2.5
    )  # the same where none of the numbers leads: rarer than a checker that fell off the board
    freed_cost: float = -4.0  # what it costs that a checker which was pinned is gone, and those upon it are there
    extra_on_bar_cost: float = -3.0  # what it costs for each checker on the bar that was not hit
    not_on_bar_cost: float = -1.5  # what it costs for each hit checker put beside the board: a common mistake
    unchanged_bonus: float = 0.1  # what a place gains by being as it was, where the picture does not decide
    min_visible_share: float = 0.8  # share of the points that must be in view before anything is ruled
    confident_from: float = 0.9  # posterior from which a place counts as seen; below, what stands there was inferred
    cascade_within: float = 10.0  # how much less likely boards of a cascade may be that are judged: past any misreading
    max_boards: int = 96  # of a cascade, boards that are judged before "cannot tell"; more takes longer


DEFAULT_THRESHOLDS = AdjudicationThresholds()
