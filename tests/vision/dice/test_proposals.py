"""Proposals of the search, and the check of each by the proposal filter."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import ASLANT, STRAIGHT_DOWN
from vision.dice import proposals
from vision.dice.windows import DieSpot
from vision.geometry.projection import KnownBoard

Maps = NDArray[np.float32]
PICTURE = np.zeros((96, 160, 3), np.uint8)
ONE_SIZE = proposals.ProposalLimits(sizes_px=(proposals.USUAL_DIE_PX,))


class Finder:
    """A network whose maps are drawn by hand; it keeps the sizes of the pictures that it was shown."""

    def __init__(self, draw: Callable[[Maps], Any]) -> None:
        self._draw = draw
        self.shown: list[tuple[int, ...]] = []

    def run_network(self, name: str, picture: NDArray[np.uint8], outputs: Sequence[str]) -> list[Maps]:
        assert (name, tuple(outputs)) == ("dice_finder", ("maps",))
        self.shown.append(picture.shape)
        maps = np.zeros((5, picture.shape[0] // proposals.CELL_PX, picture.shape[1] // proposals.CELL_PX), np.float32)
        maps[[proposals.DIE_MAP, proposals.CUBE_MAP]] = -9
        self._draw(maps)
        return [maps]


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Maps], Any]], Finder]:
    """Puts a finder in the network's place."""

    def put(draw: Callable[[Maps], Any]) -> Finder:
        finder = Finder(draw)
        monkeypatch.setattr(proposals, "run_network", finder.run_network)
        return finder

    return put


Sees = Callable[[Callable[[Maps], Any]], Finder]


def cell(row: int, column: int, logit: float = 2.0, *, kind: int = proposals.DIE_MAP) -> Callable[[Maps], Any]:

    def draw(maps: Maps) -> None:
        maps[kind, row, column] = logit

    return draw


class TestPeaks:
    def test_the_middle_of_a_cell(self, sees: Sees) -> None:
        """Cell (2, 3) is centred on (28, 20) of 8-pixel cells, which is half a pixel less to the middle of a pixel."""
        sees(cell(2, 3))
        (spot,) = proposals.propose_dice(PICTURE, None, ONE_SIZE)
        assert spot.centre_px == pytest.approx((27.5, 19.5))
        assert (spot.size_px, spot.score) == pytest.approx((10.8, 1 / (1 + np.exp(-2))))

    def test_the_place_within_a_cell_and_the_size(self, sees: Sees) -> None:
        """A quarter from the left, three quarters from the top; one and a half times the usual size."""

        def draw(maps: Maps) -> None:
            maps[:, 2, 3] = 2
            maps[proposals.X_MAP, 2, 3], maps[proposals.Y_MAP, 2, 3], maps[proposals.SIZE_MAP, 2, 3] = (
                -np.log(3),
                np.log(3),
                np.log(1.5),
            )

        sees(draw)
        (spot,) = proposals.propose_dice(PICTURE, None, ONE_SIZE)
        assert spot.centre_px == pytest.approx((25.5, 21.5))
        assert spot.size_px == pytest.approx(16.2)

    def test_neighbours_that_point_at_the_same_place_are_the_same(self, sees: Sees) -> None:
        """One die excites several cells; the likeliest has its place."""

        def draw(maps: Maps) -> None:
            maps[proposals.DIE_MAP, 2, 3], maps[proposals.DIE_MAP, 2, 4], maps[proposals.DIE_MAP, 3, 3] = 3, 2.5, 2
            maps[proposals.X_MAP, 2, 3], maps[proposals.X_MAP, 2, 4] = 2, -2  # the edge between them, nearly
            maps[proposals.Y_MAP, 3, 3] = -2

        sees(draw)
        (spot,) = proposals.propose_dice(PICTURE, None, ONE_SIZE)
        assert spot.score == pytest.approx(1 / (1 + np.exp(-3)))

    @pytest.mark.parametrize(("x", "found"), [(-2, 1), (-0.5, 2), (2, 2)])
    def test_dice_that_touch_show_in_cells_side_by_side(self, sees: Sees, x: float, found: int) -> None:
        """Six tenths of an edge between their middles make them two: 6.5 of the 8 pixels of a cell."""

        def draw(maps: Maps) -> None:
            maps[proposals.DIE_MAP, 2, 3], maps[proposals.DIE_MAP, 2, 4] = 3, 2.5
            maps[proposals.X_MAP, 2, 3], maps[proposals.X_MAP, 2, 4] = 0, x

        sees(draw)
        assert len(proposals.propose_dice(PICTURE, None, ONE_SIZE)) == found

    @pytest.mark.parametrize(
        ("cells", "spots"),
        [
            ([cell(2, 3, -2.19)], 1),
            ([cell(2, 3, -2.21)], 0),  # below 10 %, a logit of -2.197
            ([cell(2, 3, kind=proposals.CUBE_MAP)], 1),
            ([cell(2, 3), cell(2, 5)], 2),  # two cells apart, more than a die's edge
        ],
    )
    def test_how_many_spots(self, sees: Sees, cells: list[Callable[[Maps], Any]], spots: int) -> None:
        sees(lambda maps: [draw(maps) for draw in cells])
        assert len(proposals.propose_dice(PICTURE, None, ONE_SIZE)) == spots

    def test_the_likeliest_come_first_and_few(self, sees: Sees) -> None:

        def draw(maps: Maps) -> None:
            maps[proposals.DIE_MAP, ::2, ::2] = np.linspace(1, 4, 60).reshape(6, 10)

        sees(draw)
        spots = proposals.propose_dice(PICTURE, None, replace(ONE_SIZE, most_spots=12))
        assert len(spots) == 12
        assert [spot.score for spot in spots] == sorted((spot.score for spot in spots), reverse=True)
        assert spots[0].score == pytest.approx(1 / (1 + np.exp(-4)))


