"""Ornaments besides the points: medallions, borders, bands, words and numbers, small stars, hinges and screws, wear."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from vision.simulated.scene import Board, Colour, Finish, PointMm
from vision.training.drawn_boards.brushes import Sheet
from vision.training.drawn_boards.finishes import draw_bool, draw_choice
from vision.training.drawn_boards.point_looks import Mark, paint_mark
from vision.training.drawn_boards.texture_library import TextureLibrary

WORDS = (
    *("BACKGAMMON", "NARDY", "Champion", "64", "Royal", "TAVLA", "A.B.", "N1", "CASINO", "2006", "GAMES", "MERIDIAN"),
    *("www.board-games.org", "Est. 1924", "No. 7", "Luxe", "TURNIER", "Cafe Central", "Kaissa", "fortuna"),
)


class Kind(Enum):
    """What a motif is; its size is in mm across."""

    ART = "art"
    PICTURE = "picture"
    ROUND_PICTURE = "round picture"
    MARK = "mark"
    ROSETTE = "rosette"
    TEXT = "text"
    DISC = "disc"
    BAND = "band"  # a rectangle of a finish
    FRAME = "frame"  # lines around a rectangle
    STAIN = "stain"
    LINE = "line"  # over a rectangle, from corner to corner
    SCREW = "screw"
    HINGE = "hinge"


@dataclass(frozen=True, slots=True)
class Motif:
    """One ornament: `size_mm` across and down about `centre_mm`."""

    kind: Kind
    centre_mm: PointMm
    size_mm: PointMm
    ink: Finish
    name: str = ""  # the path of a picture, or words
    mark: Mark = Mark.STAR
    number: int = 0  # rays of a rosette
    opacity: float = 1.0
    turned: bool = False


def paint_motif(sheet: Sheet, motif: Motif) -> None:
    (x, y), (width, height) = motif.centre_mm, motif.size_mm
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2) + (x, y)
    match motif.kind:
        case Kind.ART:
            sheet.art(motif.name, motif.centre_mm, motif.size_mm, motif.ink, turned=motif.turned)
        case Kind.PICTURE | Kind.ROUND_PICTURE:
            is_round = motif.kind is Kind.ROUND_PICTURE
            sheet.picture(motif.name, motif.centre_mm, motif.size_mm, is_round=is_round, turned=motif.turned)
        case Kind.MARK:
            paint_mark(sheet, motif.mark, motif.centre_mm, width, motif.ink, upward=motif.turned)
        case Kind.ROSETTE:
            _paint_rosette(sheet, motif)
        case Kind.TEXT:
            sheet.text(motif.name, motif.centre_mm, height, motif.ink.colour, turned=motif.turned)
        case Kind.DISC:
            sheet.disc(motif.centre_mm, width / 2, motif.ink, motif.opacity)
        case Kind.BAND:
            sheet.fill([corners], motif.ink, motif.opacity)
        case Kind.FRAME:
            sheet.stroke([corners], motif.ink.colour, 1.0 + motif.number)
        case Kind.STAIN:
            _paint_stain(sheet, motif)
        case Kind.LINE:
            sheet.stroke([corners[[0, 2]]], motif.ink.colour, 0.8, closed=False)
        case Kind.SCREW:
            sheet.disc(motif.centre_mm, width / 2, motif.ink)
            sheet.stroke([np.array([[x - width / 3, y], [x + width / 3, y]])], (0.15, 0.13, 0.1), 0.7, closed=False)
        case Kind.HINGE:
            _paint_hinge(sheet, motif)


def _paint_rosette(sheet: Sheet, motif: Motif) -> None:
    radius, rays = motif.size_mm[0] / 2, max(4, motif.number)
    for ray in range(rays):
        turn = 2 * np.pi * ray / rays
        out = np.array([np.cos(turn), np.sin(turn)])
        side = np.array([-out[1], out[0]]) * np.tan(np.pi / rays) * 0.5
        petal = np.array([out * 0.1, out * 0.55 + side, out, out * 0.55 - side]) * radius
        sheet.fill([petal + motif.centre_mm], motif.ink)
    sheet.ring(motif.centre_mm, radius * 1.05, motif.ink.colour, 0.02 * motif.size_mm[0])


def _paint_hinge(sheet: Sheet, motif: Motif) -> None:
    (x, y), (width, height) = motif.centre_mm, motif.size_mm
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    sheet.fill([corners * (width / 2, height / 2) + (x, y)], motif.ink)
    sheet.stroke([corners * (width / 2, height / 2) + (x, y)], (0.25, 0.2, 0.12), 0.5)
    sheet.stroke([np.array([[x, y - height / 2], [x, y + height / 2]])], (0.2, 0.16, 0.1), 1.2, closed=False)
    for dx in (-0.3, 0.3):
        for dy in (-0.3, 0.3):
            sheet.disc((x + dx * width, y + dy * height), 0.07 * width, Finish(colour=(0.3, 0.26, 0.18)))


def _paint_stain(sheet: Sheet, motif: Motif) -> None:
    radius = motif.size_mm[0] / 2
    window = sheet.window_around(motif.centre_mm, radius)
    if window is None:
        return
    rows, columns = window
    middle = sheet.to_px(motif.centre_mm)
    x = (np.arange(columns.start, columns.stop) - middle[0])[None, :] / (radius * sheet.px_per_mm)
    y = (np.arange(rows.start, rows.stop) - middle[1])[:, None] / (radius * sheet.px_per_mm)
    sheet.multiply(1 + (motif.opacity - 1) * np.exp(-2.5 * (x**2 + y**2)), window)


@dataclass(frozen=True, slots=True)
class Places:
    """Where motifs may lie on a board, in mm."""

    board: Board

    @property
    def halves(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Left and right edge of each half."""
        (left, right), width = self.board.bar_mm, self.board.field_mm[0]
        return (0.0, left), (right, width)

    @property
    def middles(self) -> tuple[PointMm, PointMm]:
        height = self.board.field_mm[1]
        (a, b), (c, d) = self.halves
        return ((a + b) / 2, height / 2), ((c + d) / 2, height / 2)

    @property
    def half_width(self) -> float:
        return self.board.bar_mm[0]


