"""Plays whole games through the rules core, as values: dice and choices in, turns out.

Nothing here draws, prints or is random. `Dice` gives one number 1..6 per call; `Choose` picks one of the legal plays.
The flow of a game: the opening throw; then per turn numbers handed over, the player's own roll stage by stage, and
bonus rolls; at last the end of the game with its kind and points.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from controller.rules import (
    HEAD,
    OFF,
    Follow,
    FollowKind,
    Legal,
    Opening,
    Play,
    Player,
    Position,
    ResultKind,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    Stakes,
    StakeUnit,
    Step,
    Throw,
    Turn,
    Undecided,
    find_caught_mothers,
    find_follow,
    get_scheme,
    is_anti_draw,
    judge,
    legal_plays,
    make_own_throw,
    make_transfer_throw,
    points_for_win,
    start_position,
    win_kind,
    winner_when_off,
)

Dice = Callable[[], int]
Choose = Callable[[Position, Player, tuple[Play, ...]], Play]

MAX_TURNS = 5000  # of both players; anti-backgammon is a draw after 1000, other games need a few hundred


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """One die each; `starter` is None for equal dice."""

    white: int
    black: int

    @property
    def starter(self) -> Player | None:
        if self.white == self.black:
            return None
        return Player.WHITE if self.white > self.black else Player.BLACK


@dataclass(frozen=True, slots=True)
class StagePlayed:
    """The play of one stage. `choices` is the number of distinct legal results."""

    stage: Stage
    play: Play
    choices: int


@dataclass(frozen=True, slots=True)
class ThrowPlayed:
    """The play of one throw. `roll` is None for numbers handed over; `follow` is None when the game is over.

    `throw` may have more stages than `stages`: those were not reached.
    """

    throw: Throw
    roll: Roll | None
    stages: tuple[StagePlayed, ...]
    follow: Follow | None

    @property
    def after(self) -> Position:
        return self.stages[-1].play.after

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(step for played in self.stages for step in played.play.steps)

    @property
    def lost(self) -> tuple[int, ...]:
        """Numbers that were neither played nor handed over."""
        if self.follow is None or self.follow.kind is FollowKind.TRANSFER:
            return ()
        later = (number for numbers in self.throw.stages[len(self.stages) :] for number in numbers)
        return (*self.stages[-1].play.unused, *later)


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """All throws of one player until the opponent throws. `number` counts both players' turns from 1."""

    number: int
    player: Player
    before: Position
    throws: tuple[ThrowPlayed, ...]

    @property
    def after(self) -> Position:
        return self.throws[-1].after

    @property
    def turn(self) -> Turn:
        """The turn as the judge gets it: the throws, and the boards between them."""
        boards_between = tuple(played.after.setup for played in self.throws[:-1])
        return Turn(tuple(played.throw for played in self.throws), boards_between)

    @property
    def gives(self) -> tuple[int, ...]:
        """The numbers handed over, which the opponent plays before his own throw."""
        follow = self.throws[-1].follow
        return follow.numbers if follow is not None and follow.kind is FollowKind.TRANSFER else ()


