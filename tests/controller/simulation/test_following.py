"""The demo bears its operator: the players follow every order, and the game comes to its end."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from controller.match import commands, events
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.refereeing.state import Phase, RefereeState, TurnState
from controller.rules import RULESETS, Player, ResultKind, position_text, start_position
from controller.simulation.compare import compare
from controller.simulation.demo import make_demo_game
from controller.simulation.scripts.demo_players import DemoPlayer
from controller.simulation.scripts.dice_table import DiceTable
from controller.simulation.scripts.following import follow_referee
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.stacks import stacks_of
from controller.simulation.staging.truth import TrueContinuation, TrueEvent, TrueOrder, TruePlay
from tests.benchmarks.operated_demo import Played, RandomOperator, play_game

pytestmark = pytest.mark.broad

Wish = tuple[Callable[[RefereeState], bool], Callable[[RefereeState], commands.Command]]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.simulation.demo.LAST_TURNS", 6)


@dataclass(slots=True)
class Wishes:
    """Gives each order once, at the first state that it is meant for, in this order."""

    wishes: list[Wish]
    state: RefereeState | None = None

    def __call__(self) -> Iterator[commands.Command]:
        if self.state is not None and self.wishes and self.wishes[0][0](self.state):
            yield self.wishes.pop(0)[1](self.state)


def played(*wishes: Wish, game: str = "hypergammon", seed: int = 2) -> Played:
    """A game of the demo without mishaps, in which all orders were given."""
    operator = Wishes(list(wishes))
    found = play_game(make_demo_game(game, RULESETS.get(game), seed, has_mishaps=False), operator)
    assert operator.wishes == []
    assert found.is_over
    assert found.comparison.wrong_rulings == 0
    return found


def throws(state: RefereeState) -> bool:
    """After a turn or two, so that there is a play to take back."""
    return state.phase is Phase.AWAIT_ROLL and state.before_play is not None


def plays(state: RefereeState) -> bool:
    return state.phase is Phase.PLAYING and state.before_play is not None


def is_over(state: RefereeState) -> bool:
    return state.phase is Phase.GAME_OVER


def double(state: RefereeState) -> commands.Command:
    assert state.on_turn is not None
    return commands.OfferDouble(state.on_turn)


def of_kind(found: Played, kind: type) -> list[events.RefereeEvent]:
    return [one for one in found.events if isinstance(one, kind)]


def test_the_players_answer_a_double() -> None:
    acts = [one.act for one in played((throws, double)).events if isinstance(one, events.CubeTurned)]
    assert acts in (
        [events.CubeAct.OFFERED, events.CubeAct.TAKEN],
        [events.CubeAct.OFFERED, events.CubeAct.DROPPED],
    )


def test_the_players_wait_during_a_pause_and_a_dispute() -> None:
    """Nothing is thrown or played until the operator goes on."""
    after_s = 20.0

    def later(phase: Phase) -> Callable[[RefereeState], bool]:
        return lambda state: state.phase is phase and state.seen.now_ms % 60_000 > 1000 * after_s

    found = played(
        (plays, lambda _: commands.Pause()),
        (later(Phase.PAUSED), lambda _: commands.Resume()),
        (throws, lambda _: commands.CallDispute()),
        (later(Phase.DISPUTE), lambda _: commands.SettleDispute()),
    )
    stopped = 0
    for one in found.events:
        stopped += isinstance(one, events.MatchPaused | events.DisputeOpened)
        stopped -= isinstance(one, events.MatchResumed | events.DisputeSettled)
        assert not (stopped and isinstance(one, events.DiceRolled | events.PlayMade))


def test_a_resignation_is_answered_and_ends_the_game() -> None:
    found = played((throws, lambda _: commands.Resign(Player.WHITE, ResultKind.SINGLE)))
    (won,) = of_kind(found, events.GameWon)
    assert isinstance(won, events.GameWon)
    assert won.player is Player.BLACK


@pytest.mark.parametrize(
    ("when", "order"),
    [
        (plays, lambda _: commands.CorrectRoll((6, 6))),
        (throws, lambda _: commands.CorrectRoll((2, 1))),
        (throws, lambda _: commands.TakeBackPlay()),
        (plays, lambda _: commands.WithdrawRoll()),
        (plays, lambda _: commands.EndTurn()),
        (throws, lambda state: commands.CorrectBoard(state.before_play.position, Player.WHITE)),
        (throws, lambda _: commands.SetSeating(Seating(Checkers.DARK, PictureEdge.TOP))),
    ],
)
def test_the_table_follows_a_correction(when: Callable[[RefereeState], bool], order: Wish) -> None:
    """The game goes on from what the operator said, without a wrong ruling, and comes to its end."""
    played((when, order))  # type: ignore[arg-type]


def test_a_game_that_is_over_goes_on_where_the_operator_wants_it() -> None:
    """The last play is taken back and played again; then another game is set up and played."""
    found = played((is_over, lambda _: commands.TakeBackPlay()), (is_over, lambda _: commands.NextGame()))
    assert len(of_kind(found, events.GameWon)) == 3
    assert len(of_kind(found, events.GameStarted)) == 2


def test_a_game_without_dice_is_followed_too() -> None:
    played(
        (lambda state: state.before_play is not None, lambda _: commands.Pause()),
        (lambda state: state.phase is Phase.PAUSED, lambda _: commands.Resume()),
        (plays, lambda _: commands.EndTurn()),
        (lambda state: state.game.turns.white > 3, lambda _: commands.Resign(Player.WHITE, ResultKind.SINGLE)),
        game="grasshopper",
    )


def test_random_orders() -> None:
    """The benchmark `operated_demo` plays hours of it."""
    demo = make_demo_game("hypergammon", RULESETS["hypergammon"], 4, has_mishaps=True)
    pressed: Counter[str] = Counter()
    found = play_game(demo, RandomOperator(demo.table, Random("press"), pressed=pressed))
    assert found.is_over
    assert found.comparison.wrong_rulings == 0
    assert pressed


def test_what_an_order_causes_is_no_wrong_ruling() -> None:
    """From the order until the players go on from it nothing is compared; before and after it everything is."""
    at_ms = (100, 500, 900)
    made = [TruePlay(one, Player.WHITE, (2, 1), "before", "true", events.EndedBy.BUTTON) for one in at_ms]
    ruled = [events.PlayMade(one + 50, Player.WHITE, (2, 1), "8/5", "before", "other", "end_turn") for one in at_ms]
    truths: list[TrueEvent] = [made[0], TrueOrder(400), made[1], TrueContinuation(800), made[2]]
    assert [one.at_ms for one in compare(truths, ruled).differences] == [100, 900]


def test_an_order_that_comes_as_the_players_are_ready_is_followed_too() -> None:
    """It may come between any two inputs, also just before play goes on."""
    rules = RULESETS["backgammon"]
    plan, start = GamePlan(seed=1), start_position(rules)
    playing = plan.begin_film(stacks_of(start.setup, plan.seating, rules))
    table = DiceTable(playing, rules, None, DemoPlayer(rules, Random(1)))
    turn = TurnState(position=position_text(start), on_turn=Player.WHITE)
    playing.hearing.state = replace(RefereeState(), phase=Phase.AWAIT_ROLL, seating=plan.seating, turn=turn)
    ready = 0
    for happening in follow_referee(playing, table):
        if isinstance(happening, TrueContinuation):
            ready += 1
            playing.hearing.is_disturbed = ready == 1
    assert ready == 2
    assert not playing.hearing.is_disturbed
