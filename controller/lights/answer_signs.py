"""The answer that somebody picks with the buttons, as lights: what it says lights up until it is given or left."""

from collections.abc import Sequence

from controller.adjudication import view_of
from controller.lights.vocabulary import BOTH_RIMS, LightSign, Meaning
from controller.match import Seating, commands
from controller.observing import PLACES
from controller.questions.question import OfferedAnswer
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import HOME, Player, Ruleset, parse_setup
from firmware_bridge.layout import LedPlace

_UPPER, _LOWER = ([place for place in LedPlace if place.value.startswith(row)] for row in "TB")


def select_answer_signs(answer: OfferedAnswer, state: RefereeState, table: MatchConfig) -> tuple[LightSign, ...]:
    """A roll lights as many places of each row as its dice show; seats light White's home; a board lights where its
    checkers come from and where they stand, against the log. Both rims: nothing is changed.
    """
    match answer.command:
        case commands.CorrectRoll(values=(first, second)):
            return (LightSign(Meaning.LEGAL_DESTINATION, (*_UPPER[:first], *_LOWER[:second])),)
        case commands.SetSeating(seating=seating) if isinstance(table.rules, Ruleset):
            home = [seating.place_of(point, Player.WHITE, table.rules.direction).value for point in HOME]
            return (LightSign(Meaning.LEGAL_DESTINATION, _find_leds(home)),)
        case _:
            signs = _sign_changes(answer.after, state, table)
            return signs or (LightSign(Meaning.LEGAL_DESTINATION, BOTH_RIMS),)


def _sign_changes(after: str, state: RefereeState, table: MatchConfig) -> tuple[LightSign, ...]:
    seating: Seating | None = state.seating or table.seating
    if seating is None or not after or not isinstance(table.rules, Ruleset):
        return ()
    before = state.position or table.start.position or table.start_text
    was, now = (view_of(parse_setup(text), seating, table.rules).points for text in (before, after))
    changes = [(sum(new) - sum(old), place.value) for old, new, place in zip(was, now, PLACES, strict=False)]
    sources = _find_leds([name for change, name in changes if change < 0])
    targets = _find_leds([name for change, name in changes if change > 0])
    signs = (LightSign(Meaning.LEGAL_SOURCE, sources), LightSign(Meaning.LEGAL_DESTINATION, targets))
    return tuple(sign for sign in signs if sign.places)


def _find_leds(names: Sequence[str]) -> tuple[LedPlace, ...]:
    return tuple(place for place in LedPlace if place.value in names)
