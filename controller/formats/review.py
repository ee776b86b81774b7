"""Reviews a recorded match: which turns nobody can be sure of, what may be put in their place, and the events that do so.

A correction replaces the ruling of a turn, and its roll if that was misread. Later turns are judged again from the board that
follows, up to the turn from which the record agrees with it again. A turn that then leads from another board than the one
before it left is out of step, and stays to be put right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from controller.formats.from_events import build_match
from controller.formats.match_model import BoardPut, GameHistory, PlayedTurn
from controller.match import Evidence, RefereeEvent, events
from controller.match_log import TurnRuling, revise
from controller.match_log.chain import MatchFacts
from controller.match_log.event_json import event_text
from controller.match_log.turns import list_standing_events
from controller.refereeing.apply_events import apply_event
from controller.refereeing.state import RefereeState, counters_before
from controller.refereeing.verdicts import make_throw, position_of
from controller.rules import (
    FollowKind,
    Legal,
    Player,
    Roll,
    RulesError,
    Ruleset,
    Stage,
    Throw,
    Turn,
    judge,
    legal_plays,
    make_own_throw,
    parse_setup,
    play_text,
    position_text,
)

_RULINGS = (events.PlayMade, events.PlayCondoned, events.BoardCorrected, events.GameStarted)
_MOST, _PLACES = 15, 27  # checkers on a place; places of a side
_ENDS_OTHERWISE = (events.CubeTurned, events.ResignationAnswered, events.TimeRanOut)


class ReviewError(ValueError):
    """A correction that is not possible; one sentence."""


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn of the revised match. `event` rules it. `is_in_step`: it begins with the board that the turn before it left."""

    number: int
    game: int
    event: int
    player: Player
    roll: tuple[int, ...]
    play: str | None
    ruling: TurnRuling
    is_revised: bool
    is_in_step: bool

    @property
    def is_open(self) -> bool:
        """Whether somebody should look at it: nobody saw it, or knows what was played."""
        is_sure = self.is_revised or self.ruling in (TurnRuling.LEGAL, TurnRuling.ILLEGAL)
        return not (is_sure and self.is_in_step)


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal play and the board after it, as text."""

    play: str
    after: str


@dataclass(frozen=True, slots=True)
class TurnChoices:
    """What may be put in place of a turn. `roll` is empty where it has to be said first."""

    player: Player
    roll: tuple[int, ...]
    before: str
    may_change_roll: bool
    plays: tuple[Choice, ...]


def list_reviewed_turns(game: str, logged: Sequence[RefereeEvent]) -> tuple[ReviewedTurn, ...]:
    """All turns of the match. Raises RulesError for a game that this version does not know."""
    put_right = {event.number for event in logged if isinstance(event, events.EventRevised)}
    match = build_match(MatchFacts("", game, ""), logged)
    return tuple(turn for game_played in match.games for turn in _list_turns_of_game(game_played, put_right))


def _list_turns_of_game(game: GameHistory, put_right: set[int]) -> Iterator[ReviewedTurn]:
    position = game.start
    for action in game.turns:
        if isinstance(action, BoardPut):
            position = action.position
        if isinstance(action, PlayedTurn):
            what = (action.number, game.number, action.event, action.player, action.roll, action.play, action.ruling)
            yield ReviewedTurn(*what, action.event in put_right, action.before == position)
            position = action.after or action.before


def find_choices(
    turn: ReviewedTurn, logged: Sequence[RefereeEvent], rules: Ruleset, roll: tuple[int, int] | None = None
) -> TurnChoices:
    """The legal plays of a turn with the roll of the record, or with another one. Raises ReviewError."""
    place = _find_place(turn, revise(logged), rules, roll)
    plays: tuple[Choice, ...] = ()
    if place.throw is not None:
        if len(place.throw.stages) > 1:
            raise ReviewError("A cascade is played in several stages and cannot be put right here.")
        before, stage = position_of(place.before, rules), Stage(place.throw.stages[0], place.throw.is_first_roll)
        found = legal_plays(before, turn.player, stage, rules)
        plays = tuple(Choice(play_text(one.steps), position_text(one.after)) for one in found)
    return TurnChoices(turn.player, place.numbers, place.before, place.may_change_roll, plays)


def put_right(
    turn: ReviewedTurn,
    logged: Sequence[RefereeEvent],
    rules: Ruleset,
    after: str,
    roll: tuple[int, int] | None = None,
) -> tuple[events.EventRevised, ...]:
    """The events that put the play to the board `after`, and perhaps another roll, in place of a turn. Raises ReviewError."""
    before = revise(logged)
    place = _find_place(turn, before, rules, roll)
    if place.throw is None:
        raise ReviewError("Say first what was thrown.")
    thrown = _Thrown(turn.player, place.numbers, place.throw, place.before)
    played = thrown.judge(after, before[turn.event - 1].at_ms, rules)
    if played is None:
        raise ReviewError("This is no legal play of this roll.")
    is_over, was_over = played.follow == FollowKind.GAME_OVER.value, _is_last_of_game(before, turn.event)
    if is_over and not was_over and _goes_on(before, turn.event):
        raise ReviewError("This play would end the game, which went on.")
    if was_over and not is_over:
        raise ReviewError("The game ended with this turn; choose a play that ends it.")
    changed = {**place.rolled, turn.event: replace(played, evidence=Evidence.ENTERED)}
    changed |= dict(_judge_later_turns(apply_event(place.state, changed[turn.event]), before, turn.event, rules))
    at_ms = logged[-1].at_ms
    return tuple(events.EventRevised(at_ms, number, event_text(event)) for number, event in sorted(changed.items()))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a turn stands: the state before its ruling, its throw (None: unknown), and what a new roll changes."""

    state: RefereeState
    throw: Throw | None
    numbers: tuple[int, ...]
    may_change_roll: bool
    rolled: dict[int, RefereeEvent]

    @property
    def before(self) -> str:
        return self.state.position


