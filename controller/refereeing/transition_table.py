"""The referee's table: (phase, type of input) -> handler, and the events that lead from one phase to another.

The diagram in the README is made from it. A pair that is not in it is a command that the phase does not take; one rule
refuses those (`refused`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from controller.match import commands, events
from controller.match.inputs import PeripheralEvent, Tick
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import (
    awaiting,
    between_games,
    corrections,
    cubes,
    interruptions,
    opening,
    playing,
    restoring,
    set_up,
    turn_end,
)
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition

Handler = Callable[[Transition, Any, MatchConfig], Transition]
PhaseChange = tuple[type, Phase | None]
"""An event and the phase it leads to; None: the one that was interrupted."""
PhaseChanges = tuple[PhaseChange, ...]


@dataclass(frozen=True, slots=True)
class HandlerEntry:
    """What is done with an input. `leads` are the ways out of the phase that it may take."""

    handler: Handler
    phase_changes: PhaseChanges = ()


# Where the turn goes when a play stands.
_PLAY_MADE: PhaseChanges = (
    (events.PlayMade, Phase.AWAIT_ROLL),
    (events.PlayMade, Phase.PLAYING),
    (events.PlayMade, Phase.GAME_OVER),
)
_CONDONED: PhaseChanges = (
    (events.PlayCondoned, Phase.AWAIT_ROLL),
    (events.PlayCondoned, Phase.PLAYING),
)
_ROLLED: PhaseChange = (events.DiceRolled, Phase.PLAYING)
_ROLLED_AGAIN: PhaseChange = (events.DiceRolled, Phase.TURN_END)
_WON: PhaseChange = (events.GameWon, Phase.GAME_OVER)
_REFUSED: PhaseChange = (events.PlayRefused, Phase.ILLEGAL)
_UNCLEAR: PhaseChange = (events.PlayUnclear, Phase.UNSURE)
_REOPENED: PhaseChange = (events.TurnGoesOn, Phase.PLAYING)
_TAKEN_BACK: PhaseChange = (events.PlayTakenBack, Phase.PLAYING)
_DIFFERS: PhaseChange = (events.BoardDiffers, Phase.RESTORE)
_CORRECTED: PhaseChange = (events.PlayCorrected, Phase.TURN_END)
_OFFERED: PhaseChange = (events.CubeTurned, Phase.CUBE_OFFERED)
_WITHDRAWN: PhaseChange = (events.RollWithdrawn, Phase.AWAIT_ROLL)
_TAKEN_AS_SEEN: PhaseChanges = ((events.BoardCorrected, Phase.AWAIT_ROLL), (events.BoardCorrected, Phase.PLAYING))
_MOVED: PhaseChange = (events.BoardMoved, Phase.BLIND)

_STARTED: PhaseChanges = tuple(
    (events.GameStarted, phase) for phase in (Phase.OPENING, Phase.AWAIT_ROLL, Phase.PLAYING)
)

_FRAME_HANDLERS: Mapping[Phase, HandlerEntry] = {
    Phase.SET_UP: HandlerEntry(set_up.handle_frame, _STARTED),
    Phase.OPENING: HandlerEntry(opening.handle_frame, ((events.OpeningThrown, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.AWAIT_ROLL: HandlerEntry(awaiting.handle_frame, (_ROLLED, _TAKEN_BACK, _OFFERED, _UNCLEAR, _DIFFERS, _WON)),
    Phase.PLAYING: HandlerEntry(
        playing.handle_frame, ((events.TurnEnded, Phase.TURN_END), *_PLAY_MADE, _WITHDRAWN, _WON)
    ),
    Phase.TURN_END: HandlerEntry(turn_end.handle_frame, (*_PLAY_MADE, _REFUSED, _UNCLEAR, _REOPENED, _WITHDRAWN)),
    Phase.ILLEGAL: HandlerEntry(
        turn_end.handle_frame_after_verdict, (_CORRECTED, *_CONDONED, _DIFFERS, _REOPENED, _UNCLEAR)
    ),
    Phase.UNSURE: HandlerEntry(
        turn_end.handle_frame_after_verdict,
        (
            *_PLAY_MADE,
            _REFUSED,
            _REOPENED,
            _ROLLED_AGAIN,
            _WITHDRAWN,
            (events.BoardAgrees, Phase.AWAIT_ROLL),
            *_TAKEN_AS_SEEN,
        ),
    ),
    Phase.CUBE_OFFERED: HandlerEntry(cubes.handle_frame, ((events.CubeTurned, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.GAME_OVER: HandlerEntry(between_games.handle_frame, ((events.SetUpBegun, Phase.SET_UP),)),
    Phase.RESTORE: HandlerEntry(restoring.handle_frame, ((events.BoardAgrees, None), _CORRECTED)),
    Phase.BLIND: HandlerEntry(interruptions.handle_frame_while_blind, ((events.CameraBack, None),)),
    Phase.PAUSED: HandlerEntry(interruptions.ignore_frame),
    Phase.DISPUTE: HandlerEntry(interruptions.ignore_frame),
}

_GAME = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)
_UNTIL_WON = (*_GAME, Phase.RESTORE, Phase.DISPUTE)  # who gives up may have begun to clear the board
_CUBE = (Phase.OPENING, *_GAME, Phase.CUBE_OFFERED, Phase.GAME_OVER)
_STOPPABLE = tuple(phase for phase in Phase if phase is not Phase.PAUSED)
_OPENED: PhaseChange = (events.OpeningThrown, Phase.AWAIT_ROLL)


def _for_phases(phases: Iterable[Phase], leads: PhaseChanges = ()) -> dict[Phase, PhaseChanges]:
    """The same ways out of all these phases."""
    return dict.fromkeys(phases, leads)


# What people ask for: who answers, in which phases, and what may come of it there.
_COMMAND_HANDLERS: Mapping[type, tuple[Handler, Mapping[Phase, PhaseChanges]]] = {
    commands.EndTurn: (
        corrections.handle_end_turn,
        {Phase.PLAYING: ((events.TurnEnded, Phase.TURN_END),), Phase.AWAIT_ROLL: ()},
    ),
    commands.OfferDouble: (
        cubes.handle_offer_double,
        _for_phases(_CUBE) | {Phase.AWAIT_ROLL: (_OFFERED,), Phase.ILLEGAL: _CONDONED},
    ),
    commands.TakeDouble: (
        cubes.handle_take_double,
        _for_phases((*_CUBE, Phase.RESTORE)) | {Phase.CUBE_OFFERED: ((events.CubeTurned, Phase.AWAIT_ROLL),)},
    ),
    commands.DropDouble: (
        cubes.handle_drop_double,
        _for_phases(_CUBE)
        | dict.fromkeys((Phase.CUBE_OFFERED, Phase.RESTORE), ((events.CubeTurned, Phase.GAME_OVER),)),
    ),
    commands.Beaver: (cubes.handle_beaver, _for_phases(_CUBE)),
    commands.Resign: (between_games.handle_resign, _for_phases(_UNTIL_WON)),
    commands.AnswerResignation: (between_games.handle_answer_resignation, _for_phases(_UNTIL_WON, (_WON,))),
    commands.CorrectBoard: (
        corrections.handle_correct_board,
        {
            Phase.OPENING: (),
            Phase.AWAIT_ROLL: (_WON, *_TAKEN_AS_SEEN),
            Phase.SET_UP: _STARTED,
            Phase.TURN_END: (*_PLAY_MADE, _REFUSED, *_TAKEN_AS_SEEN),
            Phase.ILLEGAL: (_CORRECTED, *_TAKEN_AS_SEEN),
            Phase.UNSURE: (*_PLAY_MADE, _REFUSED, *_TAKEN_AS_SEEN),
            Phase.RESTORE: ((events.BoardCorrected, None), _CORRECTED, _REFUSED, _REOPENED, *_TAKEN_AS_SEEN),
        },
    ),
    commands.CorrectRoll: (
        corrections.handle_correct_roll,
        {
            Phase.OPENING: (_OPENED,),
            Phase.AWAIT_ROLL: (_ROLLED,),
            Phase.PLAYING: ((events.TurnEnded, Phase.TURN_END),),
            Phase.TURN_END: (),
            Phase.ILLEGAL: (_ROLLED_AGAIN,),
            Phase.UNSURE: (_ROLLED_AGAIN,),
            Phase.RESTORE: (_ROLLED,),
        },
    ),
    commands.ChoosePlay: (corrections.handle_choose_play, {Phase.UNSURE: (*_PLAY_MADE, _REFUSED, *_TAKEN_AS_SEEN)}),
    commands.TakeBackPlay: (
        corrections.handle_take_back_play,
        {Phase.AWAIT_ROLL: (_TAKEN_BACK,), Phase.PLAYING: (_WITHDRAWN,), Phase.GAME_OVER: (_TAKEN_BACK,)},
    ),
    commands.Condone: (corrections.handle_condone, {Phase.ILLEGAL: _CONDONED}),
    commands.WithdrawRoll: (corrections.handle_withdraw_roll, {Phase.PLAYING: (_WITHDRAWN,)}),
    commands.AcceptRoll: (corrections.handle_accept_roll, _for_phases((Phase.PLAYING,))),
    commands.SetSeating: (
        corrections.handle_set_seating,
        _for_phases(
            (Phase.SET_UP, Phase.OPENING, Phase.AWAIT_ROLL, Phase.CUBE_OFFERED, Phase.RESTORE, Phase.GAME_OVER)
        ),
    ),
    commands.SetStarter: (corrections.handle_set_starter, {Phase.OPENING: ((events.StarterKnown, Phase.AWAIT_ROLL),)}),
    commands.Pause: (interruptions.handle_pause, _for_phases(_STOPPABLE, ((events.MatchPaused, Phase.PAUSED),))),
    commands.Resume: (interruptions.handle_resume, {Phase.PAUSED: ((events.MatchResumed, None),)}),
    commands.CallDispute: (
        interruptions.handle_call_dispute,
        _for_phases(
            (phase for phase in _STOPPABLE if phase is not Phase.DISPUTE),
            ((events.DisputeOpened, Phase.DISPUTE),),
        ),
    ),
    commands.SettleDispute: (interruptions.handle_settle_dispute, {Phase.DISPUTE: ((events.DisputeSettled, None),)}),
    commands.ChangeMode: (interruptions.handle_change_mode, _for_phases(Phase)),
    commands.NextGame: (between_games.handle_next_game, {Phase.GAME_OVER: ((events.SetUpBegun, Phase.SET_UP),)}),
}

COMMANDS = tuple(_COMMAND_HANDLERS)
_CAMERA_BACK: PhaseChange = (events.CameraBack, None)
_TIME_IS_UP: PhaseChange = (events.MatchWon, Phase.GAME_OVER)


def _build_table() -> dict[tuple[Phase, type], HandlerEntry]:
    """Frames, time and links are answered in every phase."""
    table = {
        (phase, kind): HandlerEntry(handler, leads)
        for kind, (handler, phases) in _COMMAND_HANDLERS.items()
        for phase, leads in phases.items()
    }
    for phase, answer in _FRAME_HANDLERS.items():
        is_blind = phase is Phase.BLIND
        moved = () if is_blind else (_MOVED,)
        camera = _CAMERA_BACK if is_blind else (events.CameraLost, Phase.BLIND)
        table[phase, Observation] = HandlerEntry(answer.handler, (*answer.phase_changes, *moved, _TIME_IS_UP))
        table[phase, Tick] = HandlerEntry(interruptions.handle_tick, (_TIME_IS_UP,))
        table[phase, PeripheralEvent] = HandlerEntry(interruptions.handle_peripheral_event, (camera,))
    return table


TRANSITION_TABLE: Mapping[tuple[Phase, type], HandlerEntry] = MappingProxyType(_build_table())

_PHASE_TEXTS = {
    Phase.SET_UP: "the checkers are being set up",
    Phase.OPENING: "the opening throw decides who starts",
    Phase.AWAIT_ROLL: "the player on turn has to throw",
    Phase.PLAYING: "a turn is being played",
    Phase.TURN_END: "the board is being looked at",
    Phase.ILLEGAL: "an illegal play waits for its correction",
    Phase.UNSURE: "it is not known yet what was played",
    Phase.CUBE_OFFERED: "an offered double waits for its answer",
    Phase.GAME_OVER: "the game is over",
    Phase.RESTORE: "the board has to be put right first",
    Phase.BLIND: "the camera sees nothing",
    Phase.PAUSED: "the match is paused",
    Phase.DISPUTE: "a dispute has to be settled first",
}


def refuse_command(course: Transition, command: object, table: MatchConfig) -> Transition:
    """The one rule for commands that a phase does not take. What the end of a turn tells of the table is kept all the same."""
    if isinstance(command, commands.EndTurn):
        course = corrections.note_next_turn_ended(course, command, table)
    return course.refuse(command, f"Not now: {_PHASE_TEXTS[course.state.phase]}.")
