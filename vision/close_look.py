"""A close look at one spot: at a glance, then quickly, and where that leaves doubt with care.

A glance (`dice_glance.py`) sorts out what is nothing. Where it is not, a quick look is put exactly where the glance saw
something, and again from there where it sees it elsewhere. Of the face the pattern of its pips is asked too
(`pip_patterns.py`). Where they leave doubt about a face or a lie, it may have been a side, and what lies beyond that is looked
at. Then one look from a little nearer is asked, mirrored, by a deeper network: what is right in both adds up, and mistakes that
hang on a side, on a distance or on one network cancel out. Where both leave doubt, two more such networks are asked, which
learned otherwise. What is known of how a die may lie there counts as well: one that lies clear of all that it might lean on
leaves no doubt of its lie where one beside a checker does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice_answers import DieAnswer, Kind, answer_of, weighed
from vision.dice_glance import Glance, settled_glance, something
from vision.die_reading import FACES, FLAT_LIE
from vision.die_windows import (
    DIE_PX,
    PLANES,
    SIGHT,
    SIZES,
    WINDOW_PX,
    DieSpot,
    KnownBoard,
    WindowPlace,
    place_window,
    refined,
)
from vision.geometry import Points
from vision.networks import answers_to
from vision.pip_patterns import face_evidence

QUICK, CAREFUL = "dice_quick", "dice"  # the networks
# Of 249 valid throws on 656 rendered boards, read six times with the search put off, 244.0 are accepted with both, where it were
# 240.7, and of 659 in windows that no training has seen 595 (581); of 2,008 that do not count, on these, on drawn tables and on 161
# more boards, 9.8 (9.2). They are not asked about a die that surely is one and does not lie flat: no throw more would be accepted,
# and one of 983 lies of more than ten degrees fewer be right.
SECOND_OPINION, THIRD_OPINION = "dice_second_opinion", "dice_third_opinion"
# How x and y run in the window of the careful look, and how much smaller it is. Of 1,451 dice in rendered windows that no training
# has seen, both looks' mean tells how they lie for 0.134 nats a die. From as far as the quick look it were 0.123; but of 640 drawn
# throws that count 627 are accepted so, where it are 629, and in photographs four dice of 229 fewer are told.
MIRRORED, NEARER = (-1, 1), 0.85
# The least probability of the face that the pattern of the pips shows best, though the network is sure of another one. Of
# 93 drawn dice on which the two differ and that seem certain to 98 to 99.5 percent three are others; of 4,380 on which
# they agree, one.
PIPS_RIGHT = 0.01
NO_PIPS = np.zeros(FACES)  # (6,) log; a cube has numerals
# Nats from the best to the worst face, below which nothing is contradicted; and from a face to the next best one, below which it is
# not told by its pattern.
NO_PATTERN = TELLS_NO_FACE = 0.5
TINY = 1e-12
# Probability from which a die or the cube is told. Where the quick network is sure and the glance is not, so that both together
# are less, the nearer look is asked. Below the second one look is enough: where the other is certain and this one is not even so
# sure, their mean is not told. Whether it may be one all the same the glance and this look say alone then: on 285 boards and in
# 1,060 windows no throw was ruled on otherwise.
TOLD, WORTH_ALL_LOOKS = 0.9, 0.7
# The same of two looks, after which two further ones that are certain leave their mean below that.
WORTH_FURTHER_OPINIONS = 2 * TOLD - 1
# Edges from the middle of its window to where the quick network sees a die, which is asked again from there if that is further:
# a window between two dice that touch shows either of them so. Of 15 dice in 240 drawn throws whose dice touch that were placed
# more than so much off, by 0.19 in the mean, the second look is 0.07 off and the third 0.04.
PUT_WELL, MOST_EXACT_LOOKS = 0.1, 3
# The least slope of the line of sight at which a side is taken for the upper face, how far beyond it, in edges, that is looked for,
# and how far off it is another one. In 130 scenes of windows with 2,268 doubtful looks 45 are plainer so, of which 41 are seen at
# slopes of 0.25 and more: two more of 242 good throws are told then, and two more dice found. One of the 45 is surely a die and
# shows a face by the pattern of its pips too, as 1,233 of the others do and half of those on boards: there none is looked for.
SIDES_SHOW, BEYOND, ANOTHER = 0.25, 0.45, 0.25
SIDE_OFF = 0.15  # edges; so exactly a side is measured
SURE = 0.99  # probability of what it is, of face and lie; from there on another look changes nothing
# (6,) of LIES: how many times likelier each is for a die whose base lies there, (x, y) in board mm, with an edge of so many mm.
LiesLikelier = Callable[[tuple[float, float], float], NDArray[np.float64]]
# Edges in widths of a point, which need no scale. Of 411 dice and cubes rendered for training no cube was measured below
# 0.44 and no die above 0.48; small boards have larger dice. Of 1,712 others, with dice measured by nearer looks: 0.46 and 0.52.
LEAST_CUBE_POINTS = 0.42
MOST_DIE_POINTS = 0.7
# Larger ones may be two that touch, so that beside one of them no die is surely missing. Of 1,917 dice on drawn tables, where they
# are larger, one in fifteen measured so much.
MAY_BE_TWO_POINTS = 0.6
TOO_LARGE = 0.3  # at most so probably a die is what looks larger than that
# The smallest dice (9 mm) on the largest board (points 51 mm wide), measured a seventh too small.
LEAST_DIE_POINTS = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """All answers of one spot together."""

    place: WindowPlace  # in which the answer's places count
    answer: DieAnswer
    spot: DieSpot
    exact_kinds: NDArray[np.float64]  # (3,) log, of the looks that are put exactly on it
    is_let_off: bool = False  # no nearer look was asked for, only because of what is known of how it may lie

    @property
    def die_chance(self) -> float:
        """0..1, as far as these tell."""
        return float(np.exp(self.exact_kinds[Kind.DIE.value]))

    @property
    def base_mm(self) -> tuple[float, float]:
        """Where a die would stand; on the picture's plane where no board is known."""
        return _base_mm(self.place, self.answer)

    @property
    def edge(self) -> float:
        """Of the die or the cube, on the same plane."""
        return _edge(self.place, self.answer)

    @property
    def may_be_two(self) -> bool:
        """Whether a die is so large that two which touch may be taken for one; never where no board tells the scale."""
        board = self.place.board
        return board is not None and self.edge > MAY_BE_TWO_POINTS * board.field.pitch_mm


