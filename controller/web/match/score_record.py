"""Match, score, dice, cube, clock and resignation as JSON.

The classes here and beside are what the schema of the JSON is made from; `Annotated` names the enum of a text's values.
"""

from typing import Annotated, TypedDict

from controller.match import Mode
from controller.match.clocks import Delay
from controller.match_log.event_json import JsonValue
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player, ResultKind, ThrowKind, cube_rules
from controller.rules.grasshopper.game import GrasshopperRules
from controller.settings.build_match_config import title_of
from controller.speech.event_filter import may_speak

Record = dict[str, JsonValue]
PlayerLetter = Annotated[str, Player]


class DisputesJson(TypedDict):
    """Who called the dispute that is open, and how many each player may still lose (White's first; null: any number)."""

    caller: PlayerLetter | None
    left: list[int] | None


class MatchJson(TypedDict):
    """The match as it was agreed, and its score (White's points first). `length` null: money games. `number`: of the game.
    `confirmed_by`: who has confirmed the score after it.
    """

    game: str
    title: str
    mode: Annotated[str, Mode]
    may_speak: bool
    profile: str
    white: str
    black: str
    score: list[int]
    length: int | None
    number: int
    is_crawford: bool
    winner: PlayerLetter | None
    confirmed_by: list[PlayerLetter]
    disputes: DisputesJson


class CubeJson(TypedDict):
    """The cube: what it shows, what it would show after the next raise, its owner, and who offers a double."""

    value: int
    raised: int
    owner: PlayerLetter | None
    offered_by: PlayerLetter | None


class ClockJson(TypedDict):
    """The clock, so that a receiver can count on: reserves (White's first), whose time runs since when on the clock of
    `now_ms`, and how much of the turn was used before. `since_ms` null: it stands.
    """

    banked_ms: list[int]
    turn: PlayerLetter | None
    delay: Annotated[str, Delay]
    delay_ms: int
    used_ms: int
    since_ms: int | None


class ResignationJson(TypedDict):
    """The resignation that is offered: by whom, and which kind of win."""

    player: PlayerLetter
    kind: Annotated[str, ResultKind]


class DiceJson(TypedDict):
    """The numbers that are being played. `is_handed_over`: the other player could not play them."""

    player: PlayerLetter | None
    values: list[int]
    is_handed_over: bool


def letter_of(player: Player | None) -> str | None:
    return None if player is None else player.value


def match_record(state: RefereeState, table: MatchConfig) -> MatchJson:
    white, black = state.match.score if state.started else (table.players.white_score, table.players.black_score)
    return {
        "game": table.game,
        "title": title_of(table.game),
        "mode": table.mode.value,
        "may_speak": may_speak(table),
        "profile": table.profile.title,
        "white": table.players.white,
        "black": table.players.black,
        "score": [white, black],
        "length": table.match.target,
        "number": state.game.number,
        "is_crawford": state.game.is_crawford,
        "winner": letter_of(state.match_winner),
        "confirmed_by": [player.value for player in Player if player in state.game.confirmed_by],
        "disputes": _disputes_record(state, table),
    }


def _disputes_record(state: RefereeState, table: MatchConfig) -> DisputesJson:
    limit, lost = table.profile.disputes, state.directing.lost_disputes
    left: list[int] | None = None if limit is None else [max(0, limit - lost.of(player)) for player in Player]
    return {"caller": letter_of(state.directing.disputed_by), "left": left}


def cube_record(state: RefereeState, table: MatchConfig) -> CubeJson | None:
    """None where the game or the match has no cube."""
    if isinstance(table.rules, GrasshopperRules):
        return None
    rules = cube_rules(table.rules, state.match, table.match)
    if not rules.use:
        return None
    return {
        "value": state.cube.value,
        "raised": rules.raise_by.raise_value(state.cube.value),
        "owner": letter_of(state.cube.owner),
        "offered_by": letter_of(state.cube.offer_by),
    }


def clock_record(state: RefereeState) -> ClockJson | None:
    """The clock as the referee keeps it, so that the page can count on. `since_ms` is None while the clock is stopped."""
    clock = state.clock
    if clock is None:
        return None
    return {
        "banked_ms": [clock.banked.white_ms, clock.banked.black_ms],
        "turn": letter_of(clock.turn),
        "delay": clock.rules.delay.value,
        "delay_ms": clock.rules.delay_ms,
        "used_ms": clock.used_ms,
        "since_ms": clock.since_ms,
    }


def resignation_record(state: RefereeState) -> ResignationJson | None:
    offered = state.game.resignation
    return None if offered is None else {"player": offered.player.value, "kind": offered.kind.value}


def dice_record(state: RefereeState) -> DiceJson | None:
    """The numbers that are being played."""
    if state.due is None or state.phase is Phase.AWAIT_ROLL:
        return None
    return {
        "player": letter_of(state.on_turn),
        "values": list(state.due.numbers),
        "is_handed_over": state.due.kind is ThrowKind.TRANSFER,
    }
