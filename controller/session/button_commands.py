"""What the buttons of the table ask for, as things stand. Who sits where is agreed: the first button is White's.

The cube's button speaks for whoever may do something with the cube: it offers, and it takes what is offered; the undo
button then drops it. The pause button goes on after a pause or a dispute; held, it makes the pause a dispute.
"""

from controller.match.commands import (
    CallDispute,
    Command,
    DropDouble,
    EndTurn,
    OfferDouble,
    Pause,
    Resume,
    SettleDispute,
    TakeBackPlay,
    TakeDouble,
)
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player
from firmware_bridge.pins.buttons import Button, ButtonEvent, Held, Pressed


def command_for(event: ButtonEvent, state: RefereeState, *, has_clock: bool) -> Command | None:
    """None for a press that means nothing now."""
    match event:
        case Pressed(button=Button.END_TURN_1):
            return EndTurn(Player.WHITE, by_clock=has_clock)
        case Pressed(button=Button.END_TURN_2):
            return EndTurn(Player.BLACK, by_clock=has_clock)
        case Pressed(button=Button.CUBE | Button.UNDO) if state.phase is Phase.CUBE_OFFERED:
            return _answer_cube(state, takes=event.button is Button.CUBE)
        case Pressed(button=Button.CUBE):
            return None if state.on_turn is None else OfferDouble(state.on_turn)
        case Pressed(button=Button.UNDO):
            return TakeBackPlay()
        case Pressed(button=Button.PAUSE) if state.phase is Phase.DISPUTE:
            return SettleDispute()
        case Pressed(button=Button.PAUSE):
            return Resume() if state.phase is Phase.PAUSED else Pause()
        case Held(button=Button.PAUSE):
            return CallDispute()
        case _:
            return None


def _answer_cube(state: RefereeState, *, takes: bool) -> Command | None:
    """Of the player to whom the cube was offered."""
    offered_by = state.cube.offer_by
    if offered_by is None:
        return None
    return TakeDouble(offered_by.opponent) if takes else DropDouble(offered_by.opponent)