def look_at(
    pixels: NDArray[np.uint8],
    spot: DieSpot,
    board: KnownBoard | None,
    *,
    worth_more: float,
    likelier: LiesLikelier | None = None,
) -> Look | None:
    """Of a picture (h, w, 3) BGR; None where a die or the cube is less likely than `worth_more`.

    `likelier` tells what is known of how a die may lie there: where that leaves no doubt, no nearer look is needed. The
    answer does not have it in it.
    """
    glance = settled_glance(pixels, spot, worth_more)
    if something(glance.kinds) < worth_more:
        return None
    place, exact, best = _exact_look(pixels, glance.spot, board)
    if something(exact.kinds) < worth_more:
        return None
    if something(exact.kinds) < WORTH_ALL_LOOKS:
        return _looked(place, _together(glance, exact), best, exact.kinds)
    pips = NO_PIPS if _is_cube(exact) else face_evidence(pixels, best, board)
    together, exact_kinds = _with_pips(_together(glance, exact), pips), exact.kinds
    is_sure_what = float(np.exp(exact_kinds.max())) >= SURE and something(together.kinds) >= TOLD
    is_plain = is_sure_what and (_is_cube(together) or _shows_its_pips(together, pips))
    is_doubtful = leaves_doubt(together) or not is_plain
    is_let_off = (
        (is_doubtful and is_plain)
        and likelier is not None
        and not leaves_doubt(together, likelier(_base_mm(place, together), _edge(place, together)))
    )
    if is_doubtful and not is_let_off:
        is_no_side = is_plain and float(np.exp(exact.faces.max())) >= TOLD
        plainer = None if is_no_side else _plainer_beyond(pixels, place, exact, best)
        if plainer is not None:
            place, exact, best = plainer
        if plainer is not None or _is_cube(exact):
            pips = face_evidence(pixels, best, board)
        place, agreed = _nearer_look(pixels, place, exact, best, pips)
        together, exact_kinds = _with_pips(agreed, pips), agreed.kinds
    return _looked(place, together, best, exact_kinds, is_let_off=is_let_off)