def _find_place(
    turn: ReviewedTurn, revised: tuple[RefereeEvent, ...], rules: Ruleset, roll: tuple[int, int] | None
) -> _Place:
    numbers = tuple(sorted(roll, reverse=True)) if roll is not None else turn.roll
    thrown = _find_roll(turn, revised)
    may_change = thrown is not None or not turn.roll
    is_new = roll is not None and numbers != tuple(sorted(turn.roll, reverse=True))
    if is_new and not may_change:
        raise ReviewError("These numbers were handed over by the other player; put that turn right.")
    rolled = _replace_roll(thrown, revised, turn.player, numbers) if is_new and thrown is not None else {}
    known = (rolled.get(number, event) for number, event in enumerate(revised[: turn.event - 1], 1))
    state = reduce(apply_event, known, RefereeState())
    return _Place(state, _find_throw(state, turn.player, numbers, rules), numbers, may_change, rolled)


def _find_roll(turn: ReviewedTurn, revised: Sequence[RefereeEvent]) -> int | None:
    """The number of the event with the player's own roll of this turn; None where there is none."""
    for number in range(turn.event - 1, 0, -1):
        event = revised[number - 1]
        if isinstance(event, events.DiceRolled) and event.player is turn.player:
            return number if event.values == turn.roll else None
        if isinstance(event, events.GameStarted):
            break
    return None


def _replace_roll(
    number: int, revised: Sequence[RefereeEvent], player: Player, numbers: tuple[int, ...]
) -> dict[int, RefereeEvent]:
    """The roll with other numbers, and the opening throw that it was."""
    roll, opening = revised[number - 1], revised[number - 2]
    high, low = numbers
    assert isinstance(roll, events.DiceRolled)  # noqa: S101 - as it was found
    changed: dict[int, RefereeEvent] = {number: replace(roll, values=(high, low), evidence=Evidence.ENTERED)}
    if isinstance(opening, events.OpeningThrown):
        if high == low:
            raise ReviewError("An opening throw that begins the game has two different numbers.")
        white, black = (high, low) if player is Player.WHITE else (low, high)
        changed[number - 1] = replace(opening, white=white, black=black, evidence=Evidence.ENTERED)
    return changed


def _find_throw(state: RefereeState, player: Player, numbers: tuple[int, ...], rules: Ruleset) -> Throw | None:
    due = state.due
    if due is not None and state.on_turn is player and set(due.numbers) == set(numbers):
        return make_throw(due, rules)
    if len(numbers) < 2:
        return None
    counters = counters_before(state, player) if due is None else due.before
    return make_own_throw(Roll.of(numbers[0], numbers[-1]), rules, counters)


