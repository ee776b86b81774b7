"""The plays of a log that comes from elsewhere, tried again: the referee's own state says what was due, the rules judge."""

from controller.match.events import (
    BoardCorrected,
    BoardUsed,
    GameStarted,
    MatchStarted,
    PlayCondoned,
    PlayMade,
    PlayRefused,
    PlayTakenBack,
    RefereeEvent,
)
from controller.refereeing.applied import applied
from controller.refereeing.state import RefereeState
from controller.refereeing.table import Table
from controller.refereeing.verdicts import Broken, verdict_on_told
from controller.rules.breach import Rule
from controller.rules.grasshopper import game as grasshopper
from controller.rules.house_rules import house_variant
from controller.rules.notation import parse_setup
from controller.rules.position import Position
from controller.rules.variants import GRASSHOPPER, ruleset_named


class PlayTrial:
    """Takes the events of a log in their order. What does not follow from what came before raises."""

    def __init__(self) -> None:
        self._state = RefereeState()
        self._table: Table | None = None

    def take(self, event: RefereeEvent) -> tuple[tuple[Rule, ...], str]:
        """The rules against a play that is called legal, and a sentence; nothing for all other events."""
        verdict: tuple[tuple[Rule, ...], str] = ((), "")
        if isinstance(event, MatchStarted):
            self._table = _table_of(event)
        self._check_boards(event)
        if isinstance(event, PlayMade):
            verdict = self._judged(event)
        self._state = applied(self._state, event)
        return verdict

    def _check_boards(self, event: RefereeEvent) -> None:
        """Text that is no board of the game raises; what was refused may be any claim, or none."""
        match event:
            case GameStarted() | BoardCorrected() | PlayTakenBack():
                self._check(event.position)
            case MatchStarted(board=BoardUsed(start=str() as start)):
                self._check(start)
            case PlayMade() | PlayCondoned():
                self._check(event.before)
                self._check(event.after)
            case PlayRefused():
                self._check(event.before)
                if event.after and self._table is not None and not self._table.is_grasshopper:
                    parse_setup(event.after)
            case _:
                pass

    def _check(self, position: str) -> None:
        if self._table is None:
            raise ValueError("a game has begun before its match")
        if self._table.is_grasshopper:
            grasshopper.from_text(position)
        else:
            Position.of(parse_setup(position), self._table.dice_rules)

    def _judged(self, event: PlayMade) -> tuple[tuple[Rule, ...], str]:
        table, state = self._table, self._state
        if table is None or (state.due is None and not table.is_grasshopper):
            return (), "" if event.before == event.after else "it was played without a throw"
        if event.before != state.position:
            return (), "it begins on another board than the play before it left"
        found = verdict_on_told(state, event.after, table)
        return (found.rules, found.sentences[0]) if isinstance(found, Broken) else ((), "")


def _table_of(started: MatchStarted) -> Table:
    if started.game == GRASSHOPPER:
        return Table(game=started.game, rules=grasshopper.STANDARD)
    rules = ruleset_named(started.game) if started.rules_toml is None else house_variant(started.rules_toml)
    return Table(game=started.game, rules=rules, rules_toml=started.rules_toml)
