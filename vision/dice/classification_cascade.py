"""A close look at one spot: at a glance, then quickly, and where that leaves doubt with care.

A glance (`dice_glance.py`) sorts out what is nothing. Where it is not, a quick look is put exactly where the glance saw
something, and again from there where it sees it elsewhere. Of the face the pattern of its pips is asked too
(`pip_patterns.py`). Where they leave doubt about a face or a lie, it may have been a side, and what lies beyond that is looked
at. Then one look from a little nearer is asked, mirrored, by a deeper network: what is right in both adds up, and mistakes that
hang on a side, on a distance or on one network cancel out. Where both leave doubt, two more such networks are asked, which
learned otherwise. What is known of how a die may lie there counts as well: one that lies clear of all that it might lean on
leaves no doubt of its lie where one beside a checker does.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.classifier import DieAnswer, Kind, weighed
from vision.dice.ensemble import (
    TINY,
    agreement_of_all,
    agreement_with_pips,
    all_opinions,
    careful_opinion,
    contradicted,
    doubting_opinions,
    further_opinions,
    is_believed,
    nearer_window,
    quick_opinion,
    unless_doubted,
    with_glance,
    with_pips,
)
from vision.dice.pip_check import prepare_pips
from vision.dice.pip_template import PipEvidence, face_evidence
from vision.dice.proposals import settled_glance, something, spots_aside
from vision.dice.readings import FACES, FLAT_LIE
from vision.dice.windows import DIE_PX, SIZES, WINDOW_PX, DieSpot, WindowPlace, place_window, refined
from vision.geometry.projection import KnownBoard, Points

NO_PIPS = PipEvidence(np.zeros(FACES))  # a cube has numerals
TELLS_NO_FACE = 0.5  # nats from a face to the next best one, below which it is not told by its pattern
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
# Half told is what the careful looks leave at less than TOLD and no less than this. Such a thing that hardly lies flat is looked at
# from its sides, from where it must be the same die: of one on its corner the middles of two faces show 0.7 edges apart. Of 717 dice in
# windows that lean by more than ten degrees 11 are not told so, where it were 13, and of 93 on 200 new boards 0.2 (1.0); of 3,369 windows
# one more shows a die where none is. Of 95 boards two have such a thing, which takes 8 ms.
MAY_BE_ONE, MAY_LIE_FLAT, STILL_THIS_DIE = 0.4, 0.5, 0.8
SIDE_OFF = 0.15  # edges; so exactly a side is measured
PIPS_REACH = 0.4  # edges from the middle of the face to that of a pip in its corner
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
    half_told: DieSpot | None = None  # where it was so, if told from aside only; that may be another die yet

    @property
    def die_chance(self) -> float:
        """0..1, as far as these tell."""
        return float(np.exp(self.exact_kinds[Kind.DIE.value]))

    @property
    def base_mm(self) -> tuple[float, float]:
        """Where a die would stand; on the picture's plane where no board is known."""
        return _base_mm(self.place, self.answer)

    @property
    def base_px(self) -> tuple[float, float]:
        """The same in the picture."""
        x_px, y_px = self.place.to_picture(self.answer.base[None])[0].tolist()
        return x_px, y_px

    @property
    def edge(self) -> float:
        """Of the die or the cube, on the same plane."""
        return _edge(self.place, self.answer)

    @property
    def is_beside_field(self) -> bool:
        """By more than its edge: what leans on a rim, or lies on one, is no further off. Where no board is known nothing is."""
        board = self.place.board
        if board is None:
            return False
        return board.field.beyond_mm(*self.base_mm) > self.edge

    @property
    def may_be_two(self) -> bool:
        """Whether a die is so large that two which touch may be taken for one; never where no board tells the scale."""
        board = self.place.board
        return board is not None and self.edge > MAY_BE_TWO_POINTS * board.field.pitch_mm


