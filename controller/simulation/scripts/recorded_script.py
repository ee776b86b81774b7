"""Films a recorded game: its throws, plays, doubles and end as they were recorded.

Randomness decides only where dice come to rest and how fast hands are. What the record does not determine is cut off
before (`playable_part.py`), never invented.
"""

from collections.abc import Iterator
from itertools import zip_longest

from controller.formats import (
    BoardPut,
    CubeAction,
    GameAction,
    GameEnding,
    GameHistory,
    PendingRoll,
    PlayedTurn,
    Resignation,
)
from controller.match import Command, CubeAct, EndedBy, commands
from controller.match_log import TurnRuling
from controller.rules import GRASSHOPPER, Opening, Player, ResultKind, Ruleset, parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper.game import GrasshopperRules
from controller.simulation.scripts.play_script import film_moves
from controller.simulation.scripts.playthrough import OpeningThrow
from controller.simulation.scripts.script import AFTER_THE_GAME, BEFORE_THE_GAME, GamePlan
from controller.simulation.scripts.throw_script import film_opening_throw, film_throw
from controller.simulation.staging import (
    Cue,
    Happening,
    Happenings,
    Stacks,
    TrueEnd,
    TruePlay,
    TrueStart,
    carries_between,
    grasshopper_stacks,
    stacks_of,
)

Rules = Ruleset | GrasshopperRules
_COMMAND_OF: dict[CubeAct, type[commands.OfferDouble | commands.TakeDouble | commands.DropDouble | commands.Beaver]] = {
    CubeAct.OFFERED: commands.OfferDouble,
    CubeAct.TAKEN: commands.TakeDouble,
    CubeAct.DROPPED: commands.DropDouble,
    CubeAct.BEAVERED: commands.Beaver,
}


def film_recorded_game(game: GameHistory, rules: Rules, plan: GamePlan) -> Iterator[Happening]:
    """Films a game from `select_playable_part`; `games` and `start` of the plan are ignored."""
    return _RecordedGame(game, rules, plan).film()


def openings_of(game: GameHistory, rules: Rules) -> tuple[tuple[int, int], ...]:
    """The opening throws to film, White's die first; none if the starter throws two dice at once.

    Where the opening dice are the first roll, that roll determines the last opening throw, even if a file omits it.
    """
    if not isinstance(rules, Ruleset) or game.starter is None:
        return ()
    first = next(iter(game.played_turns), game.thrown)
    if rules.opening is not Opening.OPENING_DICE or first is None or len(set(first.roll)) != 2:
        return game.openings if rules.opening is not Opening.OPENING_DICE else ()
    high, low = max(first.roll), min(first.roll)
    last = (high, low) if game.starter is Player.WHITE else (low, high)
    return (*(one for one in game.openings if one[0] == one[1]), last)


def stacks_at(position: str, rules: Rules, plan: GamePlan) -> Stacks:
    """The stacks of the board in position text."""
    if isinstance(rules, Ruleset):
        return stacks_of(parse_setup(position), plan.seating, rules)
    return grasshopper_stacks(grasshopper.from_text(position), plan.seating, grasshopper.PIECES)


