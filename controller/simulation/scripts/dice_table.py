"""What the players of a game with dice know of their game when they follow an operator."""

from dataclasses import dataclass

from controller.refereeing.state import Due, RefereeState
from controller.refereeing.verdicts import throw_due
from controller.rules import (
    Play,
    Player,
    Position,
    Roll,
    Ruleset,
    ThrowKind,
    parse_setup,
    position_text,
    start_position,
)
from controller.simulation.scripts.demo_players import DemoPlayer
from controller.simulation.scripts.playthrough import GameProgress, play_throw
from controller.simulation.staging import ScriptContext, Stacks, stacks_of

_TAKES_UP_TO = 1.12
"""A player takes a double up to 12 % behind in pips: the racing rule of thumb of the field (8, 9 and 12 per cent)."""


@dataclass(frozen=True, slots=True)
class DiceTable:
    """`start`: where the first game of the film begins, if not at the start position."""

    playing: ScriptContext
    rules: Ruleset
    start: Position | None
    player: DemoPlayer

    def stacks_of(self, position: str) -> Stacks:
        return stacks_of(parse_setup(position), self.playing.seating, self.rules)

    def start_of(self, state: RefereeState) -> str:
        is_first = state.game.number == 0 and self.start is not None
        return position_text(self.start if is_first and self.start else start_position(self.rules))

    def play(self, state: RefereeState) -> str | None:
        if state.due is None or state.on_turn is None:
            return None
        before, roll = Position.of(parse_setup(state.position), self.rules), _roll_of(state.due)
        played = play_throw(
            before,
            state.on_turn,
            throw_due(state, self.rules),
            roll=roll,
            rules=self.rules,
            choose=self._choose_as_it_lies,
        )
        return position_text(played.after)

    def takes(self, state: RefereeState, player: Player) -> bool:
        position = Position.of(parse_setup(state.position), self.rules)
        return position.pips(player) <= _TAKES_UP_TO * position.pips(player.opponent)

    def _choose_as_it_lies(self, before: Position, mover: Player, plays: tuple[Play, ...]) -> Play:
        """The play that leads to the table as it is, if one does."""
        lies = (play for play in plays if self.stacks_of(position_text(play.after)) == self.playing.film.stacks)
        return next(lies, None) or self.player(before, mover, plays)


def standing_of(state: RefereeState, rules: Ruleset) -> tuple[GameProgress, Roll | None]:
    """The game as the referee has it, in AWAIT_ROLL or PLAYING, and the roll that is to be played."""
    if state.on_turn is None:
        raise ValueError("nobody is on turn")
    position, due = Position.of(parse_setup(state.position), rules), state.due
    rolls = {player: state.game.rolls.of(player) for player in Player}
    turns = {player: state.game.turns.of(player) for player in Player}
    if due is None or due.kind is ThrowKind.TRANSFER:
        return GameProgress(position, state.on_turn, rolls, turns, () if due is None else due.numbers), None
    rolls = {state.on_turn: due.before.player, state.on_turn.opponent: due.before.game - due.before.player}
    return GameProgress(position, state.on_turn, rolls, turns), _roll_of(due)


def _roll_of(due: Due) -> Roll | None:
    return None if due.kind is ThrowKind.TRANSFER else Roll.of(due.numbers[0], due.numbers[1])