class TestWithoutABoard:
    def test_nothing(self, sees: Sees) -> None:
        sees(lambda maps: None)
        assert proposals.propose_dice(PICTURE, None) == []

    def test_sizes_are_tried(self, sees: Sees) -> None:
        """A die of twice the usual size is looked for in the picture at half its width."""
        finder = sees(cell(2, 3))
        (spot,) = proposals.propose_dice(
            PICTURE, None, proposals.ProposalLimits(sizes_px=(2 * proposals.USUAL_DIE_PX,))
        )
        assert finder.shown == [(48, 80, 3)]
        assert spot.centre_px == pytest.approx((55.5, 39.5))
        assert spot.size_px == pytest.approx(21.6)

    def test_two_sizes_that_find_one_die(self, sees: Sees) -> None:
        """They show the same, and the likelier is kept."""
        finder = sees(lambda maps: cell(1, 1, 1.0)(maps) if maps.shape[1] == 6 else cell(3, 3, 3.0)(maps))
        sizes = proposals.ProposalLimits(sizes_px=(2 * proposals.USUAL_DIE_PX, proposals.USUAL_DIE_PX))
        (spot,) = proposals.propose_dice(PICTURE, None, sizes)
        assert len(finder.shown) == 2
        assert spot.score == pytest.approx(1 / (1 + np.exp(-3)))


class TestOnABoard:
    def test_the_region(self, sees: Sees) -> None:
        """120 mm around the field, as far as the picture goes: 0..661 x 0..480, brought from 1 to 0.8 pixels a mm."""
        finder = sees(cell(2, 3))
        (spot,) = proposals.propose_dice(np.zeros((480, 800, 3), np.uint8), STRAIGHT_DOWN)
        assert finder.shown == [(384, 528, 3)]  # 384 x 529, in whole sixteens
        across, down = 661 / 528, 480 / 384
        assert spot.centre_px == pytest.approx((28 * across - 0.5, 20 * down - 0.5))
        assert spot.size_px == pytest.approx(10.8 * np.sqrt(across * down))

    def test_a_large_picture_is_halved_first(self, sees: Sees, monkeypatch: pytest.MonkeyPatch) -> None:
        """To fewer than twice the pixels that are wanted; what is bright stays where it is."""
        shown: list[NDArray[np.uint8]] = []
        finder = sees(cell(2, 3))

        def run_network(name: str, picture: NDArray[np.uint8], outputs: Sequence[str]) -> list[Maps]:
            shown.append(picture)
            return finder.run_network(name, picture, outputs)

        monkeypatch.setattr(proposals, "run_network", run_network)
        board = KnownBoard(STRAIGHT_DOWN.projection.scale(4), STRAIGHT_DOWN.field)
        picture = np.zeros((1920, 2560, 3), np.uint8)
        picture[960:, 1280:] = 200
        proposals.propose_dice(picture, board)
        assert shown[0].shape == (384, 512, 3)
        expected = np.zeros((384, 512), np.uint8)
        expected[192:, 256:] = 200
        assert (shown[0][..., 0] == expected).all()

    def test_a_board_aslant(self, sees: Sees) -> None:
        """Once, about as large as it would be straight below: 530 x 490 mm at 0.8 pixels."""
        finder = sees(cell(2, 3))
        proposals.propose_dice(np.zeros((480, 640, 3), np.uint8), ASLANT)
        ((height, width, _),) = finder.shown
        assert width == pytest.approx(530 * 0.8, rel=0.35)
        assert height == pytest.approx(490 * 0.8, rel=0.35)
        assert height % 16 == width % 16 == 0


