"""The players follow the operator: after an order they bring the table in line with the referee, then play on from there.

An order may come at any time and change anything: board, roll, turn, seats, the game itself. So nothing depends on which
order it was. The players wait for the next moment without a hand over the board, then do what the phase of the referee
asks for, until he waits for a throw or a play and the table shows his board.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Protocol

from controller.match import AnswerResignation, ChoosePlay, Command, CorrectBoard, DropDouble, TakeDouble
from controller.refereeing.state import Phase, RefereeState
from controller.rules import Player
from controller.simulation.scripts.play_script import film_moves
from controller.simulation.staging import (
    Beat,
    Cue,
    DieAtRest,
    Happenings,
    ScriptContext,
    Span,
    Stacks,
    TrueContinuation,
    carries_between,
)

_ANSWERS = (1800, 2400)  # ms until a player answers a double or a resignation
_WAITS = (500, 600)  # ms, for the operator or the referee
_SETTLES = (2300, 2800)  # ms: the referee compares a board that has been still for a second or two
_PATIENCE = 4  # rounds that the referee, or the operator, gets to settle a question before the players answer it
_MOST_ROUNDS = 60  # without a pause; the game is given up afterwards
_MOST_CARRIES = 5  # checker by checker; more are put there at once

_STOPPED = frozenset({Phase.PAUSED, Phase.DISPUTE})
PLAYABLE = frozenset({Phase.OPENING, Phase.AWAIT_ROLL, Phase.PLAYING})


class Rules(Protocol):
    """What the players know of their game."""

    def stacks_of(self, position: str) -> Stacks:
        """The table with that position on it, in the present seats."""
        ...

    def start_of(self, state: RefereeState) -> str:
        """The position with which the next game begins."""
        ...

    def play(self, state: RefereeState) -> str | None:
        """The board after a legal play of what is due: the board on the table where it is one. None: nothing is due."""
        ...

    def takes(self, state: RefereeState, player: Player) -> bool:
        """Whether the player takes a double."""
        ...


def film_with_operator(
    playing: ScriptContext, before: Span, film_events: Callable[[], Happenings], follow: Callable[[], Happenings]
) -> Happenings:
    """A game with the time before it. An order of the operator breaks off what the players do; they follow it and go on."""
    hearing, parts = playing.hearing, chain(playing.film.pause(before), film_events())
    while True:
        for happening in parts:
            yield happening
            if hearing.is_disturbed and isinstance(happening, Beat) and happening.is_still:
                break
        if not hearing.is_disturbed:
            return
        yield from follow()
        parts = chain(film_events())


def is_unfinished(playing: ScriptContext) -> bool:
    """Whether an operator keeps the game going that the players have finished."""
    state = playing.hearing.state
    return playing.hearing.is_operated and state is not None and state.phase not in (Phase.GAME_OVER, Phase.SET_UP)


def must_follow(playing: ScriptContext, rules: Rules, on_turn: Player | None = None) -> bool:
    """Whether an operator has brought table and referee apart; `on_turn`: the player who is about to throw."""
    hearing = playing.hearing
    if hearing.is_disturbed or not hearing.is_operated or hearing.state is None or on_turn is None:
        return hearing.is_disturbed
    state = hearing.state
    is_expected = state.phase is Phase.AWAIT_ROLL and state.on_turn is on_turn and state.game.resignation is None
    return not (is_expected and _shows(playing, rules, state))


def follow_referee(playing: ScriptContext, rules: Rules) -> Happenings:
    """Until play can go on from the referee's state, or the game is over or cannot go on."""
    film, hearing = playing.film, playing.hearing
    film.conditions = replace(film.conditions, is_camera_there=True)
    yield from film.withdraw()
    n_rounds, n_waited, phase = 0, 0, None
    while n_rounds < _MOST_ROUNDS and (state := hearing.state) is not None:
        hearing.is_disturbed = False
        n_waited = n_waited + 1 if state.phase is phase else 0
        phase = state.phase
        n_rounds += phase not in _STOPPED
        if state.seating is not None:
            playing.seating = film.seating = state.seating
        yield from _respond(playing, rules, state, n_waited)
        if not hearing.is_disturbed and may_go_on(playing, rules):
            yield TrueContinuation(film.now_ms)
            if not hearing.is_disturbed:  # an order may come with every yield
                return


def may_go_on(playing: ScriptContext, rules: Rules) -> bool:
    """Whether the table shows what the referee has, or the game is over."""
    state = playing.hearing.state
    if state is None or state.phase not in PLAYABLE or state.game.resignation is not None:
        return state is None or state.phase is Phase.GAME_OVER
    return _shows(playing, rules, state)


def _shows(playing: ScriptContext, rules: Rules, state: RefereeState) -> bool:
    """Whether the table shows the board and the roll of the referee, and no other dice."""
    if state.phase is not Phase.PLAYING and playing.film.dice:
        return False
    if state.phase is Phase.PLAYING and state.due is not None and playing.film.dice:
        values = sorted(die.value for die in playing.film.dice)
        if values != sorted(state.due.numbers):
            return False
    return playing.film.stacks == rules.stacks_of(state.position)


