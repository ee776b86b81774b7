"""The effect of each event on the state of a match. Nothing else changes the durable part, so a log rebuilds it.

Events are facts and are applied unchecked; the handlers decide before whether they may happen.
"""

from collections.abc import Iterable
from dataclasses import replace

from controller.match import (
    CASUAL,
    PROFILES,
    BoardAgrees,
    BoardCorrected,
    BoardDiffers,
    BoardMoved,
    CameraBack,
    CameraLost,
    ClockReserve,
    CommandRefused,
    CubeAct,
    CubeTurned,
    DiceRolled,
    DieTurnedOver,
    DisputeOpened,
    DisputeSettled,
    GameEvent,
    GameStarted,
    GameWon,
    LightsBack,
    LightsLost,
    MatchPaused,
    MatchResumed,
    MatchStarted,
    MatchWon,
    ModeChanged,
    NumbersHandedOver,
    OpeningThrown,
    PassForced,
    PlayCondoned,
    PlayCorrected,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    PlayUnclear,
    RefereeEvent,
    ResignationAnswered,
    ResignationOffered,
    RollAccepted,
    RollWithdrawn,
    SeatingKnown,
    SetUpBegun,
    SetUpUnclear,
    StarterKnown,
    StorageBack,
    TableEvent,
    ThrowRefused,
    ThrowUnclear,
    TimeRanOut,
    TurnEnded,
    TurnGoesOn,
    clock_events,
    new_clock,
    parse_clock,
)
from controller.refereeing import apply_plays, apply_rolls
from controller.refereeing.phase_stack import pop_phase, push_phase, replace_game_phase
from controller.refereeing.state import Due, GameState, Phase, Questions, RefereeState, Tally, TurnState, with_position
from controller.rules import GRASSHOPPER, CubePhase, CubeState, Drop, Match, Player, ThrowKind


def replay_events(events: Iterable[RefereeEvent]) -> RefereeState:
    """The state after all events of a log."""
    state = RefereeState()
    for event in events:
        state = apply_event(state, event)
    return state


def apply_event(state: RefereeState, event: RefereeEvent) -> RefereeState:
    """The state after one event; the perception stays as it is."""
    after = _apply_game_event(state, event) if isinstance(event, GameEvent) else _apply_table_event(state, event)
    if after.clock is None:
        return after
    profile = PROFILES.get(after.started.profile, CASUAL) if after.started else CASUAL
    return replace(after, clock=clock_events.apply_to_clock(after.clock, event, profile.clock_offence))


def _apply_game_event(state: RefereeState, event: GameEvent) -> RefereeState:
    match event:
        case MatchStarted():
            return _apply_match_start(state, event)
        case SetUpBegun():
            state = _ask(state, Phase.SET_UP, replace(state.questions, differs=None, set_up_unclear=None))
            return replace(state, underneath=())
        case GameStarted():
            return _apply_game_start(state, event)
        case OpeningThrown():
            state = _set_starter(state, event.player)
            return replace(state, game=replace(state.game, opening=(event.white, event.black)))
        case StarterKnown():
            return _set_starter(state, event.player)
        case DiceRolled():
            return apply_rolls.apply_roll(state, event)
        case ThrowRefused():
            return _ask(state, state.phase, replace(state.questions, throw_refused=event, throw_unclear=None))
        case ThrowUnclear():
            return _ask(state, state.phase, replace(state.questions, throw_unclear=event, throw_refused=None))
        case RollWithdrawn():
            return apply_rolls.apply_withdrawal(state, event)
        case RollAccepted():
            return apply_rolls.apply_acceptance(state, event)
        case NumbersHandedOver():
            due = Due(ThrowKind.TRANSFER, event.numbers)
            return replace(state, phase=Phase.PLAYING, turn=replace(state.turn, on_turn=event.player, due=due))
        case PassForced():
            return replace(state, turn=replace(state.turn, is_pass_forced=True))
        case TurnEnded():
            return replace(state, phase=Phase.TURN_END, turn=replace(state.turn, ended_by=event.by))
        case TurnGoesOn():
            turn, questions = replace(state.turn, ended_by=None), state.questions.answer_play()
            return replace(state, phase=Phase.PLAYING, underneath=(), turn=turn, questions=questions)
        case PlayMade():
            return apply_plays.apply_play(state, event)
        case PlayRefused():
            return _ask(state, Phase.ILLEGAL, replace(state.questions, refused=event, unclear=None))
        case PlayUnclear():
            return _ask(state, Phase.UNSURE, replace(state.questions, unclear=event, refused=None))
        case PlayCorrected():
            state = _ask(state, Phase.TURN_END, replace(state.questions, refused=None, differs=None))
            return replace(state, underneath=())
        case PlayCondoned():
            return apply_plays.apply_condoned_play(state, event)
        case PlayTakenBack():
            return apply_plays.undo_play(state)
        case CubeTurned():
            return _apply_cube_turn(state, event)
        case ResignationOffered():
            return replace(state, game=replace(state.game, resignation=event))
        case ResignationAnswered():
            return replace(state, game=replace(state.game, resignation=None))
        case GameWon():
            return _apply_game_win(state, event)
        case MatchWon():
            return replace(_finish_game(state), match_winner=event.player)
        case DieTurnedOver():  # pragma: no branch - mypy sees that no other case is left
            return state  # the roll stays


