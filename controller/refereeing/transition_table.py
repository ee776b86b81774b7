"""The transition table: (phase, type of input) -> handler, and the events that lead from one phase to another.

The referee dispatches by this table, and the diagram in the README is generated from it. A pair that is missing is a
command that the phase does not take; `refuse_command` answers all of those.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TypeVar, get_args

from controller.match import PeripheralEvent, Tick, commands, events
from controller.observing import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import (
    awaiting,
    between_games,
    corrections,
    cubes,
    entered_turns,
    interruptions,
    opening,
    playing,
    restoring,
    set_up,
    turn_end,
)
from controller.refereeing.state import Phase
from controller.refereeing.transition import Transition
from controller.refereeing.waiting import find_asked

Input = TypeVar("Input")
Handler = Callable[[Transition, Input, MatchConfig], Transition]
PhaseChange = tuple[type, Phase | None]
"""An event and the phase it leads to; None: the one that was interrupted."""
PhaseChanges = tuple[PhaseChange, ...]


@dataclass(frozen=True, slots=True)
class HandlerEntry:
    """What is done with an input, and the ways out of the phase that it may take."""

    handler: Handler[object]
    phase_changes: PhaseChanges = ()


def _dispatch(
    kind: type[Input], handler: Handler[Input], transition: Transition, given: object, table: MatchConfig
) -> Transition:
    """Narrows the input to the type that the handler takes. TypeError for an input of another type."""
    if not isinstance(given, kind):
        raise TypeError(f"a handler of {kind.__name__} was given {type(given).__name__}")
    return handler(transition, given, table)


def _entry(kind: type[Input], handler: Handler[Input], changes: PhaseChanges) -> HandlerEntry:
    return HandlerEntry(partial(_dispatch, kind, handler), changes)


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

_FRAME_HANDLERS: Mapping[Phase, tuple[Handler[Observation], PhaseChanges]] = {
    Phase.SET_UP: (set_up.handle_frame, _STARTED),
    Phase.OPENING: (opening.handle_frame, ((events.OpeningThrown, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.AWAIT_ROLL: (awaiting.handle_frame, (_ROLLED, _TAKEN_BACK, _OFFERED, _UNCLEAR, _DIFFERS, _WON)),
    Phase.PLAYING: (playing.handle_frame, ((events.TurnEnded, Phase.TURN_END), *_PLAY_MADE, _WITHDRAWN, _WON)),
    Phase.TURN_END: (turn_end.handle_frame, (*_PLAY_MADE, _REFUSED, _UNCLEAR, _REOPENED, _WITHDRAWN, *_TAKEN_AS_SEEN)),
    Phase.ILLEGAL: (
        turn_end.handle_frame_after_verdict,
        (_CORRECTED, *_CONDONED, _DIFFERS, _REOPENED, _UNCLEAR, _WITHDRAWN, *_TAKEN_AS_SEEN),
    ),
    Phase.UNSURE: (
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
    Phase.CUBE_OFFERED: (cubes.handle_frame, ((events.CubeTurned, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.GAME_OVER: (between_games.handle_frame, ((events.SetUpBegun, Phase.SET_UP),)),
    Phase.RESTORE: (restoring.handle_frame, ((events.BoardAgrees, None), _CORRECTED, _ROLLED, *_TAKEN_AS_SEEN)),
    Phase.BLIND: (interruptions.handle_frame_while_blind, ((events.CameraBack, None),)),
    Phase.PAUSED: (interruptions.ignore_frame, ()),
    Phase.DISPUTE: (interruptions.ignore_frame, ()),
}

_GAME = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)
_UNTIL_WON = (*_GAME, Phase.RESTORE, Phase.DISPUTE)  # who gives up may have begun to clear the board
_CUBE = (Phase.OPENING, *_GAME, Phase.CUBE_OFFERED, Phase.GAME_OVER)
_STOPPABLE = tuple(phase for phase in Phase if phase is not Phase.PAUSED)
_OPENED: PhaseChange = (events.OpeningThrown, Phase.AWAIT_ROLL)


def _for_phases(phases: Iterable[Phase], changes: PhaseChanges = ()) -> dict[Phase, PhaseChanges]:
    return dict.fromkeys(phases, changes)


def _for_command(
    kind: type[Input], handler: Handler[Input], phases: Mapping[Phase, PhaseChanges]
) -> dict[tuple[Phase, type], HandlerEntry]:
    """A command, its handler, the phases that take it, and the phase changes that may follow there."""
    return {(phase, kind): _entry(kind, handler, changes) for phase, changes in phases.items()}


_ASKING = (Phase.SET_UP, Phase.OPENING, Phase.AWAIT_ROLL, Phase.RESTORE, Phase.ILLEGAL, Phase.UNSURE)
_REASKED: PhaseChanges = tuple((events.AnswerTakenBack, phase) for phase in _ASKING)
_NOT_OPEN = "This is not asked any more; see what is asked now."


def _answer_question(transition: Transition, command: commands.AnswerQuestion, table: MatchConfig) -> Transition:
    """Carries out the answer if its question is still open, and remembers how everything stood before it."""
    asked = find_asked(transition.state)
    if asked is None or asked.at_ms != command.asked_ms:
        return transition.refuse(command, _NOT_OPEN)
    entry = TRANSITION_TABLE.get((transition.state.phase, type(command.answer)))
    handler = entry.handler if entry else refuse_command
    before = transition.emit(events.QuestionAnswered(transition.now_ms, asked.at_ms))
    after = handler(before, command.answer, table)
    if any(isinstance(event, events.CommandRefused) for event in after.events[len(before.events) :]):
        return handler(transition, command.answer, table)
    return after.with_seen(after.seen.answer(transition.seen))


_COMMAND_HANDLERS: Mapping[tuple[Phase, type], HandlerEntry] = {
    **_for_command(
        commands.EndTurn,
        entered_turns.handle_end_turn,
        {Phase.PLAYING: ((events.TurnEnded, Phase.TURN_END),), Phase.AWAIT_ROLL: ()},
    ),
    **_for_command(
        commands.OfferDouble,
        cubes.handle_offer_double,
        _for_phases(_CUBE) | {Phase.AWAIT_ROLL: (_OFFERED,), Phase.ILLEGAL: _CONDONED},
    ),
    **_for_command(
        commands.TakeDouble,
        cubes.handle_take_double,
        _for_phases((*_CUBE, Phase.RESTORE)) | {Phase.CUBE_OFFERED: ((events.CubeTurned, Phase.AWAIT_ROLL),)},
    ),
    **_for_command(
        commands.DropDouble,
        cubes.handle_drop_double,
        _for_phases(_CUBE)
        | dict.fromkeys((Phase.CUBE_OFFERED, Phase.RESTORE), ((events.CubeTurned, Phase.GAME_OVER),)),
    ),
    **_for_command(commands.Beaver, cubes.handle_beaver, _for_phases(_CUBE)),
    **_for_command(commands.Resign, between_games.handle_resign, _for_phases(_UNTIL_WON)),
    **_for_command(
        commands.AnswerResignation, between_games.handle_answer_resignation, _for_phases(_UNTIL_WON, (_WON,))
    ),
    **_for_command(
        commands.CorrectBoard,
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
    **_for_command(
        commands.CorrectRoll,
        entered_turns.handle_correct_roll,
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
    **_for_command(
        commands.ChoosePlay, corrections.handle_choose_play, {Phase.UNSURE: (*_PLAY_MADE, _REFUSED, *_TAKEN_AS_SEEN)}
    ),
    **_for_command(
        commands.TakeBackPlay,
        entered_turns.handle_take_back_play,
        {Phase.AWAIT_ROLL: (_TAKEN_BACK,), Phase.PLAYING: (_WITHDRAWN,), Phase.GAME_OVER: (_TAKEN_BACK,)},
    ),
    **_for_command(commands.Condone, corrections.handle_condone, {Phase.ILLEGAL: _CONDONED}),
    **_for_command(commands.WithdrawRoll, entered_turns.handle_withdraw_roll, {Phase.PLAYING: (_WITHDRAWN,)}),
    **_for_command(commands.AcceptRoll, entered_turns.handle_accept_roll, _for_phases((Phase.PLAYING,))),
    **_for_command(
        commands.SetSeating,
        set_up.handle_set_seating,
        _for_phases(
            (Phase.SET_UP, Phase.OPENING, Phase.AWAIT_ROLL, Phase.CUBE_OFFERED, Phase.RESTORE, Phase.GAME_OVER)
        ),
    ),
    **_for_command(
        commands.SetStarter,
        entered_turns.handle_set_starter,
        {Phase.OPENING: ((events.StarterKnown, Phase.AWAIT_ROLL),)},
    ),
    **_for_command(
        commands.Pause, interruptions.handle_stop_or_go, _for_phases(_STOPPABLE, ((events.MatchPaused, Phase.PAUSED),))
    ),
    **_for_command(commands.Resume, interruptions.handle_stop_or_go, {Phase.PAUSED: ((events.MatchResumed, None),)}),
    **_for_command(
        commands.CallDispute,
        interruptions.handle_call_dispute,
        _for_phases(_STOPPABLE, ((events.DisputeOpened, Phase.DISPUTE),)),
    ),
    **_for_command(
        commands.SettleDispute, interruptions.handle_settle_dispute, {Phase.DISPUTE: ((events.DisputeSettled, None),)}
    ),
    **_for_command(commands.ChangeMode, interruptions.handle_change_mode, _for_phases(Phase)),
    **_for_command(
        commands.TakeBackAnswer,
        corrections.handle_take_back_answer,
        _for_phases((phase for phase in _STOPPABLE if phase not in (Phase.BLIND, Phase.DISPUTE)), _REASKED),
    ),
    **_for_command(commands.ConfirmResult, between_games.handle_confirm_result, _for_phases((Phase.GAME_OVER,))),
    **_for_command(
        commands.NextGame, between_games.handle_next_game, {Phase.GAME_OVER: ((events.SetUpBegun, Phase.SET_UP),)}
    ),
}

COMMANDS = (*dict.fromkeys(kind for _, kind in _COMMAND_HANDLERS), commands.AnswerQuestion)
_CAMERA_BACK: PhaseChange = (events.CameraBack, None)
_TIME_IS_UP: PhaseChange = (events.MatchWon, Phase.GAME_OVER)


def _build_table() -> dict[tuple[Phase, type], HandlerEntry]:
    """Frames, time and peripherals are answered in every phase."""
    table = dict(_COMMAND_HANDLERS)
    for phase in _ASKING:
        answers = (_COMMAND_HANDLERS.get((phase, kind)) for kind in get_args(commands.Answer))
        changes = tuple(change for entry in answers if entry is not None for change in entry.phase_changes)
        table[phase, commands.AnswerQuestion] = _entry(commands.AnswerQuestion, _answer_question, changes)
    for phase, (handler, changes) in _FRAME_HANDLERS.items():
        is_blind = phase is Phase.BLIND
        moved = () if is_blind else (_MOVED,)
        camera = _CAMERA_BACK if is_blind else (events.CameraLost, Phase.BLIND)
        table[phase, Observation] = _entry(Observation, handler, (*changes, *moved, _TIME_IS_UP))
        table[phase, Tick] = _entry(Tick, interruptions.handle_tick, (_TIME_IS_UP,))
        table[phase, PeripheralEvent] = _entry(PeripheralEvent, interruptions.handle_peripheral_event, (camera,))
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


def refuse_command(transition: Transition, command: object, table: MatchConfig) -> Transition:
    """Refuses a command that the phase does not take. An `EndTurn` is noted all the same: it says that the next player acted."""
    if isinstance(command, commands.EndTurn):
        transition = entered_turns.note_next_turn_ended(transition, command, table)
    return transition.refuse(command, f"Not now: {_PHASE_TEXTS[transition.state.phase]}.")