EDGE_PX = 24.0
GREY, BRIGHT = 90, 255


def picture_with_square(at_px: tuple[int, int], edge_px: int) -> NDArray[np.uint8]:
    picture = np.full((240, 320, 3), GREY, np.uint8)
    (x, y), half = at_px, edge_px // 2
    picture[max(y - half, 0) : y + half, max(x - half, 0) : x + half] = BRIGHT
    return picture


@pytest.mark.parametrize("edge_px", [12, 24, 48])
def test_a_die_fills_a_third_of_its_window(edge_px: int) -> None:
    window = proposals.make_check_window(
        picture_with_square((160, 120), edge_px), DieSpot((159.5, 119.5), edge_px, 0.9)
    )
    assert window.shape == (proposals.CHECK_PX, proposals.CHECK_PX, 3)
    bright = np.argwhere(window[..., 0] > (GREY + BRIGHT) / 2)
    assert bright.mean(axis=0) == pytest.approx([(proposals.CHECK_PX - 1) / 2] * 2, abs=0.1)
    assert len(bright) == pytest.approx((proposals.CHECK_PX / proposals.CHECK_EDGES) ** 2, rel=0.02)


@pytest.mark.parametrize("at_px", [(0, 0), (319, 239), (319, 0), (0, 120)])
def test_at_the_edge_of_the_picture(at_px: tuple[int, int]) -> None:
    """The spot stays in the middle; beyond the edge its pixels go on."""
    window = proposals.make_check_window(
        picture_with_square(at_px, 24), DieSpot((float(at_px[0]), float(at_px[1])), EDGE_PX, 0.9)
    )
    middle = proposals.CHECK_PX // 2
    assert (window[middle - 3 : middle + 3, middle - 3 : middle + 3] == BRIGHT).all()
    inwards = [0 if at > 100 else -1 for at in (at_px[1], at_px[0])]
    assert window[inwards[0], inwards[1], 0] == GREY


@pytest.mark.parametrize("at_px", [(-500.0, 120.0), (900.0, -300.0), (160.0, 5000.0)])
def test_a_spot_outside_the_picture(at_px: tuple[float, float]) -> None:
    assert (
        proposals.make_check_window(picture_with_square((160, 120), 24), DieSpot(at_px, EDGE_PX, 0.9)) == GREY
    ).all()


@pytest.fixture
def filter_output(monkeypatch: pytest.MonkeyPatch) -> NDArray[np.float32]:
    """The numbers of the filter for every window, sure of a die in the middle; a test changes them."""
    numbers = np.zeros(proposals.CHECK_OUTPUT_SIZE, np.float32)
    numbers[proposals.CHECK_CLASS] = np.log([0.01, 0.98, 0.01])

    def run_network_on_batch(name: str, windows: NDArray[np.float32], output: str) -> NDArray[np.float32]:
        assert (name, output, windows.shape[1:]) == (
            "dice_glance",
            "answers",
            (3, proposals.CHECK_PX, proposals.CHECK_PX),
        )
        return np.tile(numbers, (len(windows), 1))[..., None, None]

    monkeypatch.setattr(proposals, "run_network_on_batch", run_network_on_batch)
    return numbers


