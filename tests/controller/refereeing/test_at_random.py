"""Whatever people, dice and cables do, the referee answers, declares its ways, and the log gives its state back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.clocks import parse_clock
from controller.match.commands import AnswerQuestion, CorrectBoard, Resign, TakeBackAnswer
from controller.match.inputs import Peripheral, Tick
from controller.match.officiating import PROFILES
from controller.questions.find_question import find_question
from controller.refereeing.state import Phase
from controller.rules import MatchRules, Player, ResultKind
from tests.controller.refereeing.any_deeds import legal_board, recover, slip
from tests.controller.refereeing.refereed_match import RefereedMatch, table_of, undeclared
from tests.controller.refereeing.test_transition_table import SOME
from vision.dice.readings import BoardHalf, CubePlace, DieState

pytestmark = pytest.mark.broad

GAMES = ("hypergammon", "backgammon", "long_nardy", "gulbar", "tavla", "plakoto")
HALVES = (BoardHalf.LEFT, BoardHalf.RIGHT)
DEEDS = (
    *("turn", "turn", "turn", "throw", "throw", "play", "play", "lift", "lift", "rest", "wait", "recover", "recover"),
    *("slip", "hand", "cocked", "one die", "find", "command", "link", "restart", "cube", "bump", "tick", "unsettled"),
    *("answer", "answer", "take back"),
)


class AnyTable:
    """Deeds at a table, in an order that a seed gives."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        clock = parse_clock("1+2") if self.random.random() < 0.3 else None
        match = MatchRules(target=self.random.choice((None, 1, 3)))
        profile = self.random.choice(tuple(PROFILES.values()))
        table = table_of(self.random.choice(GAMES), profile=profile, match=match, clock=clock)
        self.match = RefereedMatch.begun(table)
        self.lifted = self.match.dice

    def do(self, deed: str) -> None:
        match, choose = self.match, self.random
        match deed:
            case "throw" | "cocked":
                lies = DieState.FLAT if deed == "throw" else choose.choice(tuple(DieState))
                self._throw(choose.choice((HALVES, (HALVES[0],) * 2)), lies)
            case "turn":
                self._play_a_turn()
            case "recover":
                recover(match)
                match.rest(4000, every_ms=800)
            case "one die":
                self._throw(HALVES[:1], DieState.FLAT)
            case "play":
                match.put(legal_board(match, self._any_number()))
            case "slip":
                slip(match, choose.choice(tuple(Player)), self._any_number())
            case "lift" | "unsettled":
                self.lifted = match.dice or self.lifted
                match.lift(is_settled=deed == "lift")
            case "find":
                match.find(self.lifted)
            case "rest":
                match.rest(2000, every_ms=500)
            case "wait":
                match.rest(6000, every_ms=1500)
            case "hand":
                match.frame(hand=True)
            case "command":
                self._command()
            case "answer":
                self._answer()
            case "take back":
                match.give(TakeBackAnswer())
            case "link":
                match.link(choose.choice(tuple(Peripheral)), is_up=choose.random() < 0.7)
            case "restart":
                match.restart()
            case "cube":
                match.cube = choose.choice((None, *CubePlace))
            case "bump":
                match.moved_mm = choose.choice((0.0, 0.0, 9.0))
            case _:
                match.now_ms += 300
                match.give(Tick(match.now_ms))

    def _play_a_turn(self) -> None:
        """A turn by the rules, if somebody has to throw."""
        match = self.match
        match.lift()
        opening = match.is_in(Phase.OPENING)
        self._throw(HALVES if opening else (HALVES[1],) * 2, DieState.FLAT)
        match.put(match.position if opening else legal_board(match, self._any_number()))
        self.lifted = match.dice or self.lifted
        match.lift()

    def _any_number(self) -> int:
        return self.random.randrange(1 << 16)

    def _throw(self, halves: tuple[BoardHalf, ...], lies: DieState) -> None:
        if len(self.match.dice) < 5:
            values = [self.random.randint(1, 6) for _ in halves]
            self.match.throw(*values, halves=halves, lies=lies, is_settled=self.random.random() < 0.8)

    def _answer(self) -> None:
        """An answer that is offered, if there is a question."""
        question = find_question(self.match.state, self.match.table)
        if question is not None and question.answers:
            offered = self.random.choice(question.answers)
            self.match.give(AnswerQuestion(question.asked.at_ms, offered.command))

    def _command(self) -> None:
        position = self.match.state.position or "?"
        boards = (CorrectBoard(position), *(CorrectBoard(position, player) for player in Player))
        commands = (*SOME.values(), *boards, Resign(Player.BLACK, ResultKind.MARS))
        self.match.give(self.random.choice(commands))


@given(st.integers(0, 1 << 32), st.lists(st.sampled_from(DEEDS), min_size=5, max_size=60))
def test_any_order_of_deeds_leaves_a_state_that_the_log_gives_back(seed: int, deeds: list[str]) -> None:
    """No input breaks it, every change of phase is declared, and the fold of the events is the state."""
    table = AnyTable(seed)
    for deed in deeds:
        table.do(deed)
    assert undeclared(table.match.events) == set()
    assert table.match.is_what_the_log_says()
