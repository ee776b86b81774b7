"""The effect of each event on the state of a match. Nothing else changes the durable part, so a log rebuilds it.

Events are facts and are applied unchecked; the handlers decide before whether they may happen.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

from controller.match import CASUAL, PROFILES, clock_events, events, new_clock, parse_clock
from controller.refereeing import apply_plays, apply_rolls
from controller.refereeing.phase_stack import pop_phase, push_phase, replace_game_phase
from controller.refereeing.state import (
    Due,
    GameState,
    Phase,
    Questions,
    RefereeState,
    Tally,
    TurnState,
    with_position,
    without_history,
)
from controller.rules import GRASSHOPPER, CubePhase, CubeState, Drop, Match, Player, ThrowKind


def replay_events(logged: Iterable[events.RefereeEvent]) -> RefereeState:
    """The state after all events of a log."""
    return reduce(apply_event, logged, RefereeState())


def apply_event(state: RefereeState, event: events.RefereeEvent) -> RefereeState:
    """The state after one event; the perception stays as it is."""
    after = _apply_game_event(state, event) if isinstance(event, events.GameEvent) else _apply_table_event(state, event)
    if after.clock is None:
        return after
    profile = PROFILES.get(after.started.profile, CASUAL) if after.started else CASUAL
    return replace(after, clock=clock_events.apply_to_clock(after.clock, event, profile.clock_offence))


def _apply_game_event(state: RefereeState, event: events.GameEvent) -> RefereeState:
    match event:
        case events.MatchStarted():
            return _apply_match_start(state, event)
        case events.SetUpBegun():
            state = _ask(state, Phase.SET_UP, replace(state.questions, differs=None, set_up_unclear=None))
            return replace(state, underneath=())
        case events.GameStarted():
            return _apply_game_start(state, event)
        case events.OpeningThrown():
            state = _set_starter(state, event.player)
            return replace(state, game=replace(state.game, opening=(event.white, event.black)))
        case events.StarterKnown():
            return _set_starter(state, event.player)
        case events.DiceRolled():
            return apply_rolls.apply_roll(state, event)
        case events.ThrowRefused():
            return _ask(state, state.phase, replace(state.questions, throw_refused=event, throw_unclear=None))
        case events.ThrowUnclear():
            return _ask(state, state.phase, replace(state.questions, throw_unclear=event, throw_refused=None))
        case events.RollWithdrawn():
            return apply_rolls.apply_withdrawal(state, event)
        case events.RollAccepted():
            return apply_rolls.apply_acceptance(state, event)
        case events.NumbersHandedOver():
            due = Due(ThrowKind.TRANSFER, event.numbers)
            return replace(state, phase=Phase.PLAYING, turn=replace(state.turn, on_turn=event.player, due=due))
        case events.PassForced():
            return replace(state, turn=replace(state.turn, is_pass_forced=True))
        case events.TurnEnded():
            turn, questions = replace(state.turn, ended_by=event.by), replace(state.questions, answered=None)
            return replace(state, phase=Phase.TURN_END, turn=turn, questions=questions)
        case events.TurnGoesOn():
            turn, questions = replace(state.turn, ended_by=None), state.questions.answer_play()
            return replace(state, phase=Phase.PLAYING, underneath=(), turn=turn, questions=questions)
        case events.PlayMade():
            return apply_plays.apply_play(state, event)
        case events.PlayRefused():
            return _ask(state, Phase.ILLEGAL, replace(state.questions, refused=event, unclear=None))
        case events.PlayUnclear():
            return _ask(state, Phase.UNSURE, replace(state.questions, unclear=event, refused=None))
        case events.PlayCorrected():
            state = _ask(state, Phase.TURN_END, replace(state.questions, refused=None, differs=None))
            return replace(state, underneath=())
        case events.PlayCondoned():
            return apply_plays.apply_condoned_play(state, event)
        case events.PlayTakenBack():
            return apply_plays.undo_play(state)
        case events.CubeTurned():
            return _apply_cube_turn(state, event)
        case events.ResignationOffered():
            return replace(state, game=replace(state.game, resignation=event))
        case events.ResignationAnswered():
            return replace(state, game=replace(state.game, resignation=None))
        case events.GameWon():
            return _apply_game_win(state, event)
        case events.MatchWon():
            return replace(_finish_game(state), match_winner=event.player)
        case events.DieTurnedOver():  # pragma: no branch - mypy sees that no other case is left
            return state  # the roll stays


def _ask(state: RefereeState, phase: Phase, questions: Questions) -> RefereeState:
    return replace(state, phase=phase, questions=questions)


def _apply_table_event(state: RefereeState, event: events.TableEvent) -> RefereeState:
    match event:
        case events.QuestionAnswered():
            return replace(state, questions=replace(state.questions, answered=without_history(state)))
        case events.AnswerTakenBack():
            return apply_plays.undo_answer(state)
        case events.SeatingKnown():
            differs = None if state.phase is Phase.SET_UP else state.questions.differs  # it was reported for a guess
            questions = replace(state.questions, set_up_unclear=None, differs=differs)
            return replace(state, seating=event.seating, questions=questions)
        case events.BoardDiffers():
            phase = state if state.phase is Phase.SET_UP else push_phase(state, Phase.RESTORE)
            return replace(phase, questions=replace(state.questions, differs=event, set_up_unclear=None))
        case events.SetUpUnclear():
            return replace(state, questions=replace(state.questions, set_up_unclear=event, differs=None))
        case events.BoardAgrees():
            return _apply_board_agreement(pop_phase(state, Phase.RESTORE))
        case events.BoardCorrected():
            return _apply_board_correction(state, event)
        case events.BoardMoved() | events.CameraLost():
            return push_phase(replace(state, questions=replace(state.questions, blind=event)), Phase.BLIND)
        case events.CameraBack():
            return pop_phase(replace(state, questions=replace(state.questions, blind=None)), Phase.BLIND)
        case events.SightHindered() | events.SightClear():
            hindered = event if isinstance(event, events.SightHindered) else None
            return replace(state, questions=replace(state.questions, hindered=hindered))
        case events.LightsLost():
            return replace(state, lights_up=False)
        case events.LightsBack():
            return replace(state, lights_up=True)
        case events.MatchPaused():
            return push_phase(state, Phase.PAUSED)
        case events.MatchResumed():
            if event.after_restart:
                return replace(state, lights_up=True)  # until they are found to be lost
            return pop_phase(state, Phase.PAUSED)
        case events.DisputeOpened():
            return _apply_dispute(state, event)
        case events.DisputeSettled():
            return _apply_settlement(pop_phase(state, Phase.DISPUTE), event)
        case events.ResultConfirmed():
            return replace(state, game=replace(state.game, confirmed_by=state.game.confirmed_by | {event.player}))
        case events.ModeChanged():
            directing = replace(state.directing, monitor_appointed=event.monitor_appointed)
            return replace(state, mode=event.mode, directing=directing)
        case (
            events.CommandRefused()
            | events.StorageBack()
            | events.BoardLearned()
            | events.SetUpCertified()
            | events.ClockReserve()
            | events.TimeRanOut()
            | events.EventRevised()
            | events.RemarkMade()
        ):  # pragma: no branch - as above
            return state


def _apply_dispute(state: RefereeState, event: events.DisputeOpened) -> RefereeState:
    """A score that is disputed is confirmed by nobody any more."""
    state = state if state.phase is Phase.DISPUTE else push_phase(state, Phase.DISPUTE)
    game, directing = replace(state.game, confirmed_by=frozenset()), replace(state.directing, disputed_by=event.player)
    return replace(state, game=game, directing=directing)


def _apply_settlement(state: RefereeState, event: events.DisputeSettled) -> RefereeState:
    caller, lost = state.directing.disputed_by, state.directing.lost_disputes
    lost = lost if caller is None or event.is_upheld else lost.add(caller)
    return replace(state, directing=replace(state.directing, disputed_by=None, lost_disputes=lost))


def _apply_board_correction(state: RefereeState, event: events.BoardCorrected) -> RefereeState:
    """Takes over the board. If the event names who throws, everything that was open of the turn before ends."""
    state = with_position(pop_phase(state, Phase.RESTORE), event.position)
    state = replace(state, questions=replace(state.questions, differs=None))
    if event.on_turn is None:
        return state
    game, turn = replace(state.game, resignation=None), replace(state.turn, is_pass_forced=False)
    if state.on_turn is event.on_turn:
        turn = replace(turn, early=None)  # it was the other player's
    if state.on_turn is event.on_turn.opponent:
        rolls = game.rolls.add(state.on_turn) if state.due is None else game.rolls
        game = replace(game, rolls=rolls, turns=game.turns.add(state.on_turn))
    cube = replace(game.cube, phase=CubePhase.TO_ROLL, on_turn=event.on_turn, offer_by=None, beavered=False)
    questions = state.questions.answer_throw().answer_play()
    state = replace(state, underneath=(), questions=questions, before_play=None, turn=turn)
    return apply_rolls.await_throw(replace(state, game=replace(game, cube=cube)), event.on_turn)


def _apply_board_agreement(state: RefereeState) -> RefereeState:
    """Ends RESTORE. A play with an unread throw is undone, and the player on turn throws again."""
    questions = replace(state.questions, differs=None)
    if state.phase is Phase.UNSURE and state.due is None:
        questions = replace(questions, unclear=None, throw_unclear=None)
        return replace(state, phase=Phase.AWAIT_ROLL, questions=questions)
    return replace(state, questions=questions)


def _apply_match_start(state: RefereeState, event: events.MatchStarted) -> RefereeState:
    clock = parse_clock(event.clock) if event.clock else None
    score = Match(event.white_score, event.black_score)
    return RefereeState(
        started=event,
        match=score,
        clock=new_clock(clock, event.length, scored=sum(score.score)) if clock else None,
        lights_up=state.lights_up,
        mode=event.mode,
        seen=state.seen,
    )


def _apply_game_start(state: RefereeState, event: events.GameStarted) -> RefereeState:
    """Begins a game: turn, game and questions start afresh, but for what hinders the camera."""
    has_no_dice = state.started is not None and state.started.game == GRASSHOPPER
    phase = Phase.OPENING if event.player is None else Phase.PLAYING if has_no_dice else Phase.AWAIT_ROLL
    cube_phase = CubePhase.OPENING if event.player is None else CubePhase.TO_ROLL
    return RefereeState(
        phase=phase,
        started=state.started,
        seating=state.seating,
        match=state.match,
        game=GameState(
            number=event.number,
            is_crawford=event.is_crawford,
            rolls=Tally(event.rolls_before, event.rolls_before),
            cube=CubeState(phase=cube_phase, on_turn=event.player),
        ),
        turn=TurnState(position=event.position, on_turn=event.player),
        questions=Questions(hindered=state.questions.hindered),
        lights_up=state.lights_up,
        mode=state.mode,
        directing=state.directing,
        clock=state.clock,
        seen=state.seen,
    )


def _set_starter(state: RefereeState, starter: Player | None) -> RefereeState:
    state = replace(state, questions=state.questions.answer_throw())
    if starter is None:
        return state
    state = _with_cube(state, replace(state.cube, phase=CubePhase.TO_ROLL, on_turn=starter))
    return replace(state, phase=Phase.AWAIT_ROLL, turn=replace(state.turn, on_turn=starter))


def _with_cube(state: RefereeState, cube: CubeState) -> RefereeState:
    return replace(state, game=replace(state.game, cube=cube))


def _apply_cube_turn(state: RefereeState, event: events.CubeTurned) -> RefereeState:
    cube = state.cube
    match event.act:
        case events.CubeAct.OFFERED:
            game = replace(state.game, cube=replace(cube, offer_by=event.player), resignation=None)
            return replace(state, phase=Phase.CUBE_OFFERED, game=game)
        case events.CubeAct.BEAVERED:
            return _with_cube(state, replace(cube, beavered=True))
        case events.CubeAct.TAKEN:
            # after a beaver the doubler accepts, and the cube is the beaverer's
            owner = event.player.opponent if cube.beavered and event.player else event.player
            taken = replace(cube, value=event.value, owner=owner, turned=True, offer_by=None, beavered=False)
            return _with_cube(replace_game_phase(state, Phase.AWAIT_ROLL), taken)
        case events.CubeAct.DROPPED:
            over = Drop(event.player.opponent, event.value) if event.player else None
            dropped = replace(cube, offer_by=None, beavered=False, over=over)
            return replace(_with_cube(state, dropped), phase=Phase.GAME_OVER, underneath=())
        case events.CubeAct.DOUBLED_BY_EQUAL_DICE:  # pragma: no branch - mypy sees that no other case is left
            doubled = replace(cube, value=event.value, automatic_doubles=cube.automatic_doubles + 1)
            return _with_cube(state, doubled)


def _apply_game_win(state: RefereeState, event: events.GameWon) -> RefereeState:
    match = replace(
        state.match,
        white=event.white_score,
        black=event.black_score,
        crawford_played=state.match.crawford_played or state.game.is_crawford,
        games=state.match.games + 1,
        last_winner=event.player or state.match.last_winner,
    )
    return replace(_finish_game(state), match=match)


def _finish_game(state: RefereeState) -> RefereeState:
    """Ends the game and clears everything that was open."""
    return replace(
        state,
        phase=Phase.GAME_OVER,
        underneath=(),
        turn=replace(state.turn, due=None, early=None, is_pass_forced=False),
        questions=state.questions.answer_throw().answer_play(),
        game=replace(state.game, resignation=None, cube=replace(state.cube, offer_by=None, beavered=False)),
    )
