"""Films a game of Grasshopper: there are no dice, and a turn ends by the button or when the board is still again."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from controller.match import Checkers, EndedBy, EndTurn, Seating
from controller.refereeing.state import RefereeState
from controller.rules import GRASSHOPPER, Direction, Player
from controller.rules.grasshopper.game import (
    PIECES,
    START,
    Action,
    ActionKind,
    GrasshopperRules,
    Objection,
    Stack,
    State,
    actions,
    apply_action,
    from_text,
    to_text,
)
from controller.rules.grasshopper.judge import ActionRefused, MismatchFound, PieceSetup, judge_action
from controller.simulation.scripts.demo_players import DemoGrasshopperPlayer
from controller.simulation.scripts.following import (
    PLAYABLE,
    film_with_operator,
    follow_referee,
    is_unfinished,
    may_go_on,
    must_follow,
)
from controller.simulation.scripts.grasshopper_playthrough import ActionTaken, GrasshopperEnd, play_grasshopper
from controller.simulation.scripts.play_script import film_moves
from controller.simulation.scripts.script import AFTER_THE_GAME, BEFORE_THE_GAME, GamePlan
from controller.simulation.staging import (
    Aside,
    Carry,
    Cue,
    Happening,
    Happenings,
    ScriptContext,
    Spot,
    Stacks,
    TrueEnd,
    TrueMishap,
    TruePlay,
    TrueStart,
    carries_between,
    film_incidents,
    grasshopper_stacks,
)

_BUTTON_P = 0.3  # probability that a turn ends by the button instead of stillness


@dataclass(frozen=True, slots=True)
class WrongAction:
    """An illegal action with one piece, and the decisive objection."""

    action: Action
    against: Objection | MismatchFound


def film_grasshopper_game(rules: GrasshopperRules, plan: GamePlan) -> Iterator[Happening]:
    playing = plan.begin_film(grasshopper_stacks(START, plan.seating, PIECES))
    yield TrueStart(0, GRASSHOPPER, plan.seating, to_text(START))
    yield from _GrasshopperGame(rules, plan, playing).film()


class _GrasshopperGame:
    """A game while it is filmed, and what the players know of it when they follow an operator."""

    def __init__(self, rules: GrasshopperRules, plan: GamePlan, playing: ScriptContext) -> None:
        self.rules = rules
        self.context = playing
        self.player = DemoGrasshopperPlayer(plan.chance("game"))
        self.max_actions = min(plan.max_turns, 1000)
        self.events = play_grasshopper(self.player, rules, max_actions=self.max_actions)

    def film(self) -> Happenings:
        yield from film_with_operator(self.context, BEFORE_THE_GAME, self._film_events, self._follow)

    def _film_events(self) -> Happenings:
        film, has_followed = self.context.film, self.context.hearing.is_operated
        while (event := next(self.events, None)) is not None:
            match event:
                case ActionTaken():
                    if not has_followed and must_follow(self.context, self, event.player):
                        yield from self._follow()
                        has_followed = True
                        continue
                    has_followed = False
                    yield from _film_action(self.context, event, self.rules)
                case GrasshopperEnd() if event.is_finished:
                    yield TrueEnd(film.now_ms, event.winner)
                case GrasshopperEnd():
                    pass
        yield from film.pause(AFTER_THE_GAME)
        if is_unfinished(self.context):
            yield from self._follow()
            yield from self._film_events()

    def _follow(self) -> Happenings:
        yield from follow_referee(self.context, self)
        self.events = iter(())
        state = self.context.hearing.state
        if state is not None and state.phase in PLAYABLE and may_go_on(self.context, self):
            start = from_text(state.position)
            self.events = play_grasshopper(self.player, self.rules, start=start, max_actions=self.max_actions)

    def stacks_of(self, position: str) -> Stacks:
        return grasshopper_stacks(from_text(position), self.context.seating, PIECES)

    def start_of(self, state: RefereeState) -> str:
        return to_text(START)

    def play(self, state: RefereeState) -> str | None:
        before = from_text(state.position)
        possible = actions(before, self.rules)
        results = {action: to_text(apply_action(before, action, self.rules)) for action in possible}
        lies = (text for text in results.values() if self.stacks_of(text) == self.context.film.stacks)
        return next(lies, None) or (results[self.player(before, possible)] if possible else None)

    def takes(self, state: RefereeState, player: Player) -> bool:
        return True  # there is no cube


def _film_action(playing: ScriptContext, taken: ActionTaken, rules: GrasshopperRules) -> Happenings:
    """One action, sometimes after an illegal one that is taken back."""
    film, player = playing.film, taken.player
    yield from film_incidents(playing, player)
    wrong = _choose_wrong_action(playing, taken.before, rules)
    if wrong is not None:
        yield from film_moves(playing, player, _carries(wrong.action, taken.before, playing.seating), at_once=True)
        yield from film.withdraw()
        yield from _film_turn_end(playing, taken, wrong)
        yield from film.pause(film.tempo.before_correcting)
    elif taken.action.kind is not ActionKind.PASSING and playing.may(playing.mishaps.take_back):
        yield from _film_take_back(playing, taken)
    then = grasshopper_stacks(taken.after, playing.seating, PIECES)
    yield from film_moves(playing, player, carries_between(film.stacks, then), at_once=True)
    yield from film.arrange(then)
    yield from film.withdraw()
    if wrong is None:
        yield from _film_turn_end(playing, taken)
    else:
        yield from film.pause(film.tempo.lies_still)
    yield from film.pause(film.tempo.before_throw)


def _film_turn_end(playing: ScriptContext, taken: ActionTaken, wrong: WrongAction | None = None) -> Happenings:
    """The end of the turn, and the truth about it."""
    film = playing.film
    by_button = playing.may(_BUTTON_P) or taken.action.kind is ActionKind.PASSING
    if by_button:
        yield from film.pause(film.tempo.before_lifting)
    by = EndedBy.BUTTON if by_button else EndedBy.STILL
    truth = TruePlay(film.now_ms, taken.player, (), to_text(taken.before), to_text(taken.after), by)
    if wrong is not None:
        names, sentence, what = frozenset({wrong.against.reason}), wrong.against.sentence, wrong.action.kind.value
        truth = replace(truth, after="", breaches=names, corrected_to=truth.after, sentence=sentence, mishap=what)
    yield truth
    if by_button:
        yield Cue(film.now_ms, EndTurn(taken.player))
    else:
        yield from film.pause(film.tempo.lies_still)


def _film_take_back(playing: ScriptContext, taken: ActionTaken) -> Happenings:
    film, before = playing.film, playing.film.stacks
    possible = actions(taken.before)
    tried = possible[int(playing.chance.random() * len(possible))]
    yield TrueMishap(film.now_ms, "an action is tried and taken back")
    carries = _carries(tried, taken.before, playing.seating)
    yield from film_moves(playing, taken.player, carries, at_once=True)
    back = [Carry(one.checkers, one.target, one.source) for one in reversed(carries)]
    yield from film_moves(playing, taken.player, back, at_once=True)
    yield from film.arrange(before)


def _choose_wrong_action(playing: ScriptContext, before: State, rules: GrasshopperRules) -> WrongAction | None:
    """An illegal action, or None in most turns."""
    if not playing.may(playing.mishaps.illegal_play) or not actions(before, rules):
        return None
    possible = list(_conceivable_actions(before))
    Random(playing.chance.random()).shuffle(possible)
    for action in possible:
        ruling = judge_action(before, _board_after(before, action), rules)
        if isinstance(ruling, ActionRefused):
            return WrongAction(action, ruling.objections[0])
    return None


def _conceivable_actions(state: State) -> Iterator[Action]:
    """Physically possible actions of the side to act: enter a piece, or move one, to a free point."""
    free = [point for point in range(1, 25) if state.at(point) is Stack.EMPTY]
    for target in free:
        if state.hand(state.to_act):
            yield Action(ActionKind.ENTER, 0, target)
        for source in range(1, 25):
            if state.at(source).count(state.to_act) and source != target:
                yield Action(ActionKind.MOVE, source, target)


def _board_after(state: State, action: Action) -> PieceSetup:
    """The board after a piece was put where `action` says; the camera cannot see pieces in hand."""
    counts = {player: [state.at(point).count(player) for point in range(1, 25)] for player in Player}
    own = counts[state.to_act]
    own[action.target - 1] += 1
    if action.source:
        own[action.source - 1] -= 1
    return PieceSetup(tuple(counts[Player.WHITE]), tuple(counts[Player.BLACK]))


def _carries(action: Action, state: State, seating: Seating) -> list[Carry]:
    own: Checkers = seating.checkers_of(state.to_act)
    source: Spot = Aside.BOX if action.kind is ActionKind.ENTER else _place(action.source, seating)
    if action.kind is ActionKind.BEAROFF:
        return [Carry(own, source, Aside.OFF)] * 2
    return [Carry(own, source, _place(action.target, seating))]


def _place(point: int, seating: Seating) -> Spot:
    return seating.place_of(point, Player.WHITE, Direction.CONTRARY)
