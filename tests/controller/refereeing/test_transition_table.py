"""The referee's table: every input is answered in every phase, and the diagram in the README is made from it."""

from pathlib import Path
from typing import get_args

import pytest

from controller.match.commands import (
    AcceptRoll,
    AnswerQuestion,
    AnswerResignation,
    Beaver,
    CallDispute,
    ChangeMode,
    ChoosePlay,
    Command,
    Condone,
    ConfirmResult,
    CorrectBoard,
    CorrectRoll,
    DropDouble,
    EndTurn,
    NextGame,
    OfferDouble,
    Pause,
    Resign,
    Resume,
    SetSeating,
    SetStarter,
    SettleDispute,
    TakeBackAnswer,
    TakeBackPlay,
    TakeDouble,
    WithdrawRoll,
)
from controller.match.events import CommandRefused, Mode
from controller.match.inputs import Peripheral, PeripheralEvent, Tick
from controller.match.seating import Seating
from controller.observing.observation import Observation
from controller.refereeing.diagram import render_diagram
from controller.refereeing.referee import begin_match, step
from controller.refereeing.state import Phase, RefereeState, without_perception
from controller.refereeing.transition_table import COMMANDS, TRANSITION_TABLE
from controller.rules import ResultKind
from tests.controller.refereeing.refereed_match import BLACK, OPENING_HALVES, WHITE, RefereedMatch, moved, table_of

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
SOME: dict[type, Command] = {
    type(command): command
    for command in (
        *(EndTurn(), OfferDouble(BLACK), TakeDouble(WHITE), DropDouble(WHITE), Beaver(WHITE)),
        *(
            Resign(WHITE, ResultKind.SINGLE),
            AnswerResignation(BLACK, accept=True),
            CorrectBoard("?"),
            CorrectRoll((6, 5)),
        ),
        *(ChoosePlay("?"), TakeBackPlay(), Condone(), WithdrawRoll(), AcceptRoll(), SetSeating(Seating())),
        *(SetStarter(WHITE), Pause(), Resume(), CallDispute(), SettleDispute(), ConfirmResult(WHITE)),
        *(NextGame(),),
        *(ChangeMode(Mode.SILENT), AnswerQuestion(0, ChoosePlay("?")), TakeBackAnswer()),
    )
}


def in_phase(phase: Phase) -> RefereedMatch:
    """A match that has come to the phase by play."""
    table = table_of("backgammon")
    if phase is Phase.SET_UP:
        match = RefereedMatch(table)
        match.state, match.events = begin_match(table, 0)
        match.position = moved(table.start_text, WHITE, (6, 5))
        match.rest(2500)
        return match
    match = RefereedMatch.begun(table)
    if phase is Phase.OPENING:
        return match
    match.throw(3, 1, halves=OPENING_HALVES)
    _go_on(match, phase)
    assert match.is_in(phase)
    return match


def _go_on(match: RefereedMatch, phase: Phase) -> None:
    """Plays on from White's 3-1."""
    match phase:
        case Phase.PLAYING:
            return
        case Phase.TURN_END:
            match.lift(is_settled=False)
        case Phase.ILLEGAL:
            match.play(WHITE, (8, 4), (6, 5), rest_ms=2000)
        case Phase.UNSURE:
            match.lift(is_settled=False)
            match.throw(6, 4, is_settled=False)
            match.frame(hand=True)
        case Phase.BLIND:
            match.link(Peripheral.CAMERA, is_up=False)
        case Phase.PAUSED:
            match.give(Pause())
        case Phase.DISPUTE:
            match.give(CallDispute())
        case _:
            match.play(WHITE, (8, 5), (6, 5))
            _from_the_second_turn(match, phase)


def _from_the_second_turn(match: RefereedMatch, phase: Phase) -> None:
    if phase in (Phase.CUBE_OFFERED, Phase.GAME_OVER):
        match.give(OfferDouble(BLACK))
    if phase is Phase.GAME_OVER:
        match.give(DropDouble(WHITE))
    if phase is Phase.RESTORE:
        match.put(moved(match.position, WHITE, (13, 14)), rest_ms=2500)


def test_every_pair_of_phase_and_input_is_in_the_table_or_refused_by_the_one_rule() -> None:
    """Every phase answers frames, ticks and links; the table knows every command."""
    assert set(COMMANDS) == set(get_args(Command)) == set(SOME)
    for phase in Phase:
        assert {Observation, Tick, PeripheralEvent} <= {kind for at, kind in TRANSITION_TABLE if at is phase}


@pytest.mark.parametrize("phase", Phase)
def test_a_command_that_a_phase_does_not_take_is_refused_with_a_sentence(phase: Phase) -> None:
    """The state does not change."""
    match = in_phase(phase)
    for kind in COMMANDS:
        if (phase, kind) not in TRANSITION_TABLE:
            after, events = step(match.state, SOME[kind], match.table)
            (said,) = events
            assert isinstance(said, CommandRefused)
            assert said.command == kind.__name__
            assert said.reason.startswith("Not now: ")
            assert without_perception(after) == without_perception(match.state)


@pytest.mark.parametrize("phase", Phase)
def test_no_command_breaks_a_match(phase: Phase) -> None:
    """Each is carried out or refused."""
    for command in SOME.values():
        match = in_phase(phase)
        assert match.give(command)
        match.rest(500)


def test_every_phase_has_a_diagram_of_its_own_name() -> None:
    text = render_diagram()
    assert all(phase.name in text for phase in Phase)


def test_the_diagram_of_the_readme_is_the_one_of_the_table() -> None:
    """The failure prints the expected diagram."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{render_diagram()}```\n" in readme


def test_an_empty_state_is_no_match() -> None:
    assert RefereeState().phase is Phase.SET_UP
