"""Parses English messages about forms and refused orders into phrases, so that pages show them in their own language.

A message that no pattern matches stays in English.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from controller.match_log.event_json import JsonValue
from controller.speech.phrases import Phrase, PhraseValue, phrase, phrase_json

PATTERNS: tuple[tuple[str, str], ...] = (
    (r".+ is not possible; give (?P<least>\d+) to (?P<most>\d+)", "mistake.range"),
    (r".+ does not fit; give a whole number from (?P<least>\d+) to (?P<most>\d+)(?:, or \"none\")?", "mistake.range"),
    (r".+ is no whole number", "mistake.whole"),
    (r".+ is no number", "mistake.number"),
    (r".+ is no score; .+", "mistake.score"),
    (r"(?P<score>\d+-\d+) is the end of a match to (?P<length>\d+); give fewer points", "mistake.score-over"),
    (r".+ is no clock; .+", "mistake.clock"),
    (r".+ leaves no reserve; give more than 0 minutes", "mistake.clock-empty"),
    (r".+ is no delay; .+|.+ is too long; give at most \d+m", "mistake.delay"),
    (r".+ is no address; .+", "mistake.address"),
    (r".+ is no part of a seating; .+", "mistake.seating"),
    (r"(?:white|edge|mirrored|head) is (?:\w+ or \w+, not .+|given twice; write it once)", "mistake.seating"),
    (r"there is no (?:game|profile) .+", "mistake.none-such"),
    (r".+ is none of these; .+", "mistake.none-such"),
    (r"a strip has 1 to (?P<most>\d+) LEDs", "mistake.strip"),
    (r"no LED lies at any point; .+", "mistake.no-led"),
)
FIXED: Mapping[str, str] = MappingProxyType(
    {
        "This token is not valid; open the link that zarbiter prints": "refusal.token",
        "This match was played; it is only looked at": "refusal.played",
        "No match is being played": "refusal.no-match",
        "Spectators see this page later; wait": "refusal.later",
        "Another phone sends pictures already; close its page": "refusal.other-phone",
        "This is no picture, or one of too many pixels": "refusal.no-picture",
        "No match is being played that could be ended here": "refusal.no-match",
        "Too many orders; wait a moment": "refusal.too-many",
        "Too many wrong tokens; wait a moment": "refusal.too-many-tokens",
        "Orders wait already; the match does not go on just now": "refusal.busy",
        "Orders wait already; the program does not go on just now": "refusal.busy",
        "The last order is still being worked on; wait a moment": "refusal.busy",
        "The program does not answer": "refusal.no-answer",
        "This is no legal play of this roll": "refusal.review-illegal",
        "This play would end the game, which went on": "refusal.review-over",
        "The game ended with this turn; choose a play that ends it": "refusal.review-ended",
        "An opening throw that begins the game has two different numbers": "refusal.review-opening",
        "These numbers were handed over by the other player; put that turn right": "refusal.review-handed-over",
        "A cascade is played in several stages and cannot be put right here": "refusal.review-cascade",
        "This match cannot be written now; another program may be writing it": "refusal.review-writing",
        "The settings file was changed by somebody else meanwhile; look at it again": "refusal.file-changed",
        "There is no light board to map here": "refusal.no-strip",
        "The settings say that there is no light board (leds.port)": "refusal.no-strip",
        "A match is being played; end it first": "refusal.playing",
        "This match was begun on the command line; set up the next one there": "office.begun-elsewhere",
        "Only the operator calibrates; open the link that zarbiter prints": "office.no-token",
        "There is no camera to calibrate here": "calibration.nothing",
        "GNU Backgammon is not installed; on Debian and Raspberry Pi OS, apt install gnubg": "statistics.halt.no-program",
        "A match is being played; compute error rates when it is over": "statistics.halt.match",
        "A game is being played, and is not disturbed; calibrate between games, or pause the match": "refusal.game-on",
    }
)


def make_phrase_fields(sentence: str) -> dict[str, JsonValue]:
    """`{"said": phrase}` if the packs have the sentence, else empty."""
    found = parse_form_sentence(sentence)
    return {} if found is None else {"said": phrase_json(found)}


def parse_form_sentence(sentence: str) -> Phrase | None:
    """The phrase of one sentence, with or without its full stop; None if the packs have none."""
    plain = sentence.removesuffix(".")
    if plain in FIXED:
        return phrase(FIXED[plain])
    for pattern, key in _compile_patterns():
        match = pattern.fullmatch(plain)
        if match is not None:
            return Phrase(key, {name: _VALUES.get(name, int)(text) for name, text in match.groupdict().items()})
    return None


@cache
def _compile_patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.DOTALL), key) for pattern, key in PATTERNS)


_VALUES: Mapping[str, Callable[[str], PhraseValue]] = MappingProxyType({"score": str})
