"""Turns between which no board was seen, and turns that nobody saw.

*Two turns on one board.* Of each turn either the throw was seen, or any roll may have been thrown. Of the boards between them
only those are tried on which the checkers of the player who moved first already stand as they do at the end, apart from
hits. *Missing turns.* Three and more turns are not searched: the game goes on from a board that fits the picture, and either
player may be on turn.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import log

import numpy as np

from controller.adjudication.board_view import view_of
from controller.adjudication.hypothesis import (
    SEVERAL_UNSEEN,
    UNSEEN,
    AnnouncedGame,
    GameHypothesis,
    PlayedTurn,
    SettledBoard,
)
from controller.adjudication.hypothesis_moves import (
    MOST_ROLLS,
    compute_best_nats,
    make_evidence_of_rest,
    play_rolls,
)
from controller.adjudication.legal_results import LegalResults, legal_results, make_legal_results
from controller.adjudication.seating_inference import rank_positions
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS
from controller.match import Seating
from controller.observing import UNSEEN_THROW, FloatTable, Likelihoods, SeenThrow, likelihoods_of
from controller.rules import (
    ALL_ROLLS,
    OFF,
    POINTS,
    Contact,
    ImpossibleSetupError,
    Legal,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Stage,
    Turn,
    judge,
    legal_plays,
    make_own_throw,
)

_WITHIN = 8.0  # knob: nats by which a board between two turns may lag behind the best one
_MOST_BETWEEN, _MOST_BEFORE_ANY_ROLL = 12, 2  # counts, knobs: such boards that are tried; an unseen roll takes longer
_MOST_POSITIONS = 4  # a count, a knob: positions from which the game may go on, by the picture and by what is pinned


def play_out_of_turn(
    one: GameHypothesis, throw: SeenThrow, board: SettledBoard, announced: AnnouncedGame
) -> Iterator[GameHypothesis]:
    """The other player made the throw: he played out of turn, or the player on turn passed unseen."""
    if one.player is not None:
        yield from play_rolls(replace(one, player=one.player.opponent, handed_over=()), throw, board, announced, UNSEEN)


def play_any_roll(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame) -> Iterator[GameHypothesis]:
    """A turn that nobody saw, of the player on turn, is all that happened since the last board.

    Which play it was stays open: it may have been several turns that come to the same.
    """
    for after in play_rolls(one, UNSEEN_THROW, board, announced, announced.unseen):
        unseen = replace(after.path[-1], roll=None, ruling=None, is_read=False, is_unseen=True)
        if after.path[-1].ruling is not None:
            yield replace(after, path=(*after.path[:-1], unseen))


def play_two(
    one: GameHypothesis,
    first: SeenThrow | None,
    second: SeenThrow | None,
    board: SettledBoard,
    announced: AnnouncedGame,
) -> Iterator[GameHypothesis]:
    """Two turns with no board between them; a throw that is None was not seen."""
    if one.player is None or one.handed_over:
        return
    most = _MOST_BEFORE_ANY_ROLL if second is None else _MOST_BETWEEN
    ways = _list_unseen(one, board, announced) if first is None else _list_played(one, first, board, announced)
    for between in islice(sorted(ways, key=lambda way: -way.weight), most):
        if second is None:
            yield from play_any_roll(between, board, announced)
        else:
            yield from play_rolls(between, second, board, announced, 0.0)


def play_missing(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame) -> Iterator[GameHypothesis]:
    """Several turns that nobody saw: the game goes on from a board that fits the picture, whoever is on turn."""
    rules, seating = announced.rules, one.root.seating
    if one.player is None:
        return
    ranked = rank_positions(board.evidence, seating, rules, within=_WITHIN)
    if not ranked or any(one.position.pinned_mask(player) for player in Player):
        ranked = (*_list_boards(one, board, announced), *ranked)
    possible = [found for found in ranked if _may_follow(one.position, found[0])][: 2 * _MOST_POSITIONS]
    known = likelihoods_of(board.evidence)
    for position, nats in possible:
        view = view_of(position, seating, rules)
        places = np.append(known.by_place(view), known.tray[view.off])
        price = announced.unseen + SEVERAL_UNSEEN + nats - float(places.sum())
        price += DEFAULT_THRESHOLDS.freed_cost * _count_freed(one.position, position, rules)
        after = one.moved(position, view, places, board, best=compute_best_nats(known), price=price)
        for player in Player:
            missing = PlayedTurn(player.opponent, None, one.position, position, None, is_read=False, is_unseen=True)
            yield replace(after, player=player, handed_over=(), path=(*one.path, missing))


def _list_boards(
    one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame
) -> tuple[tuple[Position, float], ...]:
    """Positions that fit the picture, where hidden, waiting or pinned checkers follow only from the position before."""
    evidence = make_evidence_of_rest(one, board, announced)
    found: list[tuple[Position, float]] = []
    for way in islice(evidence.enumerate_boards(_WITHIN), _MOST_POSITIONS):
        with suppress(ImpossibleSetupError):
            found.append((Position.of(evidence.to_setup(way.view), announced.rules), way.log_likelihood))
    return tuple(found)


def _count_freed(before: Position, after: Position, rules: Ruleset) -> int:
    """The pinned checkers that are gone from below points on which the other player still has checkers."""
    freed = [(player, before.pinned_mask(player) & ~after.pinned_mask(player)) for player in Player]
    return sum(
        mask >> point & 1 and after.counts(player.opponent)[rules.direction.across(point)] > 0
        for player, mask in freed
        for point in POINTS
    )


def _may_follow(before: Position, after: Position) -> bool:
    """Whether both players have moved, none has lost borne-off checkers, and the game is not over."""
    sides = [(before.counts(player), after.counts(player)) for player in Player]
    return all(was != now and was[OFF] <= now[OFF] and sum(now[1:]) > 0 for was, now in sides)


def _list_unseen(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame) -> Iterator[GameHypothesis]:
    """What may have stood on the board after an unseen turn of the player on turn."""
    if one.player is None:
        return
    found = list_unseen_results(one.position, one.player, one.counters, announced.rules, one.root.seating)
    price = announced.unseen - log(max(len(found.positions), 1))
    for after in _select_boards(one, found, board, announced):
        unseen = PlayedTurn(one.player, None, one.position, after, None, is_read=False, is_unseen=True)
        yield _after(one, unseen, price, announced)


def _list_played(
    one: GameHypothesis, throw: SeenThrow, board: SettledBoard, announced: AnnouncedGame
) -> Iterator[GameHypothesis]:
    """What may have stood on the board after the player on turn had played a throw of one stage and ended his turn."""
    rules = announced.rules
    for (high, low), nats in throw.rolls[:MOST_ROLLS]:
        own = make_own_throw(Roll(high, low), rules, one.counters)
        if one.player is None or len(own.stages) > 1:
            continue
        found = legal_results(one.position, one.player, own, rules, one.root.seating)
        for after in _select_boards(one, found, board, announced):
            ruling = judge(one.position, one.player, Turn((own,)), after.setup, rules)
            if isinstance(ruling, Legal) and after.counts(one.player)[OFF] < rules.checkers:
                is_read = throw.is_sound and len(throw.rolls) == 1
                played = PlayedTurn(one.player, (high, low), one.position, after, ruling, is_read)
                yield _after(one, played, nats - log(len(found.positions)), announced)


def _select_boards(
    one: GameHypothesis, found: LegalResults, board: SettledBoard, announced: AnnouncedGame
) -> Iterator[Position]:
    """The results in which the checkers of the player on turn stand about as they do now, the likeliest first."""
    if found.positions:
        bounds = _bound_by_own_checkers(found, likelihoods_of(board.evidence), one, announced.rules)
        for row in bounds.argsort()[::-1][:_MOST_BETWEEN].tolist():
            if bounds[row] >= bounds.max() - _WITHIN:
                yield found.positions[row]


def _bound_by_own_checkers(found: LegalResults, known: Likelihoods, one: GameHypothesis, rules: Ruleset) -> FloatTable:
    """(n,): the most nats that each board can have once the other player has moved as well, and perhaps hit."""
    if one.player is None:
        raise RuntimeError("nobody is on turn")
    column = one.root.seating.checkers_of(one.player).column
    own = known.points.max(axis=1).max(axis=2 - column)  # (24, 16): by own checkers, whatever else stands there
    if rules.contact is Contact.HIT:
        own[:, 1] = np.maximum(own[:, 1], own[:, 0])
    on_points = own[np.arange(len(own)), found.points[:, column]].sum(axis=1)
    return np.asarray(on_points + known.tray.max(axis=1 - column)[found.off[:, column]])


def _after(one: GameHypothesis, turn: PlayedTurn, price: float, announced: AnnouncedGame) -> GameHypothesis:
    """The hypothesis after a turn, before any board is weighed: places that changed have no evidence yet."""
    view = view_of(turn.after, one.root.seating, announced.rules)
    now, then = ((*each.points, each.bar, each.off) for each in (view, one.view))
    is_kept = np.array([new == old for new, old in zip(now, then, strict=True)])
    return replace(
        one,
        position=turn.after,
        player=turn.player.opponent,
        view=view,
        prior=one.prior + price + float(one.places[~is_kept].sum()),
        places=np.where(is_kept, one.places, 0.0),
        readings=np.where(is_kept, one.readings, 0.0),
        rolls={**one.rolls, turn.player: one.rolls.get(turn.player, 0) + 1},
        plays=one.plays + (turn.ruling is not None),
        path=(*one.path, turn),
    )


@lru_cache(maxsize=2)
def list_unseen_results(
    before: Position, mover: Player, counters: RollCounters, rules: Ruleset, seating: Seating
) -> LegalResults:
    """What may stand after a turn of the mover that does not end the game, whatever he threw; without cascades."""
    throws = [make_own_throw(roll, rules, counters) for roll in ALL_ROLLS]
    plays = {
        play.after
        for throw in throws
        if len(throw.stages) == 1
        for play in legal_plays(before, mover, Stage(throw.stages[0], throw.is_first_roll), rules)
    }
    return make_legal_results([one for one in plays if one.counts(mover)[OFF] < rules.checkers], rules, seating)
