"""What may be true of a game that nobody announced: a bounded set of weighted hypotheses, which throws and boards narrow.

A hypothesis holds who sits where, the position, and who is on turn. The first settled board opens the belief. From then on
each turn moves every hypothesis on by the rules: by the legal plays of the throw, by a throw that did not count, by an
illegal play at its price; and by turns that nobody saw, where nothing else explains the board. The likelihood of the board
decides between them, and the lightest ones are dropped, whatever their kind.

Log-likelihoods of a place are averaged for as long as its contents stay, not added, because readings of one scene share
their errors. Therefore a heap that is always misread counts against the truth only once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log

from controller.adjudication.hypothesis import AnnouncedGame, GameHypothesis, GameRoot, SettledBoard, list_roots
from controller.adjudication.hypothesis_moves import play_handed_over, play_throw, price_of_void, stay
from controller.adjudication.unseen_turns import play_any_roll, play_missing, play_out_of_turn, play_two
from controller.observing import BoardEvidence, Observation, SeenThrow, TurnWatch

# Knobs, in nats unless noted.
LEAD = 6.0
"""The lead over all other hypotheses from which seating and player are accepted: 400 to 1."""
LEAST_TURNS = 2
"""The number of turns that the leading hypothesis must explain before, one of them not a pass."""
MOST_TURNS = 12
"""After this many turns no lead is needed: in games where both players move the same way, two hypotheses can stay equal
until somebody bears off."""
_LEAD_OF_PLACES = 3.0  # the lead over other positions of the same game, 20 to 1; a higher value joins later
_PRUNED = 14.0  # a hypothesis this far behind is dropped
_MOST = 32  # hypotheses, a count
_UNEXPLAINED = -9.0  # cost of the best hypothesis below which turns that nobody saw are tried


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """The hypotheses about one game; none before the first settled board.

    `before`: those before the throw that is played; `now`: those after it, as far as boards were seen since. `board`: the
    last board that was weighed; `board_before`: the one before the throw. `throw_before`: the throw before, if no board was
    seen between the two. `handing`: hypotheses since the throw under which numbers handed over are still to be played.
    """

    announced: AnnouncedGame
    watch: TurnWatch = field(default_factory=TurnWatch)
    before: tuple[GameHypothesis, ...] = ()
    now: tuple[GameHypothesis, ...] = ()
    throw: SeenThrow | None = None
    throw_before: SeenThrow | None = None
    board: BoardEvidence | None = None
    board_before: BoardEvidence | None = None
    handing: tuple[GameHypothesis, ...] = ()

    def with_observation(self, seen: Observation) -> "Belief":
        """The belief after one frame, in order of time."""
        watch, news = self.watch.with_observation(seen)
        return replace(self, watch=watch).with_news(news)

    def with_news(self, news: Iterable[BoardEvidence | SeenThrow]) -> "Belief":
        """The belief after boards between turns and throws, in order of time."""
        belief = self
        for one in news:
            belief = belief._with_board(one) if isinstance(one, BoardEvidence) else belief._with_throw(one)
        return belief

    @property
    def ranked(self) -> tuple[tuple[GameRoot, float], ...]:
        """The roots with the log-weight of all their hypotheses, the heaviest first; equal ones keep their order."""
        weights: dict[GameRoot, list[float]] = {}
        for one in self.now:
            weights.setdefault(one.root, []).append(one.weight)
        return tuple(sorted(((root, add_logs(each)) for root, each in weights.items()), key=lambda one: -one[1]))

    @property
    def likeliest(self) -> GameRoot | None:
        """The best root so far; None before the first settled board that fits the game, and while another one that differs by
        more than heights of heaps is nearly as likely.
        """
        same = [one for one in self.now if one.root.who == self.ranked[0][0].who]
        return self.ranked[0][0] if same and _compute_lead(same) >= _LEAD_OF_PLACES else None

    @property
    def decided(self) -> GameRoot | None:
        """The likeliest root, once it is certain who sits where and who is on turn now; None before."""
        if not self.now:
            return None
        rivals = [one.weight for one in self.now if one.who != self.now[0].who]
        if not rivals:
            return self.likeliest
        leaders = [one for one in self.now if one.who == self.now[0].who]
        turns = max((one.plays for one in leaders if one.position != one.root.position), default=0)
        is_ahead = add_logs(one.weight for one in leaders) - add_logs(rivals) >= LEAD
        return self.likeliest if (turns >= LEAST_TURNS and is_ahead) or turns >= MOST_TURNS else None

    @property
    def settled(self) -> GameRoot | None:
        """The root once it is certain as a whole, heights of heaps and borne-off checkers included; None before."""
        (first, weight), *others = self.ranked or ((None, 0.0),)
        is_ahead = not others or weight - add_logs(other for _, other in others) >= LEAD
        has_ended = any(one.plays >= MOST_TURNS for one in self.now)
        return first if self.decided is not None and (is_ahead or has_ended) else None

    @property
    def is_throw_open(self) -> bool:
        """Whether no board was weighed since the last throw."""
        return self.now is self.before and self.throw is not None

    @property
    def present(self) -> GameHypothesis | None:
        """How the game stands now, once that is certain but for heights of heaps; None before.

        Of the ways that may have led there it is the likeliest without a breach, unless a breach is certain.
        """
        if not self.now or _compute_lead(self.now) < LEAD:
            return None
        alike = (one for one in self.now if one.is_alike(self.now[0]))
        innocent = next((one for one in alike if not one.has_breach), self.now[0])
        return innocent if self.now[0].weight - innocent.weight < LEAD else self.now[0]

    def _with_throw(self, throw: SeenThrow) -> "Belief":
        """The boards that follow belong to this throw. Whether dice that lay there first are to be played is open."""
        now = self.now
        if throw.lay_first and not self.announced.is_thrown:
            thrown = (
                replace(one, root=replace(one.root, is_thrown=True)) for one in now if one.root.player is not None
            )
            now = (*now, *thrown)
        throw_before = self.throw if self.is_throw_open else None
        belief = replace(self, before=now, now=now, throw=throw, throw_before=throw_before, handing=())
        return replace(belief, board_before=self.board)

    def _with_board(self, board: BoardEvidence) -> "Belief":
        seen = SettledBoard.after(self.board, board)
        is_known = bool(seen.is_as_before.all())
        if not self.now:
            return self if is_known else self._opened(board)
        if is_known and not self.is_throw_open:
            return self
        now = _keep_heaviest(self._explain(seen, SettledBoard.after(self.board_before, board))) or self.now
        if self.announced.position is None and now[0].plays == 0 and now[0].cost < _UNEXPLAINED:
            return self._opened(board)  # the first board showed an unfinished turn
        return replace(self, now=now, board=board, handing=self._list_handing(now))

    def _list_handing(self, now: Iterable[GameHypothesis]) -> tuple[GameHypothesis, ...]:
        """A board may show only a part of the play of numbers handed over, which has no dice to tell its end."""
        return _keep_heaviest((*self.handing, *(one for one in now if one.handed_over)))

    def _opened(self, board: BoardEvidence) -> "Belief":
        now = list_roots(board, self.announced)
        return replace(self, before=now, now=now, throw=None, throw_before=None, board=board, board_before=board)

    def _explain(self, seen: SettledBoard, since_throw: SettledBoard) -> list[GameHypothesis]:
        """What the hypotheses lead to if the board, compared with the last one and with that of the throw, ends the turn."""
        found = [] if self.is_throw_open else [stay(one, seen, self.announced) for one in self.now]
        if self.throw_before is not None:
            for one in _select_leaders(self.before):
                found += play_two(one, self.throw_before, self.throw, since_throw, self.announced)
            if found and self.throw_before.counts:
                return found
        found += self._explain_throw(since_throw)
        for one in self._list_handing(self.now):
            found += play_handed_over(one, seen, self.announced)
        if not found or max(found, key=_weigh).cost < _UNEXPLAINED:
            found += self._explain_by_unseen_turns(seen, since_throw)
        return found

    def _explain_by_unseen_turns(self, seen: SettledBoard, since_throw: SettledBoard) -> Iterator[GameHypothesis]:
        """What the best hypotheses lead to if not only the seen throw was played since the last board."""
        throw, announced = self.throw, self.announced
        may_miss = announced.unseen > -inf
        if throw is not None:
            for one in _select_leaders(self.before):
                yield from play_out_of_turn(one, throw, since_throw, announced)
                if may_miss:
                    yield from play_two(one, None, throw, since_throw, announced)
                    yield from play_two(one, throw, None, since_throw, announced)
        for one in _select_leaders(self.now) if may_miss else ():
            yield from play_missing(one, seen, announced)
            if throw is None or not self.is_throw_open:
                yield from play_any_roll(one, seen, announced)
            elif not throw.counts:
                void = replace(one, prior=one.prior + price_of_void(one, throw))
                yield from play_any_roll(void, seen, announced)

    def _explain_throw(self, seen: SettledBoard) -> Iterator[GameHypothesis]:
        """The best hypotheses of each player and seating play the throw first; where they fail, so do the others."""
        if self.throw is None:
            return
        leaders = _select_leaders(self.before)
        ends = [(one.root.who, play_throw(one, self.throw, seen, self.announced)) for one in leaders]
        best = max((end.weight for _, each in ends for end in each), default=-inf)
        for who, each in ends:
            if max((end.weight for end in each), default=-inf) >= best - _PRUNED:
                yield from each
                for one in self.before:
                    if one.root.who == who and one not in leaders:
                        yield from play_throw(one, self.throw, seen, self.announced)


def _weigh(one: GameHypothesis) -> float:
    return one.weight


def _compute_lead(several: Sequence[GameHypothesis]) -> float:
    """The nats by which the leading position, whatever the heights of its heaps, is ahead of all others."""
    alike, rivals = list[float](), list[float]()
    for one in several:
        (alike if one.is_alike(several[0]) else rivals).append(one.weight)
    return add_logs(alike) - add_logs(rivals)


def _select_leaders(several: Iterable[GameHypothesis]) -> list[GameHypothesis]:
    """The heaviest hypothesis for each seating and player."""
    leaders: dict[object, GameHypothesis] = {}
    for one in several:
        known = leaders.get((one.root.who, one.root.is_thrown))
        if known is None or one.weight > known.weight:
            leaders[one.root.who, one.root.is_thrown] = one
    return list(leaders.values())


def _keep_heaviest(found: Iterable[GameHypothesis]) -> tuple[GameHypothesis, ...]:
    """The heaviest hypotheses, without duplicates, in falling order; equal ones keep their order."""
    best: dict[object, GameHypothesis] = {}
    for one in found:
        known = best.get(one.state)
        if known is None or one.weight > known.weight:
            best[one.state] = one
    ranked = sorted(best.values(), key=_weigh, reverse=True)[:_MOST]
    return tuple(one for one in ranked if one.weight >= ranked[0].weight - _PRUNED)


def add_logs(weights: Iterable[float]) -> float:
    """The logarithm of the sum of the exponentials; minus infinity for none."""
    weights = tuple(weights)
    best = max(weights, default=-inf)
    if best == -inf:
        return best
    return best + log(sum(exp(weight - best) for weight in weights))