def random_motifs(
    rng: np.random.Generator, board: Board, inks: Sequence[Finish], library: TextureLibrary | None
) -> tuple[Motif, ...]:
    """What lies under the points first: scenes and bands; then what lies on them."""
    places = Places(board)
    found: list[Motif] = []
    if draw_bool(rng, 0.5):
        found += _medallions(rng, places, inks, library)
    if draw_bool(rng, 0.3):
        found += _middle_band(rng, places, inks, library)
    if draw_bool(rng, 0.25):
        found += _frames(rng, places, inks)
    if draw_bool(rng, 0.2):
        found += _words(rng, places, inks)
    if draw_bool(rng, 0.12):
        found += _small_marks(rng, places, inks)
    if draw_bool(rng, 0.1):
        found += _rim_numbers(rng, board, inks)
    if draw_bool(rng, 0.4):
        found += _wear(rng, board)
    if draw_bool(rng, 0.12):
        found += _screws(rng, board)
    return tuple(found)


def _medallions(
    rng: np.random.Generator, places: Places, inks: Sequence[Finish], library: TextureLibrary | None
) -> list[Motif]:
    """The same ornament in the middle of each half, or in one of them."""
    free = places.board.field_mm[1] * (1 - 2 * places.board.points.length)
    size = float(min(rng.uniform(0.35, 0.95) * places.half_width, max(1.25 * free, 0.3 * places.half_width)))
    kind = draw_choice(rng, (Kind.ART, Kind.ROUND_PICTURE, Kind.PICTURE, Kind.ROSETTE, Kind.MARK), (5, 2, 1.5, 2, 1))
    if library is None and kind in (Kind.ART, Kind.PICTURE, Kind.ROUND_PICTURE):
        kind = Kind.ROSETTE
    name = ""
    if library is not None and kind is Kind.ART:
        name = draw_choice(rng, library.art)
    elif library is not None and kind is Kind.ROUND_PICTURE:
        name = draw_choice(rng, library.medallions if draw_bool(rng, 0.7) else library.patterns)
    elif library is not None and kind is Kind.PICTURE:
        groups = (library.medallions, library.patterns, library.rooms)
        name = draw_choice(rng, draw_choice(rng, groups, (3, 2, 1)))
    ink, mark = draw_choice(rng, inks), draw_choice(rng, list(Mark))
    long = size * float(rng.uniform(0.5, 1.1)) if kind in (Kind.ART, Kind.PICTURE) else size
    rays = int(rng.integers(5, 17))
    both = places.middles if draw_bool(rng, 0.85) else places.middles[:1]
    return [Motif(kind, middle, (size, long), ink, name, mark, rays, turned=draw_bool(rng, 0.3)) for middle in both]


