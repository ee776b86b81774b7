"""Translates a snapshot of the film into the painter's arrangement: the only module that knows both vocabularies."""

from dataclasses import replace

from controller.match import Checkers
from controller.rules import Lie
from controller.simulation.filmed.snapshots import HandPosition, TableSnapshot, interpolate_mm
from controller.simulation.staging import BoardPlan, DieAtRest, PointMm, Stack
from vision.simulated.checker_spots import require_board
from vision.simulated.rolling import die_in_flight
from vision.simulated.scene import CheckerSide, Colour
from vision.simulated.scene_building import with_hand
from vision.simulated.tabletop import Arrangement, Bump, DiePose, LooseChecker, TableEdge, TableStyle

CARRIED_AT_MM = 24.0
_HAND_OVER_MM = 8.0
_SIDES = {Checkers.LIGHT: CheckerSide.LIGHT, Checkers.DARK: CheckerSide.DARK}
# The light of the strip on the wood, per pattern of the film; pattern 0 is dark.
_LED_PATTERNS: tuple[tuple[Colour | None, Colour | None], ...] = (
    (None, None),
    ((0.1, 0.9, 0.8), None),
    ((1.0, 1.0, 1.0), (0.1, 0.9, 0.8)),
    ((1.0, 0.6, 0.1), (1.0, 0.6, 0.1)),
    ((1.0, 0.1, 0.1), (0.1, 0.2, 1.0)),
)


def plan_of(style: TableStyle) -> BoardPlan:
    """The measures of that table's board."""
    board = require_board(style)
    return BoardPlan(
        width_mm=board.field_mm[0],
        height_mm=board.field_mm[1],
        bar_mm=board.bar_mm,
        margin_mm=board.margin_mm,
        rim_mm=board.rim_width_mm,
        checker_mm=style.scene.checker_diameter_mm,
        thickness_mm=style.scene.checker_thickness_mm,
        die_mm=style.dice[0].size_mm,
        row=style.per_layer,
        light_below=style.light_at_bottom,
    )


def arrangement_of(moment: TableSnapshot, style: TableStyle, *, pins: bool = False) -> Arrangement:
    """With `pins` a checker of the other colour at the foot of a stack is pinned below it and not drawn."""
    shift = moment.conditions.shift_mm
    dice = [_make_lying_die(die, style) for die in moment.dice]
    for rolling, share in moment.rolling:
        lies = _make_lying_die(rolling.end, style)
        if rolling.is_pushed:
            dice.append(replace(lies, centre_mm=interpolate_mm(rolling.from_mm, lies.centre_mm, share)))
        else:
            size_mm, rolls_ms = style.dice[lies.number].size_mm, float(moment.rolls_ms)
            dice.append(die_in_flight(lies, rolling.from_mm, size_mm, t_ms=share * rolls_ms, takes_ms=rolls_ms))
    arrangement = Arrangement(
        points=tuple(_stack_sides(stack, pins=pins) for stack in moment.stacks.points),
        bar=_pair_sides(moment.stacks.bar),
        off=_pair_sides(moment.stacks.off),
        dice=tuple(dice),
        leds=tuple(_LED_PATTERNS[moment.conditions.led_light][number % 2] for number in range(24)),
        bump=Bump((shift[0], shift[1], 0.0)),
    )
    return arrangement if moment.hand is None else _with_hand(arrangement, moment.hand, style)


def _stack_sides(stack: Stack, *, pins: bool) -> tuple[CheckerSide, ...]:
    is_pinned = pins and len(set(stack)) == 2
    return tuple(_SIDES[one] for one in (stack[1:] if is_pinned else stack))


def _pair_sides(pair: tuple[int, int]) -> tuple[CheckerSide, ...]:
    return (CheckerSide.LIGHT,) * pair[0] + (CheckerSide.DARK,) * pair[1]


def _with_hand(arrangement: Arrangement, hand: HandPosition, style: TableStyle) -> Arrangement:
    edge = TableEdge.BOTTOM if hand.movement.from_below else TableEdge.TOP
    carries = hand.movement.carries
    height_mm = _HAND_OVER_MM
    if carries is not None:
        height_mm = CARRIED_AT_MM
        arrangement = replace(arrangement, loose=(LooseChecker(_SIDES[carries], hand.tip_mm, CARRIED_AT_MM),))
    return with_hand(style, arrangement, edge, _fingertip_behind(hand.tip_mm, edge, style), height_mm)


def _fingertip_behind(tip_mm: PointMm, edge: TableEdge, style: TableStyle) -> PointMm:
    """The fingertip lies on the far side of the checker's centre."""
    far = 0.2 * style.scene.checker_diameter_mm
    return tip_mm[0], tip_mm[1] + (far if edge is TableEdge.TOP else -far)


def _make_lying_die(die: DieAtRest, style: TableStyle) -> DiePose:
    """A die at the height of the surface below it."""
    scene, board = style.scene, require_board(style)
    height_mm = {
        Lie.ON_BAR: board.bar_height_mm,
        Lie.ON_RIM: board.rim_height_mm,
        Lie.OFF_BOARD: -board.depth_mm,
        Lie.ON_CHECKER: scene.checker_thickness_mm * die.layers,
    }.get(die.lie, 0.0)
    return DiePose(die.number, die.value, die.centre_mm, die.yaw_deg, die.tilt_deg, die.tilt_direction_deg, height_mm)
