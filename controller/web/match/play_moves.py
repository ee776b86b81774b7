"""What was moved in a turn, for a ruling that teaches: from which place to which, how many pips, and the legal plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from controller.match import PlayCondoned, PlayMade, PlayRefused, RefereeEvent, Seating
from controller.match_log.event_json import JsonValue
from controller.questions.likely_answers import list_closest_plays
from controller.refereeing.apply_events import replay_events
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import BAR, OFF, Player, RulesError, Ruleset, Setup, parse_setup
from controller.speech.phrases import PlayNotations, RollNumbers, phrase
from controller.web.match.ruling_record import make_sentence_list

_NAMES = {OFF: "off", BAR: "bar"}
_Judged = PlayMade | PlayRefused | PlayCondoned


@dataclass(frozen=True, slots=True)
class CheckerMove:
    """One checker, along its player's own path: 0 off, 25 the bar. Heights count the checkers of a point, from 1."""

    source: int
    target: int
    source_height: int = 1
    target_height: int = 1

    @property
    def pips(self) -> int:
        return self.source - self.target

    @property
    def notation(self) -> str:
        return "/".join(_NAMES.get(point, str(point)) for point in (self.source, self.target))


def list_moves(before: str, after: str, player: Player) -> tuple[CheckerMove, ...]:
    """The player's checkers that changed, the farthest first. Empty for texts that are no position of a game with dice."""
    try:
        was, now = (_counts_of(parse_setup(text), player) for text in (before, after))
    except RulesError:
        return ()
    sources, targets = (
        [(point, height) for point in range(BAR, -1, -1) for height in range(first[point], second[point], -1)]
        for first, second in ((was, now), (now, was))
    )
    return tuple(
        CheckerMove(source, target, source_height, target_height)
        for (source, source_height), (target, target_height) in zip(sources, targets, strict=False)
    )


def _counts_of(setup: Setup, player: Player) -> tuple[int, ...]:
    return tuple((setup.white if player is Player.WHITE else setup.black).counts)


def make_moves_record(
    events: Sequence[RefereeEvent], table: MatchConfig, *, is_disputed: bool = False
) -> dict[str, JsonValue]:
    """What the last event's turn moved: `moves` as place and height before and after, and for an illegal play `taught` as phrases and `legal`,
    the legal plays that come nearest, each with its own moves. In a dispute a legal play has these too.
    """
    event = events[-1]
    if not isinstance(event, _Judged) or not isinstance(table.rules, Ruleset):
        return {"moves": [], "taught": [], "legal": []}
    before = replay_events(events[:-1])
    moves = list_moves(event.before, event.after, event.player)
    drawn = _list_places(moves, event.player, before.seating, table.rules)
    if isinstance(event, PlayMade) or not event.after:
        legal = _list_legal(before, event, table) if is_disputed else []
        return {"moves": drawn, "taught": [], "legal": legal}
    return {"moves": drawn, "legal": _list_legal(before, event, table), "taught": _teach(moves, event)}


def _list_places(
    moves: Sequence[CheckerMove], player: Player, seating: Seating | None, rules: Ruleset
) -> list[JsonValue]:
    if seating is None:
        return []

    def name(point: int) -> str:
        return _NAMES.get(point) or seating.place_of(point, player, rules.direction).value

    return [[name(one.source), one.source_height, name(one.target), one.target_height] for one in moves]


def _list_legal(before: RefereeState, event: _Judged, table: MatchConfig) -> list[JsonValue]:
    """The plays that were legal in the turn; a condoned play was judged with the roll that is still due then."""
    if before.due is None or before.position != event.before or not isinstance(table.rules, Ruleset):
        return []
    return [
        {
            "play": option.play,
            "moves": _list_places(
                list_moves(event.before, option.after, event.player), event.player, before.seating, table.rules
            ),
        }
        for option in list_closest_plays(before, event.after, table)
    ]


def _teach(moves: Sequence[CheckerMove], event: PlayRefused | PlayCondoned) -> list[JsonValue]:
    """Which checkers were moved, how far in all, what the roll allows, and which of them no number of it explains."""
    if not moves or not event.numbers:
        return []
    is_double = len(event.numbers) == 2 and len(set(event.numbers)) == 1
    numbers = event.numbers * 2 if is_double else event.numbers
    roll, pips = RollNumbers(event.numbers), sum(move.pips for move in moves)
    taught = [phrase("ruling.pips", play=_notation_of(moves), pips=pips, roll=roll, allowed=sum(numbers))]
    unexplained = _list_unexplained(moves, numbers)
    if unexplained:
        taught.append(phrase("ruling.no-number", play=_notation_of(unexplained)))
    return make_sentence_list(taught)


def _notation_of(moves: Sequence[CheckerMove]) -> PlayNotations:
    return PlayNotations((" ".join(move.notation for move in moves),))


def _list_unexplained(moves: Sequence[CheckerMove], numbers: Sequence[int]) -> list[CheckerMove]:
    """The checkers that went as far as no number, and no sum of numbers, that the others leave."""
    left, open_moves = list(numbers), list(moves)
    for size in range(1, len(numbers) + 1):
        for move in tuple(open_moves):
            used = next((used for used in combinations(left, size) if _carries(used, move)), None)
            if used is not None:
                open_moves.remove(move)
                for number in used:
                    left.remove(number)
    return open_moves


def _carries(numbers: Sequence[int], move: CheckerMove) -> bool:
    """A checker is also borne off with a higher number."""
    return sum(numbers) == move.pips or (move.target == OFF and len(numbers) == 1 and numbers[0] > move.pips)