@dataclass(frozen=True, slots=True)
class GameEnd:
    """`winner` is None for a draw; `turns` counts both players' turns."""

    winner: Player | None
    kind: ResultKind
    points: int
    turns: int


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The game was stopped by `max_turns`."""

    turns: int


GameEvent = OpeningThrow | TurnPlayed | GameEnd | Unfinished


@dataclass(frozen=True, slots=True)
class GameProgress:
    """The state of a game between two turns; `handed_over` are numbers for the player on turn."""

    position: Position
    player: Player
    rolls: dict[Player, int] = field(default_factory=lambda: dict.fromkeys(Player, 0))
    turns: dict[Player, int] = field(default_factory=lambda: dict.fromkeys(Player, 0))
    handed_over: tuple[int, ...] = ()

    @property
    def counters(self) -> RollCounters:
        return RollCounters(sum(self.rolls.values()), self.rolls[self.player])

    def with_turn(self, played: TurnPlayed) -> "GameProgress":
        """The state after that turn, which must not end the game."""
        own_rolls = sum(one.roll is not None for one in played.throws)
        rolls = {**self.rolls, self.player: self.rolls[self.player] + own_rolls}
        turns = {**self.turns, self.player: self.turns[self.player] + 1}
        return GameProgress(played.after, self.player.opponent, rolls, turns, played.gives)


def play_game(
    rules: Ruleset,
    dice: Dice,
    choose: Choose,
    *,
    starter: Player | None = None,
    position: Position | None = None,
    max_turns: int = MAX_TURNS,
) -> Iterator[GameEvent]:
    """One game from the opening throw to its end; a known `starter` (the last winner) throws at once. `position` None: it
    begins at the start position.
    """
    opening: Roll | None = None
    while starter is None:
        thrown = OpeningThrow(dice(), dice())
        yield thrown
        starter = thrown.starter
        if starter is not None and rules.opening is Opening.OPENING_DICE:
            opening = Roll.of(thrown.white, thrown.black)
    yield from play_on(
        GameProgress(position or start_position(rules), starter),
        rules,
        dice,
        choose,
        opening=opening,
        max_turns=max_turns,
    )


def play_on(
    table: GameProgress,
    rules: Ruleset,
    dice: Dice,
    choose: Choose,
    *,
    opening: Roll | None = None,
    max_turns: int = MAX_TURNS,
) -> Iterator[TurnPlayed | GameEnd | Unfinished]:
    """The rest of a game; `opening` are the dice of the opening throw, if the first turn is played with them."""
    while sum(table.turns.values()) < max_turns:
        played = _play_turn(table, rules, opening, dice, choose)
        opening = None
        yield played
        table = table.with_turn(played)
        end = _find_end(played.after, rules, table.turns)
        if end is not None:
            yield end
            return
    yield Unfinished(sum(table.turns.values()))


def is_confirmed(played: TurnPlayed, rules: Ruleset) -> bool:
    """Whether the judge, given only boards and dice, agrees with the turn or is undecided."""
    ruling = judge(played.before, played.player, played.turn, played.after.setup, rules)
    return isinstance(ruling, Undecided) or (isinstance(ruling, Legal) and ruling.after == played.after)


def _play_turn(table: GameProgress, rules: Ruleset, opening: Roll | None, dice: Dice, choose: Choose) -> TurnPlayed:
    throws: list[ThrowPlayed] = []
    position, counters = table.position, table.counters
    if table.handed_over:
        throws.append(
            play_throw(
                position, table.player, make_transfer_throw(table.handed_over), roll=None, rules=rules, choose=choose
            )
        )
        position = throws[-1].after
    goes_on = not throws or throws[-1].follow is not None
    while goes_on:
        roll = opening or Roll.of(dice(), dice())
        opening = None
        throw = make_own_throw(roll, rules, counters)
        counters = replace(counters, game=counters.game + 1, player=counters.player + 1)
        throws.append(play_throw(position, table.player, throw, roll=roll, rules=rules, choose=choose))
        position = throws[-1].after
        follow = throws[-1].follow
        goes_on = follow is not None and follow.kind is FollowKind.ROLL_AGAIN
    number = sum(table.turns.values()) + 1
    return TurnPlayed(number, table.player, table.position, tuple(throws))


def play_throw(
    before: Position, player: Player, throw: Throw, *, roll: Roll | None, rules: Ruleset, choose: Choose
) -> ThrowPlayed:
    """The play of one throw, stage by stage."""
    stages: list[StagePlayed] = []
    follow: Follow | None = Follow(FollowKind.NEXT_RANK)
    head_taken = 0
    while follow is not None and follow.kind is FollowKind.NEXT_RANK:
        index = len(stages)
        stage = Stage(throw.stages[index], throw.is_first_roll and index == 0, head_taken)
        plays = legal_plays(before, player, stage, rules)
        play = choose(before, player, plays)
        stages.append(StagePlayed(stage, play, len(plays)))
        before = play.after
        head_taken += sum(step.source == HEAD for step in play.steps)
        follow = None if _is_off(before, player, rules) else find_follow(throw, index, play.unused, rules)
    return ThrowPlayed(throw, roll, tuple(stages), follow)


def _is_off(position: Position, player: Player, rules: Ruleset) -> bool:
    return position.counts(player)[OFF] == rules.checkers


def _find_end(position: Position, rules: Ruleset, turns: dict[Player, int]) -> GameEnd | None:
    """The end of the game after a turn; None if it continues."""
    played = sum(turns.values())
    for player in Player:
        if _is_off(position, player, rules):
            return _make_win(winner_when_off(player, rules.goal), position, rules, played)
    caught = find_caught_mothers(position, rules)
    if len(caught) == 1:
        (loser,) = caught
        return _compute_points(loser.opponent, ResultKind.MOTHER, position, rules, played)
    if caught or is_anti_draw(rules.goal, turns[Player.WHITE], turns[Player.BLACK]):
        return GameEnd(None, ResultKind.DRAW, 0, played)
    return None


def _make_win(winner: Player, position: Position, rules: Ruleset, turns: int) -> GameEnd:
    kind = win_kind(get_scheme(rules.scoring), rules.direction, position.counts(winner.opponent))
    return _compute_points(winner, kind, position, rules, turns)


def _compute_points(winner: Player, kind: ResultKind, position: Position, rules: Ruleset, turns: int) -> GameEnd:
    """Points without doubling: the cube stays at 1 and, under the Jacoby rule, was never turned."""
    stakes = Stakes(jacoby=rules.jacoby, unit=StakeUnit(rules.unit))
    worth = points_for_win(kind, get_scheme(rules.scoring), position.counts(winner.opponent), stakes)
    return GameEnd(winner, kind, worth, turns)
