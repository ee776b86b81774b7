"""A hypothesis about a game under way, and the hypotheses that the first settled board allows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from controller.adjudication.board_view import view_of
from controller.adjudication.seating_inference import infer_seatings, rank_positions, select_plain_seatings
from controller.match import ALL_SEATINGS, Seating
from controller.observing import (
    DEFAULT_TRUST,
    PLACES,
    POINTS,
    BoardEvidence,
    BoardView,
    FloatTable,
    find_hidden_places,
    likelihoods_of,
)
from controller.rules import Contact, Legal, Player, Position, RollCounters, Ruleset, start_position

_PIPS_OF_A_ROLL = 49 / 6  # statistical: the mean of all rolls, doubles played four times
UNSEEN = log(0.02)
"""The log-share of turns that nobody saw, an estimate: a recording may be cut anywhere."""
UNSEEN_IN_A_GAP = log(0.2)
"""The same where nobody saw the board for as long as a turn lasts, an estimate."""
SEVERAL_UNSEEN = UNSEEN - log(1e5)
"""How much less likely further turns that nobody saw lead to a certain board, an estimate: 21 rolls with 15 plays each, twice."""
# Knobs of the prior of a position, in nats; the counts are pips.
_UNMOVED_BONUS = 0.05  # for each checker on its start point
_PIPS_OF_A_HIT = 12.0  # pips by which the checkers are further from home than at the start: each time a nat less likely
_WITHIN = 8.0  # knob: nats by which a position of the first board may lag behind the best one
_MOST_POSITIONS = 12  # knob: positions of one seating that the first board opens


@dataclass(frozen=True, slots=True)
class AnnouncedGame:
    """What people said before: the rules, the possible seatings, and position and player on turn, if they are known.

    `is_thrown`: dice that lie on the first board are a throw of `player`. `unseen`: the log-share of turns that nobody saw; minus
    infinity where somebody watched all the time.
    """

    rules: Ruleset
    seatings: tuple[Seating, ...] = ALL_SEATINGS
    position: Position | None = None
    player: Player | None = None
    has_bar: bool = True
    rolls_before: int = 0
    is_thrown: bool = False
    unseen: float = UNSEEN


@dataclass(frozen=True, slots=True, eq=False)
class SettledBoard:
    """A board between two turns. `is_as_before`: (26,), whether points, bar and trays are read as on the board before."""

    evidence: BoardEvidence
    is_as_before: NDArray[np.bool_]

    @classmethod
    def after(cls, before: BoardEvidence | None, now: BoardEvidence) -> "SettledBoard":
        alike = np.zeros(len(PLACES), bool) if before is None else _list_contents(before) == _list_contents(now)
        return cls(now, alike)


def _list_contents(board: BoardEvidence) -> NDArray[np.intp]:
    """(26,): the likeliest content of each place as a number; -1 where it is hidden."""
    contents = board.points.reshape(POINTS, -1).argmax(axis=1)
    bar, tray = int(board.bar.argmax()), -1 if board.tray is None else int(board.tray.argmax())
    contents = np.append(contents, (bar, tray))
    contents[[PLACES.index(place) for place in find_hidden_places(board)]] = -1
    return contents


@dataclass(frozen=True, slots=True)
class GameRoot:
    """How the game stood when it was first seen. `player` throws then; None: the opening throw decides.

    `rolls_before`: rolls of each player so far, an estimate. `is_thrown`: `player` has thrown the dice that lay there.
    """

    seating: Seating
    position: Position
    player: Player | None
    rolls_before: int = 0
    is_thrown: bool = False

    @property
    def who(self) -> tuple[Seating, Player | None]:
        return self.seating, self.player


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A throw that was played. `roll` is None for numbers handed over; `ruling` is None for an illegal play.

    `is_read`: the throw was seen, and all of its dice were read. `is_unseen`: nothing is known of it but the board after it,
    with which the turn of `player` ended; it may stand for several turns.
    """

    player: Player
    roll: tuple[int, int] | None
    before: Position
    after: Position
    ruling: Legal | None
    is_read: bool
    is_unseen: bool = False

    @property
    def is_breach(self) -> bool:
        return self.ruling is None and not self.is_unseen


