"""Films games with dice from beginning to end: what the camera sees and what is true, in order of time.

The game comes from `play_game`; hands, mishaps and tempo are added here. An illegal play that is condoned changes the
game, which then continues from the board as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.match import Seating
from controller.rules import (
    END_TURN,
    Opening,
    Player,
    Position,
    Roll,
    Ruleset,
    parse_setup,
    position_text,
    start_position,
)
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.play_script import TurnPart, film_turn_part
from controller.simulation.scripts.playthrough import (
    MAX_TURNS,
    GameEnd,
    GameEvent,
    GameProgress,
    OpeningThrow,
    TurnPlayed,
    Unfinished,
    play_game,
    play_on,
)
from controller.simulation.scripts.throw_script import film_opening_throw, film_throw
from controller.simulation.staging import (
    BRISK,
    NO_MISHAPS,
    BoardPlan,
    Filming,
    Happening,
    Happenings,
    Mishaps,
    ScriptContext,
    Stacks,
    Tempo,
    TrueEnd,
    TruePlay,
    TrueStart,
    stacks_of,
)

BEFORE_THE_GAME = (2500, 3000)
AFTER_THE_GAME = (2500, 3000)


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """What is to be filmed; equal plans give equal films. `start`: where it begins, if not at the start position.

    `games`: the number of games, one after the other, with the board set up by hand in between.
    """

    seed: int
    seating: Seating = field(default_factory=Seating)
    board: BoardPlan = field(default_factory=BoardPlan)
    tempo: Tempo = BRISK
    mishaps: Mishaps = NO_MISHAPS
    max_turns: int = MAX_TURNS
    games: int = 1
    start: GameProgress | None = None

    def chance(self, purpose: str) -> Random:
        """A random generator per purpose, so that more draws for one purpose do not change the others."""
        return Random(f"{self.seed} {purpose}")

    def begin_film(self, stacks: Stacks) -> ScriptContext:
        """A film that begins at time 0 with these stacks."""
        chance = self.chance("film")
        return ScriptContext(
            self.seating, Filming(self.board, self.tempo, chance, stacks, self.seating), self.mishaps, chance
        )


def film_dice_game(rules: Ruleset, plan: GamePlan) -> Iterator[Happening]:
    """The film of the plan's games."""
    position = plan.start.position if plan.start else start_position(rules)
    playing = plan.begin_film(stacks_of(position.setup, plan.seating, rules))
    film, chance, winner = playing.film, plan.chance("game"), None
    for number in range(plan.games):
        standing = None if number else plan.start
        if number:
            position = start_position(rules)
            yield from _film_set_up(playing, position, rules)
        yield TrueStart(film.now_ms, rules.name, plan.seating, position_text(position))
        yield from film.pause(BEFORE_THE_GAME)
        game = _DiceGame(
            rules, plan, playing, chance, standing=standing, starter=winner if rules.winner_starts else None
        )
        yield from game.film()
        winner = game.winner
        yield from film.pause(AFTER_THE_GAME)


def _film_set_up(playing: ScriptContext, position: Position, rules: Ruleset) -> Happenings:
    """All checkers are set up again, without filming each movement."""
    film = playing.film
    yield from film.reach(Player.WHITE, (film.plan.width_mm / 3, film.plan.height_mm / 2))
    yield from film.pause(AFTER_THE_GAME)
    yield from film.arrange(stacks_of(position.setup, playing.seating, rules))
    yield from film.withdraw()


class _DiceGame:
    """A game while it is filmed: its progress and its remaining events."""

    def __init__(
        self,
        rules: Ruleset,
        plan: GamePlan,
        playing: ScriptContext,
        chance: Random,
        *,
        standing: GameProgress | None,
        starter: Player | None,
    ) -> None:
        self.rules = rules
        self.plan = plan
        self.context = playing
        self.progress = standing
        self.starter = starter
        self.winner: Player | None = None
        self.resting_dice: Roll | None = None  # dice of the opening throw that are the first roll
        self.dice, self.player = SeededDice(chance), DemoPlayer(rules, chance)
        self.events = self._start_events()

    def film(self) -> Happenings:
        film = self.context.film
        while (event := next(self.events, None)) is not None:
            match event:
                case OpeningThrow():
                    yield from self._film_opening(event)
                case TurnPlayed():
                    yield from self._film_turn(event)
                case GameEnd():
                    self.winner = event.winner
                    yield TrueEnd(film.now_ms, event.winner, event.kind, event.points)
                case Unfinished():
                    pass

    def _start_events(self) -> Iterator[GameEvent]:
        if self.progress is not None:
            return self._continue_from(self.progress)
        return play_game(self.rules, self.dice, self.player, starter=self.starter, max_turns=self.plan.max_turns)

    def _continue_from(self, standing: GameProgress) -> Iterator[GameEvent]:
        return play_on(standing, self.rules, self.dice, self.player, max_turns=self.plan.max_turns)

    def _film_opening(self, opening: OpeningThrow) -> Happenings:
        film, starter = self.context.film, opening.starter
        yield from film_opening_throw(self.context, self.rules, opening)
        if starter is not None and self.rules.opening is Opening.OPENING_DICE:
            self.resting_dice = Roll.of(opening.white, opening.black)
            return
        yield from film.lift(starter or Player.WHITE, film.dice)
        yield from film.pause(film.tempo.before_throwing_again)

    def _film_turn(self, turn: TurnPlayed) -> Happenings:
        standing = self.progress or GameProgress(turn.before, turn.player)
        before = turn.before
        for number, played in enumerate(turn.throws, start=1):
            if played.roll is not None and self.resting_dice is None:
                yield from film_throw(self.context, self.rules, turn.player, (played.roll.high, played.roll.low))
            self.resting_dice = None
            part = TurnPart(turn.player, before, played, self.rules, is_last=number == len(turn.throws))
            for happening in film_turn_part(self.context, part):
                yield happening
                if isinstance(happening, TruePlay) and happening.is_condoned:
                    turn = _condone(turn, happening, self.rules)
            before = played.after
        self.progress = standing.with_turn(turn)
        if turn.throws[-1].follow is END_TURN and turn.after != before:
            self.events = self._continue_from(self.progress)


def _condone(turn: TurnPlayed, wrong: TruePlay, rules: Ruleset) -> TurnPlayed:
    """The turn with the condoned board at its end, followed by the opponent's turn."""
    last = turn.throws[-1]
    after = Position.of(parse_setup(wrong.after), rules)
    play = replace(last.stages[-1].play, after=after)
    stages = (*last.stages[:-1], replace(last.stages[-1], play=play))
    return replace(turn, throws=(*turn.throws[:-1], replace(last, stages=stages, follow=END_TURN)))
