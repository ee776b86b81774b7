"""The referee's table: (phase, type of input) -> handler, and the events that lead from one phase to another.

The diagram in the README is made from it. A pair that is not in it is a command that the phase does not take; one rule
refuses those (`refused`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from controller.match import commands, events
from controller.match.inputs import LinkEvent, Tick
from controller.observing.observation import Observation
from controller.refereeing.phases import (
    awaiting,
    corrections,
    cubes,
    links,
    matches,
    opening,
    playing,
    restoring,
    set_up,
    turn_end,
)
from controller.refereeing.state import Phase
from controller.refereeing.table import Table
from controller.refereeing.transition import Course

Handler = Callable[[Course, Any, Table], Course]
Lead = tuple[type, Phase | None]
"""An event and the phase it leads to; None: the one that was interrupted."""
Ways = tuple[Lead, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is done with an input. `leads` are the ways out of the phase that it may take."""

    handler: Handler
    leads: Ways = ()


# Where the turn goes when a play stands.
_GOES_ON: Ways = (
    (events.PlayMade, Phase.AWAIT_ROLL),
    (events.PlayMade, Phase.PLAYING),
    (events.PlayMade, Phase.GAME_OVER),
)
_CONDONED: Ways = (
    (events.PlayCondoned, Phase.AWAIT_ROLL),
    (events.PlayCondoned, Phase.PLAYING),
)
_ROLLED: Lead = (events.DiceRolled, Phase.PLAYING)
_ROLLED_AGAIN: Lead = (events.DiceRolled, Phase.TURN_END)
_WON: Lead = (events.GameWon, Phase.GAME_OVER)
_REFUSED: Lead = (events.PlayRefused, Phase.ILLEGAL)
_UNCLEAR: Lead = (events.PlayUnclear, Phase.UNSURE)
_REOPENED: Lead = (events.TurnGoesOn, Phase.PLAYING)
_TAKEN_BACK: Lead = (events.PlayTakenBack, Phase.PLAYING)
_DIFFERS: Lead = (events.BoardDiffers, Phase.RESTORE)
_CORRECTED: Lead = (events.PlayCorrected, Phase.TURN_END)
_OFFERED: Lead = (events.CubeTurned, Phase.CUBE_OFFERED)
_WITHDRAWN: Lead = (events.RollWithdrawn, Phase.AWAIT_ROLL)
_TAKEN_AS_SEEN: Ways = ((events.BoardCorrected, Phase.AWAIT_ROLL), (events.BoardCorrected, Phase.PLAYING))
_MOVED: Lead = (events.BoardMoved, Phase.BLIND)

_STARTED: Ways = tuple((events.GameStarted, phase) for phase in (Phase.OPENING, Phase.AWAIT_ROLL, Phase.PLAYING))

