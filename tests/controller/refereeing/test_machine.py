"""People, dice and cables do anything in any order, in every game: the referee keeps its invariants.

Hypothesis chooses the deeds and their values, and finds the shortest sequence that breaks an invariant.
"""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.lights.state_lights import select_signs
from controller.match import commands, events
from controller.match.clocks import parse_clock
from controller.match.commands import Command
from controller.match.events import Mode, RefereeEvent
from controller.match.inputs import Peripheral, Tick
from controller.match.officiating import PROFILES
from controller.match.seating import ALL_SEATINGS
from controller.match_log.event_json import event_text, parse_event
from controller.refereeing.referee import apply_event, without_perception
from controller.refereeing.state import INTERRUPTING_PHASES, Phase, RefereeState
from controller.refereeing.verdicts import is_possible
from controller.rules import GAMES, MatchRules, Player, ResultKind, Ruleset
from controller.wording.ruling_text import ruling_text
from tests.controller.refereeing.any_deeds import legal_board, recover, slip
from tests.controller.refereeing.refereed_match import (
    OPENING_HALVES,
    SEATING,
    RefereedMatch,
    table_of,
    undeclared,
)
from vision.dice.readings import BoardHalf, CubePlace, DieState

pytestmark = pytest.mark.broad

NAMES = {Player.WHITE: "Ann", Player.BLACK: "Ben"}
PLAYERS, FACES = st.sampled_from(Player), st.integers(1, 6)
NUMBERS = st.integers(-1, 8)
TEXTS = st.text(max_size=60) | st.sampled_from(
    (
        "00000050300005000000000020/00000050300005000000000020",
        "f0000000000000000000000000/01e000000000000000000000000",
        "e1000000000000000000000000/f0000000000000000000000000",
        "000000000000000000000000 14 14 W -",
    )
)
ORDERS: st.SearchStrategy[Command] = st.one_of(
    st.builds(commands.EndTurn, st.none() | PLAYERS, st.booleans()),
    *(st.builds(kind, PLAYERS) for kind in (commands.OfferDouble, commands.TakeDouble, commands.DropDouble)),
    st.builds(commands.Beaver, PLAYERS),
    st.builds(commands.Resign, PLAYERS, st.sampled_from(ResultKind)),
    st.builds(commands.AnswerResignation, PLAYERS, st.booleans()),
    st.builds(commands.CorrectRoll, st.tuples(NUMBERS, NUMBERS)),
    st.builds(commands.ChoosePlay, TEXTS),
    st.builds(commands.CorrectBoard, TEXTS, st.none() | PLAYERS),
    st.builds(commands.SetSeating, st.sampled_from(ALL_SEATINGS)),
    st.builds(commands.SetStarter, PLAYERS),
    st.builds(commands.CallDispute, st.none() | PLAYERS),
    st.builds(commands.SettleDispute, st.booleans()),
    st.builds(commands.ConfirmResult, PLAYERS),
    st.builds(commands.ChangeMode, st.sampled_from(Mode), st.none() | st.booleans()),
    st.sampled_from(
        (
            *(commands.TakeBackPlay(), commands.Condone(), commands.WithdrawRoll(), commands.AcceptRoll()),
            *(commands.Pause(), commands.Resume(), commands.NextGame()),
        )
    ),
)


