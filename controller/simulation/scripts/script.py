"""Films games with dice from beginning to end: what the camera sees and what is true, in order of time.

The game comes from `play_game`; hands, mishaps and tempo are added here. An illegal play that is condoned changes the
game, which then continues from the board as it is; so does an order of the operator (`following.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.match import Seating
from controller.refereeing.state import Phase
from controller.rules import (
    END_TURN,
    Opening,
    Player,
    Position,
    Roll,
    Ruleset,
    Stakes,
    StakeUnit,
    get_scheme,
    parse_setup,
    points_for_win,
    position_text,
    start_position,
)
from controller.simulation.scripts.demo_players import DemoPlayer, SeededDice
from controller.simulation.scripts.dice_table import DiceTable, standing_of
from controller.simulation.scripts.following import (
    PLAYABLE,
    film_with_operator,
    follow_referee,
    is_unfinished,
    may_go_on,
    must_follow,
)
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
    Hearing,
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
    hearing: Hearing = field(default_factory=Hearing, compare=False)

    def chance(self, purpose: str) -> Random:
        """A random generator per purpose, so that more draws for one purpose do not change the others."""
        return Random(f"{self.seed} {purpose}")

    def begin_film(self, stacks: Stacks) -> ScriptContext:
        """A film that begins at time 0 with these stacks."""
        chance = self.chance("film")
        return ScriptContext(
            self.seating,
            Filming(self.board, self.tempo, chance, stacks, self.seating),
            self.mishaps,
            chance,
            hearing=self.hearing,
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
        game = _DiceGame(
            rules, plan, playing, chance, standing=standing, starter=winner if rules.winner_starts else None
        )
        yield from game.film()
        winner = game.winner


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
        self.table = DiceTable(playing, rules, plan.start.position if plan.start else None, self.player)
        self.events = self._start_events()
        self.has_followed = False

    def film(self) -> Happenings:
        """The game with the time before and after it; an order of the operator may change it at any time."""
        yield from film_with_operator(self.context, BEFORE_THE_GAME, self._film_events, self._follow)

    def _film_events(self) -> Happenings:
        film = self.context.film
        while (event := next(self.events, None)) is not None:
            match event:
                case OpeningThrow():
                    yield from self._film_opening(event)
                case TurnPlayed():
                    if not self.has_followed and must_follow(self.context, self.table, event.player):
                        yield from self._follow()
                        continue
                    self.has_followed = False
                    yield from self._film_turn(event)
                case GameEnd():
                    self.winner = event.winner
                    yield TrueEnd(film.now_ms, event.winner, event.kind, self._compute_points(event))
                case Unfinished():
                    pass
        yield from film.pause(AFTER_THE_GAME)
        if is_unfinished(self.context):
            yield from self._follow()
            yield from self._film_events()

    def _follow(self) -> Happenings:
        """What the players do after an order of the operator; the game goes on from where the referee stands then."""
        yield from follow_referee(self.context, self.table)
        self.events, self.resting_dice, self.has_followed = iter(()), None, True
        state = self.context.hearing.state
        if state is None or state.phase not in PLAYABLE or not may_go_on(self.context, self.table):
            return
        if state.phase is Phase.OPENING:
            position = Position.of(parse_setup(state.position), self.rules)
            self.progress = None
            self.events = play_game(
                self.rules, self.dice, self.player, position=position, max_turns=self.plan.max_turns
            )
        else:
            self.progress, self.resting_dice = standing_of(state, self.rules)
            self.events = play_on(
                self.progress,
                self.rules,
                self.dice,
                self.player,
                opening=self.resting_dice,
                max_turns=self.plan.max_turns,
            )

    def _compute_points(self, end: GameEnd) -> int:
        """The points of the game with the cube, which only an operator turns."""
        state = self.context.hearing.state
        if state is None or end.winner is None or self.progress is None or not self.context.hearing.is_operated:
            return end.points
        stakes = Stakes(state.cube.value, state.cube.turned, jacoby=self.rules.jacoby, unit=StakeUnit(self.rules.unit))
        loser = self.progress.position.counts(end.winner.opponent)
        return points_for_win(end.kind, get_scheme(self.rules.scoring), loser, stakes)

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
