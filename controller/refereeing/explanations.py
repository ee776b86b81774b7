"""What may have happened since a turn began, where its board shows no legal play: explanations, ranked by the belief.

A turn that nobody saw, a throw of the other player and a breach of the rules compete here, each at its price; nobody is
accused of what may as well be explained otherwise.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from math import inf

from controller.adjudication import DEFAULT_THRESHOLDS, PlayedTurn, add_logs
from controller.observing import BoardEvidence, SeenThrow
from controller.refereeing.joining import list_news, make_known_belief
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import Player, Position


@dataclass(frozen=True, slots=True)
class Explanation:
    """The turns that were over before the dice that lie there were thrown, and the log-weight of this explanation in nats.

    `is_breach`: the mover broke a rule with the due roll. `is_misreading`: he played it legally, and nothing else happened.
    """

    path: tuple[PlayedTurn, ...]
    nats: float
    is_breach: bool
    is_misreading: bool

    @property
    def begins_with_breach(self) -> bool:
        """Whoever broke the rule: the other player out of turn, too."""
        return bool(self.path) and self.path[0].is_breach


def is_breach_likeliest(explanations: Sequence[Explanation]) -> bool:
    """Whether a breach is by far likelier than turns that were not seen, or not the mover's.

    That the mover's play is legal and misread is judged by adjudication, so that way does not count.
    """
    broken = add_logs(one.nats for one in explanations if one.is_breach)
    others = add_logs(one.nats for one in explanations if not (one.begins_with_breach or one.is_misreading))
    return broken >= others + DEFAULT_THRESHOLDS.illegal_from or others == -inf


def find_agreed_turns(explanations: Sequence[Explanation]) -> tuple[PlayedTurn, ...]:
    """The turns with which all explanations that matter begin, whatever was thrown in them; none if one may be a breach.

    If they only lead to the same end, the likeliest way without a breach counts, unless a breach is by far likelier.
    """
    if not explanations or not explanations[0].path or explanations[0].is_misreading:
        return ()
    best = explanations[0]
    same_end = [one for one in explanations if _list_ends(one.path)[-1:] == _list_ends(best.path)[-1:]]
    innocent = next((one for one in same_end if not any(turn.is_breach for turn in one.path)), None)
    is_near = innocent is not None and innocent.nats > best.nats - DEFAULT_THRESHOLDS.illegal_from
    if innocent is not None and is_near and _is_ahead(same_end, explanations):
        return innocent.path
    agreed = best.path
    while agreed:
        ends = _list_ends(agreed)
        if _is_ahead([one for one in explanations if _list_ends(one.path)[: len(ends)] == ends], explanations):
            break
        agreed = agreed[:-1]
    return () if any(turn.is_breach for turn in agreed) else agreed


def _list_ends(path: Sequence[PlayedTurn]) -> list[tuple[Player, Position]]:
    return [(turn.player, turn.after) for turn in path]


def _is_ahead(some: Sequence[Explanation], among: Sequence[Explanation]) -> bool:
    others = add_logs(one.nats for one in among if one not in some)
    return add_logs(one.nats for one in some) - others >= DEFAULT_THRESHOLDS.apart


def explain_board(state: RefereeState, board: BoardEvidence, table: MatchConfig) -> tuple[Explanation, ...]:
    """What may have led to the board, the likeliest first. If a throw waits, the board may show its play already."""
    memory, waiting = state.seen.memory, state.seen.throws.waiting
    known, news = memory.belief or make_known_belief(state, table), memory.news if memory.belief else list_news(state)
    if state.questions.refused is not None:  # what was refused may have been corrected since
        news = tuple(one for number, one in enumerate(news) if number == 0 or isinstance(one, SeenThrow))
    lying = {die.number for die in state.seen.view.dice} & {die.number for die in (waiting.dice if waiting else ())}
    last = news[-1] if news else None
    if waiting is None or not isinstance(last, SeenThrow) or not last.numbers & lying:
        return _rank(((one.path, one.weight) for one in known.with_news((*news, board)).now), state)
    earlier, beside = news[:-1], news[-2] if len(news) > 1 else None
    ways = [(one.path, one.weight) for one in known.with_news((*earlier, board)).now]
    is_older = False
    if isinstance(beside, BoardEvidence):  # seen beside the dice that wait
        earlier = earlier[:-1]
        # a play takes longer than the report of a die
        is_older = beside.since_ms < min((die.settled_ms for die in waiting.dice), default=0)
    if not is_older:
        after = known.with_news((*earlier, last, board)).now
        played = [one for one in after if one.path and one.path[-1].roll in dict(last.rolls)]
        ways += [(one.path if one.path[-1].is_breach else one.path[:-1], one.weight) for one in played]
        return _rank(ways, state, two_on_board={one.path[:-1] for one in played})
    return _rank(ways, state)


def _rank(
    ways: Iterable[tuple[tuple[PlayedTurn, ...], float]],
    state: RefereeState,
    *,
    two_on_board: Set[tuple[PlayedTurn, ...]] = frozenset(),
) -> tuple[Explanation, ...]:
    """`two_on_board`: paths after which the board shows another play as well."""
    weights: dict[tuple[PlayedTurn, ...], list[float]] = {}
    for path, nats in ways:
        weights.setdefault(path, []).append(nats)
    numbers = () if state.due is None else state.due.numbers
    found = []
    for path, each in weights.items():
        first = path[0] if path else None
        is_due = first is None or (
            first.player is state.on_turn and first.roll in (numbers, None) and not first.is_unseen
        )
        is_breach = is_due and first is not None and first.is_breach
        found.append(
            Explanation(
                path, add_logs(each), is_breach, is_due and not is_breach and len(path) < 2 and path not in two_on_board
            )
        )
    return tuple(sorted(found, key=lambda one: -one.nats))
