"""A game at the table from beginning to end: what is seen and what is true, in the order of time.

The game itself comes from `play_game`; people, mishaps and the pace of play are added here. A wrong play that stands
changes the game: then it is played on from the board as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.match.seating import Seating
from controller.rules.notation import parse_setup, position_text
from controller.rules.player import Player
from controller.rules.position import Position, start_position
from controller.rules.roll import Roll
from controller.rules.ruleset import Opening, Ruleset
from controller.rules.stages import END_TURN
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.play_script import Part, part_played
from controller.simulation.scripts.playthrough import (
    MOST_TURNS,
    GameEnd,
    GameEvent,
    OpeningThrow,
    Standing,
    TurnPlayed,
    Unfinished,
    play_game,
    play_on,
)
from controller.simulation.scripts.throw_script import opening_thrown, throw_made
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.mishaps import NO_MISHAPS, Mishaps
from controller.simulation.staging.playing import Happening, Happenings, Playing, playing_of
from controller.simulation.staging.stacks import stacks_of
from controller.simulation.staging.tempo import BRISK, Tempo
from controller.simulation.staging.truth import TrueEnd, TruePlay, TrueStart

BEFORE_THE_GAME = (2500, 3000)
AFTER_THE_GAME = (2500, 3000)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """What is to be filmed; the same plan gives the same film. `standing`: where it begins, if not at its start.

    `games`: so many one after the other, set up anew by hand in between.
    """

    seed: int
    seating: Seating = field(default_factory=Seating)
    board: BoardPlan = field(default_factory=BoardPlan)
    tempo: Tempo = BRISK
    mishaps: Mishaps = NO_MISHAPS
    most_turns: int = MOST_TURNS
    games: int = 1
    standing: Standing | None = None

    def chance(self, purpose: str) -> Random:
        """Chance for one purpose, so that more of one thing leaves the others as they are."""
        return Random(f"{self.seed} {purpose}")


def dice_game(rules: Ruleset, plan: GamePlan) -> Iterator[Happening]:
    """Games with dice as they are filmed."""
    position = plan.standing.position if plan.standing else start_position(rules)
    playing = playing_of(
        rules,
        stacks_of(position.setup, plan.seating, rules),
        seating=plan.seating,
        board=plan.board,
        tempo=plan.tempo,
        mishaps=plan.mishaps,
        chance=plan.chance("film"),
    )
    film, chance, winner = playing.film, plan.chance("game"), None
    for number in range(plan.games):
        standing = None if number else plan.standing
        if number:
            position = start_position(rules)
            yield from _set_up_again(playing, position, rules)
        yield TrueStart(film.now_ms, rules.name, plan.seating, position_text(position))
        yield from film.pause(BEFORE_THE_GAME)
        game = _Game(rules, plan, playing, chance, standing=standing, starter=winner if rules.winner_starts else None)
        yield from game.filmed()
        winner = game.winner
        yield from film.pause(AFTER_THE_GAME)


def _set_up_again(playing: Playing, position: Position, rules: Ruleset) -> Happenings:
    """All checkers are put back, in a heap of movements that nobody follows one by one."""
    film = playing.film
    yield from film.reach(Player.WHITE, (film.plan.width_mm / 3, film.plan.height_mm / 2))
    yield from film.pause(AFTER_THE_GAME)
    yield from film.arrange(stacks_of(position.setup, playing.seating, rules))
    yield from film.withdraw()


class _Game:
    """A game in progress: where it stands, and what is still to come of it."""

    def __init__(
        self,
        rules: Ruleset,
        plan: GamePlan,
        playing: Playing,
        chance: Random,
        *,
        standing: Standing | None,
        starter: Player | None,
    ) -> None:
        self.rules = rules
        self.plan = plan
        self.playing = playing
        self.standing = standing
        self.starter = starter
        self.winner: Player | None = None
        self.lying: Roll | None = None  # dice of the opening throw that lie there and are played
        self.dice, self.player = SeededDice(chance), DemoPlayer(rules, chance)
        self.coming = self._begun()

    def filmed(self) -> Happenings:
        film = self.playing.film
        while (event := next(self.coming, None)) is not None:
            match event:
                case OpeningThrow():
                    yield from self._opening(event)
                case TurnPlayed():
                    yield from self._turn(event)
                case GameEnd():
                    self.winner = event.winner
                    yield TrueEnd(film.now_ms, event.winner, event.kind, event.points)
                case Unfinished():
                    pass

    def _begun(self) -> Iterator[GameEvent]:
        if self.standing is not None:
            return self._on_from(self.standing)
        return play_game(self.rules, self.dice, self.player, starter=self.starter, most_turns=self.plan.most_turns)

    def _on_from(self, standing: Standing) -> Iterator[GameEvent]:
        return play_on(standing, self.rules, self.dice, self.player, most_turns=self.plan.most_turns)

    def _opening(self, opening: OpeningThrow) -> Happenings:
        film, starter = self.playing.film, opening.starter
        yield from opening_thrown(self.playing, self.rules, opening)
        if starter is not None and self.rules.opening is Opening.OPENING_DICE:
            self.lying = Roll.of(opening.white, opening.black)
            return
        yield from film.lift(starter or Player.WHITE, film.dice)
        yield from film.pause(film.tempo.before_throwing_again)

    def _turn(self, turn: TurnPlayed) -> Happenings:
        standing = self.standing or Standing(turn.before, turn.player)
        before = turn.before
        for number, played in enumerate(turn.throws, start=1):
            if played.roll is not None and self.lying is None:
                yield from throw_made(self.playing, self.rules, turn.player, (played.roll.high, played.roll.low))
            self.lying = None
            part = Part(turn.player, before, played, self.rules, is_last=number == len(turn.throws))
            for happening in part_played(self.playing, part):
                yield happening
                if isinstance(happening, TruePlay) and happening.is_condoned:
                    turn = _as_condoned(turn, happening, self.rules)
            before = played.after
        self.standing = standing.after(turn)
        if turn.throws[-1].follow is END_TURN and turn.after != before:
            self.coming = self._on_from(self.standing)


def _as_condoned(turn: TurnPlayed, wrong: TruePlay, rules: Ruleset) -> TurnPlayed:
    """The same turn with the wrong board at its end, and nothing else that follows from it."""
    last = turn.throws[-1]
    after = Position.of(parse_setup(wrong.after), rules)
    play = replace(last.stages[-1].play, after=after)
    stages = (*last.stages[:-1], replace(last.stages[-1], play=play))
    return replace(turn, throws=(*turn.throws[:-1], replace(last, stages=stages, follow=END_TURN)))
