"""Who sits where and what stands on the board, told from the first settled board of a match."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from controller.adjudication.board_view import setup_of, view_of
from controller.adjudication.differences import difference_of
from controller.adjudication.hypotheses import Explanation, Memory, explanations, options_of
from controller.adjudication.off_board_count import Beside, ending_of
from controller.adjudication.thresholds import EVERYDAY_LIMITS, WeighLimits
from controller.match.seating import ALL_SEATINGS, Checkers, Seating
from controller.observing.board_evidence import BoardSeen, BoardView
from controller.observing.likelihoods import POINTS, Likelihoods, likelihoods_of
from controller.observing.place_evidence import OF_STACKS, contradicting, hidden_places
from controller.rules.player import HOME, OFF, Player
from controller.rules.position import Position, start_position
from controller.rules.ruleset import Contact, Ruleset
from controller.rules.setup import ImpossibleSetupError

_BORNE_OFF = -0.1  # nats a checker: where a stack may hold one more or less, it is a little more likely on the board
_EARLY_OFF = -5.0  # nats: that some were borne off while others are not home, where those may have been hit
_NOWHERE = BoardView(((0, 0),) * POINTS)


def distinct_seatings(rules: Ruleset, among: Sequence[Seating] = ALL_SEATINGS) -> tuple[Seating, ...]:
    """Those of `among` that put no two games on the board alike.

    Where `white_head` does not matter, or the board turned round makes up for it, the one of the game stays.
    """
    as_the_game_has_it = tuple(seating for seating in among if seating.white_head == rules.white_head)
    return as_the_game_has_it or tuple(among)


def plain_seatings(rules: Ruleset, among: Sequence[Seating]) -> tuple[Seating, ...]:
    """Those of `among` that are worth a guess: White plays light unless all of them say otherwise, and none is there twice."""
    light = tuple(seating for seating in among if seating.white_plays is Checkers.LIGHT)
    return distinct_seatings(rules, light or among)


def recognise(
    seen: BoardSeen, rules: Ruleset, among: Sequence[Seating] = ALL_SEATINGS, *, limits: WeighLimits = EVERYDAY_LIMITS
) -> tuple[Seating, ...]:
    """The seatings with which the start position stands there, all of it seen; none when something else does.

    A start that looks the same with the colours exchanged is taken as the one where White plays light, if that is
    among those asked about. Several are left where the start tells nothing: an empty board fits all.
    """
    known, hidden = likelihoods_of(seen, limits.trust), hidden_places(seen)
    start = start_position(rules)
    fitting = [
        seating
        for seating in distinct_seatings(rules, among)
        if difference_of(view_of(start, seating, rules), known, hidden, limits=limits).is_none
    ]
    light = [seating for seating in fitting if seating.white_plays is Checkers.LIGHT]
    return tuple(light or fitting)


def position_seen(
    seen: BoardSeen, seating: Seating, rules: Ruleset, *, limits: WeighLimits = EVERYDAY_LIMITS
) -> Position | None:
    """The position that stands there, if it is one and told beyond doubt."""
    found = positions_seen(seen, seating, rules, limits=limits)
    return found[0] if len(found) == 1 else None


def positions_seen(
    seen: BoardSeen, seating: Seating, rules: Ruleset, *, limits: WeighLimits = EVERYDAY_LIMITS
) -> tuple[Position, ...]:
    """The positions that may stand there, the likeliest first; what is nowhere was borne off.

    Counts that the picture leaves open follow from the number of checkers. In games with a reserve it cannot be told
    how many checkers wait and how many are off, so the answer is none; likewise in games where one may lie below
    another unseen, unless all checkers are seen.
    """
    if hidden_places(seen) or rules.has_reserve:
        return ()
    known = likelihoods_of(seen, limits.trust)
    scored: list[tuple[float, Position]] = []
    for board in _boards(known, seating, rules, limits):
        if scored and board.log_likelihood < max(score for score, _ in scored) - limits.apart:
            break  # what follows gains nothing by the prior
        position = _position_of(board.view, seating, rules)
        if position is not None and not contradicting(known, board.view, limits.contradicted):
            early = any(_has_borne_off_early(position, player) for player in Player)
            if early and rules.contact is not Contact.HIT:
                continue  # who is home stays there
            scored.append((board.log_likelihood + _prior(board.view) + (_EARLY_OFF if early else 0.0), position))
    scored.sort(key=_score, reverse=True)
    return tuple(position for score, position in scored if score >= scored[0][0] - limits.apart)


def _score(scored: tuple[float, Position]) -> float:
    return scored[0]


def _prior(view: BoardView) -> float:
    """In nats: where nothing is off, the number of checkers tells the height of stacks better than how common it is."""
    if view.off == (0, 0):
        return 0.0
    return float(np.log(OF_STACKS[[max(pair) for pair in view.points]]).sum())


def _boards(known: Likelihoods, seating: Seating, rules: Ruleset, limits: WeighLimits) -> Iterator[Explanation]:
    beside = dict.fromkeys(Player, Beside(total=rules.checkers, off=0, is_off=True))
    ending = ending_of(beside, known=known, seating=seating, strange=_BORNE_OFF)
    within = limits.apart - _EARLY_OFF
    options = options_of(known, within, Memory(view=_NOWHERE, worth=0.0))
    return islice(explanations(options, ending, within=within), limits.most_boards)


def _position_of(view: BoardView, seating: Seating, rules: Ruleset) -> Position | None:
    if rules.contact is Contact.PIN and view.off != (0, 0):
        return None
    try:
        return Position.of(setup_of(view, seating, rules), rules)
    except ImpossibleSetupError:
        return None


def _has_borne_off_early(position: Position, player: Player) -> bool:
    """Whether checkers are off while others are not home: it takes a hit after bearing off began."""
    counts = position.counts(player)
    return counts[OFF] > 0 and counts[OFF] + sum(counts[point] for point in HOME) < sum(counts)
