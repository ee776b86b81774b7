from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory

from controller.match import Command, Mode, commands
from controller.refereeing.state import Phase, RefereeState
from controller.rules import CubeState, Player
from controller.session.asker import Asker
from controller.session.button_commands import command_for
from controller.session.last_state import LastState
from controller.subcommands.match.match_inputs import TableButtons
from firmware_bridge.fakes.fake_line import FakeClock
from firmware_bridge.pins.buttons import Button, ButtonEvent, Held, Pressed, PressedAgain
from firmware_bridge.pins.gpio import Gpio, GpioPins, open_gpio
from tests.controller.refereeing.refereed_match import table_of
from tests.controller.refereeing.states import state_at

ON_TURN = state_at(Phase.AWAIT_ROLL, on_turn=Player.BLACK)
OFFERED = state_at(Phase.CUBE_OFFERED, on_turn=Player.BLACK, cube=CubeState(offer_by=Player.BLACK))


@pytest.mark.parametrize(
    ("event", "state", "command"),
    [
        (Pressed(Button.END_TURN_1, 0), ON_TURN, commands.EndTurn(Player.WHITE)),
        (Pressed(Button.END_TURN_2, 0), ON_TURN, commands.EndTurn(Player.BLACK)),
        (Pressed(Button.CUBE, 0), ON_TURN, commands.OfferDouble(Player.BLACK)),
        (Pressed(Button.CUBE, 0), RefereeState(), None),
        (Pressed(Button.CUBE, 0), OFFERED, commands.TakeDouble(Player.WHITE)),
        (Pressed(Button.UNDO, 0), OFFERED, commands.DropDouble(Player.WHITE)),
        (Pressed(Button.UNDO, 0), ON_TURN, commands.TakeBackPlay()),
        (Pressed(Button.PAUSE, 0), ON_TURN, commands.Pause()),
        (Pressed(Button.PAUSE, 0), replace(ON_TURN, phase=Phase.PAUSED), commands.Resume()),
        (Held(Button.PAUSE, 0), replace(ON_TURN, phase=Phase.PAUSED), commands.CallDispute()),
        (Pressed(Button.PAUSE, 0), replace(ON_TURN, phase=Phase.DISPUTE), commands.SettleDispute()),
        (Pressed(Button.END_TURN_2, 0), replace(ON_TURN, phase=Phase.DISPUTE), commands.CallDispute(Player.BLACK)),
        (Pressed(Button.CUBE, 0), replace(ON_TURN, phase=Phase.DISPUTE), commands.SettleDispute(is_upheld=True)),
        (Pressed(Button.END_TURN_1, 0), replace(ON_TURN, phase=Phase.GAME_OVER), commands.ConfirmResult(Player.WHITE)),
        (PressedAgain(Button.END_TURN_1, 0), ON_TURN, None),
    ],
)
def test_what_a_button_asks_for(event: ButtonEvent, state: RefereeState, command: Command | None) -> None:
    assert command_for(event, state, has_clock=False) == command


def test_a_tournament_match_stays_open_until_both_have_confirmed_its_score() -> None:
    """Elsewhere it ends by itself some seconds after the win."""
    won = replace(ON_TURN, phase=Phase.GAME_OVER, match_winner=Player.WHITE, mode=Mode.TOURNAMENT)
    confirmed = replace(won, game=replace(won.game, confirmed_by=frozenset(Player)))
    for state, ends in ((won, False), (confirmed, True), (replace(won, mode=Mode.TEACH), True)):
        last = LastState(ON_TURN)
        last.publish(state, (), 0)
        last.publish(state, (), 60_000)
        assert last.is_over() is ends


def test_with_a_clock_the_lever_is_the_clock() -> None:
    assert command_for(Pressed(Button.END_TURN_1, 0), ON_TURN, has_clock=True) == commands.EndTurn(
        Player.WHITE, by_clock=True
    )


def test_a_pin_that_goes_low_becomes_a_command() -> None:
    clock, factory = FakeClock(), MockFactory()
    gpio = open_gpio(GpioPins(), clock=clock, pin_factory=factory)
    assert isinstance(gpio, Gpio)
    buttons = TableButtons(gpio, LastState(ON_TURN), Asker(table_of("backgammon")), clock)
    factory.pin(17).drive_low()
    assert list(buttons()) == []
    clock.now_ms += 30
    assert list(buttons()) == [commands.EndTurn(Player.WHITE)]
    assert list(buttons()) == []
    gpio.close()
