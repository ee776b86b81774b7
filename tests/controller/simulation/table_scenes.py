"""Short films of what one player does with his hands, written move by move, and the referee's events."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from controller.match.events import RefereeEvent
from controller.match.seating import Checkers, Seating
from controller.refereeing.match_config import GameStart, MatchConfig
from controller.rules import RULESETS, Player, parse_setup
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import referee_film
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.dice_placement import Landing, place_dice
from controller.simulation.staging.filming import Beats, Filming
from controller.simulation.staging.script_context import Happening
from controller.simulation.staging.stacks import Aside, Carry, Spot, add_checker, remove_checker, stacks_of
from controller.simulation.staging.tempo import Span, Tempo
from vision.places import Place

RULES = RULESETS["backgammon"]
LIGHT, DARK = Checkers.LIGHT, Checkers.DARK
START = "00000050300005000000000020/00000050300005000000000020"


class AtTheTable:
    """White sits below, plays light and moves from T12 to B12: his point 6 is B7, 8 is B5, 13 is T1."""

    def __init__(self, position: str, plan: BoardPlan) -> None:
        seating = Seating()
        self.film = Filming(plan, Tempo(), Random(1), stacks_of(parse_setup(position), seating, RULES), seating)

    def throws(self, *values: int, player: Player = Player.WHITE, waits: Span = (1500, 1600)) -> Beats:
        """Throws flat dice in the half on his right, then inspects them."""
        film = self.film
        half = Seating().right_half(player)
        landing = Landing(film.plan, film.stacks, film.dice, half, player, len(film.dice))
        yield from film.roll(place_dice(values, landing, film.chance), player)
        yield from film.pause(waits)

    def moves(self, source: Spot, target: Spot, checkers: Checkers = LIGHT, player: Player = Player.WHITE) -> Beats:
        yield from self.film.carry(player, Carry(checkers, source, target))

    def lifts(self, player: Player = Player.WHITE, waits: Span = (4000, 4100)) -> Beats:
        """Lifts all dice; then everybody waits, and no hand is over the board."""
        yield from self.film.withdraw()
        yield from self.film.pause((700, 800))
        yield from self.film.lift(player, self.film.dice)
        yield from self.film.pause(waits)

    def waits(self, ms: int = 4000) -> Beats:
        yield from self.film.withdraw()
        yield from self.film.pause((ms, ms + 1))

    def turns_a_die(self, value: int) -> Beats:
        """Turns the first die to another face where it lies."""
        die = self.film.dice[0]
        yield from self.film.push(Player.WHITE, replace(die, value=value))

    def slips(self, source: Spot, target: Spot, checkers: Checkers) -> Beats:
        """Moves a checker unseen, while the hand is over the board for something else."""
        self.film.stacks = add_checker(remove_checker(self.film.stacks, checkers, source), checkers, target)
        yield from self.film.pause((200, 201))


Scene = Callable[[AtTheTable], Iterator[Happening]]


def said_of(scene: Scene, position: str = START, on_turn: Player = Player.WHITE) -> tuple[RefereeEvent, ...]:
    """The events of a referee who reads the scene perfectly and knows the player on turn."""
    plan = BoardPlan()
    table = MatchConfig(game="backgammon", rules=RULES, seating=Seating(), start=GameStart(position, on_turn))
    film = _filmed(scene, AtTheTable(position, plan))
    return referee_film(SimulatedTable(film, plan, Observer(plan, 1)), table, None).events


def _filmed(scene: Scene, at_table: AtTheTable) -> Iterator[Happening]:
    yield from at_table.film.pause((1500, 1600))
    yield from scene(at_table)


__all__ = ["DARK", "LIGHT", "Aside", "AtTheTable", "Place", "Scene", "said_of"]
