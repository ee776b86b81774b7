"""When turns ended, and when plays and passes were found: what lights show for a moment and throws are compared with."""

from dataclasses import dataclass, replace

from controller.rules import Player


@dataclass(frozen=True, slots=True)
class PlayerTimestamp:
    """When somebody did something; `at_ms` is monotonic."""

    player: Player
    at_ms: int


@dataclass(frozen=True, slots=True)
class TurnTiming:
    """Times in ms of this session.

    `ended_ms`: the end of the turn that is judged; None before it ends, or when it ended before the program was
    restarted. `next_ended`: in a game without dice the next player ended his turn while this one was still judged.
    `accepted`: the last play that was found legal. `passed`: the last pass without a throw.
    """

    ended_ms: int | None = None
    next_ended: bool = False
    accepted: PlayerTimestamp | None = None
    passed: PlayerTimestamp | None = None

    def end_turn(self, at_ms: int) -> "TurnTiming":
        return replace(self, ended_ms=at_ms, next_ended=False)

    def end_next_turn(self) -> "TurnTiming":
        return replace(self, next_ended=True)

    def forget_end(self) -> "TurnTiming":
        return replace(self, ended_ms=None)

    def accept(self, player: Player, at_ms: int) -> "TurnTiming":
        return replace(self, accepted=PlayerTimestamp(player, at_ms))

    def pass_turn(self, player: Player, at_ms: int) -> "TurnTiming":
        return replace(self, passed=PlayerTimestamp(player, at_ms))
