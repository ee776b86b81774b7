"""Options that say what stands on a board in a picture."""

import argparse
from typing import TYPE_CHECKING

from controller.subcommands.options.call import UsageError
from controller.subcommands.options.shared_options import resolve_game

if TYPE_CHECKING:
    from controller.pictures.find_board import KnownPosition


def parse_occupancy(text: str) -> "KnownPosition":
    """The checkers of --occupancy. Raises ArgumentTypeError."""
    from controller.pictures import known_position

    return known_position.parse_occupancy(text)


def resolve_position(options: argparse.Namespace) -> "KnownPosition | None":
    """What stands on the board by --occupancy, --position or --game; None when nothing is known."""
    from controller.adjudication import start_occupancy
    from controller.match import SeatingTextError
    from controller.pictures.find_board import KnownPosition
    from controller.pictures.known_position import position_on_board
    from controller.rules import PositionTextError

    if options.occupancy is not None:
        occupancy: KnownPosition = options.occupancy
        return occupancy
    if options.position is None:
        rules = resolve_game(options, default=None)[1] if options.game or options.rules else None
        return None if rules is None else KnownPosition(start_occupancy(rules))
    game, rules = resolve_game(options, default=None if options.rules else "backgammon")
    if rules is None:
        raise UsageError(f"--position: {game} has no checkers of two players; leave it out")
    try:
        return position_on_board(options.position, rules, options.seating)
    except PositionTextError as error:
        raise UsageError(f"--position: {error}") from None
    except SeatingTextError as error:
        raise UsageError(f"--seating: {error}") from None
