"""What a turn makes of a hypothesis: legal plays, a throw that did not count, an illegal play.

Every way has a price in nats, the logarithm of its share among turns, and no way is excluded. A roll is played in one of
its legal ways, all as likely as each other, so a hypothesis under which nearly everything is legal explains little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import log

from controller.adjudication.hypothesis import (
    SEVERAL_UNSEEN,
    UNSEEN,
    AnnouncedGame,
    GameHypothesis,
    PlayedTurn,
    SettledBoard,
)
from controller.adjudication.hypothesis_test import HypothesisTest, compare_hypotheses
from controller.adjudication.legal_results import legal_results
from controller.adjudication.roll_inference import infer_throws
from controller.adjudication.thresholds import PRIOR_OF_BREACH
from controller.adjudication.turn_evidence import ThrowInPlay, TurnEvidence, make_turn_evidence
from controller.observing import BoardView, Likelihoods, SeenThrow, compute_best_by_place
from controller.rules import (
    DiceHalf,
    FollowKind,
    ImpossibleSetupError,
    Legal,
    Opening,
    Player,
    Position,
    Roll,
    Throw,
    ThrowKind,
    make_own_throw,
    make_transfer_throw,
)

# Log-shares of turns, estimates.
_ILLEGAL = log(PRIOR_OF_BREACH)  # a breach,
_ANYWHERE = -log(24)  # and each checker that lies elsewhere after it,
_OTHER_SIDE = log(0.02)  # if checkers of the other player are among them, apart from those that were hit
_VOID = log(0.005)  # a throw that lies well and is not played,
_VOID_UNSOUND = log(0.5)  # and one that lies badly
_PLAYED_BEFORE = log(0.5)  # a throw that lies there after turns that nobody saw and was played already
_PLAYED_UNSOUND = log(0.05)  # a throw that lies badly and is played: its lie was misread
_WRONG_HALF = log(0.3)  # a throw in the half that the rules do not allow, at tables that do not mind
_OPENING_TOGETHER = log(0.05)  # an opening throw whose dice lie together like a player's roll
_MANY_WAYS = -4.0  # a cascade with more plays than can be told apart
MOST_ROLLS = 3  # of one throw that are tried, if they cannot be compared beforehand; a count


def play_throw(
    one: GameHypothesis, throw: SeenThrow, board: SettledBoard, announced: AnnouncedGame
) -> list[GameHypothesis]:
    """What may have become of a throw if the board shows the end of its turn."""
    if one.player is None:
        return list(_play_opening(one, throw, board, announced))
    is_void = not throw.counts or was_just_unseen(one)
    void = [stay(one, board, announced, price=price_of_void(one, throw))] if is_void else []
    if throw.lay_first and not one.root.is_thrown:
        return void
    price = 0.0 if throw.is_sound or one.root.is_thrown else _PLAYED_UNSOUND
    price += UNSEEN if one.handed_over else 0.0
    price += _WRONG_HALF if _is_in_wrong_half(one, throw, announced) else 0.0
    return [*void, *play_rolls(replace(one, handed_over=()), throw, board, announced, price)]


def was_just_unseen(one: GameHypothesis) -> bool:
    """Whether nobody saw what happened before: dice that lie there may have been played already."""
    return bool(one.path) and one.path[-1].is_unseen


def price_of_void(one: GameHypothesis, throw: SeenThrow) -> float:
    """Nats if nobody plays the throw: it does not count, or its turn was over when it was first seen."""
    if was_just_unseen(one):
        return _PLAYED_BEFORE
    return 0.0 if throw.lay_first and not one.root.is_thrown else _VOID if throw.is_sound else _VOID_UNSOUND


def _is_in_wrong_half(one: GameHypothesis, throw: SeenThrow, announced: AnnouncedGame) -> bool:
    right = None if one.player is None else one.root.seating.right_half(one.player)
    return announced.rules.dice_half is DiceHalf.RIGHT and None not in (right, throw.half) and throw.half is not right


def play_handed_over(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame) -> list[GameHypothesis]:
    """The numbers handed over to the player, who plays them before his own throw."""
    return list(_play(one, make_transfer_throw(one.handed_over), board, announced, 0.0))


def stay(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame, *, price: float = 0.0) -> GameHypothesis:
    """The hypothesis if nothing happened since."""
    evidence = make_evidence_of_rest(one, board, announced)
    return one.moved(
        one.position,
        one.view,
        evidence.by_place(one.view),
        board,
        best=compute_best_nats(evidence.likelihoods),
        price=price,
    )


def make_evidence_of_rest(one: GameHypothesis, board: SettledBoard, announced: AnnouncedGame) -> TurnEvidence:
    """The evidence of a board after which nothing was thrown."""
    mover = one.player or Player.WHITE
    turn = ThrowInPlay(one.position, mover, _NO_NUMBERS, one.root.seating, announced.rules, announced.has_bar)
    return make_turn_evidence(turn, board.evidence)


_NO_NUMBERS = Throw(ThrowKind.TRANSFER, ())


def _play_opening(
    one: GameHypothesis, throw: SeenThrow, board: SettledBoard, announced: AnnouncedGame
) -> Iterator[GameHypothesis]:
    """Either player may have thrown the higher die; the dice are then his roll, or he throws again."""
    price = (0.0 if throw.is_apart else _OPENING_TOGETHER) + (0.0 if throw.is_flat else _PLAYED_UNSOUND)
    if all(high == low for (high, low), _ in throw.rolls):
        yield stay(one, board, announced, price=price)  # both throw again
        return
    yield stay(one, board, announced, price=_VOID if throw.is_flat else _VOID_UNSOUND)
    price += log(0.5)
    for player in Player:
        starter = replace(one, player=player)
        if announced.rules.opening is Opening.OPENING_DICE:
            yield from play_rolls(starter, throw, board, announced, price)
        else:
            yield stay(starter, board, announced, price=price)


def play_rolls(
    one: GameHypothesis, throw: SeenThrow, board: SettledBoard, announced: AnnouncedGame, price: float
) -> Iterator[GameHypothesis]:
    """The legal plays of the rolls that the dice may show and that explain the board best."""
    if one.player is None:
        return
    rolls = {make_own_throw(Roll(*roll), announced.rules, one.counters): nats for roll, nats in throw.rolls}
    likely: tuple[Throw, ...] = tuple(rolls)
    if len(rolls) > 1:
        turns = [
            ThrowInPlay(one.position, one.player, own, one.root.seating, announced.rules, announced.has_bar)
            for own in rolls
        ]
        likely = infer_throws(turns, board.evidence) or tuple(islice(rolls, MOST_ROLLS))
    counted = replace(one, rolls={**one.rolls, one.player: one.rolls.get(one.player, 0) + 1})
    is_read = throw.is_sound and len(rolls) == 1
    for own in likely:
        yield from _play(counted, own, board, announced, price + rolls[own], is_read=is_read)


def _play(
    one: GameHypothesis,
    throw: Throw,
    board: SettledBoard,
    announced: AnnouncedGame,
    price: float,
    *,
    is_read: bool = True,
) -> Iterator[GameHypothesis]:
    if one.player is None:
        return
    roll = (throw.stages[0][0], throw.stages[0][1]) if throw.kind is ThrowKind.ROLL else None
    turn = ThrowInPlay(one.position, one.player, throw, one.root.seating, announced.rules, announced.has_bar)
    evidence = make_turn_evidence(turn, board.evidence)
    found, best = compare_hypotheses(evidence), compute_best_nats(evidence.likelihoods)
    results = () if found is None else found.results
    ways = log(max(_count_ways(turn), 1))
    for result in results:
        ruling = result.ruling
        nats = evidence.by_place(result.view)
        after = one.moved(ruling.after, result.view, nats, board, best=best, price=price - ways)
        played = PlayedTurn(one.player, roll, one.position, ruling.after, ruling, is_read)
        after = replace(after, plays=one.plays + 1, cost=after.cost + ways, path=(*one.path, played))
        yield _continue(after, throw, ruling)
    other = _make_other_board(evidence, found)
    if other is not None:
        view, position = other
        position = position or one.position  # nobody can go on from this board
        kind = _MANY_WAYS if found is None else _price_breach(one, view, [result.view for result in results], ways)
        after = one.moved(position, view, evidence.by_place(view), board, best=best, price=price + kind)
        next_player = one.player if throw.kind is ThrowKind.TRANSFER else one.player.opponent
        is_unseen = kind < announced.unseen + SEVERAL_UNSEEN  # nobody breaks a rule with so many checkers
        played = PlayedTurn(one.player, None if is_unseen else roll, one.position, position, None, is_read, is_unseen)
        yield replace(after, player=next_player, handed_over=(), path=(*one.path, played))


def _price_breach(one: GameHypothesis, after: BoardView, legal: Sequence[BoardView], ways: float) -> float:
    """Nats of an illegal play of the player on turn that leads to this board.

    Any checkers may have been moved, or a legal play was made, one of `ways` (nats), and a few checkers lie elsewhere; `legal` are
    the nearest ones.
    """
    column = 0 if one.player is None else one.root.seating.checkers_of(one.player.opponent).column
    hits = after.bar[column] - one.view.bar[column]
    pairs = zip(one.view.points, after.points, strict=True)
    gone = sum(max(was[column] - now[column], 0) for was, now in pairs)
    others = _OTHER_SIDE if gone > max(hits, 0) else 0.0
    moved = _ANYWHERE * max(_count_moved(one.view, after), 2)
    beside = max((_ANYWHERE * max(_count_moved(result, after), 1) - ways for result in legal), default=moved)
    return _ILLEGAL + others + max(moved, beside)


def _count_moved(before: BoardView, after: BoardView) -> int:
    """The number of checkers that lie on other points or on the bar."""
    pairs = zip((*before.points, before.bar), (*after.points, after.bar), strict=True)
    changes = [(now[0] - was[0], now[1] - was[1]) for was, now in pairs]
    return sum(
        max(sum(max(change[side], 0) for change in changes), -sum(min(change[side], 0) for change in changes))
        for side in range(2)
    )


def _count_ways(turn: ThrowInPlay) -> int:
    """The number of legal results; 1 for a cascade, whose results are not counted."""
    if len(turn.throw.stages) > 1:
        return 1
    return len(legal_results(turn.before, turn.mover, turn.throw, turn.rules, turn.seating).positions)


def _continue(after: GameHypothesis, throw: Throw, ruling: Legal) -> GameHypothesis:
    """Who throws next, and which numbers he plays before."""
    if after.player is None or ruling.follow.kind is FollowKind.ROLL_AGAIN:
        return replace(after, handed_over=())
    if ruling.follow.kind is FollowKind.TRANSFER:
        return replace(after, player=after.player.opponent, handed_over=ruling.follow.numbers)
    is_own = throw.kind is ThrowKind.ROLL
    return replace(after, player=after.player.opponent if is_own else after.player, handed_over=())


def _make_other_board(evidence: TurnEvidence, found: HypothesisTest | None) -> tuple[BoardView, Position | None] | None:
    """The most likely board of all, if no legal play leads to it, and its position if it is one."""
    board = found.best if found is not None else next(evidence.enumerate_boards(0.0), None)
    if board is None or (found is not None and any(board.view == result.view for result in found.results)):
        return None
    try:
        return board.view, Position.of(evidence.to_setup(board.view), evidence.rules)
    except ImpossibleSetupError:
        return board.view, None


def compute_best_nats(known: Likelihoods) -> float:
    """The nats of the best content of each place, whether or not they make a position."""
    return float(compute_best_by_place(known).sum() + known.tray.max())