_FRAMES: Mapping[Phase, Answer] = {
    Phase.SET_UP: Answer(set_up.observed, _STARTED),
    Phase.OPENING: Answer(opening.observed, ((events.OpeningThrown, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.AWAIT_ROLL: Answer(awaiting.observed, (_ROLLED, _TAKEN_BACK, _OFFERED, _UNCLEAR, _DIFFERS, _WON)),
    Phase.PLAYING: Answer(playing.observed, ((events.TurnEnded, Phase.TURN_END), *_GOES_ON, _WITHDRAWN, _WON)),
    Phase.TURN_END: Answer(turn_end.observed, (*_GOES_ON, _REFUSED, _UNCLEAR, _REOPENED, _WITHDRAWN)),
    Phase.ILLEGAL: Answer(turn_end.observed_later, (_CORRECTED, *_CONDONED, _DIFFERS, _REOPENED, _UNCLEAR)),
    Phase.UNSURE: Answer(
        turn_end.observed_later,
        (
            *_GOES_ON,
            _REFUSED,
            _REOPENED,
            _ROLLED_AGAIN,
            _WITHDRAWN,
            (events.BoardAgrees, Phase.AWAIT_ROLL),
            *_TAKEN_AS_SEEN,
        ),
    ),
    Phase.CUBE_OFFERED: Answer(cubes.observed, ((events.CubeTurned, Phase.AWAIT_ROLL), _DIFFERS)),
    Phase.GAME_OVER: Answer(matches.observed, ((events.SetUpBegun, Phase.SET_UP),)),
    Phase.RESTORE: Answer(restoring.observed, ((events.BoardAgrees, None), _CORRECTED)),
    Phase.BLIND: Answer(links.seen_while_blind, ((events.CameraBack, None),)),
    Phase.PAUSED: Answer(links.ignored),
    Phase.DISPUTE: Answer(links.ignored),
}

_GAME = (Phase.AWAIT_ROLL, Phase.PLAYING, Phase.TURN_END, Phase.ILLEGAL, Phase.UNSURE)
_UNTIL_WON = (*_GAME, Phase.RESTORE, Phase.DISPUTE)  # who gives up may have begun to clear the board
_CUBE = (Phase.OPENING, *_GAME, Phase.CUBE_OFFERED, Phase.GAME_OVER)
_STOPPABLE = tuple(phase for phase in Phase if phase is not Phase.PAUSED)
_OPENED: Lead = (events.OpeningThrown, Phase.AWAIT_ROLL)


def _in(phases: Iterable[Phase], leads: Ways = ()) -> dict[Phase, Ways]:
    """The same ways out of all these phases."""
    return dict.fromkeys(phases, leads)


# What people ask for: who answers, in which phases, and what may come of it there.
_ORDERS: Mapping[type, tuple[Handler, Mapping[Phase, Ways]]] = {
    commands.EndTurn: (
        corrections.end_turn,
        {Phase.PLAYING: ((events.TurnEnded, Phase.TURN_END),), Phase.AWAIT_ROLL: ()},
    ),
    commands.OfferDouble: (
        cubes.offer,
        _in(_CUBE) | {Phase.AWAIT_ROLL: (_OFFERED,), Phase.ILLEGAL: _CONDONED},
    ),
    commands.TakeDouble: (
        cubes.take,
        _in((*_CUBE, Phase.RESTORE)) | {Phase.CUBE_OFFERED: ((events.CubeTurned, Phase.AWAIT_ROLL),)},
    ),
    commands.DropDouble: (
        cubes.drop,
        _in(_CUBE) | dict.fromkeys((Phase.CUBE_OFFERED, Phase.RESTORE), ((events.CubeTurned, Phase.GAME_OVER),)),
    ),
    commands.Beaver: (cubes.beaver, _in(_CUBE)),
    commands.Resign: (matches.resign, _in(_UNTIL_WON)),
    commands.AnswerResignation: (matches.answer_resignation, _in(_UNTIL_WON, (_WON,))),
    commands.CorrectBoard: (
        corrections.correct_board,
        {
            Phase.OPENING: (),
            Phase.AWAIT_ROLL: (_WON, *_TAKEN_AS_SEEN),
            Phase.SET_UP: _STARTED,
            Phase.TURN_END: (*_GOES_ON, _REFUSED, *_TAKEN_AS_SEEN),
            Phase.ILLEGAL: (_CORRECTED, *_TAKEN_AS_SEEN),
            Phase.UNSURE: (*_GOES_ON, _REFUSED, *_TAKEN_AS_SEEN),
            Phase.RESTORE: ((events.BoardCorrected, None), _CORRECTED, _REFUSED, _REOPENED, *_TAKEN_AS_SEEN),
        },
    ),
    commands.CorrectRoll: (
        corrections.correct_roll,
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
    commands.ChoosePlay: (corrections.choose_play, {Phase.UNSURE: (*_GOES_ON, _REFUSED, *_TAKEN_AS_SEEN)}),
    commands.TakeBackPlay: (
        corrections.take_back_play,
        {Phase.AWAIT_ROLL: (_TAKEN_BACK,), Phase.PLAYING: (_WITHDRAWN,), Phase.GAME_OVER: (_TAKEN_BACK,)},
    ),
    commands.Condone: (corrections.condone, {Phase.ILLEGAL: _CONDONED}),
    commands.WithdrawRoll: (corrections.withdraw_roll, {Phase.PLAYING: (_WITHDRAWN,)}),
    commands.AcceptRoll: (corrections.accept_roll, _in((Phase.PLAYING,))),
    commands.SetSeating: (
        corrections.set_seating,
        _in((Phase.SET_UP, Phase.OPENING, Phase.AWAIT_ROLL, Phase.CUBE_OFFERED, Phase.RESTORE, Phase.GAME_OVER)),
    ),
    commands.SetStarter: (corrections.set_starter, {Phase.OPENING: ((events.StarterKnown, Phase.AWAIT_ROLL),)}),
    commands.Pause: (links.pause, _in(_STOPPABLE, ((events.MatchPaused, Phase.PAUSED),))),
    commands.Resume: (links.resume, {Phase.PAUSED: ((events.MatchResumed, None),)}),
    commands.CallDispute: (
        links.call_dispute,
        _in(
            (phase for phase in _STOPPABLE if phase is not Phase.DISPUTE),
            ((events.DisputeOpened, Phase.DISPUTE),),
        ),
    ),
    commands.SettleDispute: (links.settle_dispute, {Phase.DISPUTE: ((events.DisputeSettled, None),)}),
    commands.ChangeMode: (links.change_mode, _in(Phase)),
    commands.NextGame: (matches.next_game, {Phase.GAME_OVER: ((events.SetUpBegun, Phase.SET_UP),)}),
}

COMMANDS = tuple(_ORDERS)
_CAMERA_BACK: Lead = (events.CameraBack, None)
_TIME_IS_UP: Lead = (events.MatchWon, Phase.GAME_OVER)


def _table() -> dict[tuple[Phase, type], Answer]:
    """Frames, time and links are answered in every phase."""
    table = {
        (phase, kind): Answer(handler, leads)
        for kind, (handler, phases) in _ORDERS.items()
        for phase, leads in phases.items()
    }
    for phase, answer in _FRAMES.items():
        is_blind = phase is Phase.BLIND
        moved = () if is_blind else (_MOVED,)
        camera = _CAMERA_BACK if is_blind else (events.CameraLost, Phase.BLIND)
        table[phase, Observation] = Answer(answer.handler, (*answer.leads, *moved, _TIME_IS_UP))
        table[phase, Tick] = Answer(links.ticked, (_TIME_IS_UP,))
        table[phase, LinkEvent] = Answer(links.changed, (camera,))
    return table


TABLE: Mapping[tuple[Phase, type], Answer] = MappingProxyType(_table())

_WAITS_FOR = {
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


def refused(course: Course, command: object, table: Table) -> Course:
    """The one rule for commands that a phase does not take. What the end of a turn tells of the table is kept all the same."""
    if isinstance(command, commands.EndTurn):
        course = corrections.ended_ahead(course, command, table)
    return course.refused(command, f"Not now: {_WAITS_FOR[course.state.phase]}.")
