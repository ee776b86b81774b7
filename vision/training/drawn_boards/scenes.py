"""Random scenes, more varied than real tables: training pictures besides the rendered ones.

`random_scene` draws a board, `random_negative` none. All randomness comes from the generator passed in.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.simulated.drawing.optics import distort, pinhole_view
from vision.simulated.drawing.painting import lift_to_height, rotated_rectangle_mm
from vision.simulated.drawing.walls import outer_mm
from vision.simulated.scene import Board, Camera, Checker, Die, Finish, Scene, SmallThing, SurfacePattern, ThingKind
from vision.training.drawn_boards.board_styles import random_styled_board
from vision.training.drawn_boards.boards import random_board
from vision.training.drawn_boards.cameras import random_camera
from vision.training.drawn_boards.finishes import (
    draw_bool,
    draw_choice,
    draw_seed,
    make_coating,
    make_felt,
    make_plain,
    random_black,
    random_colour,
    random_finish,
    random_muted_colour,
    random_white,
    random_wood_colour,
)
from vision.training.drawn_boards.lights import random_leds, random_lights, random_photo
from vision.training.drawn_boards.pieces import (
    make_thing,
    random_checker_styles,
    random_dice,
    random_handle,
    random_hands,
    scatter_things,
)
from vision.training.drawn_boards.positions import (
    Stacks,
    lay_borne_off,
    lay_on_bar,
    lay_row,
    random_habits,
    random_position,
)
from vision.training.drawn_boards.texture_library import TextureLibrary


def _table(rng: np.random.Generator, library: TextureLibrary | None = None) -> Finish:
    if library is not None and draw_bool(rng, 0.6):
        found = library.draw(rng, library.rooms) if draw_bool(rng, 0.3) else library.draw_surface(rng)
        return replace(found, scale=float(rng.uniform(0.8, 4)))
    colour = random_muted_colour(rng) if draw_bool(rng, 0.8) else random_colour(rng)
    kind = rng.random()
    if kind < 0.36:
        material = draw_choice(rng, (SurfacePattern.WOOD, SurfacePattern.PLANKS))
        return replace(
            make_coating(rng, material, random_wood_colour(rng), (0.0, 0.5)), scale=float(rng.uniform(0.8, 3))
        )
    if kind < 0.5:
        shade = draw_choice(rng, (random_white(rng), random_black(rng), colour))
        return replace(make_plain(rng, shade), scale=2.0, contrast=float(rng.uniform(0.05, 0.4)))
    if kind < 0.68:
        return make_felt(rng, colour)
    materials = (
        SurfacePattern.CARPET,
        SurfacePattern.TILES,
        SurfacePattern.MARBLE,
        SurfacePattern.SPECKLE,
        SurfacePattern.LEATHER,
        SurfacePattern.WEAVE,
    )
    if kind < 0.86:
        return replace(
            make_coating(rng, draw_choice(rng, materials), colour, (0.0, 0.5)), scale=float(rng.uniform(0.7, 3))
        )
    patterned = (
        SurfacePattern.CHEQUER,
        SurfacePattern.STRIPES,
        SurfacePattern.FLOWERS,
        SurfacePattern.TILES,
        SurfacePattern.CARPET,
    )
    finish = make_coating(rng, draw_choice(rng, patterned), colour, (0.0, 0.2))
    return replace(finish, second=random_colour(rng), scale=float(rng.uniform(0.7, 3)))


def _checkers(rng: np.random.Generator, board: Board, size_mm: tuple[float, float]) -> list[Checker]:
    occupancy, habits = random_position(rng), random_habits(rng)
    found: list[Checker] = []
    for place, stack in sorted(occupancy.stacks.items()):
        is_free = (_is_free(place, -1, occupancy.stacks), _is_free(place, 1, occupancy.stacks))
        found += lay_row(rng, board, place, stack, size_mm=size_mm, habits=habits, is_free=is_free)
    found += lay_on_bar(rng, board, occupancy.bar, size_mm)
    if draw_bool(rng, 0.8):
        left, _, right, _ = outer_mm(board)
        away = max(right - board.field_mm[0], -left)
        found += lay_borne_off(rng, board, occupancy.off, size_mm, away)
    return found


def _is_free(place: int, way: int, stacks: Stacks) -> bool:
    """Whether the next point of the same half is there and empty."""
    return place % 6 + way in range(6) and place + way not in stacks


def _things_on_field(rng: np.random.Generator, board: Board) -> tuple[SmallThing, ...]:
    """Coins, rings, pens and scraps of paper on the board."""
    found = []
    for _ in range(int(rng.integers(1, 4)) if draw_bool(rng, 0.1) else 0):
        kind = draw_choice(rng, (ThingKind.COIN, ThingKind.RING, ThingKind.PEN, ThingKind.PAPER))
        place = rng.uniform((20, 20), np.array(board.field_mm) - 20)
        thing = make_thing(rng, kind, (float(place[0]), float(place[1])), 0.0)
        found.append(thing if kind is not ThingKind.PAPER else replace(thing, size_mm=(60.0, 40.0)))
    return tuple(found)


def _is_cut_off(thing: SmallThing, camera: Camera) -> bool:
    """Whether the picture shows only a part of that board; a second whole board would make the label ambiguous."""
    corners = lift_to_height(rotated_rectangle_mm(thing.centre_mm, thing.size_mm, thing.angle_deg), thing.height_mm)
    seen = distort(camera, pinhole_view(camera).project(corners))
    inside = ((seen > 0) & (seen < np.array(camera.size_px))).all(1)
    middle = seen.mean(0)
    return int(inside.sum()) <= 2 and bool((middle < 0).any() or (middle > np.array(camera.size_px)).any())


def _cover_empty_points(rng: np.random.Generator, board: Board, checkers: Sequence[Checker]) -> tuple[SmallThing, ...]:
    """Cups, telephones and cards on the field, beside all checkers."""
    found: list[SmallThing] = []
    middles = np.array([checker.centre_mm for checker in checkers]).reshape(-1, 2)
    for _ in range(int(rng.integers(1, 3)) if draw_bool(rng, 0.1) else 0):
        kind = draw_choice(rng, (ThingKind.CUP, ThingKind.PHONE, ThingKind.BOX, ThingKind.PAPER))
        place = rng.uniform((0, 0.2 * board.field_mm[1]), (board.field_mm[0], 0.8 * board.field_mm[1]))
        thing = make_thing(rng, kind, (float(place[0]), float(place[1])), 0.0)
        if kind in (ThingKind.BOX, ThingKind.PAPER):
            thing = replace(thing, size_mm=(float(rng.uniform(30, 90)), float(rng.uniform(25, 63))))
        reach = 0.5 * float(np.hypot(*thing.size_mm)) + 0.6 * thing.tall_mm + board.pitch_mm
        if not len(middles) or np.hypot(*(middles - place).T).min() > reach:
            found.append(thing)
    return tuple(found)


def _lay_on_bar(rng: np.random.Generator, board: Board, dice: Sequence[Die]) -> tuple[Die, ...]:
    """The dice in a row along the bar, where players keep them."""
    x, start = (board.bar_mm[0] + board.bar_mm[1]) / 2, rng.uniform(0.2, 0.6) * board.field_mm[1]
    step = 1.3 * max((die.size_mm for die in dice), default=0.0)
    return tuple(
        replace(die, centre_mm=(float(x), float(start + number * step)), height_mm=board.bar_height_mm)
        for number, die in enumerate(dice)
    )


def random_scene(
    rng: np.random.Generator,
    *,
    size_px: tuple[int, int] = (800, 600),
    is_styled: bool = False,
    library: TextureLibrary | None = None,
) -> Scene:
    """A scene with a board; a styled one is ornamented as real boards are, with real textures from the library."""
    board = random_styled_board(rng, library) if is_styled else random_board(rng)
    diameter = float(board.pitch_mm * (rng.uniform(0.82, 0.98) if draw_bool(rng, 0.75) else rng.uniform(0.7, 1.02)))
    diameter = min(diameter, 0.5 * board.field_mm[1] / 4.2)
    size_mm = (diameter, float(diameter * rng.uniform(0.15, 0.5) if is_styled else rng.uniform(4, 13)))
    around = outer_mm(board)
    depth = -board.depth_mm
    middle = (board.field_mm[0] / 2, board.field_mm[1] / 2)
    lamps, ambient = random_lights(rng, middle)
    light, dark = random_checker_styles(rng, board, is_styled=is_styled, library=library)
    checkers = _checkers(rng, board, size_mm)
    things: tuple[SmallThing, ...] = scatter_things(rng, around, depth) if draw_bool(rng, 0.7) else ()
    if board.depth_mm > 8 and draw_bool(rng, 0.2):
        things += (random_handle(rng, around, depth),)
    top = board.rim_height_mm if board.rim_width_mm > 0 else 0.0
    camera = random_camera(rng, size_px, around, top, is_low=is_styled)
    if is_styled:
        things += _cover_empty_points(rng, board, checkers)
    dice = random_dice(rng, board, checkers, diameter / 2)
    if is_styled and draw_bool(rng, 0.12):
        dice = _lay_on_bar(rng, board, dice)
    things = tuple(thing for thing in things if thing.thing is not ThingKind.BOARD or _is_cut_off(thing, camera))
    return Scene(
        camera=camera,
        board=board,
        light=light,
        dark=dark,
        table=_table(rng, library),
        photo=random_photo(rng, size_px),
        checker_diameter_mm=size_mm[0],
        checker_thickness_mm=size_mm[1],
        checkers=tuple(checkers),
        dice=dice,
        things=things + _things_on_field(rng, board),
        hands=random_hands(rng, board.field_mm) if draw_bool(rng, 0.12 if is_styled else 0.25) else (),
        lamps=lamps,
        ambient=ambient,
        occlusion=float(rng.uniform(0.25, 0.9)),
        leds=random_leds(rng, board) if draw_bool(rng, 0.15) else (),
        seed=draw_seed(rng),
    )


def random_negative(rng: np.random.Generator, *, size_px: tuple[int, int] = (800, 600)) -> Scene:
    """A scene without a backgammon board: an empty or littered table, chessboards, keyboards, darkness, noise."""
    width, height = float(rng.uniform(350, 700)), float(rng.uniform(300, 550))
    lamps, ambient = random_lights(rng, (width / 2, height / 2))
    light, dark = random_checker_styles(rng, None)
    things: list[SmallThing] = []
    for _ in range(int(draw_choice(rng, (0, 1, 3, 8, 14)))):
        kind = draw_choice(rng, [kind for kind in ThingKind if kind is not ThingKind.BOARD])
        place = rng.uniform((-0.2 * width, -0.2 * height), (1.2 * width, 1.2 * height))
        things.append(make_thing(rng, kind, (float(place[0]), float(place[1])), 0.0))
    if draw_bool(rng, 0.3):
        kind = draw_choice(
            rng, (ThingKind.CHESSBOARD, ThingKind.KEYBOARD, ThingKind.BOX, ThingKind.PAPER, ThingKind.CLOTH)
        )
        big = replace(make_thing(rng, kind, (width / 2, height / 2), 0.0), size_mm=(width * 0.9, height * 0.8))
        things.append(replace(big, angle_deg=float(rng.normal(0, 6))))
    photo = random_photo(rng, size_px)
    if draw_bool(rng, 0.1):
        photo = replace(photo, exposure=float(rng.uniform(0.001, 0.05)), shot_noise=0.05, read_noise=0.03)
    return Scene(
        camera=random_camera(rng, size_px, (0.0, 0.0, width, height), 0.0),
        board=None,
        light=light,
        dark=dark,
        table=_table(rng) if draw_bool(rng, 0.8) else random_finish(rng),
        photo=photo,
        things=tuple(things),
        hands=random_hands(rng, (width, height)) if draw_bool(rng, 0.25) else (),
        lamps=lamps,
        ambient=ambient,
        occlusion=float(rng.uniform(0.25, 0.9)),
        seed=draw_seed(rng),
    )