def _respond(playing: ScriptContext, rules: Rules, state: RefereeState, n_waited: int) -> Happenings:
    """What the players do in this phase; `n_waited`: rounds that it has lasted already."""
    film = playing.film
    if state.game.resignation is not None and state.phase is not Phase.PAUSED:
        yield from film.pause(_ANSWERS)
        yield from _say(playing, state, AnswerResignation(state.game.resignation.player.opponent, accept=True))
        return
    match state.phase:
        case Phase.CUBE_OFFERED:
            yield from film.pause(_ANSWERS)
            yield from _answer_double(playing, rules, state)
        case Phase.SET_UP | Phase.RESTORE | Phase.OPENING | Phase.AWAIT_ROLL:
            yield from _lift_all(playing)
            yield from _put(
                playing, rules, state.position if state.phase is not Phase.SET_UP else rules.start_of(state)
            )
            yield from film.pause(_SETTLES)
            if state.phase is Phase.RESTORE and n_waited >= _PATIENCE:
                yield from _say(playing, state, CorrectBoard(state.position, state.on_turn))
        case Phase.PLAYING:
            yield from _put(playing, rules, state.position)
            yield from _show_roll(playing, state)
            yield from film.pause(_SETTLES)
        case Phase.ILLEGAL | Phase.UNSURE | Phase.TURN_END if n_waited:
            yield from _settle_turn(playing, rules, state, n_waited)
        case Phase.BLIND if n_waited > _PATIENCE:
            film.conditions = replace(film.conditions, shift_mm=(0.0, 0.0))
            yield from film.pause(_SETTLES)
        case Phase.GAME_OVER:
            pass
        case _:
            yield from film.pause(_WAITS if state.phase in _STOPPED else _SETTLES)


def _settle_turn(playing: ScriptContext, rules: Rules, state: RefereeState, n_waited: int) -> Happenings:
    """A turn that is judged: an illegal play is put right; what nobody answers, a player answers after a while."""
    legal = rules.play(state)
    if state.phase is Phase.ILLEGAL and legal is not None:
        yield from _put(playing, rules, legal)
        yield from playing.film.pause(_SETTLES)
    else:
        yield from playing.film.pause(_SETTLES)
    if n_waited < _PATIENCE:
        return
    if legal is not None and state.phase is Phase.UNSURE and n_waited == _PATIENCE:
        yield from _say(playing, state, ChoosePlay(legal))
    else:
        yield from _say(playing, state, CorrectBoard(legal or state.position, None if legal else state.on_turn))


def _say(playing: ScriptContext, asked: RefereeState, answer: Command) -> Happenings:
    """A player gives an order, unless the operator was first."""
    film, hearing = playing.film, playing.hearing
    if hearing.state is not None and hearing.state.phase is asked.phase and not hearing.is_disturbed:
        yield Cue(film.now_ms, answer)
    yield from film.pause(_WAITS)


def _answer_double(playing: ScriptContext, rules: Rules, state: RefereeState) -> Happenings:
    if state.cube.offer_by is not None:
        player = state.cube.offer_by.opponent
        takes = rules.takes(state, player)
        yield from _say(playing, state, TakeDouble(player) if takes else DropDouble(player))


def _lift_all(playing: ScriptContext) -> Happenings:
    film, state = playing.film, playing.hearing.state
    if film.dice:
        yield from film.lift((state and state.on_turn) or Player.WHITE, film.dice)


def _put(playing: ScriptContext, rules: Rules, position: str) -> Happenings:
    """Puts the checkers as in `position`, by the hand of the player on turn."""
    film, state = playing.film, playing.hearing.state
    then = rules.stacks_of(position)
    if film.stacks == then:
        return
    player = (state and state.on_turn) or Player.WHITE
    carries = carries_between(film.stacks, then)
    if len(carries) <= _MOST_CARRIES:
        yield from film_moves(playing, player, carries, at_once=True)
    else:
        yield from film.reach(player, (film.plan.width_mm / 3, film.plan.height_mm / 2))
    yield from film.arrange(then)
    yield from film.withdraw()


def _show_roll(playing: ScriptContext, state: RefereeState) -> Happenings:
    """Turns the dice that lie there to the roll that is played. Dice that were lifted already stay in the hand, for a player
    who throws again would make another roll; the turn then ends by the button.
    """
    film, due = playing.film, state.due
    if due is None or not film.dice:
        return
    player = state.on_turn or Player.WHITE
    own = tuple(die for die in film.dice if die.pair is player)
    others = tuple(die for die in film.dice if die.pair is not player)
    if others:
        yield from film.lift(player.opponent, others)
    if len(own) != len(due.numbers) or len(own) != 2:
        yield from film.lift(player, own)
        return
    for die, value in zip(own, _match_faces(own, due.numbers), strict=True):
        if die.value != value and die.thrown is not None:
            yield from film.push(player, replace(die, value=value, thrown=replace(die.thrown, value=value)))
    yield from film.withdraw()


def _match_faces(dice: tuple[DieAtRest, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The number of each of two dice, so that as few as possible are turned."""
    is_crossed = dice[0].value == numbers[1] or dice[1].value == numbers[0]
    return numbers[::-1] if is_crossed else numbers
