"""Maps a button press to a command; the same button means different commands in different phases.

END_TURN_1 belongs to White and END_TURN_2 to Black. The cube button offers a double, and takes one that is offered; the
undo button then drops it. Undo takes back the last answer, else the last play. While a question is open, `Asker` has the
first word. The pause button pauses, and resumes after a pause or a dispute; a long press opens a dispute. In a dispute the
button of a player says who called it, and the cube button settles it in that player's favour. After a game the buttons of
both players confirm the score.
"""

from controller.match import Command, commands
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player
from firmware_bridge.pins.buttons import Button, ButtonEvent, Held, Pressed

_PLAYERS = {Button.END_TURN_1: Player.WHITE, Button.END_TURN_2: Player.BLACK}


def command_for(event: ButtonEvent, state: RefereeState, *, has_clock: bool) -> Command | None:
    """The command of a press in this state; None where the press has no meaning."""
    match event:
        case Pressed(button=Button.END_TURN_1 | Button.END_TURN_2):
            return _take_player_button(_PLAYERS[event.button], state.phase, has_clock=has_clock)
        case Pressed(button=Button.CUBE) if state.phase is Phase.DISPUTE:
            return commands.SettleDispute(is_upheld=True)
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


def _take_player_button(player: Player, phase: Phase, *, has_clock: bool) -> Command:
    match phase:
        case Phase.GAME_OVER:
            return commands.ConfirmResult(player)
        case Phase.DISPUTE:
            return commands.CallDispute(player)
        case _:
            return commands.EndTurn(player, by_clock=has_clock)


def _answer_cube(state: RefereeState, *, takes: bool) -> Command | None:
    offered_by = state.cube.offer_by
    if offered_by is None:
        return None
    return commands.TakeDouble(offered_by.opponent) if takes else commands.DropDouble(offered_by.opponent)