@dataclass(frozen=True, slots=True, eq=False)
class GameHypothesis:
    """How the game may stand now. `player` throws next; before that he plays the numbers `handed_over`.

    `prior`: nats of all priors, prices and contents that have changed since. `places`: (26,), nats of the present contents
    of points, bar and trays, each the mean of `readings` (26,) equal readings. `plays`: legal plays and passes so far; `cost`: nats by which
    the last turn is less likely than the best reading of its board, its price included, at most 0. `path`: all turns since
    the root.
    """

    root: GameRoot
    position: Position
    player: Player | None
    view: BoardView
    prior: float
    places: FloatTable
    readings: FloatTable
    handed_over: tuple[int, ...] = ()
    rolls: dict[Player, int] = field(default_factory=dict)
    plays: int = 0
    cost: float = 0.0
    path: tuple[PlayedTurn, ...] = ()

    @property
    def weight(self) -> float:
        """Nats, comparable between hypotheses that saw the same boards."""
        return self.prior + float(self.places.sum())

    @property
    def state(self) -> tuple[object, ...]:
        """Two hypotheses with equal states have the same future, and the same answer to whether a rule was broken."""
        return self.root, self.position, self.player, self.handed_over, self.has_breach

    @property
    def has_breach(self) -> bool:
        return any(turn.is_breach for turn in self.path)

    @property
    def who(self) -> tuple[Seating, Player | None]:
        """Who sits where, and who is on turn."""
        return self.root.seating, self.player

    def is_alike(self, other: "GameHypothesis") -> bool:
        """Whether the game stands alike, however it began; the height of a heap and borne-off checkers may differ."""
        if (self.who, self.handed_over) != (other.who, other.handed_over):
            return False
        return self.view.bar == other.view.bar and all(
            one == two or max(*one, *two) >= DEFAULT_TRUST.high_from - 1  # from one whole row on
            for one, two in zip(self.view.points, other.view.points, strict=True)
        )

    @property
    def counters(self) -> RollCounters:
        own = 0 if self.player is None else self.rolls.get(self.player, 0)
        return RollCounters(sum(self.rolls.values()), own)

    def moved(
        self, after: Position, view: BoardView, nats: FloatTable, seen: SettledBoard, *, best: float, price: float
    ) -> "GameHypothesis":
        """The hypothesis with another position; `nats` (26,) is the evidence for `view`, `best` that of the best board.

        A place whose contents and reading are as before tells nothing new; anything else is evidence of its own.
        """
        now, then = ((*one.points, one.bar, one.off) for one in (view, self.view))
        is_kept = seen.is_as_before & np.array([one == other for one, other in zip(now, then, strict=True)])
        readings = np.where(is_kept, self.readings + 1, 1.0)
        places = np.where(is_kept, self.places + (nats - self.places) / readings, nats)
        prior = self.prior + price + float(self.places[~is_kept].sum())
        cost = min(price + float(nats.sum()) - best, 0.0)
        return replace(self, position=after, view=view, prior=prior, places=places, readings=readings, cost=cost)


def make_root(root: GameRoot, rolls: dict[Player, int], handed_over: tuple[int, ...], rules: Ruleset) -> GameHypothesis:
    """A game of which everything is known, before any board is weighed."""
    nothing = np.zeros(len(PLACES))
    view = view_of(root.position, root.seating, rules)
    return GameHypothesis(root, root.position, root.player, view, 0.0, nothing, nothing, handed_over, rolls)


def list_roots(board: BoardEvidence, announced: AnnouncedGame) -> tuple[GameHypothesis, ...]:
    """What the first settled board allows, under every seating and with every player on turn; empty if nothing fits."""
    rules, among = announced.rules, announced.seatings
    if announced.position is not None:
        seatings = select_plain_seatings(rules, among)
        return tuple(
            _list_with_players([(seating, announced.position, None) for seating in seatings], board, announced)
        )
    start = start_position(rules)
    fitting = infer_seatings(board, rules, among)
    if fitting:
        return tuple(_list_with_players([(seating, start, None) for seating in fitting], board, announced))
    opened: list[tuple[Seating, Position, float | None]] = []
    for seating in select_plain_seatings(rules, among):
        ranked = [one for one in rank_positions(board, seating, rules, within=_WITHIN) if _is_under_way(one[0], rules)]
        prior = _compute_prior(ranked[0][0], rules) if ranked else 0.0
        opened += [(seating, position, nats + prior) for position, nats in ranked[:_MOST_POSITIONS]]
    return tuple(sorted(_list_with_players(opened, board, announced), key=lambda one: -one.weight))


def _list_with_players(
    found: Sequence[tuple[Seating, Position, float | None]], board: BoardEvidence, announced: AnnouncedGame
) -> Iterator[GameHypothesis]:
    """Each position with every player who may be on turn; None, an opening throw, only for a game at its start.

    A position comes with its log-weight, which holds the evidence of the board; None: the evidence alone.
    """
    known, start = likelihoods_of(board), start_position(announced.rules)
    for seating, position, nats in found:
        is_start = position == start and announced.position is None
        players: tuple[Player | None, ...] = (None, *Player) if is_start else tuple(Player)
        if announced.player is not None:
            players = (announced.player,)
        view = view_of(position, seating, announced.rules)
        places = np.append(known.by_place(view), known.tray[view.off])
        prior = 0.0 if nats is None else nats - float(places.sum())
        before = 0 if is_start else max(1, announced.rolls_before, _estimate_rolls(position, start))
        for player in players:
            root = GameRoot(seating, position, player, before, announced.is_thrown)
            rolls = dict.fromkeys(Player, before)
            yield GameHypothesis(root, position, player, view, prior, places, np.ones(len(places)), rolls=rolls)


def _estimate_rolls(position: Position, start: Position) -> int:
    """The rolls of each player so far, by the way that the checkers have come."""
    return round(_count_pips_moved(position, start) / _PIPS_OF_A_ROLL / len(Player))


def _count_pips_moved(position: Position, start: Position) -> int:
    """The pips by which all checkers are nearer to home than at the start; below 0 after hits."""
    return sum(start.pips(player) - position.pips(player) for player in Player)


def _compute_prior(position: Position, rules: Ruleset) -> float:
    """How likely a game comes to this position, in nats; the right seating tends to have more unmoved checkers, and
    checkers that have come nearer to home.
    """
    start = start_position(rules)
    unmoved = sum(sum(map(min, position.counts(player), start.counts(player))) for player in Player)
    return _UNMOVED_BONUS * unmoved + min(_count_pips_moved(position, start), 0) / _PIPS_OF_A_HIT


def _is_under_way(position: Position, rules: Ruleset) -> bool:
    """Whether both players have checkers in play and, where nobody is hit, none has gone backwards."""
    start = start_position(rules)
    return all(
        sum(position.counts(player)[1:]) > 0
        and (rules.contact is Contact.HIT or position.pips(player) <= start.pips(player))
        for player in Player
    )
