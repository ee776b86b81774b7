import json
from collections.abc import Iterator, Mapping
from math import isfinite

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.match import events
from controller.match.events import CubeAct, RefereeEvent
from controller.refereeing.match_config import MatchConfig, MatchPlayers
from controller.rules import RULESETS, BadThrow, Player, ResultKind, Rule
from controller.speech.event_phrases import phrase_event, phrase_margin
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import Phrase, PhraseList, PhraseValue, phrase_json
from controller.speech.rendering import PhraseRenderer, make_speech_context
from controller.web.match.ruling_record import make_ruling_record
from controller.wording.ruling_text import ruling_text
from tests.controller.speech.test_packs import blanks, forms

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"], players=MatchPlayers("Ann", "Ben"))
NAMES = {Player.WHITE: "Ann", Player.BLACK: "Ben"}
ENGLISH = load_pack(Language.ENGLISH)
# Measured values are finite, which their type does not say.
EVENTS: st.SearchStrategy[RefereeEvent] = st.from_type(RefereeEvent)  # type: ignore[arg-type]
EVENTS = EVENTS.filter(lambda event: not isinstance(event, events.BoardMoved) or isfinite(event.moved_mm))


def spoken(event: RefereeEvent, language: Language = Language.ENGLISH, *, persian_names: bool = False) -> str:
    return PhraseRenderer(load_pack(language), make_speech_context(TABLE, None), persian_names).render(
        phrase_event(event)
    )


def texts_in(value: PhraseValue) -> Iterator[Phrase]:
    """Every text of a pack that a sentence uses."""
    if isinstance(value, Phrase):
        yield value
        for each in value.values.values():
            yield from texts_in(each)
    elif isinstance(value, PhraseList):
        for part in value.parts:
            yield from texts_in(part)


@given(EVENTS)
@example(events.CommandRefused(1, "", ""))
def test_every_line_of_the_terminal_has_phrases(event: RefereeEvent) -> None:
    """With keys that the packs have and all values that their texts need."""
    sentences = phrase_event(event)
    assert bool(sentences) == bool(ruling_text(event, NAMES))
    for sentence in sentences:
        for one in texts_in(sentence):
            assert one.key in ENGLISH.texts
            wanted = set().union(*map(blanks, forms(ENGLISH.texts[one.key])))
            # The player who doubled is always known, which the event's type does not say.
            assert wanted - {"name"} <= set(one.values)


@given(EVENTS)
def test_every_event_becomes_json(event: RefereeEvent) -> None:
    sent = [phrase_json(sentence) for sentence in phrase_event(event)]
    assert json.loads(json.dumps(sent)) == sent


@pytest.mark.parametrize(
    "event",
    [
        events.OpeningThrown(1, 6, 2, Player.WHITE),
        events.OpeningThrown(1, 4, 4, None),
        events.ThrowRefused(1, Player.BLACK, (BadThrow.COCKED, BadThrow.ON_BAR), (None, 3)),
        events.PassForced(1, Player.WHITE),
        events.CubeTurned(1, CubeAct.TAKEN, Player.BLACK, 2),
        events.GameStarted(1, 2, "", Player.WHITE),
        events.MatchResumed(1, after_restart=True),
    ],
)
def test_in_english_it_is_the_line_of_the_terminal(event: RefereeEvent) -> None:
    assert spoken(event) == ruling_text(event, NAMES)


BAR_FIRST = "A checker on the bar must enter before any other one moves."
REFUSED = events.PlayRefused(
    *(1, Player.WHITE, (6, 5), "", ""), (Rule.HEAD, Rule.BAR_FIRST), (BAR_FIRST,), ("B8", "T1"), ("bar",)
)
SAID: Mapping[Language, str] = {
    Language.RUSSIAN: "Ann: ход против правил (голова, сначала с бара). Шашка с бара входит раньше, чем ходит любая "
    "другая. Снимите лишнее: пункты 13, 5. Верните на место: бар.",
    Language.ARABIC: "Ann: نقلة مخالفة (الرأس، الحاجز أولًا). حجر على الحاجز يجب أن يدخل قبل أن يتحرك أي حجر آخر. "
    "ارفعوا من: خانات 13، 5. أعيدوا إلى: الحاجز.",
}


@pytest.mark.parametrize("language", SAID)
def test_an_illegal_play_names_rules_and_points_in_the_language(language: Language) -> None:
    """With points of the player's own path and the commas of the language."""
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
    assert spoken(events.DiceRolled(1, Player.BLACK, (6, 5)), language, persian_names=is_persian) == line


def test_a_play_is_spoken_from_point_to_point() -> None:
    made = events.PlayMade(1, Player.WHITE, (6, 5), "bar/20* 13/7(2)", "", "", "end_turn")
    assert spoken(made) == "Ann 6, 5: bar to 20, 13 to 7. Legal."
    unclear = events.PlayUnclear(1, Player.WHITE, ("8/5", "6/3", "4/1"), (), "")
    assert spoken(unclear).endswith("It may have been 8 to 5, 6 to 3 or 4 to 1.")


def test_default_names_are_translated_and_chosen_names_stay() -> None:
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"], players=MatchPlayers("White", "Ben"))
    speaker = PhraseRenderer(load_pack(Language.GERMAN), make_speech_context(table, None))
    won = events.GameWon(1, Player.WHITE, ResultKind.MARS, 2, 2, 0)
    assert speaker.render(phrase_event(won)) == "Weiß gewinnt: Gammon. 2 Punkte. Stand 2-0."


def test_the_play_that_comes_next_is_read_and_not_spoken() -> None:
    event = events.PlayMade(1, Player.WHITE, (3, 1), "8/5 6/5", "", "", "end_turn", next_best="8/5 24/23", odds=40)
    assert "8/5 24/23" not in str(phrase_event(event))
    (margin,) = phrase_margin(event)
    assert isinstance(margin, Phrase)
    assert margin.key == "event.next-best"
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
    said = make_ruling_record(event, table)["said"]
    assert isinstance(said, list)
    assert said[-1] == phrase_json(margin)
    assert not phrase_margin(events.PlayMade(1, Player.WHITE, (3, 1), "8/5 6/5", "", "", "end_turn"))