def _nearer_look(
    pixels: NDArray[np.uint8], place: WindowPlace, exact: DieAnswer, seen: DieSpot, pips: NDArray[np.float64]
) -> tuple[WindowPlace, DieAnswer]:
    """The exact look and one from nearer together, with further opinions where they leave doubt; and their place."""
    nearer = place_window(replace(seen, size_px=NEARER * seen.size_px), place.board)
    said = _said_mirrored(CAREFUL, nearer.planes(nearer.colours(pixels)))
    agreed = _agreed([exact, said])
    if _is_worth_further_opinions(_with_pips(agreed, pips)):
        agreed = _agreed([exact, said, *_further_opinions(pixels, place_window(seen, place.board))])
    if _is_cube(agreed):
        return place, agreed
    # The first window may have been put on two dice that touch.
    return nearer, replace(agreed, top=said.top, base=said.base, size=said.size)


def _is_worth_further_opinions(answer: DieAnswer) -> bool:
    is_sure_what = float(np.exp(answer.kinds.max())) >= SURE
    is_surely_not_flat = is_sure_what and float(np.exp(answer.lies[FLAT_LIE])) <= 1 - SURE
    return something(answer.kinds) >= WORTH_FURTHER_OPINIONS and leaves_doubt(answer) and not is_surely_not_flat


def _further_opinions(pixels: NDArray[np.uint8], place: WindowPlace) -> list[DieAnswer]:
    planes = place.planes(place.colours(pixels))
    return [_said_mirrored(SECOND_OPINION, planes), _said(THIRD_OPINION, planes)]


def _exact_look(
    pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None
) -> tuple[WindowPlace, DieAnswer, DieSpot]:
    """The window, what the quick network says of it, and where it saw the die: again from there where that is further off.

    Not of the cube, whose size no network was taught; and what no longer looks like a die from there was seen better before.
    """
    place, exact, best = _quick_look(pixels, spot, board)
    for _ in range(MOST_EXACT_LOOKS - 1):
        is_there = best.is_near(spot.centre_px, spot.size_px, PUT_WELL)
        if is_there or _is_cube(exact) or something(exact.kinds) < WORTH_ALL_LOOKS:
            break
        place_again, said_again, seen_again = _quick_look(pixels, best, board)
        if said_again.kinds[Kind.DIE.value] < min(exact.kinds[Kind.DIE.value], np.log(SURE)):
            break
        spot, place, exact, best = best, place_again, said_again, seen_again
    return place, exact, best


def _plainer_beyond(
    pixels: NDArray[np.uint8], place: WindowPlace, exact: DieAnswer, seen: DieSpot
) -> tuple[WindowPlace, DieAnswer, DieSpot] | None:
    """What else is there if that was a side of a die: its upper face shows beyond it, as the camera looks.

    None where no sides show, where the same die is seen from there too or another one further off, and where nothing is seen
    more plainly.
    """
    slope = float(np.hypot(*place.sight))
    if slope < SIDES_SHOW or _is_cube(exact):
        return None
    x_px, y_px = place.to_picture((exact.top + BEYOND * place.sight / slope)[None])[0].tolist()
    beyond = _quick_look(pixels, replace(seen, centre_px=(x_px, y_px)), place.board)
    there, said, spot = beyond
    side, top = place.from_picture(np.array([seen.centre_px, spot.centre_px])) * (place.edge / _edge(there, said))
    is_another = not spot.is_near(seen.centre_px, seen.size_px, ANOTHER) and is_side_at(top - side, place.sight)
    return beyond if is_another and plainness(said) > plainness(exact) else None


