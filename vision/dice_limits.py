"""How long dice must lie still and what counts as still: the parameters of `dice_rest.py` and `dice_kept.py`."""

from dataclasses import dataclass, field

from vision.die_looks import LookLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class RestLimits:
    """Times in ms; lengths in edges of the die as it is seen, the same at every resolution."""

    rest_ms: int = 500
    least_looks: int = 3  # however few frames come, one or two are no rest
    most_looks: int = 16  # half a second at 30 frames a second; older ones are forgotten
    most_dice: int = 8  # two pairs are four; of more than these the surest are taken
    noise: float = 0.15  # 2 mm of a 14 mm die: readings of a die at rest scatter less
    moved: float = 0.25  # from here a settled die has been pushed
    least_reach: float = 0.5  # what a hand may push a die between two frames: this,
    reach_a_second: float = 30.0  # this much more with time (0.4 m a second),
    longest_reach: float = 3.0  # and never more; beyond it another die may be meant
    turning_costs: float = 20.0  # a die came from so much further away rather than that it shows another face
    least_share: float = 0.3  # of the looks: what fewer show is no die
    sure_share: float = 0.7  # from here it certainly is one
    ghost: float = 0.4  # less sure of how it lies, and where no kept die lies, it is none of those and no new one
    surely_die: float = 0.99  # nor is what so surely is one, however it lies, if it is as large as they are
    other_ghost: float = 0.8  # the same of what is not about as large as the kept dice,
    as_large: float = 0.25  # within this share of the larger one: dice near the camera and far from it differ by less
    turned_confidence: float = 0.99  # posterior of another face from which it is told
    lifted_ms: int = 400  # all dice that settled together are missing
    one_lifted_ms: int = 1000  # only some of them are: something may hide them
    found: float = 0.07  # one of several lifted dice lies where it lay: no throw comes to rest so exactly there
    gone_ms: int = 200  # out of view for so long, no hand in view, a die was away
    gap_ms: int = 1000  # and where no frame came for so long nobody knows
    looks: LookLimits = field(default_factory=LookLimits)
