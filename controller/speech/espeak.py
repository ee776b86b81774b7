"""The voice of this machine: a sink that has espeak-ng say rolls and rulings during the match.

The match never waits for the voice. One process speaks at a time, and a text that has waited too long is dropped. The
text goes to the program's standard input, the arguments are a list without a shell: players choose their names freely.
"""

import shutil
import subprocess
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.match import Peripheral, RefereeEvent
from controller.refereeing.match_config import MatchConfig, with_current_mode
from controller.refereeing.state import RefereeState
from controller.speech.event_filter import should_speak
from controller.speech.event_phrases import phrase_event
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.rendering import PhraseRenderer, make_speech_context

PROGRAM = "espeak-ng"
MISSING = f"{PROGRAM} is not installed, so nothing is said aloud; run sudo apt install {PROGRAM}"
# A text that waited this long is dropped: it no longer describes the board.
MAX_WAIT_MS = 6_000
# How long the end of a match waits for the last utterance.
_LAST_WORDS_S = 8.0
_MOST_BYTES = 4_000


class Utterance(Protocol):
    """A text that is being spoken."""

    def is_over(self) -> bool: ...

    def end(self, within_s: float) -> None:
        """Waits up to `within_s` for its end, then stops it."""


@dataclass(frozen=True, slots=True)
class EspeakVoice:
    """The options of espeak-ng, and whether rolls get their Persian names."""

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
            self.process.kill()  # a process that hangs in the sound system ignores SIGTERM
            self.process.wait()


# Starts to speak a text; raises OSError if that fails.
StartUtterance = Callable[[str, EspeakVoice], Utterance]


def start_espeak(text: str, voice: EspeakVoice) -> Utterance:
    """Starts the program and writes the whole text; a pipe holds far more than a sentence, so this does not block."""
    arguments = (PROGRAM, "-v", voice.language.value, "-s", str(voice.words_a_minute), "--stdin")
    process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell; the text is no argument
        arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    if process.stdin is not None:
        with process.stdin as pipe:
            pipe.write(text.encode()[:_MOST_BYTES])
    return _EspeakProcess(process)


def has_espeak() -> bool:
    return shutil.which(PROGRAM) is not None


class EspeakSink:
    """Speaks what `should_speak` allows. `warn` gets one sentence when the voice fails; the sink is silent afterwards."""

    link: Peripheral | None = None

    def __init__(
        self, table: MatchConfig, voice: EspeakVoice, warn: Callable[[str], None], start: StartUtterance = start_espeak
    ) -> None:
        self._table, self._voice, self._warn, self._start = table, voice, warn, start
        self._waiting: deque[tuple[int, str]] = deque()
        self._utterance: Utterance | None = None
        self._has_failed = False

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        """Never blocks and never raises."""
        table = with_current_mode(self._table, state)
        aloud = [event for event in events if should_speak(event, table)]
        if aloud:
            context = make_speech_context(self._table, state.seating)
            renderer = PhraseRenderer(load_pack(self._voice.language), context, self._voice.persian_names)
            self._waiting += [(now_ms, renderer.render(phrase_event(event))) for event in aloud]
        while self._waiting and now_ms - self._waiting[0][0] >= MAX_WAIT_MS:
            self._waiting.popleft()
        if self._waiting and not self._has_failed and (self._utterance is None or self._utterance.is_over()):
            self._speak(self._waiting.popleft()[1])

    def _speak(self, text: str) -> None:
        try:
            self._utterance = self._start(text, self._voice)
        except OSError as error:
            self._has_failed, self._utterance = True, None
            self._warn(f"nothing is said aloud any more: {PROGRAM}: {error.strerror or error}")

    def close(self) -> None:
        """Speaks the last waiting text, which may announce the winner, and waits for its end."""
        texts = [text for _, text in self._waiting]
        self._waiting.clear()
        if self._utterance is not None:
            self._utterance.end(_LAST_WORDS_S)
        if texts and not self._has_failed:
            self._speak(texts[-1])
            if self._utterance is not None:
                self._utterance.end(_LAST_WORDS_S)