def is_side_at(to_top: Points, sight: Points) -> bool:
    """Whether a side of a die may show there: (2,) edges from its middle to that of the upper face, on the board's plane.

    The middle of a side is half an edge lower, which the line of sight shifts by half of its slope, and half an edge nearer to the
    camera, or less and as far beside it where two sides show.
    """
    slope = float(np.hypot(*sight))
    beyond, beside = np.array([sight, (-sight[1], sight[0])]) @ to_top / slope
    nearest, furthest = (slope + np.sqrt(0.5)) / 2 - SIDE_OFF, (slope + 1) / 2 + SIDE_OFF
    return bool(nearest < beyond < furthest and abs(beside) < np.sqrt(0.5) / 2 + SIDE_OFF)


def plainness(answer: DieAnswer) -> float:
    """Log-probability of a die with its likeliest face and lie."""
    return float(answer.kinds[Kind.DIE.value] + answer.faces.max() + answer.lies.max())


def _quick_look(
    pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None
) -> tuple[WindowPlace, DieAnswer, DieSpot]:
    place = place_window(spot, board)
    exact = _said(QUICK, place.planes(place.colours(pixels)))
    return place, exact, refined(spot, place, exact.top, exact.size)


def _looked(
    place: WindowPlace,
    answer: DieAnswer,
    spot: DieSpot,
    exact_kinds: NDArray[np.float64],
    *,
    is_let_off: bool = False,
) -> Look:
    if place.board is not None:
        answer = replace(answer, kinds=_of_size(answer.kinds, _edge(place, answer) / place.board.field.pitch_mm))
    return Look(place, answer, spot, exact_kinds, is_let_off)


def get_ready() -> None:
    """Loads all that is asked about a doubtful die, which would hold up the first one."""
    blank, spot = np.zeros((WINDOW_PX, WINDOW_PX, 3), np.uint8), DieSpot((WINDOW_PX / 2, WINDOW_PX / 2), DIE_PX, 1.0)
    settled_glance(blank, spot, worth_more=1.0)
    for network in (QUICK, CAREFUL, SECOND_OPINION, THIRD_OPINION):
        _said(network, np.zeros((PLANES, WINDOW_PX, WINDOW_PX), np.float32))
    face_evidence(blank, spot, None)


def leaves_doubt(answer: DieAnswer, times: NDArray[np.float64] | None = None) -> bool:
    """About the face or the lie of a die, each of which is so many times likelier than the network says."""
    if _is_cube(answer):
        return False
    lies = answer.lies if times is None else weighed(answer.lies, times)
    return any(float(np.exp(said.max())) < SURE for said in (answer.faces, lies))


def without_cube(look: Look) -> Look:
    """Of a thing that is known to be none."""
    answer = replace(look.answer, kinds=_but(Kind.CUBE, look.answer.kinds))
    return replace(look, answer=answer, exact_kinds=_but(Kind.CUBE, look.exact_kinds))


def _base_mm(place: WindowPlace, answer: DieAnswer) -> tuple[float, float]:
    x_mm, y_mm = place.to_plane(answer.base[None])[0]
    return float(x_mm), float(y_mm)


def _is_cube(answer: DieAnswer) -> bool:
    return int(answer.kinds.argmax()) == Kind.CUBE.value


def _edge(place: WindowPlace, answer: DieAnswer) -> float:
    """How large a cube is no network was taught, only where to look for it and how wide."""
    return place.edge if _is_cube(answer) else place.edge * float(np.clip(answer.size, *SIZES))


