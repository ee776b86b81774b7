"""Maps a button press to a command; the same button means different commands in different phases.

END_TURN_1 belongs to White and END_TURN_2 to Black. The cube button offers a double, and takes one that is offered; the
undo button then drops it. Undo takes back the last answer, else the last play. While a question is open, `Asker` has the
first word. The pause button pauses, and resumes after a pause or a dispute; a long press opens a dispute.
"""

from controller.match import Command, commands
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player
from firmware_bridge.pins.buttons import Button, ButtonEvent, Held, Pressed


def command_for(event: ButtonEvent, state: RefereeState, *, has_clock: bool) -> Command | None:
    """The command of a press in this state; None where the press has no meaning."""
    match event:
        case Pressed(button=Button.END_TURN_1):
            return commands.EndTurn(Player.WHITE, by_clock=has_clock)
        case Pressed(button=Button.END_TURN_2):
            return commands.EndTurn(Player.BLACK, by_clock=has_clock)
        case Pressed(button=Button.CUBE | Button.UNDO) if state.phase is Phase.CUBE_OFFERED:
            return _answer_cube(state, takes=event.button is Button.CUBE)
        case Pressed(button=Button.CUBE):
            return None if state.on_turn is None else commands.OfferDouble(state.on_turn)
        case Pressed(button=Button.UNDO):
            return commands.TakeBackPlay() if state.questions.answered is None else commands.TakeBackAnswer()
        case Pressed(button=Button.PAUSE) if state.phase is Phase.DISPUTE:
            return commands.SettleDispute()
        case Pressed(button=Button.PAUSE):
            return commands.Resume() if state.phase is Phase.PAUSED else commands.Pause()
        case Held(button=Button.PAUSE):
            return commands.CallDispute()
        case _:
            return None


def _answer_cube(state: RefereeState, *, takes: bool) -> Command | None:
    offered_by = state.cube.offer_by
    if offered_by is None:
        return None
    return commands.TakeDouble(offered_by.opponent) if takes else commands.DropDouble(offered_by.opponent)
