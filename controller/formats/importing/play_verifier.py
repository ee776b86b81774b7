"""Judges the plays of a foreign log again: the referee's own state knows the throw that was due, the rules judge."""

from controller.match import RefereeEvent, events
from controller.match.event_values import BoardUsed
from controller.refereeing.apply_events import apply_event
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.refereeing.verdicts import IllegalVerdict, judge_entered_board
from controller.rules import GRASSHOPPER, Position, Rule, get_ruleset, parse_house_variant, parse_setup
from controller.rules.grasshopper import game as grasshopper


class PlayVerifier:
    """Takes the events of a log in their order. An event that cannot follow the ones before it raises an error."""

    def __init__(self) -> None:
        self._state = RefereeState()
        self._table: MatchConfig | None = None

    def verify_event(self, event: RefereeEvent) -> tuple[tuple[Rule, ...], str]:
        """The broken rules and a sentence for a play that the log calls legal; empty for every other event."""
        verdict: tuple[tuple[Rule, ...], str] = ((), "")
        if isinstance(event, events.MatchStarted):
            self._table = _make_table(event)
        self._check_boards(event)
        if isinstance(event, events.PlayMade):
            verdict = self._judge_play(event)
        self._state = apply_event(self._state, event)
        return verdict

    def _check_boards(self, event: RefereeEvent) -> None:
        """Raises an error for text that is no board of the game; a refused play may claim any board, or none."""
        match event:
            case events.GameStarted() | events.BoardCorrected() | events.PlayTakenBack():
                self._check_position(event.position)
            case events.MatchStarted(board=BoardUsed(start=str() as start)):
                self._check_position(start)
            case events.PlayMade() | events.PlayCondoned():
                self._check_position(event.before)
                self._check_position(event.after)
            case events.PlayRefused():
                self._check_position(event.before)
                if event.after and self._table is not None and not self._table.is_grasshopper:
                    parse_setup(event.after)
            case _:
                pass

    def _check_position(self, position: str) -> None:
        if self._table is None:
            raise ValueError("a game has begun before its match")
        if self._table.is_grasshopper:
            grasshopper.from_text(position)
        else:
            Position.of(parse_setup(position), self._table.dice_rules)

    def _judge_play(self, event: events.PlayMade) -> tuple[tuple[Rule, ...], str]:
        table, state = self._table, self._state
        if table is None or (state.due is None and not table.is_grasshopper):
            return (), "" if event.before == event.after else "it was played without a throw"
        if event.before != state.position:
            return (), "it begins on another board than the play before it left"
        found = judge_entered_board(state, event.after, table)
        return (found.rules, found.sentences[0]) if isinstance(found, IllegalVerdict) else ((), "")


def _make_table(started: events.MatchStarted) -> MatchConfig:
    if started.game == GRASSHOPPER:
        return MatchConfig(game=started.game, rules=grasshopper.STANDARD)
    rules = get_ruleset(started.game) if started.rules_toml is None else parse_house_variant(started.rules_toml)
    return MatchConfig(game=started.game, rules=rules, rules_toml=started.rules_toml)
