"""A question of the referee and its answers as phrases of the language packs."""

from controller.match import PlayUnclear, Seating, SetUpUnclear, commands
from controller.questions.question import Meaning, OfferedAnswer, Question
from controller.refereeing.match_config import MatchConfig
from controller.rules import Player
from controller.speech.event_phrases import Phrases, phrase_event, phrase_seating
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import (
    Phrase,
    PhraseList,
    PlaceNames,
    PlayerName,
    PlayNotations,
    RollNumbers,
    phrase,
)
from controller.speech.rendering import PhraseRenderer, make_speech_context
from controller.speech.rule_sentences import parse_rule_sentences


def phrase_question(question: Question) -> Phrase:
    """The question in a few words."""
    return phrase(f"question.{question.about.value}")


def word_question(question: Question, table: MatchConfig, seating: Seating | None) -> tuple[str, ...]:
    """The question and its answers as English lines, with plays and rolls in notation."""
    words = PhraseRenderer(load_pack(Language.ENGLISH), make_speech_context(table, seating), in_notation=True)
    sentences = (phrase_question(question), *map(phrase_answer, question.answers))
    return tuple(words.render((sentence,)) for sentence in sentences)


def phrase_reason(question: Question) -> Phrases:
    """Why it is asked; empty where the ruling says it already."""
    match question.asked:
        case PlayUnclear():
            return parse_rule_sentences((question.asked.sentence,), question.asked.player)
        case SetUpUnclear():
            return phrase_event(question.asked)
        case _:
            return ()


def phrase_answer(answer: OfferedAnswer) -> Phrase:
    """What a person says by giving the answer."""
    match answer.command:
        case commands.CorrectRoll(values=(first, second)) if answer.meaning is Meaning.OPENING_ROLL:
            return phrase("question.opening-roll", white=first, black=second)
        case commands.CorrectRoll():
            return phrase("answer.roll", roll=RollNumbers(answer.command.values))
        case commands.SetSeating():
            return phrase_seating("answer.seating", answer.command.seating)
        case commands.CorrectBoard(on_turn=Player() as player):
            return _phrase_board("answer.goes-on", answer, name=PlayerName(player))
        case _:
            pass
    if answer.meaning is Meaning.PLAY:
        return phrase("answer.play", play=PlayNotations((answer.play,))) if answer.play else phrase("log.no-play")
    return _phrase_board(f"answer.{answer.meaning.value}", answer)


def _phrase_board(key: str, answer: OfferedAnswer, **values: PlayerName) -> Phrase:
    if not answer.counts:
        return phrase(key, **values)
    parts = (
        phrase("answer.count", count=one.light or one.dark, places=PlaceNames((one.place,), answer.player))
        for one in answer.counts
    )
    return phrase(f"{key}.counts", counts=PhraseList(tuple(parts)), **values)
