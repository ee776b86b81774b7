"""Films of the simulated table for tests, and what is asked of them."""

from collections.abc import Iterator

from controller.rules import GRASSHOPPER, RULESETS
from controller.rules.grasshopper.game import STANDARD
from controller.simulation.scripts.grasshopper_script import film_grasshopper_game
from controller.simulation.scripts.script import GamePlan, film_dice_game
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.mishaps import EVERYDAY_MISHAPS, Mishaps
from controller.simulation.staging.script_context import Happening

# enough mishaps that a short film has most of them
MANY_MISHAPS = Mishaps(
    bad_throw=0.3,
    early_throw=0.15,
    illegal_play=0.4,
    take_back=0.25,
    slow_hand=0.1,
    hand_rests=0.1,
    die_pushed=0.2,
    die_turned=0.1,
    by_button=0.15,
    camera_gone=0.05,
    camera_bumped=0.05,
    lights_gone=0.05,
    led_light=0.3,
)


def film(
    game: str, seed: int, *, mishaps: Mishaps = EVERYDAY_MISHAPS, turns: int = 20, board: BoardPlan | None = None
) -> Iterator[Happening]:
    """The beginning of a game of that name."""
    plan = GamePlan(seed=seed, mishaps=mishaps, max_turns=turns, board=board or BoardPlan())
    if game == GRASSHOPPER:
        return film_grasshopper_game(STANDARD, plan)
    return film_dice_game(RULESETS[game], plan)