class _RecordedGame:
    """A recorded game while it is filmed."""

    def __init__(self, game: GameHistory, rules: Rules, plan: GamePlan) -> None:
        self.game = game
        self.rules = rules
        self.plan = plan
        self.context = plan.begin_film(stacks_at(game.start, rules, plan))
        self.has_opening_dice = False  # the opening dice lie on the board and are the roll

    def film(self) -> Happenings:
        film, game = self.context.film, self.game
        name = self.rules.name if isinstance(self.rules, Ruleset) else GRASSHOPPER
        yield TrueStart(film.now_ms, name, self.plan.seating, game.start)
        yield from film.pause(BEFORE_THE_GAME)
        yield from self._film_opening()
        for turn, following in zip_longest(game.turns, game.turns[1:]):
            yield from self._film_turn(turn, following)
        yield from self._film_end()
        yield from film.pause(AFTER_THE_GAME)

    def _film_opening(self) -> Happenings:
        film = self.context.film
        if not isinstance(self.rules, Ruleset):
            return
        for white, black in openings_of(self.game, self.rules):
            opening = OpeningThrow(white, black)
            yield from film_opening_throw(self.context, self.rules, opening)
            if opening.starter is not None and self.rules.opening is Opening.OPENING_DICE:
                self.has_opening_dice = True
                return
            yield from film.lift(opening.starter or Player.WHITE, film.dice)
            yield from film.pause(film.tempo.before_throwing_again)

    def _film_turn(self, turn: GameAction, following: GameAction | None) -> Happenings:
        match turn:
            case PlayedTurn():
                yield from self._film_play(turn, following)
            case CubeAction():
                yield from self._film_command(_command_of(turn))
            case Resignation():
                yield from self._film_resignation(turn)
            case BoardPut():  # pragma: no branch - mypy sees that no other case is left
                yield from self._film_set_to(self.game.starter or Player.WHITE, turn.position)
                yield from self._film_command(commands.CorrectBoard(turn.position))

    def _film_command(self, command: Command | None) -> Happenings:
        """A command, after the referee has had time to rule on the play before it."""
        film = self.context.film
        if command is not None:
            yield from film.pause(film.tempo.before_throw)
            yield Cue(film.now_ms, command)
            yield from film.pause(film.tempo.before_throw)

    def _film_resignation(self, turn: Resignation) -> Happenings:
        if turn.is_accepted and self.game.thrown is not None:
            yield from self._film_throw(self.game.thrown)
        yield from self._film_command(commands.Resign(turn.player, turn.kind))
        if turn.is_accepted is not None:
            yield from self._film_command(commands.AnswerResignation(turn.player.opponent, turn.is_accepted))

    def _film_throw(self, thrown: PlayedTurn | PendingRoll) -> Happenings:
        """The throw, unless the dice of the opening throw are the roll."""
        if isinstance(self.rules, Ruleset) and not self.has_opening_dice:
            yield from film_throw(self.context, self.rules, thrown.player, thrown.roll)
        self.has_opening_dice = False

    def _film_play(self, turn: PlayedTurn, following: GameAction | None) -> Happenings:
        """The throw, the play, and its corrections."""
        film, player, has_dice = self.context.film, turn.player, bool(turn.roll) and not turn.is_handed_over
        if has_dice:
            yield from self._film_throw(turn)
        wrong = [one.after for one in turn.taken_back]
        first, *others = (*wrong, turn.after or turn.before)
        yield from self._film_set_to(player, first, at_once=not turn.roll)
        yield from film.pause(film.tempo.before_lifting)
        yield from self._film_turn_end(turn, first, following)
        for board in others:
            yield from film.pause(film.tempo.before_correcting)
            yield from self._film_set_to(player, board, at_once=True)
            yield from film.pause(film.tempo.after_correcting)
        if turn.ruling is TurnRuling.ILLEGAL and not _is_throw_of(following, player.opponent):
            yield from film.pause(film.tempo.before_correcting)
            yield from self._film_command(commands.Condone())
        yield from film.pause(film.tempo.before_throw)

    def _film_set_to(self, player: Player, position: str, *, at_once: bool = False) -> Happenings:
        """A hand carries checkers until the board shows the position, hit checkers first."""
        film, then = self.context.film, stacks_at(position, self.rules, self.plan)
        own = self.plan.seating.checkers_of(player)
        carries = sorted(carries_between(film.stacks, then), key=lambda one: one.checkers is own)
        yield from film_moves(self.context, player, carries, at_once=at_once)
        yield from film.arrange(then)
        yield from film.withdraw()

    def _film_turn_end(self, turn: PlayedTurn, first: str, following: GameAction | None) -> Happenings:
        """The signal of the end of the turn, and the truth about it."""
        film, player = self.context.film, turn.player
        if turn.is_handed_over and _is_throw_of(following, player):  # the player's own throw is the signal
            yield from film.pause(film.tempo.before_throw)
            yield _make_truth(turn, first, EndedBy.NEXT_THROW, film.now_ms)
        elif turn.roll and not turn.is_handed_over:
            yield _make_truth(turn, first, EndedBy.DICE_LIFTED, film.now_ms)
            yield from film.lift(player, film.dice)
        else:
            yield _make_truth(turn, first, EndedBy.BUTTON, film.now_ms)
            yield Cue(film.now_ms, commands.EndTurn(player))

    def _film_end(self) -> Happenings:
        """A last roll or resignation, and the truth about the end."""
        game, result = self.game, self.game.result
        is_thrown = any(isinstance(turn, Resignation) and turn.is_accepted for turn in game.turns)
        if game.thrown is not None and not is_thrown:
            yield from self._film_throw(game.thrown)
        if result is None:
            return
        is_given_up = result.ending is GameEnding.REPORTED and result.kind not in (ResultKind.DRAW, ResultKind.MOTHER)
        if is_given_up and result.winner is not None:
            yield from self._film_command(commands.Resign(result.winner.opponent, result.kind))
            yield from self._film_command(commands.AnswerResignation(result.winner, accept=True))
        yield TrueEnd(self.context.film.now_ms, result.winner, result.kind, result.points)


def _command_of(action: CubeAction) -> Command | None:
    """None for an act of no player, such as an automatic double."""
    if action.player is None:
        return None
    command = _COMMAND_OF.get(action.act)
    return None if command is None else command(action.player)


def _is_throw_of(turn: GameAction | None, player: Player) -> bool:
    return isinstance(turn, PlayedTurn) and turn.player is player and bool(turn.roll) and not turn.is_handed_over


def _make_truth(turn: PlayedTurn, first: str, by: EndedBy, now_ms: int) -> TruePlay:
    """`first` is the board that is judged first; it may be corrected later."""
    rules = [*(one.rules for one in turn.taken_back), turn.rules]
    is_condoned = turn.ruling is TurnRuling.ILLEGAL
    after = turn.after or turn.before
    return TruePlay(
        now_ms,
        turn.player,
        turn.roll,
        turn.before,
        after if is_condoned else first,
        by,
        breaches=frozenset(broken[0] for broken in rules if broken),
        corrected_to=after if turn.taken_back and not is_condoned else None,
        is_condoned=is_condoned,
    )