def _said(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    return answer_of(answers_to(network, planes, ("answers",))[0])


def _said_mirrored(network: str, planes: NDArray[np.float32]) -> DieAnswer:
    """What a network says of the window as MIRRORED has it, told for the window as it is."""
    x, y = MIRRORED
    mirrored = planes[:, ::y, ::x].copy()
    mirrored[SIGHT] *= np.array(MIRRORED, np.float32)[:, None, None]
    said, back = _said(network, mirrored), np.array(MIRRORED, np.float64)
    return replace(said, normal=back * said.normal, top=back * said.top, base=back * said.base)


def _together(glance: Glance, exact: DieAnswer) -> DieAnswer:
    """That something is there is the mean of both, which is no surer than the less sure where they differ.

    What it is tells the exact look alone: an ace and the cube look alike at a glance.
    """
    there = (something(glance.kinds) + something(exact.kinds)) / 2
    kinds = exact.kinds.copy()
    kinds[1:] += np.log(there) - np.logaddexp.reduce(kinds[1:])
    kinds[Kind.NOTHING.value] = np.log(max(1 - there, TINY))
    return replace(exact, kinds=kinds)


def _agreed(looks: Sequence[DieAnswer]) -> DieAnswer:
    """The means of their log-probabilities, and the places of the first.

    But that something is there is no surer than their mean.
    """
    normals = np.array([look.normal for look in looks])
    normal = normals.mean(axis=0)
    spread = float(np.mean([look.normal_spread for look in looks]))
    return replace(
        looks[0],
        kinds=_mean([look.kinds for look in looks]),
        faces=_consensus([look.faces for look in looks]),
        lies=_consensus([look.lies for look in looks]),
        normal=normal,
        normal_spread=max(spread, float(np.abs(normals - normal).mean())),
        touches_checker=float(np.mean([look.touches_checker for look in looks])),
    )


def _shows_its_pips(answer: DieAnswer, pips: NDArray[np.float64]) -> bool:
    """Whether their pattern tells the same face; under a glare none does, and one network alone may be sure of a wrong one."""
    others: list[float] = pips.tolist()
    own = others.pop(int(answer.faces.argmax()))
    return own - max(others) > TELLS_NO_FACE


def _with_pips(answer: DieAnswer, pips: NDArray[np.float64]) -> DieAnswer:
    """With what the pattern of the pips says of the face, which is another way of seeing it."""
    faces = answer.faces + pips
    faces -= np.logaddexp.reduce(faces)
    favourite = int(pips.argmax())
    if favourite != int(faces.argmax()) and np.ptp(pips) > NO_PATTERN:
        faces += np.log1p(-PIPS_RIGHT)
        faces[favourite] = np.logaddexp(faces[favourite], np.log(PIPS_RIGHT))
    return replace(answer, faces=faces)


def _consensus(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    means = np.mean(log_probabilities, axis=0)
    return np.asarray(means - np.logaddexp.reduce(means))


def _mean(log_probabilities: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """As probabilities."""
    return np.asarray(np.logaddexp.reduce(np.stack(log_probabilities)) - np.log(len(log_probabilities)))


def _of_size(kinds: NDArray[np.float64], edge_points: float) -> NDArray[np.float64]:
    """What is too small for a cube is none, whatever it looks like, and what is too small for a die is no die.

    Nor is what is too large for one, but two that touch look so: it is not told, and no die is surely missing.
    """
    if edge_points < LEAST_CUBE_POINTS:
        kinds = _but(Kind.CUBE, kinds)
    if edge_points > MOST_DIE_POINTS:
        return _hardly_a_die(kinds)
    return kinds if edge_points >= LEAST_DIE_POINTS else _but(Kind.DIE, kinds)


def _hardly_a_die(kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) log, with no more than TOO_LARGE of a die; the rest of that it is nothing."""
    chances = np.exp(kinds)
    too_much = max(float(chances[Kind.DIE.value]) - TOO_LARGE, 0.0)
    chances[Kind.DIE.value] -= too_much
    chances[Kind.NOTHING.value] += too_much
    return np.asarray(np.log(np.maximum(chances, TINY)))


def _but(kind: Kind, kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities of what it may be all the same."""
    possible = kinds.copy()
    possible[kind.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))
