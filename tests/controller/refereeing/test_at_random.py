"""Whatever people, dice and cables do, the referee answers, declares its ways, and the log gives its state back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.clocks import parse_clock
from controller.match.commands import CorrectBoard, Resign, Resume, SettleDispute
from controller.match.inputs import Peripheral, Tick
from controller.match.officiating import PROFILES
from controller.refereeing.state import Phase
from controller.refereeing.verdicts import position_of, throw_due
from controller.rules import MatchRules, Player, ResultKind, Stage, legal_plays, position_text
from tests.controller.refereeing.refereed_match import RefereedMatch, moved, table_of, undeclared
from tests.controller.refereeing.test_transition_table import SOME
from vision.dice.readings import BoardHalf, CubePlace, DieState

pytestmark = pytest.mark.broad

GAMES = ("hypergammon", "backgammon", "long_nardy", "gulbar", "tavla", "plakoto")
HALVES = (BoardHalf.LEFT, BoardHalf.RIGHT)
DEEDS = (
    *("turn", "turn", "turn", "throw", "throw", "play", "play", "lift", "lift", "rest", "wait", "recover", "recover"),
    *("slip", "hand", "cocked", "one die", "find", "command", "link", "restart", "cube", "bump", "tick", "unsettled"),
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
                self._recover()
            case "one die":
                self._throw(HALVES[:1], DieState.FLAT)
            case "play":
                match.put(self._legal_board())
            case "slip":
                match.put(self._slipped_board())
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
        match.put(match.position if opening else self._legal_board())
        self.lifted = match.dice or self.lifted
        match.lift()

    def _recover(self) -> None:
        """All links are up, the board is as the log has it, and nobody gives orders any more."""
        match = self.match
        match.moved_mm = 0.0
        for link in Peripheral:
            match.link(link, is_up=True)
        for command in (Resume(), SettleDispute()):
            match.give(command)
        match.position = match.state.position or match.position
        match.rest(4000, every_ms=800)

    def _throw(self, halves: tuple[BoardHalf, ...], lies: DieState) -> None:
        if len(self.match.dice) < 5:
            values = [self.random.randint(1, 6) for _ in halves]
            self.match.throw(*values, halves=halves, lies=lies, is_settled=self.random.random() < 0.8)

    def _legal_board(self) -> str:
        """What the player on turn may leave behind, as far as one stage goes."""
        state, rules = self.match.state, self.match.table.dice_rules
        if state.due is None or state.on_turn is None:
            return state.position or self.match.position
        throw = throw_due(state, rules)
        stage = Stage(throw.stages[0], throw.is_first_roll)
        plays = legal_plays(position_of(state.position, rules), state.on_turn, stage, rules)
        return position_text(self.random.choice(plays).after)

    def _slipped_board(self) -> str:
        """One checker stands where it should not, if there is one to move and nothing is pinned."""
        position = self.match.position
        if position.count("/") != 1:
            return position
        player = self.random.choice(tuple(Player))
        side = position.split("/")[0 if player is Player.WHITE else 1]
        sources = [point for point in range(1, 25) if side[point] != "0"]
        targets = [point for point in range(1, 25) if side[point] != "f"]
        if not sources:
            return position
        return moved(position, player, (self.random.choice(sources), self.random.choice(targets)))

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