def filtered(*spots: DieSpot) -> list[DieSpot]:
    return proposals.filter_proposals(picture_with_square((160, 120), 24), spots)


SPOT = DieSpot((160.0, 120.0), 20.0, 0.4)


def test_place_and_size(filter_output: NDArray[np.float32]) -> None:
    """A quarter of an edge to the right and half as large again, in pixels of the picture; the filter's own score."""
    filter_output[proposals.CHECK_TOP], filter_output[proposals.CHECK_SIZE] = (0.25, -0.1), np.log(1.5)
    (spot,) = filtered(SPOT)
    assert spot.centre_px == pytest.approx((165.0, 118.0))
    assert (spot.size_px, spot.score) == pytest.approx((30.0, 0.99))


def test_no_further_off_than_the_window_shows(filter_output: NDArray[np.float32]) -> None:
    filter_output[proposals.CHECK_TOP], filter_output[proposals.CHECK_SIZE] = (9.0, -9.0), 9.0
    (spot,) = filtered(SPOT)
    assert spot.centre_px == pytest.approx((174.0, 106.0))
    assert spot.size_px == pytest.approx(32.0)


@pytest.mark.parametrize(("object_p", "kept"), [(0.1, 0), (0.3, 1)])
def test_what_is_neither_die_nor_cube_is_rejected(
    filter_output: NDArray[np.float32], object_p: float, kept: int
) -> None:
    filter_output[proposals.CHECK_CLASS] = np.log([1 - object_p, 0.7 * object_p, 0.3 * object_p])
    assert len(filtered(SPOT)) == kept


@pytest.mark.parametrize("number", [0, 1, 11, 12, 13, 30])
@pytest.mark.usefixtures("filter_output")
def test_any_number_of_proposals_is_filtered(number: int) -> None:
    """In their order, while they are equally sure."""
    spots = [DieSpot((20.0 + 40 * (order % 6), 20.0 + 40 * (order // 6)), 20.0, 0.5) for order in range(number)]
    assert [spot.centre_px for spot in filtered(*spots)] == [spot.centre_px for spot in spots]


@pytest.mark.usefixtures("filter_output")
def test_proposals_that_are_brought_to_one_place_are_one() -> None:
    """Nearer than 0.6 edges, or what the limits say."""
    spots = [SPOT, replace(SPOT, centre_px=(169.0, 120.0))]
    assert len(filtered(*spots)) == 1
    narrow = proposals.ProposalLimits(nms_edges=0.3)
    assert len(proposals.filter_proposals(picture_with_square((160, 120), 24), spots, narrow)) == 2


def test_the_surest_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the filter's probability, whatever the search thought of them."""

    def run_network_on_batch(_name: str, windows: NDArray[np.float32], _output: str) -> NDArray[np.float32]:
        numbers = np.zeros((len(windows), proposals.CHECK_OUTPUT_SIZE, 1, 1), np.float32)
        numbers[:, proposals.CHECK_CLASS.start + 1, 0, 0] = np.arange(len(windows))
        return numbers

    monkeypatch.setattr(proposals, "run_network_on_batch", run_network_on_batch)
    spots = [DieSpot((40.0 * order, 60.0), 20.0, 0.9 - 0.1 * order) for order in range(1, 5)]
    assert [spot.centre_px[0] for spot in filtered(*spots)] == [160.0, 120.0, 80.0, 40.0]


def test_the_filter_sees_a_die_and_no_plain_ground() -> None:
    """With the published weights: a white die with a black pip in its middle, and the wood beside it."""
    grain = np.random.default_rng(1).normal(0, 6, (240, 320, 1))
    picture = np.clip(np.array((70, 110, 150)) + grain, 0, 255).astype(np.uint8)
    cv2.rectangle(picture, (148, 108), (172, 132), (235, 240, 240), -1)
    cv2.circle(picture, (160, 120), 3, (20, 20, 20), -1)
    (die,) = proposals.filter_proposals(picture, [DieSpot((163.0, 121.0), 24.0, 0.9), DieSpot((60.0, 60.0), 24.0, 0.9)])
    assert die.centre_px == pytest.approx((160, 120), abs=2.0)
