"""Games and turns that are understood only afterwards.

The opponent has thrown and played before the board of the turn before was seen. If exactly one pair of plays leads to the
present board, both were made; if several do, people are asked. Where nobody can be asked, all throws and boards since the
last certain position are weighed together, over as many turns as it takes. A game that was under way when the referee
began to watch is joined in this way too.
"""

from dataclasses import replace

from controller.adjudication import LEAST_TURNS, Belief, GameRoot, PlayedTurn
from controller.match import Evidence, GameStarted, SeatingKnown
from controller.observing import Observation
from controller.refereeing.joining import list_news, make_belief, make_known_belief
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.explained_turns import accept_agreed_turns, emit_turns, explain
from controller.refereeing.phases.judging import continue_game, forget_roll
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.throw import PendingThrow
from controller.refereeing.transition import Transition
from controller.rules import is_crawford, position_text


def handle_frame(transition: Transition, seen: Observation, table: MatchConfig) -> Transition:
    """One frame while an unseen turn waits for the end of the next turn, whose dice lie on the board."""
    throw = transition.waiting_throw
    is_told_later = table.is_watched and not table.players.can_be_asked
    if throw is None or seen.board is None or seen.hand_in_view or table.is_grasshopper or is_told_later:
        return transition
    numbers = {die.number for die in throw.dice}
    if any(die.number in numbers for die in seen.dice):
        return transition
    explained = accept_agreed_turns(transition, explain(transition, table), table, last=Evidence.SEEN)
    transition = explained or transition
    transition = transition.with_throws(transition.seen.throws.wait(None).hide(is_hidden=False))
    return transition if explained is None else continue_game(forget_roll(transition), table)


def catch_up(transition: Transition, table: MatchConfig) -> Transition:
    """Explains an open turn by the turns that followed it, where nobody can be asked, once one way is certain.

    The memory of throws and boards since the last certain position is weighed; nothing changes while several ways are left.
    """
    state, memory = transition.state, transition.seen.memory
    if not _is_open(state) or table.players.can_be_asked or table.is_grasshopper or not memory.news:
        return transition
    belief = memory.belief or make_known_belief(state, table)
    belief = belief.with_news(memory.news if memory.belief else list_news(state))
    transition = transition.with_seen(replace(transition.seen, memory=memory.weigh(belief)))
    present = belief.present
    if (
        present is None
        or not present.path
        or not (belief.is_throw_open or (len(present.path) > 1 and present.path[-1].is_read))
    ):
        return transition  # what comes next has to confirm it
    transition = transition.with_waiting_throw(_find_open_throw(transition, belief))
    return continue_game(forget_roll(emit_turns(transition, present.path, table)), table)


def _is_open(state: RefereeState) -> bool:
    """Whether a turn, the board between two turns, or the opening throw is not understood."""
    is_between = state.phase is Phase.RESTORE and state.underneath in ((Phase.AWAIT_ROLL,), (Phase.OPENING,))
    return is_between or (state.on_turn is not None and state.phase in (Phase.ILLEGAL, Phase.UNSURE))


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
    memory = memory.weigh(belief.with_news(memory.news))
    transition = transition.with_seen(replace(transition.seen, memory=memory))
    root = None if memory.belief is None else memory.belief.decided
    if memory.belief is None or root is None:
        return transition
    path = next(one.path for one in memory.belief.now if one.root == root)
    seen_since = next((number for number in range(len(path), 0, -1) if path[number - 1].is_unseen), 0)
    path = path[seen_since:]  # the game is joined after turns that nobody saw
    if len(path) < (LEAST_TURNS if seen_since else 1) or any(turn.is_breach for turn in path):
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
        position=position_text(path[0].before),
        player=path[0].player,
        is_crawford=is_crawford(transition.state.match, table.match),
        rolls_before=root.rolls_before,
    )
    transition = transition.emit(began).with_seen(transition.seen.start_game())
    transition = transition.with_waiting_throw(_find_open_throw(transition, belief))
    return continue_game(emit_turns(transition, path, table, evidence=Evidence.SEEN), table)


def _find_open_throw(transition: Transition, belief: Belief) -> PendingThrow | None:
    """The dice that lie there, if they were thrown after all explained turns."""
    numbers = belief.throw.numbers if belief.is_throw_open and belief.throw is not None else frozenset[int]()
    coming = tuple(die for die in transition.seen.view.dice if die.number in numbers)
    return PendingThrow(coming) if coming else None