def _ask(state: RefereeState, phase: Phase, questions: Questions) -> RefereeState:
    return replace(state, phase=phase, questions=questions)


def _apply_table_event(state: RefereeState, event: TableEvent) -> RefereeState:
    match event:
        case SeatingKnown():
            differs = None if state.phase is Phase.SET_UP else state.questions.differs  # it was reported for a guess
            questions = replace(state.questions, set_up_unclear=None, differs=differs)
            return replace(state, seating=event.seating, questions=questions)
        case BoardDiffers():
            phase = state if state.phase is Phase.SET_UP else push_phase(state, Phase.RESTORE)
            return replace(phase, questions=replace(state.questions, differs=event, set_up_unclear=None))
        case SetUpUnclear():
            return replace(state, questions=replace(state.questions, set_up_unclear=event, differs=None))
        case BoardAgrees():
            return _apply_board_agreement(pop_phase(state, Phase.RESTORE))
        case BoardCorrected():
            return _apply_board_correction(state, event)
        case BoardMoved() | CameraLost():
            return push_phase(state, Phase.BLIND)
        case CameraBack():
            return pop_phase(state, Phase.BLIND)
        case LightsLost():
            return replace(state, lights_up=False)
        case LightsBack():
            return replace(state, lights_up=True)
        case MatchPaused():
            return push_phase(state, Phase.PAUSED)
        case MatchResumed():
            if event.after_restart:
                return replace(state, lights_up=True)  # until they are found to be lost
            return pop_phase(state, Phase.PAUSED)
        case DisputeOpened():
            return push_phase(state, Phase.DISPUTE)
        case DisputeSettled():
            return pop_phase(state, Phase.DISPUTE)
        case ModeChanged():
            return replace(state, mode=event.mode, monitor_appointed=event.monitor_appointed)
        case CommandRefused() | StorageBack() | ClockReserve() | TimeRanOut():  # pragma: no branch - as above
            return state


def _apply_board_correction(state: RefereeState, event: BoardCorrected) -> RefereeState:
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


def _apply_match_start(state: RefereeState, event: MatchStarted) -> RefereeState:
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


def _apply_game_start(state: RefereeState, event: GameStarted) -> RefereeState:
    """Begins a game: turn, game and questions start afresh."""
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
        lights_up=state.lights_up,
        mode=state.mode,
        monitor_appointed=state.monitor_appointed,
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


def _apply_cube_turn(state: RefereeState, event: CubeTurned) -> RefereeState:
    cube = state.cube
    match event.act:
        case CubeAct.OFFERED:
            game = replace(state.game, cube=replace(cube, offer_by=event.player), resignation=None)
            return replace(state, phase=Phase.CUBE_OFFERED, game=game)
        case CubeAct.BEAVERED:
            return _with_cube(state, replace(cube, beavered=True))
        case CubeAct.TAKEN:
            # after a beaver the doubler accepts, and the cube is the beaverer's
            owner = event.player.opponent if cube.beavered and event.player else event.player
            taken = replace(cube, value=event.value, owner=owner, turned=True, offer_by=None, beavered=False)
            return _with_cube(replace_game_phase(state, Phase.AWAIT_ROLL), taken)
        case CubeAct.DROPPED:
            over = Drop(event.player.opponent, event.value) if event.player else None
            dropped = replace(cube, offer_by=None, beavered=False, over=over)
            return replace(_with_cube(state, dropped), phase=Phase.GAME_OVER, underneath=())
        case CubeAct.DOUBLED_BY_EQUAL_DICE:  # pragma: no branch - mypy sees that no other case is left
            doubled = replace(cube, value=event.value, automatic_doubles=cube.automatic_doubles + 1)
            return _with_cube(state, doubled)


def _apply_game_win(state: RefereeState, event: GameWon) -> RefereeState:
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