class AnyMatch(RuleBasedStateMachine):
    """One table. `folded` is what the log tells of the state, event by event."""

    @initialize(
        game=st.sampled_from(GAMES),
        profile=st.sampled_from(tuple(PROFILES)),
        length=st.sampled_from((None, 1, 3)),
        has_clock=st.booleans(),
        has_bar=st.booleans(),
    )
    def begin(self, game: str, profile: str, length: int | None, has_clock: bool, has_bar: bool) -> None:
        clock = parse_clock("1+2") if has_clock else None
        table = table_of(game, profile=PROFILES[profile], match=MatchRules(target=length), clock=clock, has_bar=has_bar)
        self.folded, self.n_events = RefereeState(), 0
        self.match = RefereedMatch.begun(table)

    @rule(order=ORDERS)
    def order(self, order: Command) -> None:
        """The order is carried out, or refused with a sentence."""
        rules = self.match.table.rules
        if (
            isinstance(order, commands.SetSeating)
            and isinstance(rules, Ruleset)
            and rules.white_head != SEATING.white_head
        ):
            return  # the boards of these tests are laid out for one head
        before = self.match.state
        answer = self.match.give(order)
        # a throw that waits for a verdict is reported with it
        assert answer or self.match.state != before or not before.seen.outages.storage_up

    @rule(choice=st.integers(0, 1 << 16), player=st.none() | PLAYERS)
    def tell_the_board(self, choice: int, player: Player | None) -> None:
        self.match.give(commands.CorrectBoard(legal_board(self.match, choice), player))

    @rule(values=st.tuples(FACES, FACES), split=st.booleans(), lies=st.sampled_from(DieState), sure=st.booleans())
    def throw(self, values: tuple[int, int], split: bool, lies: DieState, sure: bool) -> None:
        halves = (BoardHalf.LEFT, BoardHalf.RIGHT) if split else (BoardHalf.RIGHT,) * 2
        if len(self.match.dice) < 5:
            self.match.throw(*values, halves=halves, lies=lies, sure=0.9999 if sure else 0.6)

    @rule(values=st.tuples(FACES, FACES), choice=st.integers(0, 1 << 16), is_settled=st.booleans())
    def play_a_turn(self, values: tuple[int, int], choice: int, is_settled: bool) -> None:
        """A turn by the rules, if somebody has to throw."""
        match = self.match
        match.lift()
        is_opening = match.is_in(Phase.OPENING)
        half = BoardHalf.RIGHT
        if match.state.seating is not None and match.state.on_turn is not None and not is_opening:
            half = BoardHalf(match.state.seating.right_half(match.state.on_turn).value)
        match.throw(*values, halves=OPENING_HALVES if is_opening else (half, half))
        match.put(match.position if is_opening else legal_board(self.match, choice))
        match.lift(is_settled=is_settled)

    @rule(choice=st.integers(0, 1 << 16))
    def play(self, choice: int) -> None:
        self.match.put(legal_board(self.match, choice))

    @rule(player=PLAYERS, choice=st.integers(0, 1 << 16))
    def slip(self, player: Player, choice: int) -> None:
        slip(self.match, player, choice)

    @rule(is_settled=st.booleans())
    def lift(self, is_settled: bool) -> None:
        self.match.lift(is_settled=is_settled)

    @rule(for_ms=st.sampled_from((300, 2000, 6000)), hand=st.booleans())
    def wait(self, for_ms: int, hand: bool) -> None:
        if hand:
            self.match.frame(hand=True)
        self.match.rest(for_ms, every_ms=max(100, for_ms // 4))

    @rule(link=st.sampled_from(Peripheral), is_up=st.booleans())
    def link(self, link: Peripheral, is_up: bool) -> None:
        self.match.link(link, is_up=is_up)

    @rule(place=st.none() | st.sampled_from(CubePlace))
    def move_the_cube(self, place: CubePlace | None) -> None:
        self.match.cube = place
        self.match.rest(2000, every_ms=500)

    @rule(moved_mm=st.sampled_from((0.0, 9.0)))
    def bump(self, moved_mm: float) -> None:
        self.match.moved_mm = moved_mm
        self.match.frame()

    @rule(lie_there=st.booleans())
    def kill(self, lie_there: bool) -> None:
        """The program starts anew and sees all dice for the first time."""
        dice, self.match.dice = self.match.dice, ()
        self.match.restart()
        if lie_there and dice:
            halves = tuple(die.reading.half or BoardHalf.LEFT for die in dice)
            self.match.throw(*(die.value for die in dice), halves=halves)

    @rule(for_ms=st.sampled_from((40, 900, 70_000)))
    def tick(self, for_ms: int) -> None:
        self.match.now_ms += for_ms
        self.match.give(Tick(self.match.now_ms))

    @rule()
    def recover(self) -> None:
        """All links are up, and the board is as the log has it for longer than any patience."""
        match = self.match
        recover(match)
        self.order(commands.SetSeating(SEATING))
        match.position = match.state.position or match.position
        match.rest(8000, every_ms=400)
        assert match.state.phase not in INTERRUPTING_PHASES

    @invariant()
    def the_log_gives_the_state_back(self) -> None:
        """Each event can be logged, and leads to a phase that the table declares."""
        new = self.match.events[self.n_events :]
        for event in new:
            self._check_event(event)
            self.folded = apply_event(self.folded, event)
        self.n_events += len(new)
        assert self.folded == without_perception(self.match.state)

    @invariant()
    def the_board_of_the_log_is_possible(self) -> None:
        """No checker is lost, whatever was entered, seen or condoned."""
        state, table = self.match.state, self.match.table
        assert not state.position or is_possible(state.position, table)

    @invariant()
    def the_state_is_whole(self) -> None:
        """Each phase has what it needs, and nothing of another; lights and modes follow from it."""
        state = self.match.state
        game = state.real_phase
        if game in (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.CUBE_OFFERED):
            assert state.on_turn is not None
            assert state.seating is not None
        if game in (Phase.SET_UP, Phase.OPENING, Phase.AWAIT_ROLL, Phase.CUBE_OFFERED, Phase.GAME_OVER):
            assert state.due is None
        assert (game is Phase.CUBE_OFFERED) == (state.cube.offer_by is not None)
        assert (state.questions.refused is not None) == (game is Phase.ILLEGAL)
        assert (state.questions.unclear is not None) == (game is Phase.UNSURE)
        assert min(state.game.rolls.white, state.game.rolls.black, state.game.turns.white, state.game.turns.black) >= 0
        assert bool(state.underneath) == (state.phase in INTERRUPTING_PHASES)
        for mode in Mode:
            select_signs(replace(state, mode=mode), self.match.table, self.match.now_ms)

    def _check_event(self, event: RefereeEvent) -> None:
        before = self.folded
        assert parse_event(event_text(event)) == event
        ruling_text(event, NAMES)
        if isinstance(event, events.PlayRefused):
            assert before.phase in (Phase.TURN_END, Phase.UNSURE, Phase.ILLEGAL)  # never in mid-turn
        if isinstance(event, events.BoardDiffers):
            assert before.phase not in (Phase.PLAYING, Phase.TURN_END)
        if isinstance(event, events.GameWon):
            assert event.points > 0 or event.player is None

    def teardown(self) -> None:
        """Every change of phase is in the referee's table."""
        if hasattr(self, "match"):
            assert undeclared(self.match.events) == set()


AnyMatch.TestCase.settings = settings(stateful_step_count=40)
TestAnyMatch = AnyMatch.TestCase
