"""Ornamented boards: real textures keep the colour asked for, ornaments lie where they should, labels stay true."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.training.drawn_boards.textures import write_textures
from vision.simulated import compute_truth, draw
from vision.simulated.drawing.board_surface import paint_surface
from vision.simulated.drawing.checkers import top_luma
from vision.simulated.drawing.textures import cut_patch, mean_colour
from vision.simulated.scene import Board, CheckerStyle, Finish, PointShape, PointStyle, SurfacePattern
from vision.training.drawn_boards.board_styles import BoardStyle, FieldPainter, random_styled_board
from vision.training.drawn_boards.brushes import Sheet
from vision.training.drawn_boards.checker_looks import Carving, TopDecoration
from vision.training.drawn_boards.motifs import Kind, Motif, paint_motif
from vision.training.drawn_boards.point_looks import Filling, Mark, Outline, PointLook, Seat, paint_points
from vision.training.drawn_boards.scenes import random_scene
from vision.training.drawn_boards.texture_library import TextureLibrary, read_library

GREY = Finish(SurfacePattern.PLAIN, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
RED = Finish(SurfacePattern.PLAIN, (0.9, 0.1, 0.1), (0.9, 0.1, 0.1))
PX_PER_MM = 1.0
Pixels = np.ndarray


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> TextureLibrary:
    return write_textures(tmp_path_factory.mktemp("textures"))


def plain_board() -> Board:
    points = PointStyle(PointShape.STRAIGHT, 0.9, 0.4, GREY, GREY, filled=False)
    return Board((480.0, 300.0), (220.0, 260.0), GREY, points, GREY, GREY, GREY)


def look(outline: Outline, **changes: object) -> PointLook:
    plain = PointLook(outline, Filling.WHOLE, 0.9, 0.4, (RED,))
    return replace(plain, **changes)  # type: ignore[arg-type]


def painted(points: PointLook) -> Pixels:
    board = plain_board()
    return paint_surface(replace(board, decorate=FieldPainter(BoardStyle(points=points), board)), PX_PER_MM, 0.0)


def is_red(pixels: Pixels) -> Pixels:
    return np.asarray(pixels[..., 2].astype(int) - pixels[..., 0] > 60)


def test_a_texture_has_the_mean_colour_asked_for(library: TextureLibrary) -> None:
    colour = (0.5, 0.3, 0.6)
    finish = library.draw(np.random.default_rng(1), library.woods, colour)
    patch = cut_patch(finish, 200, 200, 2.0)
    assert mean_colour(finish) == colour
    np.testing.assert_allclose(patch.mean((0, 1))[::-1] / 255, colour, atol=0.03)
    assert patch.std() > 5, "the texture itself is gone"


def test_each_use_has_its_own_pictures(library: TextureLibrary) -> None:
    names = {name: [Path(path).stem for path in getattr(library, name)] for name in ("woods", "mosaics", "medallions")}
    assert names == {"woods": ["oak"], "mosaics": ["inlay_khatam"], "medallions": ["inlay_rosette"]}
    assert [Path(path).stem for path in library.art] == ["art_star"]


def test_a_missing_use_is_named(library: TextureLibrary) -> None:
    folder = Path(library.woods[0]).parents[1]
    with pytest.raises(ValueError, match="rooms"):
        read_library(folder, only_tier_a=True)


@pytest.mark.parametrize("outline", [each for each in Outline if each is not Outline.NONE])
def test_points_stand_on_the_rim_and_end_before_the_middle(outline: Outline) -> None:
    red = is_red(painted(look(outline)))
    board = plain_board()
    for column in range(12):
        x = round(board.point_x_mm(column))
        assert red[20:60, x].mean() > 0.9, f"point {column} is empty"
    assert not red[130:170].any(), "points reach the middle"
    assert not red[:, 225:255].any(), "the bar is painted over"


def test_the_bar_lies_over_the_ornaments() -> None:
    board = plain_board()
    everywhere = Motif(Kind.BAND, (240.0, 150.0), (480.0, 300.0), RED)
    style = BoardStyle(above=(everywhere,))
    red = is_red(paint_surface(replace(board, decorate=FieldPainter(style, board)), PX_PER_MM, 0.0))
    assert red[:, :215].all()
    assert not red[:, 225:255].any()


def test_a_board_without_points_is_bare() -> None:
    assert not is_red(painted(look(Outline.NONE))).any()


def test_marks_lie_at_each_base() -> None:
    red = is_red(painted(look(Outline.NONE, base_mark=Mark.DISC, base_size=0.5)))
    board = plain_board()
    assert all(red[10, round(board.point_x_mm(column))] for column in range(12))
    assert all(red[290, round(board.point_x_mm(column))] for column in range(12))


def test_a_seat_is_dark_towards_the_lamp_and_keeps_the_hue() -> None:
    seat = Seat(radius=0.45, depth=0.6, light_deg=0.0)
    pixels = np.full((100, 100, 3), 128, np.uint8)
    sheet = Sheet(pixels, PX_PER_MM, (0.0, 0.0))
    board = replace(plain_board(), field_mm=(480.0, 300.0))
    paint_points(sheet, board, look(Outline.NONE, seat=seat))
    middle = round(board.point_x_mm(0)), round(board.pitch_mm * 0.45 * 1.02)
    reach = round(board.pitch_mm * 0.42)
    towards, beyond = pixels[middle[1], middle[0] + reach], pixels[middle[1], middle[0] - reach]
    assert towards[0] < 100
    assert beyond[0] > 150
    assert (pixels[..., 0] == pixels[..., 2]).all()


@pytest.mark.parametrize("kind", list(Kind))
def test_motifs_change_only_what_lies_near_them(kind: Kind, library: TextureLibrary) -> None:
    pixels = np.full((120, 160, 3), 128, np.uint8)
    name = {Kind.ART: library.art[0], Kind.TEXT: "64"}.get(kind, library.medallions[0])
    motif = Motif(kind, (80.0, 60.0), (40.0, 20.0), RED, name, number=6, opacity=0.5)
    paint_motif(Sheet(pixels, PX_PER_MM, (0.0, 0.0)), motif)
    changed = (pixels != 128).any(axis=2)
    assert changed.any()
    assert not changed[:, :40].any()
    assert not changed[:, 120:].any()


@pytest.mark.parametrize("kind", [Kind.ART, Kind.PICTURE, Kind.DISC, Kind.TEXT, Kind.STAIN])
def test_motifs_may_reach_beyond_the_sheet(kind: Kind, library: TextureLibrary) -> None:
    pixels = np.full((60, 60, 3), 128, np.uint8)
    name = library.art[0] if kind is not Kind.TEXT else "BACKGAMMON"
    for centre in ((0.0, 0.0), (60.0, 30.0), (-500.0, 30.0)):
        paint_motif(Sheet(pixels, PX_PER_MM, (0.0, 0.0)), Motif(kind, centre, (50.0, 30.0), RED, name))
    assert pixels.shape == (60, 60, 3)


@pytest.mark.parametrize("carving", list(Carving))
def test_a_carving_changes_the_top(carving: Carving, library: TextureLibrary) -> None:
    top = np.full((40, 40, 3), 128, np.uint8)
    TopDecoration(carving, 0.3, 6, 0.8, (0.9, 0.1, 0.1), library.medallions[0])(top)
    assert (top != 128).any()


def test_decorated_tops_count_for_the_luma() -> None:
    dark = TopDecoration(Carving.RINGS, 0.4, 4, 0.9, (0.0, 0.0, 0.0))
    plain = CheckerStyle(GREY)
    assert top_luma(replace(plain, decorate=dark)) < top_luma(plain) - 0.05


def test_styled_scenes_are_drawn_and_labelled(library: TextureLibrary) -> None:
    """Each from its generator alone, and light is the lighter side."""
    for seed in range(6):
        first, again = (
            random_scene(np.random.default_rng(seed), size_px=(160, 120), is_styled=True, library=library)
            for _ in range(2)
        )
        assert top_luma(first.light) > top_luma(first.dark)
        truth = compute_truth(first)
        standing = [checker for checker in first.checkers if checker.place not in ("bar", "off")]
        assert sum(place.count for place in truth.places) == len(standing)
        if seed < 2:
            np.testing.assert_array_equal(draw(first), draw(again))


def test_a_style_needs_no_textures() -> None:
    boards = [random_styled_board(np.random.default_rng(seed), None) for seed in range(10)]
    assert all(board.decorate is not None for board in boards)
    assert {board.field.picture for board in boards} == {""}