@dataclass(frozen=True, slots=True, eq=False)
class _QuickLook:
    """The window, what the quick network says of it, and where it sees the die."""

    place: WindowPlace
    said: DieAnswer
    seen: DieSpot

    @property
    def something(self) -> float:
        return something(self.said.kinds)


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
    exact = _exact_look(pixels, glance.spot, board)
    if exact.something < worth_more:
        return None
    answer = with_glance(glance, exact.said)
    if exact.something < WORTH_ALL_LOOKS:
        return _looked(exact.place, answer, exact.seen, exact.said.kinds)
    pips = NO_PIPS if _is_cube(exact.said) else face_evidence(pixels, exact.seen, board)
    answer = with_pips(answer, pips)
    is_sure_what = float(np.exp(exact.said.kinds.max())) >= SURE and something(answer.kinds) >= TOLD
    is_plain = is_sure_what and (_is_cube(answer) or _shows_its_pips(answer, pips))
    is_doubtful = leaves_doubt(answer) or not is_plain
    is_let_off = (
        (is_doubtful and is_plain)
        and likelier is not None
        and not leaves_doubt(answer, likelier(_base_mm(exact.place, answer), _edge(exact.place, answer)))
    )
    if not is_doubtful or is_let_off:
        answer = _unless_doubted(pixels, exact.seen, board, answer)
        return _looked(exact.place, answer, exact.seen, exact.said.kinds, is_let_off=is_let_off)
    is_no_side = is_plain and float(np.exp(exact.said.faces.max())) >= TOLD
    plainer = None if is_no_side else _plainer_beyond(pixels, exact)
    if plainer is not None or _is_cube(exact.said):
        return _careful_look(pixels, plainer or exact)
    return _careful_look(pixels, exact, pips)


def _careful_look(pixels: NDArray[np.uint8], exact: _QuickLook, pips: PipEvidence | None = None) -> Look:
    """All that doubt is worth. `pips` is the pattern's evidence where it is known by now."""
    look = _nearer_look(pixels, exact, pips)
    plainer = _plainer_aside(pixels, exact) if _may_be_plainer_aside(look) else None
    if plainer is None:
        return look
    from_aside = replace(_nearer_look(pixels, plainer), half_told=look.spot)
    return max(look, from_aside, key=lambda each: something(each.answer.kinds))


def _nearer_look(pixels: NDArray[np.uint8], exact: _QuickLook, pips: PipEvidence | None = None) -> Look:
    """The exact look and one from nearer together, with further opinions where they leave doubt."""
    seen, board = exact.seen, exact.place.board
    pips = face_evidence(pixels, seen, board) if pips is None else pips
    nearer = nearer_window(seen, board)
    said = careful_opinion(pixels, nearer)
    looks = [exact.said, said]
    answer = agreement_with_pips(looks, pips)
    if _is_worth_further_opinions(answer):
        answer = agreement_of_all([*looks, *further_opinions(pixels, place_window(seen, board))], pips)
    if _is_cube(answer):
        return _looked(exact.place, answer, seen, answer.kinds)
    answer = _unless_doubted(pixels, seen, board, answer)
    # The first window may have been put on two dice that touch.
    answer = replace(answer, top=said.top, base=said.base, size=said.size)
    return _looked(nearer, answer, seen, answer.kinds)


def _unless_doubted(pixels: NDArray[np.uint8], seen: DieSpot, board: KnownBoard | None, answer: DieAnswer) -> DieAnswer:
    """Asked of a die whose face would be believed. Not of one on no board: 212 of 229 photographed dice were told then, where it are 220."""
    if _is_cube(answer) or something(answer.kinds) < TOLD or not is_believed(answer):
        return answer
    if _is_cut_off(pixels, seen):
        return contradicted(answer)
    return answer if board is None else unless_doubted(answer, doubting_opinions(pixels, seen, board))


def _is_cut_off(pixels: NDArray[np.uint8], seen: DieSpot) -> bool:
    """Whether the picture may end before a pip, however the face is turned."""
    height_px, width_px = pixels.shape[:2]
    x_px, y_px = seen.centre_px
    return bool(min(x_px, y_px, width_px - x_px, height_px - y_px) < PIPS_REACH * seen.size_px)


def _is_worth_further_opinions(answer: DieAnswer) -> bool:
    is_sure_what = float(np.exp(answer.kinds.max())) >= SURE
    is_surely_not_flat = is_sure_what and float(np.exp(answer.lies[FLAT_LIE])) <= 1 - SURE
    return something(answer.kinds) >= WORTH_FURTHER_OPINIONS and leaves_doubt(answer) and not is_surely_not_flat


