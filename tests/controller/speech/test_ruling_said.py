import json
from collections.abc import Iterator, Mapping
from math import isfinite

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.match.events import (
    BoardMoved,
    CommandRefused,
    CubeAct,
    CubeTurned,
    DiceRolled,
    GameStarted,
    GameWon,
    MatchResumed,
    OpeningThrown,
    PassForced,
    PlayMade,
    PlayRefused,
    PlayUnclear,
    RefereeEvent,
    ThrowRefused,
)
from controller.refereeing.match_config import MatchConfig
from controller.rules import RULESETS, BadThrow, Player, ResultKind, Rule
from controller.speech.event_phrases import phrase_event
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import Phrase, PhraseList, PhraseValue, phrase_json
from controller.speech.rendering import PhraseRenderer, make_speech_context
from controller.wording.ruling_text import ruling_text
from tests.controller.speech.test_packs import blanks, forms

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"], white="Ann", black="Ben")
NAMES = {Player.WHITE: "Ann", Player.BLACK: "Ben"}
ENGLISH = load_pack(Language.ENGLISH)
# What is measured is finite; types do not say so.
EVENTS: st.SearchStrategy[RefereeEvent] = st.from_type(RefereeEvent)  # type: ignore[arg-type]
EVENTS = EVENTS.filter(lambda event: not isinstance(event, BoardMoved) or isfinite(event.moved_mm))


def spoken(event: RefereeEvent, language: Language = Language.ENGLISH, *, persian_names: bool = False) -> str:
    return PhraseRenderer(load_pack(language), make_speech_context(TABLE, None), persian_names).render(
        phrase_event(event)
    )


def texts_in(value: PhraseValue) -> Iterator[Phrase]:
    """Every text of a pack that a sentence is made with."""
    if isinstance(value, Phrase):
        yield value
        for each in value.values.values():
            yield from texts_in(each)
    elif isinstance(value, PhraseList):
        for part in value.parts:
            yield from texts_in(part)


@given(EVENTS)
@example(CommandRefused(1, "", ""))
def test_what_is_told_in_english_is_told_in_every_language(event: RefereeEvent) -> None:
    """Each event of which the terminal has a line; by keys that every pack has, with all values they want."""
    sentences = phrase_event(event)
    assert bool(sentences) == bool(ruling_text(event, NAMES))
    for sentence in sentences:
        for one in texts_in(sentence):
            assert one.key in ENGLISH.texts
            wanted = set().union(*map(blanks, forms(ENGLISH.texts[one.key])))
            assert wanted - {"name"} <= set(one.values)  # who doubled is always known; the event's type does not say so


@given(EVENTS)
def test_every_event_becomes_json(event: RefereeEvent) -> None:
    """As the page gets it."""
    told = [phrase_json(sentence) for sentence in phrase_event(event)]
    assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(
    "event",
    [
        OpeningThrown(1, 6, 2, Player.WHITE),
        OpeningThrown(1, 4, 4, None),
        ThrowRefused(1, Player.BLACK, (BadThrow.COCKED, BadThrow.ON_BAR), (None, 3)),
        PassForced(1, Player.WHITE),
        CubeTurned(1, CubeAct.TAKEN, Player.BLACK, 2),
        GameStarted(1, 2, "", Player.WHITE),
        MatchResumed(1, after_restart=True),
    ],
)
def test_in_english_it_is_the_line_of_the_terminal(event: RefereeEvent) -> None:
    """Page and terminal say the same."""
    assert spoken(event) == ruling_text(event, NAMES)


REFUSED = PlayRefused(
    1,
    Player.WHITE,
    (6, 5),
    "",
    "",
    (Rule.HEAD, Rule.BAR_FIRST),
    ("A checker on the bar must enter before any other one moves.",),
    ("B8", "T1"),
    ("bar",),
)
SAID: Mapping[Language, str] = {
    Language.RUSSIAN: "Ann: ход против правил (голова, сначала с бара). Шашка с бара входит раньше, чем ходит любая "
    "другая. Снимите лишнее: пункты 13, 5. Верните на место: бар.",
    Language.ARABIC: "Ann: نقلة مخالفة (الرأس، الحاجز أولًا). حجر على الحاجز يجب أن يدخل قبل أن يتحرك أي حجر آخر. "
    "ارفعوا من: خانات 13، 5. أعيدوا إلى: الحاجز.",
}


@pytest.mark.parametrize("language", SAID)
def test_an_illegal_play_names_rules_and_points_in_the_language(language: Language) -> None:
    """Points by the player's own numbers, commas as the language writes them."""
    assert spoken(REFUSED, language) == SAID[language]


@pytest.mark.parametrize(
    ("language", "is_persian", "line"),
    [
        (Language.ENGLISH, False, "Ben throws 6, 5."),
        (Language.ENGLISH, True, "Ben throws shesh-besh."),
        (Language.TURKISH, True, "Ben attı: şeş beş."),
        (Language.RUSSIAN, True, "Ben: шеш-беш."),
        (Language.GEORGIAN, True, "Ben: შაშ-ბეში."),
    ],
)
def test_a_roll_is_spoken_as_numbers_or_by_its_persian_name(language: Language, is_persian: bool, line: str) -> None:
    """Not as a sum, a date or a fraction."""
    assert spoken(DiceRolled(1, Player.BLACK, (6, 5)), language, persian_names=is_persian) == line


def test_a_play_is_spoken_from_point_to_point() -> None:
    """Without strokes and stars."""
    made = PlayMade(1, Player.WHITE, (6, 5), "bar/20* 13/7(2)", "", "", "end_turn")
    assert spoken(made) == "Ann 6, 5: bar to 20, 13 to 7. Legal."
    unclear = PlayUnclear(1, Player.WHITE, ("8/5", "6/3", "4/1"), (), "")
    assert spoken(unclear).endswith("It may have been 8 to 5, 6 to 3 or 4 to 1.")


def test_names_that_nobody_chose_are_words_of_the_language() -> None:
    """White and Black; whoever has a name keeps it."""
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"], white="White", black="Ben")
    speaker = PhraseRenderer(load_pack(Language.GERMAN), make_speech_context(table, None))
    won = GameWon(1, Player.WHITE, ResultKind.MARS, 2, 2, 0)
    assert speaker.render(phrase_event(won)) == "Weiß gewinnt: Gammon. 2 Punkte. Stand 2-0."
