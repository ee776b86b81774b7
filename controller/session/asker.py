"""The question that is open: numbered lines for the terminal, and one answer at a time for the buttons and the lights.

The cube button steps through the answers, a player's button gives the one that is picked, and undo leaves it. A question is
printed once, and again when another one is asked or its answers change.
"""

from collections.abc import Callable

from controller.lights.strip_picture import StripRenderer
from controller.match import AnswerQuestion, Command, Peripheral, RefereeEvent, TakeBackAnswer
from controller.questions.find_question import AskedInBackground, AskedOnce
from controller.questions.question import About, Question
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.speech.event_filter import is_topic_enabled
from controller.speech.question_phrases import word_question
from firmware_bridge.pins.buttons import PLAYERS_BUTTONS, Button, ButtonEvent, Pressed
from vision.frame import monotonic_ms

TAKE_BACK = 0
"""The number that takes the last answer back."""
_TWO_DIGITS = 10
_FRESH_MS = 500
"""As on the page: the second key of a double press comes within this time, and nobody reads a question within it."""


class Asker:
    """A sink. `say` receives lines; `strip` shows the answer that is picked with the buttons.

    `in_background`: finding the answers may take some tenths of a second, for which the loop does not wait. `questions` is for
    the other outputs of the match.
    """

    link: Peripheral | None = None

    def __init__(
        self,
        table: MatchConfig,
        say: Callable[[str], None] | None = None,
        strip: StripRenderer | None = None,
        *,
        in_background: bool = False,
        clock: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._table, self._strip, self._clock = table, strip, clock
        self._listed_ms = 0
        self._say: Callable[[str], None] = (lambda _: None) if say is None else say
        self.questions = AskedOnce()
        self._find = AskedInBackground(self.questions) if in_background else self.questions
        self._question: Question | None = None
        self._words: tuple[str, ...] = ()
        self._is_listed = False
        self._picked: int | None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        del events, now_ms
        table = with_current_mode(self._table, state)
        question = self._find(state, table)
        if question is not None and not is_topic_enabled(question.asked, table):
            question = None
        if question is self._question:
            return
        self._pick(None)
        self._question, self._is_listed = question, False
        self._words = () if question is None else word_question(question, table, state.seating)
        if question is not None and question.is_open:
            self.list_answers()

    def list_answers(self) -> None:
        """Says the question and its answers, or that nothing is asked."""
        if self._question is None:
            self._say("Nothing is asked.")
            return
        self._is_listed, self._listed_ms = True, self._clock()
        self._say(self._words[0])
        for number, words in enumerate(self._words[1:], 1):
            self._say(f"  {number}  {words}")
        self._say(f"  Type the number of an answer; {TAKE_BACK} takes the last answer back.")

    @property
    def takes_keys(self) -> bool:
        """Whether a digit alone answers: the answers are listed and have one digit each."""
        return self._question is not None and self._is_listed and 0 < len(self._question.answers) < _TWO_DIGITS

    def is_meant_for_it(self) -> bool:
        """Whether a key that is pressed now can answer what is asked. Nobody has read a question that has just been listed,
        which is said.
        """
        if self._question is None or not self._is_listed or self._clock() - self._listed_ms >= _FRESH_MS:
            return True
        self._say("That key came before this question could be read; press it again.")
        return False

    def answer(self, number: int) -> Command | None:
        """The command of a typed number. None where there is no such answer, which is said, or nobody has seen the answers,
        which are listed then.
        """
        if number == TAKE_BACK:
            return TakeBackAnswer()
        question = self._question
        if question is not None and not self._is_listed:
            self.list_answers()
            return None
        if question is None or number > len(question.answers):
            self._say("There is no answer with this number; type answers to see what is asked.")
            return None
        return AnswerQuestion(question.asked.at_ms, question.answers[number - 1].command)

    def press(self, event: ButtonEvent) -> tuple[Command, ...] | None:
        """The commands of a button while a question is open; None where the button has its usual meaning."""
        question = self._question
        if question is None or not question.answers or question.about is About.REFUSED:
            return None
        match event:
            case Pressed(button=Button.CUBE):
                self._pick(0 if self._picked is None else (self._picked + 1) % len(question.answers))
            case Pressed(button=Button.UNDO) if self._picked is not None:
                self._pick(None)
            case Pressed(button=button) if button in PLAYERS_BUTTONS and self._picked is not None:
                return (AnswerQuestion(question.asked.at_ms, question.answers[self._picked].command),)
            case _:
                return None
        return ()

    def _pick(self, number: int | None) -> None:
        if number is None and self._picked is None:
            return
        self._picked = number
        picked = None if self._question is None or number is None else self._question.answers[number]
        if number is not None:
            self._say(f"> {number + 1}  {self._words[number + 1]}; the button of a player gives this answer.")
        if self._strip is not None:
            self._strip.show_answer(picked)