def _middle_band(
    rng: np.random.Generator, places: Places, inks: Sequence[Finish], library: TextureLibrary | None
) -> list[Motif]:
    """A band across each half between the rows, or bands along the rims under the points' bases."""
    ink = draw_choice(rng, inks)
    if library is not None and draw_bool(rng, 0.7):
        ink = library.draw(rng, library.mosaics)
    height, low = places.board.field_mm[1], float(rng.uniform(3, 30))
    rows = (height / 2,) if draw_bool(rng, 0.65) else (low / 2, height - low / 2)
    found = []
    for left, right in places.halves:
        for y in rows:
            found.append(Motif(Kind.BAND, ((left + right) / 2, y), (right - left, low), ink))
            if draw_bool(rng, 0.5):
                found.append(Motif(Kind.FRAME, ((left + right) / 2, y), (right - left, low), draw_choice(rng, inks)))
    return found


def _frames(rng: np.random.Generator, places: Places, inks: Sequence[Finish]) -> list[Motif]:
    ink, inset, wide = draw_choice(rng, inks), float(rng.uniform(1, 14)), int(rng.integers(3))
    height = places.board.field_mm[1]
    return [
        Motif(Kind.FRAME, ((left + right) / 2, height / 2), (right - left - inset, height - inset), ink, number=wide)
        for left, right in places.halves
    ]


def _words(rng: np.random.Generator, places: Places, inks: Sequence[Finish]) -> list[Motif]:
    """A maker's name: in the middle of both halves, or across the whole picture like a watermark."""
    word, ink = draw_choice(rng, WORDS), draw_choice(rng, inks)
    tall = float(min(rng.uniform(7, 40), 1.3 * places.half_width / len(word)))
    off = float(rng.normal(0, 0.08)) * places.board.field_mm[1]
    return [
        Motif(Kind.TEXT, (x, y + off), (tall, tall), ink, word, turned=draw_bool(rng, 0.3)) for x, y in places.middles
    ]


def _small_marks(rng: np.random.Generator, places: Places, inks: Sequence[Finish]) -> list[Motif]:
    mark, ink, size = draw_choice(rng, list(Mark)), draw_choice(rng, inks), float(rng.uniform(5, 22))
    width, height = places.board.field_mm
    spots = rng.uniform((0, 0), (width, height), (int(rng.integers(4, 40)), 2))
    return [Motif(Kind.MARK, (float(x), float(y)), (size, size), ink, mark=mark) for x, y in spots]


