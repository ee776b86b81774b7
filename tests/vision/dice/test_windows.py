import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import ASLANT, STRAIGHT_DOWN
from vision.dice.windows import (
    BOARD_PLANES,
    DIE_PX,
    HALVE_FROM,
    KNOWN,
    SIGHT,
    WIDE,
    WINDOW_PX,
    ZONE,
    DieSpot,
    WindowPlace,
    place_window,
)
from vision.geometry.projection import KnownBoard

BLACK = np.zeros((480, 640, 3), np.uint8)
EDGE_MM = 16.0
NOTHING = np.zeros((WINDOW_PX, 2 * WINDOW_PX, 3), np.uint8)  # colours of a black window and its wider view


def with_a_square(board: KnownBoard, centre_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """A white one of EDGE_MM, flat on the black board: each pixel as bright as the share of it that is covered."""
    x_px, y_px = np.rint(board.projection.to_picture([centre_mm])[0]).astype(int).tolist()
    fine = (np.arange(64 * 8) + 0.5) / 8 - 32.5  # eight samples a pixel, 32 pixels either way
    grid_px = np.stack(np.meshgrid(x_px + fine, y_px + fine), axis=-1).reshape(-1, 2)
    off_mm = np.abs(board.projection.to_board(grid_px) - centre_mm).max(axis=1).reshape(64, 8, 64, 8)
    covered = (off_mm <= EDGE_MM / 2).mean(axis=(1, 3))
    picture = BLACK.copy()
    picture[y_px - 32 : y_px + 32, x_px - 32 : x_px + 32] = np.rint(255 * covered)[..., None]
    return picture


def spot_of(board: KnownBoard, centre_mm: tuple[float, float]) -> DieSpot:
    """The spot of somebody who measures the square across and down in the picture."""
    x_mm, y_mm = centre_mm
    points_mm = [centre_mm, (x_mm + EDGE_MM, y_mm), (x_mm, y_mm + EDGE_MM)]
    middle, right, below = board.projection.to_picture(points_mm)
    edge_px = float(np.sqrt(abs(np.linalg.det([right - middle, below - middle]))))
    return DieSpot((float(middle[0]), float(middle[1])), edge_px, 1.0)


BOARDS = pytest.mark.parametrize("board", [STRAIGHT_DOWN, ASLANT, None], ids=["straight down", "aslant", "no board"])


class TestPlaces:
    @BOARDS
    @given(
        centre_px=st.tuples(st.floats(160, 480), st.floats(120, 360)),
        at=st.tuples(st.floats(-1.4, 1.4), st.floats(-1.4, 1.4)),
    )
    def test_to_the_picture_and_back(
        self, board: KnownBoard | None, centre_px: tuple[float, float], at: tuple[float, float]
    ) -> None:
        window = place_window(DieSpot(centre_px, 24.0, 1.0), board)
        assert window.from_picture(window.to_picture(np.array([at])))[0] == pytest.approx(at, abs=1e-6)

    def test_an_edge_is_a_millimetre_a_pixel(self) -> None:
        """Straight above a board of a pixel a millimetre; the field's corner lies at (100.5, 40.5)."""
        window = place_window(DieSpot((300.0, 200.0), 24.0, 1.0), STRAIGHT_DOWN)
        assert window.centre == pytest.approx((199.5, 159.5))
        assert window.edge == pytest.approx(24)
        assert window.to_plane(np.array([(1.0, -0.5)]))[0] == pytest.approx([223.5, 147.5])

    @pytest.mark.parametrize(
        ("board", "at", "px"),
        [
            *((board, (0.0, 0.0), (300, 200)) for board in (STRAIGHT_DOWN, ASLANT, None)),
            (None, (1.0, -0.5), (324, 188)),
        ],
    )
    def test_edges_count_from_the_spot(
        self, board: KnownBoard | None, at: tuple[float, float], px: tuple[float, float]
    ) -> None:
        """Without a board the plane is the picture."""
        window = place_window(DieSpot((300.0, 200.0), 24.0, 1.0), board)
        assert window.to_picture(np.array([at]))[0] == pytest.approx(px)


class TestColours:
    @pytest.mark.parametrize("board", [STRAIGHT_DOWN, ASLANT], ids=["straight down", "aslant"])
    @pytest.mark.parametrize("centre_mm", [(100.0, 100.0), (330.0, 290.0)])
    def test_a_flat_square_shows_as_one(self, board: KnownBoard, centre_mm: tuple[float, float]) -> None:
        """Seen straight or aslant: DIE_PX wide and high, in the middle, upright; half of that in the wider view."""
        window = place_window(spot_of(board, centre_mm), board)
        grey = window.sample_views(with_a_square(board, centre_mm))[:, :, 0]
        for view, edge_px in ((grey[:, :WINDOW_PX], DIE_PX), (grey[:, WINDOW_PX:], DIE_PX / 2)):
            for along in np.nonzero(view > 127):
                assert np.ptp(along) + 1 == pytest.approx(edge_px, abs=1)
                assert along.mean() == pytest.approx((WINDOW_PX - 1) / 2, abs=0.6)
            assert view.sum() / 255 == pytest.approx(edge_px**2, rel=0.06)

    def test_without_a_board_it_stays_as_it_was_taken(self) -> None:
        """A piece of the picture around the spot, larger or smaller."""
        picture = BLACK.copy()
        picture[188:212, 288:312] = 255
        window = place_window(DieSpot((299.5, 199.5), 24.0, 1.0), None)
        white = window.sample_views(picture)[:, :, 0] > 127
        assert white[:, :WINDOW_PX].sum() == pytest.approx(DIE_PX**2, rel=0.05)
        assert white[:, WINDOW_PX:].sum() == pytest.approx(DIE_PX**2 / 4, rel=0.1)

    @pytest.mark.parametrize("size_px", [20.0, 30.0, 40.0, 80.0])
    def test_however_large_it_is_it_stays_in_its_place(self, size_px: float) -> None:
        """A soft spot beside the middle of a picture that is taken as it is, smoothed, or halved and smoothed."""
        columns, rows = np.meshgrid(np.arange(640), np.arange(480))
        spot_px = (301.3, 206.8)
        bright = 200 * np.exp(-(np.hypot(columns - spot_px[0], rows - spot_px[1]) ** 2) / (2 * (size_px / 5) ** 2))
        window = place_window(DieSpot((300.0, 210.0), size_px, 1.0), None)
        colours = window.sample_views(np.repeat(np.rint(bright).astype(np.uint8)[..., None], 3, axis=2))[..., 0].astype(
            float
        )
        for view, wider in ((colours[:, :WINDOW_PX], 1.0), (colours[:, WINDOW_PX:], 2.0)):
            along = (np.arange(WINDOW_PX) - (WINDOW_PX - 1) / 2) * wider * size_px / DIE_PX
            middle_px = [300 + (view.sum(axis=0) @ along) / view.sum(), 210 + (view.sum(axis=1) @ along) / view.sum()]
            assert middle_px == pytest.approx(spot_px, abs=0.06 * size_px / DIE_PX)

    def test_halving_takes_the_place_of_some_smoothing(self) -> None:
        """An edge, wherever it lies, is about as sharp in a window that is just halved as in one that is just not."""

        def columns_across(size_px: float, edge_px: int) -> float:
            picture = np.zeros((480, 640, 3), np.uint8)
            picture[:, edge_px:] = 200
            view = (
                place_window(DieSpot((300.0, 210.0), size_px, 1.0), None).sample_view(picture)[WINDOW_PX // 2, :, 0]
                / 200
            )
            return float((4 * view * (1 - view)).sum())  # 1 for each column of half the brightness

        halved, whole = (
            np.mean([columns_across(HALVE_FROM * DIE_PX + more_px, edge_px) for edge_px in range(296, 304)])
            for more_px in (0.5, -0.5)
        )
        assert halved == pytest.approx(whole, abs=0.4)

    @pytest.mark.parametrize("at_px", [(2.0, 2.0), (638.0, 478.0), (-300.0, 900.0)])
    def test_outside_the_picture(self, at_px: tuple[float, float]) -> None:
        """Its edge is repeated: a white picture gives a white window."""
        window = place_window(DieSpot(at_px, 24.0, 1.0), None)
        colours = window.sample_views(np.full_like(BLACK, 255))
        assert colours.shape == (WINDOW_PX, 2 * WINDOW_PX, 3)
        assert (colours == 255).all()


def window_at(x_mm: float, y_mm: float, board: KnownBoard | None = STRAIGHT_DOWN) -> WindowPlace:
    """A millimetre a window's pixel: column and row i show the middle and i - 35.5 mm."""
    return WindowPlace(board, (x_mm, y_mm), float(DIE_PX), 26.0)


class TestPlanes:
    def test_the_zone(self) -> None:
        """The bar is between 205 and 235 mm; around 205 its columns are 36 (205.5 mm) to 65 (234.5 mm)."""
        beside, corner, beyond = (window_at(*at).make_planes(NOTHING)[ZONE] for at in ((205, 200), (0, 0), (220, 400)))
        bar = (beside[:, 36:66], beyond[:36, 21:51])  # 205.5 to 234.5 mm in both
        field = (beside[:, :36], beside[:, 66:], corner[36:, 36:])
        outside = (corner[:36], corner[:, :36], beyond[36:])  # above and below the field nothing is bar
        for zone, parts in ((0, bar), (1, field), (-1, outside)):
            assert all((part == zone).all() for part in parts)

    def test_the_line_of_sight(self) -> None:
        """The camera hangs 0.83 x 640 = 531.2 mm above (219, 199); a quarter of that to its right is 1."""
        assert STRAIGHT_DOWN.projection.camera_mm == pytest.approx((219, 199, 531.2))
        planes = window_at(219 + 132.8, 199 - 66.4).make_planes(NOTHING)
        assert planes[SIGHT][0] == pytest.approx(np.ones((WINDOW_PX, WINDOW_PX)))
        assert planes[SIGHT][1] == pytest.approx(np.full((WINDOW_PX, WINDOW_PX), -0.5))

    def test_whether_the_board_is_known(self) -> None:
        """One plane says so; without a board it and all that would tell of one are blank."""
        assert (window_at(205, 200).make_planes(NOTHING)[KNOWN] == 1).all()
        assert (window_at(205, 200, None).make_planes(NOTHING)[BOARD_PLANES] == 0).all()

    def test_the_colours(self) -> None:
        """Blue, green, red first and those of the wider view last, each colour about its mean in both."""
        colours = NOTHING.copy()
        colours[:10, :WINDOW_PX, 2] = 200
        colours[-10:, WINDOW_PX:, 0] = 200
        planes = window_at(205, 200).make_planes(colours)
        near, wide = planes[:3], planes[WIDE]
        assert near[2, 0, 0] > 1 > near[2, -1, -1]
        assert wide[0, -1, 0] > 1 > wide[0, 0, 0]
        assert np.ptp(near[:2], axis=(1, 2)).tolist() == np.ptp(wide[1:], axis=(1, 2)).tolist() == [0, 0]
