"""The configuration of a resumed match: the log defines what was agreed, the settings how it is watched and shown."""

from collections.abc import Iterator
from dataclasses import replace

from controller.match import (
    PROFILES,
    BoardUsed,
    ClockRules,
    ClockTextError,
    MatchStarted,
    Seating,
    parse_clock,
    seating_text,
)
from controller.refereeing.match_config import MatchConfig
from controller.rules import GRASSHOPPER, RULESETS, MatchRules, RulesError, parse_house_variant, quote_value
from controller.rules.grasshopper.game import STANDARD
from controller.settings.build_match_config import with_head_of


class RecordedConfigError(RulesError, ValueError):
    """A log says what this version cannot play by; its text is one sentence."""


def restore_match_config(started: MatchStarted, now: MatchConfig, seating: Seating | None = None) -> MatchConfig:
    """The configuration `now` with what the log says. `seating` is the last seating in the log.

    A value that an older log does not hold is taken from `now`. Raises RecordedConfigError and RulesetError.
    """
    house = None if started.rules_toml is None else parse_house_variant(started.rules_toml)
    with_dice = house or RULESETS.get(started.game)
    if with_dice is None and started.game != GRASSHOPPER:
        raise _unknown("game", started.game)
    if started.profile not in PROFILES:
        raise _unknown("profile", started.profile)
    board = started.board or _current_board(started.game, now)
    sits = seating or board.seating or now.seating
    return replace(
        now,
        seating=None if sits is None else with_head_of(with_dice, sits),
        seatings=board.seatings or now.seatings,
        has_bar=board.has_bar,
        start=replace(now.start, position=board.start, on_turn=board.on_turn),
        game=started.game,
        rules=with_dice or STANDARD,
        rules_toml=started.rules_toml,
        profile=replace(PROFILES[started.profile], disputes=started.disputes),
        match=MatchRules.of(with_dice, started.length, crawford=started.crawford),
        players=replace(
            now.players,
            white=started.white,
            black=started.black,
            white_score=started.white_score,
            black_score=started.black_score,
        ),
        clock=None if started.clock is None else _restore_clock(started.clock),
    )


def _restore_clock(text: str) -> ClockRules | None:
    try:
        return parse_clock(text)
    except ClockTextError:
        raise _unknown("clock", text) from None


def _unknown(what: str, name: str) -> RecordedConfigError:
    return RecordedConfigError(
        f"its {what} {quote_value(name)} is none that this version knows; use the zarbiter that wrote it"
    )


def describe_overridden_settings(agreed: MatchConfig, now: MatchConfig, *, has_begun: bool) -> str | None:
    """A sentence on the settings that the log overrides; None where they agree. `has_begun`: the first game has begun.

    A setting without a value is not overridden.
    """
    overridden = "; ".join(_list_overrides(agreed, now, has_begun=has_begun))
    return f"the match goes on as its log says, and not as the settings do: {overridden}" if overridden else None


def _current_board(game: str, now: MatchConfig) -> BoardUsed:
    """The board as set now. The start position counts only where the game is the same."""
    is_same_game = now.game == game
    return BoardUsed(
        has_bar=now.has_bar,
        seating=now.seating,
        start=now.start.position if is_same_game else None,
        on_turn=now.start.on_turn if is_same_game else None,
    )


def _list_overrides(agreed: MatchConfig, now: MatchConfig, *, has_begun: bool) -> Iterator[str]:
    if agreed.has_bar is not now.has_bar:
        yield "the board has a bar" if agreed.has_bar else "the board has no bar"
    if agreed.seating is not None and now.seating is not None:
        sits = seating_text(agreed.seating)
        if sits != seating_text(now.seating):
            yield f"the seating is {sits}"
    start = agreed.start
    if not has_begun and (start.position, start.on_turn) != (now.start.position, now.start.on_turn):
        turn = "" if start.on_turn is None else f" with {start.on_turn.name.capitalize()} on turn"
        yield "it begins with the game's start" if start.position is None else f"it begins with {start.position}{turn}"