def _rim_numbers(rng: np.random.Generator, board: Board, inks: Sequence[Finish]) -> list[Motif]:
    """The number of each point at its base, on the field."""
    tall, ink, away = float(rng.uniform(5, 10)), draw_choice(rng, inks), float(rng.uniform(0.6, 1.4))
    return [
        Motif(
            Kind.TEXT,
            (board.point_x_mm(place % 12), away * tall if place < 12 else board.field_mm[1] - away * tall),
            (tall, tall),
            ink,
            str(place % 12 + 1 if place < 12 else 24 - place % 12),
        )
        for place in range(24)
    ]


def _wear(rng: np.random.Generator, board: Board) -> list[Motif]:
    """Stains and scratches."""
    width, height = board.field_mm
    found = []
    for _ in range(int(rng.integers(1, 9))):
        spot, size = rng.uniform((0, 0), (width, height)), float(rng.uniform(10, 120))
        centre = (float(spot[0]), float(spot[1]))
        found.append(Motif(Kind.STAIN, centre, (size, size), Finish(), opacity=float(rng.uniform(0.6, 1.25))))
    scratch: Colour = draw_choice(rng, ((0.85, 0.8, 0.7), (0.15, 0.12, 0.1)))
    for _ in range(int(rng.integers(0, 8))):
        spot = rng.uniform((0, 0), (width, height))
        reach = rng.normal(0, 30, 2)
        centre = (float(spot[0]), float(spot[1]))
        found.append(Motif(Kind.LINE, centre, (float(reach[0]), float(reach[1])), Finish(colour=scratch)))
    return found


def _screws(rng: np.random.Generator, board: Board) -> list[Motif]:
    metal = Finish(colour=draw_choice(rng, ((0.75, 0.62, 0.3), (0.7, 0.7, 0.72), (0.3, 0.25, 0.2))))
    width, height = board.field_mm
    size = float(rng.uniform(3, 9))
    spots = rng.uniform((0, 0), (width, height), (int(rng.integers(2, 9)), 2))
    return [Motif(Kind.SCREW, (float(x), float(y)), (size, size), metal) for x, y in spots]


def random_rim_motifs(
    rng: np.random.Generator, board: Board, inks: Sequence[Finish], library: TextureLibrary | None
) -> tuple[Motif, ...]:
    """On the frame: numbers of points, lines, inlaid bands, clasps."""
    rim, (width, height) = board.rim_width_mm, board.field_mm
    found: list[Motif] = []
    if library is not None and draw_bool(rng, 0.3):
        ink, wide = library.draw(rng, library.mosaics), rim * float(rng.uniform(0.3, 0.9))
        for y in (-rim / 2, height + rim / 2):
            found.append(Motif(Kind.BAND, (width / 2, y), (width + 2 * rim, wide), ink))
        for x in (-rim / 2, width + rim / 2):
            found.append(Motif(Kind.BAND, (x, height / 2), (wide, height + 2 * rim), ink))
    if draw_bool(rng, 0.25):
        ink = draw_choice(rng, inks)
        for inset in (0.35, 1.65):
            size = (width + inset * rim, height + inset * rim)
            found.append(Motif(Kind.FRAME, (width / 2, height / 2), size, ink))
    if draw_bool(rng, 0.15):
        ink, tall = draw_choice(rng, inks), min(0.6 * rim, 12.0)
        for place in range(24):
            y = -rim / 2 if place < 12 else height + rim / 2
            name = str(place % 12 + 1 if place < 12 else 24 - place % 12)
            found.append(Motif(Kind.TEXT, (board.point_x_mm(place % 12), y), (tall, tall), ink, name))
    if draw_bool(rng, 0.25):
        metal = Finish(colour=draw_choice(rng, ((0.78, 0.64, 0.32), (0.7, 0.7, 0.72), (0.2, 0.18, 0.15))))
        for share in (0.2, 0.8):
            at = (width * share, float(draw_choice(rng, (-rim / 2, height + rim / 2))))
            found.append(Motif(Kind.HINGE, at, (float(rng.uniform(14, 34)), 0.8 * rim), metal))
    return tuple(found)
