"""Random lamps, windows and camera settings."""

import numpy as np

from vision.simulated.scene import Board, Colour, Lamp, Led, Photo
from vision.training.drawn_boards.finishes import draw_bool, draw_choice, hsv_colour, vary_colour

WARM: tuple[Colour, ...] = ((1.0, 0.85, 0.66), (1.0, 0.92, 0.8), (1.0, 1.0, 1.0), (0.9, 0.96, 1.0), (0.95, 1.0, 0.93))


def _lamp(rng: np.random.Generator, middle: tuple[float, float], strength: float) -> Lamp:
    colour = vary_colour(rng, draw_choice(rng, WARM), 0.03)
    if draw_bool(rng, 0.03):
        colour = hsv_colour(rng.random(), rng.uniform(0.2, 0.6), 1.0)
    around, far = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2200)
    up = rng.uniform(600, 2500)
    kind = draw_choice(rng, ("bulb", "window", "sun", "near", "ceiling"), (3, 3, 1, 1, 2))
    spread, panes = rng.uniform(0.02, 0.08), (1, 1)
    match kind:
        case "window":
            far, up, spread = rng.uniform(400, 3000), rng.uniform(900, 2200), rng.uniform(0.15, 0.45)
            panes = (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
        case "sun":
            far, up, spread, strength = rng.uniform(1500, 9000), 6000.0, 0.006, strength * 2
        case "near":
            far, up, spread = rng.uniform(0, 500), rng.uniform(450, 900), rng.uniform(0.01, 0.15)
        case "ceiling":
            far, spread = rng.uniform(0, 600), rng.uniform(0.03, 0.3)
        case _:
            pass
    place = (float(middle[0] + far * np.cos(around)), float(middle[1] + far * np.sin(around)), float(up))
    patches = None
    if kind in ("window", "sun", "bulb") and draw_bool(rng, 0.2):
        patches = (
            float(rng.uniform(0, 180)),
            float(rng.choice([40, 120, 400, 900]) * rng.uniform(0.6, 1.5)),
            float(rng.uniform(0.3, 0.85)),
        )
    mirrored = float(rng.uniform(0.2, 1.5)) if draw_bool(rng, 0.6) else 0.0
    return Lamp(place, colour, float(strength), float(spread), mirrored, patches, panes)


def random_lights(rng: np.random.Generator, middle: tuple[float, float]) -> tuple[tuple[Lamp, ...], Colour]:
    """(lamps, ambient light)."""
    count = int(draw_choice(rng, (1, 2, 3), (5, 4, 1.5)))
    shares = rng.dirichlet(np.ones(count) * 2)
    direct = rng.uniform(0.25, 0.95) if draw_bool(rng, 0.7) else rng.uniform(0.05, 0.4)
    lamps = tuple(_lamp(rng, middle, float(share * direct)) for share in shares)
    red, green, blue = vary_colour(rng, draw_choice(rng, WARM), 0.04)
    level = max(1 - direct, 0.06)
    return lamps, (red * level, green * level, blue * level)


def random_photo(rng: np.random.Generator, size_px: tuple[int, int]) -> Photo:
    scale = size_px[0] / 800
    noisy = draw_bool(rng, 0.25)
    balance = rng.normal(1, 0.06, 3) if draw_bool(rng, 0.7) else rng.normal(1, 0.16, 3)
    balance = np.clip(balance / balance.mean(), 0.6, 1.5)
    defocus = rng.uniform(0.3, 0.9) if draw_bool(rng, 0.75) else rng.uniform(0.8, 2.4)
    return Photo(
        exposure=float(np.exp(rng.normal(0.05, 0.35))),
        white_balance=(float(balance[0]), float(balance[1]), float(balance[2])),
        saturation=float(rng.uniform(0.75, 1.2) if draw_bool(rng, 0.7) else rng.uniform(0.35, 1.35)),
        contrast=float(rng.uniform(-0.2, 1.2)),
        gamma=float(rng.uniform(1.9, 2.5)),
        black=float(rng.uniform(0, 0.08)) if draw_bool(rng, 0.4) else 0.0,
        vignette=float(rng.uniform(0, 0.25)) if draw_bool(rng, 0.7) else float(rng.uniform(0.2, 0.45)),
        haze=float(rng.uniform(0, 0.12)) if draw_bool(rng, 0.25) else 0.0,
        clarity=float(rng.uniform(0.1, 0.6)) if draw_bool(rng, 0.35) else 0.0,
        defocus_px=float(defocus * scale),
        motion_px=float(rng.uniform(2, 6) * scale) if draw_bool(rng, 0.08) else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        shot_noise=float(rng.uniform(0.01, 0.04) if noisy else rng.uniform(0, 0.012)),
        read_noise=float(rng.uniform(0.005, 0.02) if noisy else rng.uniform(0, 0.006)),
        chroma_noise=float(rng.uniform(0, 0.9)),
        noise_grain_px=float(rng.uniform(0.4, 1.3)) if draw_bool(rng, 0.5) else 0.0,
        sharpen=float(rng.uniform(0.2, 1.6)) if draw_bool(rng, 0.5) else 0.0,
        jpeg=int(rng.integers(40, 96)),
        resample=float(rng.uniform(0.5, 0.9)) if draw_bool(rng, 0.12) else 1.0,
    )


def random_leds(rng: np.random.Generator, board: Board) -> tuple[Led, ...]:
    """One LED at each point, on the rim or at its foot; some of them are lit."""
    if board.rim_width_mm < 6:
        return ()
    lit = rng.uniform(0, 0.4) if draw_bool(rng, 0.7) else 0.0
    inward = draw_bool(rng, 0.3)
    height = board.rim_height_mm * 0.5 if inward else board.rim_height_mm
    away = 1.0 if inward else -board.rim_width_mm / 2
    colours: tuple[Colour, ...] = ((0, 1, 0.1), (0.1, 0.3, 1), (1, 0.1, 0.05), (1, 0.8, 0.2), (0.9, 0.9, 1))
    found = []
    for place in range(24):
        y = away if place < 12 else board.field_mm[1] - away
        colour = draw_choice(rng, colours) if draw_bool(rng, lit) else None
        found.append(Led((board.point_x_mm(place % 12), float(y), float(height)), colour))
    return tuple(found)