def _exact_look(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _QuickLook:
    """The quick look, and again from where it saw the die where that is further off.

    Not of the cube, whose size no network was taught; and what no longer looks like a die from there was seen better before.
    """
    exact = _quick_look(pixels, spot, board)
    for _ in range(MOST_EXACT_LOOKS - 1):
        is_there = exact.seen.is_near(spot.centre_px, spot.size_px, PUT_WELL)
        if is_there or _is_cube(exact.said) or exact.something < WORTH_ALL_LOOKS:
            break
        again = _quick_look(pixels, exact.seen, board)
        if again.said.kinds[Kind.DIE.value] < min(exact.said.kinds[Kind.DIE.value], np.log(SURE)):
            break
        spot, exact = exact.seen, again
    return exact


def _plainer_beyond(pixels: NDArray[np.uint8], exact: _QuickLook) -> _QuickLook | None:
    """What else is there if that was a side of a die: its upper face shows beyond it, as the camera looks.

    None where no sides show, where the same die is seen from there too or another one further off, and where nothing is seen
    more plainly.
    """
    place, seen = exact.place, exact.seen
    slope = float(np.hypot(*place.sight))
    if slope < SIDES_SHOW or _is_cube(exact.said):
        return None
    x_px, y_px = place.to_picture((exact.said.top + BEYOND * place.sight / slope)[None])[0].tolist()
    beyond = _quick_look(pixels, replace(seen, centre_px=(x_px, y_px)), place.board)
    centres_px = np.array([seen.centre_px, beyond.seen.centre_px])
    side, top = place.from_picture(centres_px) * (place.edge / _edge(beyond.place, beyond.said))
    is_another = not beyond.seen.is_near(seen.centre_px, seen.size_px, ANOTHER) and is_side_at(top - side, place.sight)
    return beyond if is_another and plainness(beyond.said) > plainness(exact.said) else None


def _may_be_plainer_aside(look: Look) -> bool:
    is_half_told = MAY_BE_ONE <= something(look.answer.kinds) < TOLD
    return is_half_told and not _is_cube(look.answer) and float(np.exp(look.answer.lies[FLAT_LIE])) < MAY_LIE_FLAT


def _plainer_aside(pixels: NDArray[np.uint8], exact: _QuickLook) -> _QuickLook | None:
    """The same die, more surely one: of one that leans steeply a side may have been taken for the upper face, any way from it."""
    seen, board = exact.seen, exact.place.board
    asides = [_quick_look(pixels, aside, board) for aside in spots_aside(pixels, seen)]
    same = [
        one
        for one in asides
        if not _is_cube(one.said) and one.seen.is_near(seen.centre_px, seen.size_px, STILL_THIS_DIE)
    ]
    best = max(same, key=lambda one: one.something, default=exact)
    return _exact_look(pixels, best.seen, board) if best.something > exact.something else None


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


def _quick_look(pixels: NDArray[np.uint8], spot: DieSpot, board: KnownBoard | None) -> _QuickLook:
    place = place_window(spot, board)
    said = quick_opinion(pixels, place)
    return _QuickLook(place, said, refined(spot, place, said.top, said.size))


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
    for _ in all_opinions(blank, spot, None):
        pass
    for _ in doubting_opinions(blank, spot, None):
        pass
    face_evidence(blank, spot, None)
    prepare_pips()


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
    smallest, largest = SIZES
    return place.edge if _is_cube(answer) else place.edge * min(max(answer.size, smallest), largest)


def _shows_its_pips(answer: DieAnswer, pips: PipEvidence) -> bool:
    """Whether their pattern tells the same face; under a glare none does, and one network alone may be sure of a wrong one."""
    others: list[float] = pips.faces.tolist()
    own = others.pop(int(answer.faces.argmax()))
    return own - max(others) > TELLS_NO_FACE


def _of_size(kinds: NDArray[np.float64], edge_points: float) -> NDArray[np.float64]:
    """What is too small for a cube is none, whatever it looks like, and what is too small for a die is no die.

    Nor is what is too large for one, but two that touch look so: it is not told, and no die is surely missing.
    """
    if edge_points < LEAST_CUBE_POINTS:
        kinds = _but(Kind.CUBE, kinds)
    if edge_points > MOST_DIE_POINTS:
        return hardly(Kind.DIE, kinds)
    return kinds if edge_points >= LEAST_DIE_POINTS else _but(Kind.DIE, kinds)


def hardly(kind: Kind, kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3,) log, with no more than TOO_LARGE of that kind; the rest of it is nothing."""
    chances = np.exp(kinds)
    too_much = max(float(chances[kind.value]) - TOO_LARGE, 0.0)
    chances[kind.value] -= too_much
    chances[Kind.NOTHING.value] += too_much
    return np.asarray(np.log(np.maximum(chances, TINY)))


def _but(kind: Kind, kinds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-probabilities of what it may be all the same."""
    possible = kinds.copy()
    possible[kind.value] = -np.inf
    return np.asarray(possible - np.logaddexp.reduce(possible))