@dataclass(frozen=True, slots=True)
class _Thrown:
    """The throw of a turn, and the board before its play."""

    player: Player
    numbers: tuple[int, ...]
    throw: Throw
    before: str

    def judge(self, after: str, at_ms: int, rules: Ruleset) -> events.PlayMade | None:
        """The legal play to a board; None if there is none."""
        try:
            board, before = parse_setup(after), position_of(self.before, rules)
            ruling = judge(before, self.player, Turn((self.throw,)), board, rules)
        except RulesError:
            return None
        if not isinstance(ruling, Legal):
            return None
        texts = (play_text(ruling.steps), self.before, position_text(ruling.after), str(ruling.follow))
        return events.PlayMade(at_ms, self.player, self.numbers, *texts)


def _judge_later_turns(
    state: RefereeState, revised: Sequence[RefereeEvent], number: int, rules: Ruleset
) -> Iterator[tuple[int, RefereeEvent]]:
    """The later events that read otherwise, up to the first standing one that leaves the board of the record.

    A later play is first sought to the board that was seen after it, then as the same moves from the other board.
    """
    standing = {one for one, _ in list_standing_events(enumerate(revised, 1))}
    for later in range(number + 1, len(revised) + 1):
        event = revised[later - 1]
        found = _judge_again(state, event, rules)
        if found is not event:
            yield later, found
        state = apply_event(state, found)
        if later in standing and isinstance(event, _RULINGS) and state.position == _board_of(event):
            return


def _judge_again(state: RefereeState, event: RefereeEvent, rules: Ruleset) -> RefereeEvent:
    match event:
        case events.BoardCorrected() if event.evidence is not Evidence.ENTERED and event.position == state.position:
            is_same = event.on_turn in (None, state.on_turn)
            return events.BoardAgrees(event.at_ms) if is_same else event
        case events.PlayMade() | events.PlayCondoned() if event.before != state.position:
            throw = _find_throw(state, event.player, event.numbers, rules)
            if throw is None:
                return event
            thrown = _Thrown(event.player, event.numbers, throw, state.position)
            boards = (event.after, _move_as(event, state.position))
            plays = (thrown.judge(board, event.at_ms, rules) for board in boards)
            found = next((play for play in plays if play is not None), None)
            if found is None:
                return event
            return replace(found, evidence=event.evidence) if isinstance(event, events.PlayMade) else found
        case _:
            return event


def _move_as(event: events.PlayMade | events.PlayCondoned, position: str) -> str:
    """The board `position` after the moves of the event; "" where they cannot be made."""
    here, before, after = (_count_checkers(text) for text in (position, event.before, event.after))
    moved = [one + later - earlier for one, earlier, later in zip(here, before, after, strict=False)]
    if not len(here) == len(before) == len(after) or not all(0 <= count <= _MOST for count in moved):
        return ""
    digits = "".join(f"{count:x}" for count in moved)
    return f"{digits[: len(digits) // 2]}/{digits[len(digits) // 2 :]}"


def _count_checkers(text: str) -> list[int]:
    """The counts of both sides; none where checkers are pinned."""
    sides = text.split("/")
    if len(sides) != 2:
        return []
    return [int(digit, 16) for side in sides for digit in side.ljust(_PLACES, "0")]


def _board_of(event: RefereeEvent) -> str:
    match event:
        case events.PlayMade() | events.PlayCondoned():
            return event.after
        case events.BoardCorrected() | events.GameStarted():
            return event.position
        case _:
            return ""


def _goes_on(revised: Sequence[RefereeEvent], number: int) -> bool:
    """Whether anybody threw or played in this game after the turn."""
    for event in revised[number:]:
        if isinstance(event, events.GameStarted | events.SetUpBegun):
            return False
        if isinstance(event, events.DiceRolled | events.PlayMade | events.PlayCondoned | events.PlayUnclear):
            return True
    return False


def _is_last_of_game(revised: Sequence[RefereeEvent], number: int) -> bool:
    """Whether a game ended with this turn, by its play."""
    for event in revised[number:]:
        if isinstance(event, (*_RULINGS, *_ENDS_OTHERWISE, events.PlayUnclear)):
            return False
        if isinstance(event, events.GameWon):
            return True
    return False
