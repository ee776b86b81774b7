"""Games and turns that are understood only afterwards.

The opponent has thrown and played before the board of the turn before was seen. If exactly one pair of plays leads to the
present board, both were made; if several do, people are asked. Where nobody can be asked, all throws and boards since the
last certain position are weighed together, over as many turns as it takes. A game that was under way when the referee
began to watch is joined in this way too.
"""

from dataclasses import replace

from controller.adjudication import Belief, GameRoot, PlayedTurn
from controller.match import DiceRolled, EndedBy, Evidence, GameStarted, PlayMade, SeatingKnown
from controller.observing import BoardEvidence, Observation
from controller.refereeing.joining import make_belief, make_known_belief
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases import game_end
from controller.refereeing.phases.judging import accept_play, apply_verdict, continue_game, end_turn, forget_roll
from controller.refereeing.phases.two_turns import find_play_pairs
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import PendingThrow, die_numbers, judge_throw, valid_values
from controller.refereeing.transition import Transition
from controller.rules import ThrowKind, is_crawford, play_text, position_text


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame while an unseen turn waits for the end of the next turn, whose dice lie on the board."""
    throw = transition.waiting_throw
    if throw is None or seen.board is None or seen.hand_in_view:
        return transition
    numbers = {die.number for die in throw.dice}
    if any(die.number in numbers for die in seen.dice):
        return transition
    transition = transition.with_throws(transition.seen.throws.wait(None).hide(is_hidden=False))
    return _explain_both_turns(transition, throw, seen.board, table)


def _explain_both_turns(
    transition: Transition, throw: PendingThrow, board: BoardEvidence, table: MatchConfig
) -> Transition:
    """The next turn is over: both plays are accepted, or neither."""
    other = transition.mover.opponent
    ruling = judge_throw(throw, other, transition, table)
    if not ruling.valid:
        return transition
    values = valid_values(ruling)
    found = find_play_pairs(transition.state, values, board, table)
    if len(found) != 1:
        return transition
    ((first, second),) = found
    transition = accept_play(transition, first, table, evidence=Evidence.INFERRED)
    transition = transition.emit(DiceRolled(transition.now_ms, other, values))
    transition = transition.with_dice(transition.seen.dice.identify(die_numbers(throw)))
    return apply_verdict(end_turn(transition, EndedBy.DICE_LIFTED), second, table)


def catch_up(transition: Transition, table: MatchConfig) -> Transition:
    """Explains an open turn by the turns that followed it, where nobody can be asked, once one way is certain.

    The memory of throws and boards since the last certain position is weighed; nothing changes while several ways are left.
    """
    state = transition.state
    is_open = state.phase in (Phase.ILLEGAL, Phase.UNSURE) and state.on_turn is not None
    if not is_open or table.players.can_be_asked or table.is_grasshopper or not state.seen.memory.news:
        return transition
    belief = state.seen.memory.belief or make_known_belief(state, table)
    memory = state.seen.memory.weigh(belief)
    transition = transition.with_seen(replace(transition.seen, memory=memory))
    if memory.belief is None:
        return transition
    stand = memory.belief.present
    if stand is None or not _is_told_of(stand.path, state):
        return transition
    transition = transition.with_waiting_throw(_find_open_throw(transition, memory.belief))
    return continue_game(forget_roll(_emit_turns(transition, stand.path, table, evidence=Evidence.INFERRED)), table)


def join(transition: Transition, table: MatchConfig) -> Transition:
    """In SET_UP: begins a game that is under way, once its plays tell who sits where, who is on turn, and what stood there.

    Boards that are set up without a throw are not weighed.
    """
    state, memory = transition.state, transition.seen.memory
    is_told = state.game.number > 0 or table.start.position is not None
    if state.phase is not Phase.SET_UP or is_told or not memory.has_throw:
        return transition
    seated = table if state.seating is None else replace(table, seating=state.seating)
    belief = memory.belief or make_belief(seated)
    if belief is None:
        return transition
    memory = memory.weigh(belief)
    transition = transition.with_seen(replace(transition.seen, memory=memory))
    root = None if memory.belief is None else memory.belief.decided
    if memory.belief is None or root is None:
        return transition
    path = next(one.path for one in memory.belief.now if one.root == root)
    if not path or any(turn.ruling is None for turn in path):
        return transition
    return _begin_joined_game(transition, root, path, memory.belief, table)


def _begin_joined_game(
    transition: Transition, root: GameRoot, path: tuple[PlayedTurn, ...], belief: Belief, table: MatchConfig
) -> Transition:
    if transition.state.seating is None:
        transition = transition.emit(SeatingKnown(transition.now_ms, root.seating, Evidence.INFERRED))
    began = GameStarted(
        transition.now_ms,
        number=1,
        position=position_text(root.position),
        player=path[0].player,
        is_crawford=is_crawford(transition.state.match, table.match),
        rolls_before=root.rolls_before,
    )
    lying = transition.seen.view.dice
    transition = transition.emit(began).with_seen(transition.seen.start_game())
    numbers = belief.throw.numbers if belief.is_throw_open and belief.throw is not None else frozenset[int]()
    coming = tuple(die for die in lying if die.number in numbers)
    transition = transition.with_waiting_throw(PendingThrow(coming) if coming else None)
    return continue_game(_emit_turns(transition, path, table, evidence=Evidence.SEEN), table)


def _find_open_throw(transition: Transition, belief: Belief) -> PendingThrow | None:
    """The throw that waits, if it comes after all explained turns."""
    waiting = transition.waiting_throw
    if waiting is None or not belief.is_throw_open or belief.throw is None:
        return None
    is_of_throw = belief.throw.numbers == {die.number for die in waiting.dice}
    return replace(waiting, may_have_lain=False) if is_of_throw else None


def _is_told_of(path: tuple[PlayedTurn, ...], state: RefereeState) -> bool:
    """Whether the path begins with the open turn, plays its roll, goes on to another one, and breaks no rule."""
    due = state.due
    return (
        len(path) > 1
        and path[0].player is state.on_turn
        and (due is None or due.kind is not ThrowKind.ROLL or path[0].roll == due.numbers)
        and all(turn.ruling is not None for turn in path)
    )


def _emit_turns(
    transition: Transition, path: tuple[PlayedTurn, ...], table: MatchConfig, *, evidence: Evidence
) -> Transition:
    """The turns of a path, as events; the game may end with the last one. `evidence`: of plays whose throw was read."""
    for turn in path:
        if turn.ruling is None or transition.state.phase is Phase.GAME_OVER:
            break
        if turn.roll is not None and transition.state.due is None:
            read = Evidence.SEEN if turn.is_read else Evidence.INFERRED
            transition = transition.emit(DiceRolled(transition.now_ms, turn.player, turn.roll, read))
        due = transition.state.due
        played = PlayMade(
            transition.now_ms,
            turn.player,
            () if due is None else due.numbers,
            play=play_text(turn.ruling.steps) if turn.ruling.steps else "pass",
            before=position_text(turn.before),
            after=position_text(turn.after),
            follow=str(turn.ruling.follow),
            evidence=evidence if turn.is_read else Evidence.INFERRED,
        )
        transition = game_end.finish_game_if_over(transition.emit(played), table)
    return transition
