"""Random layout of a scene: board, camera, lamps, checkers, dice, hand, objects. No light is traced here.

The dynamics of dice are not part of this face: `dice_throw` needs a library that only the renderer's environment has.
"""

from vision.training.rendered.layout.board_shape import BoardShape, build_board_shape
from vision.training.rendered.layout.board_size import Bar, BoardSize, draw_board_size
from vision.training.rendered.layout.board_style import BoardStyle, draw_board_style
from vision.training.rendered.layout.camera import TracedCamera, draw_camera
from vision.training.rendered.layout.checkers_aside import lay_out_bar, lay_out_off
from vision.training.rendered.layout.checkers_layout import LEANING, PlacedChecker, lay_out_points
from vision.training.rendered.layout.clutter import Clutter, draw_clutter
from vision.training.rendered.layout.dice_state import PlacedDie, ThrowOutcome
from vision.training.rendered.layout.hand import RenderedHand, draw_hand
from vision.training.rendered.layout.lamps import Lighting, draw_lighting
from vision.training.rendered.layout.positions import CheckerPosition, GameKind, draw_position, with_long_row
from vision.training.rendered.layout.rim_marks import LedSpot, Marker, draw_leds, make_markers

__all__ = [
    "LEANING", "Bar", "BoardShape", "BoardSize", "BoardStyle", "CheckerPosition", "Clutter", "GameKind", "LedSpot",
    "Lighting", "Marker", "PlacedChecker", "PlacedDie", "RenderedHand", "ThrowOutcome", "TracedCamera",
    "build_board_shape", "draw_board_size", "draw_board_style", "draw_camera", "draw_clutter", "draw_hand",
    "draw_leds", "draw_lighting", "draw_position", "lay_out_bar", "lay_out_off", "lay_out_points", "make_markers",
    "with_long_row",
]  # fmt: skip
