"""The voice of this machine: espeak-ng as a sink, which says rolls and rulings while the match goes on.

Nothing waits for it. One program speaks at a time; it gets its text on standard input, as a list of arguments without a
shell, and what has become old meanwhile is not said any more.
"""

import shutil
import subprocess
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.speech.event_filter import should_speak
from controller.speech.event_phrases import phrase_event
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.rendering import PhraseRenderer, make_speech_context

PROGRAM = "espeak-ng"
MISSING = f"{PROGRAM} is not installed, so nothing is said aloud; run sudo apt install {PROGRAM}"
MAX_WAIT_MS = 6_000
_LAST_WORDS_S = 8.0


class Utterance(Protocol):
    """One text that is being said."""

    def is_over(self) -> bool: ...

    def end(self, within_s: float) -> None:
        """Wait as long for its last word, then cut it short."""


@dataclass(frozen=True, slots=True)
class EspeakVoice:
    """How the program is to speak."""

    language: Language
    words_a_minute: int = 160
    persian_names: bool = False


@dataclass(frozen=True, slots=True)
class _EspeakProcess:
    process: subprocess.Popen[bytes]

    def is_over(self) -> bool:
        return self.process.poll() is not None

    def end(self, within_s: float) -> None:
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.process.kill()  # it may hang in the sound system and hear nothing else
            self.process.wait()


StartUtterance = Callable[[str, EspeakVoice], Utterance]
"""Begins to say a text; OSError where that cannot be done."""


def start_espeak(text: str, voice: EspeakVoice) -> Utterance:
    """Started, with the whole text in its pipe: a sentence is far shorter than what a pipe holds."""
    arguments = (PROGRAM, "-v", voice.language.value, "-s", str(voice.words_a_minute), "--stdin")
    process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell; the text is no argument
        arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if process.stdin is not None:
        with process.stdin as pipe:
            pipe.write(text.encode()[:_MOST_BYTES])
    return _EspeakProcess(process)


_MOST_BYTES = 4_000


def has_espeak() -> bool:
    return shutil.which(PROGRAM) is not None


class EspeakSink:
    """`tell` gets one sentence when the voice fails; after that it is silent."""

    link: Peripheral | None = None

    def __init__(
        self, table: MatchConfig, voice: EspeakVoice, tell: Callable[[str], None], start: StartUtterance = start_espeak
    ) -> None:
        self._table, self._voice, self._tell, self._start = table, voice, tell, start
        self._waiting: deque[tuple[int, str]] = deque()
        self._utterance: Utterance | None = None
        self._has_failed = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """Never blocks and never raises."""
        table = with_current_mode(self._table, state)
        aloud = [event for event in events if should_speak(event, table)]
        if aloud:
            scene = make_speech_context(self._table, state.seating)
            speaker = PhraseRenderer(load_pack(self._voice.language), scene, self._voice.persian_names)
            self._waiting += [(now_ms, speaker.render(phrase_event(event))) for event in aloud]
        while self._waiting and now_ms - self._waiting[0][0] >= MAX_WAIT_MS:
            self._waiting.popleft()
        if self._waiting and not self._has_failed and (self._utterance is None or self._utterance.is_over()):
            self._speak(self._waiting.popleft()[1])

    def _speak(self, text: str) -> None:
        try:
            self._utterance = self._start(text, self._voice)
        except OSError as error:
            self._has_failed, self._utterance = True, None
            self._tell(f"nothing is said aloud any more: {PROGRAM}: {error.strerror or error}")

    def close(self) -> None:
        """The last words may be the winner's name."""
        texts = [text for _, text in self._waiting]
        self._waiting.clear()
        if self._utterance is not None:
            self._utterance.end(_LAST_WORDS_S)
        if texts and not self._has_failed:
            self._speak(texts[-1])
            if self._utterance is not None:
                self._utterance.end(_LAST_WORDS_S)
