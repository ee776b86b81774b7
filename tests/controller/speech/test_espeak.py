import signal
import subprocess
import sys
from dataclasses import dataclass, field, replace

import pytest

from controller.doctor.findings import Severity
from controller.doctor.lights import voice_findings
from controller.match.events import DiceRolled, Mode, PlayMade, PlayRefused, RefereeEvent, ThrowRefused
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, BadThrow, Player, Rule
from controller.speech.espeak import (
    MAX_WAIT_MS,
    MISSING,
    PROGRAM,
    EspeakSink,
    EspeakVoice,
    _EspeakProcess,
    has_espeak,
    start_espeak,
)
from controller.speech.language import Language

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
GERMAN = EspeakVoice(Language.GERMAN)
WHITE_65 = DiceRolled(1, Player.WHITE, (6, 5))
BLACK_21 = DiceRolled(2, Player.BLACK, (2, 1))
MADE = PlayMade(1, Player.WHITE, (6, 5), "24/13", "", "", "end_turn")
REFUSED = PlayRefused(1, Player.WHITE, (6, 5), "", "", (Rule.HEAD,), ())
VOID = ThrowRefused(1, Player.WHITE, (BadThrow.COCKED,), (1, 2))


@dataclass(slots=True)
class Mouth:
    """A voice in memory; it speaks until the test sets `is_silent`."""

    texts: list[str] = field(default_factory=list)
    is_silent: bool = True
    waited_s: float = 0.0

    def __call__(self, text: str, voice: EspeakVoice) -> "Mouth":
        self.texts.append(text)
        self.is_silent = False
        return self

    def is_over(self) -> bool:
        return self.is_silent

    def end(self, within_s: float) -> None:
        self.waited_s, self.is_silent = within_s, True


def publish(sink: EspeakSink, *events: RefereeEvent, at_ms: int = 0) -> None:
    sink.publish(RefereeState(), events, at_ms)


def sink_with(mouth: Mouth, table: MatchConfig = TABLE) -> tuple[EspeakSink, list[str]]:
    complaints: list[str] = []
    return EspeakSink(table, GERMAN, complaints.append, mouth), complaints


def test_texts_are_said_one_after_the_other() -> None:
    """The next text begins at the first call after the end of the one before."""
    mouth = Mouth()
    sink, _ = sink_with(mouth)
    publish(sink, WHITE_65, BLACK_21)
    publish(sink, at_ms=100)
    assert mouth.texts == ["Weiß wirft 6, 5."]
    mouth.is_silent = True
    publish(sink, at_ms=200)
    assert mouth.texts == ["Weiß wirft 6, 5.", "Schwarz wirft 2, 1."]


def test_a_text_that_waited_too_long_is_dropped() -> None:
    mouth = Mouth()
    sink, _ = sink_with(mouth)
    publish(sink, WHITE_65, BLACK_21)
    mouth.is_silent = True
    publish(sink, at_ms=MAX_WAIT_MS)
    assert mouth.texts == ["Weiß wirft 6, 5."]


def test_a_legal_play_is_not_said() -> None:
    mouth = Mouth()
    publish(sink_with(mouth)[0], MADE)
    assert mouth.texts == []


@pytest.mark.parametrize(
    ("mode", "monitor", "said"),
    [
        (Mode.TEACH, False, 3),
        (Mode.REFEREE, False, 3),
        (Mode.SILENT, False, 0),
        (Mode.SILENT, True, 0),
        (Mode.TOURNAMENT, False, 1),  # only the void throw
        (Mode.TOURNAMENT, True, 3),
    ],
)
def test_the_mode_is_respected(mode: Mode, monitor: bool, said: int) -> None:
    """A device that announces plays is a match monitor, which a tournament has to appoint."""
    mouth = Mouth()
    sink, _ = sink_with(mouth, replace(TABLE, mode=mode, monitor_appointed=monitor))
    events: tuple[RefereeEvent, ...] = (WHITE_65, REFUSED, VOID)
    for number, event in enumerate(events):
        publish(sink, event, at_ms=number)
        mouth.is_silent = True
    assert len(mouth.texts) == said


def test_closing_says_the_last_text_and_waits_for_its_end() -> None:
    mouth = Mouth()
    sink, _ = sink_with(mouth)
    publish(sink, WHITE_65, BLACK_21)
    sink.close()
    assert mouth.texts == ["Weiß wirft 6, 5.", "Schwarz wirft 2, 1."]
    assert mouth.waited_s > 0


def test_a_voice_that_cannot_start_is_reported_once() -> None:
    complaints: list[str] = []
    sink = EspeakSink(TABLE, GERMAN, complaints.append, _no_voice)
    publish(sink, WHITE_65)
    publish(sink, BLACK_21, at_ms=10)
    sink.close()
    assert complaints == [f"nothing is said aloud any more: {PROGRAM}: No such file or directory"]


def _no_voice(text: str, voice: EspeakVoice) -> Mouth:
    raise FileNotFoundError(2, "No such file or directory")


def test_a_voice_that_hangs_is_killed() -> None:
    """A process that hangs in the sound system ignores SIGTERM, and the end of the match does not wait for it."""
    deaf = "import signal, sys, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE)
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        _EspeakProcess(process).end(0.01)
        assert process.returncode == -signal.SIGKILL


def test_the_text_is_no_argument_and_goes_through_no_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players choose their names freely."""
    started = _Started()
    monkeypatch.setattr(subprocess, "Popen", started)
    start_espeak("-f /etc/passwd; $(reboot)", EspeakVoice(Language.TURKISH, 200))
    ((arguments, more),) = started.calls
    assert arguments == (PROGRAM, "-v", "tr", "-s", "200", "--stdin")
    assert "shell" not in more


@dataclass(slots=True)
class _Started:
    """Replaces Popen."""

    calls: list[tuple[tuple[str, ...], dict[str, object]]] = field(default_factory=list)
    stdin: None = None

    def __call__(self, arguments: tuple[str, ...], **more: object) -> "_Started":
        self.calls.append((arguments, more))
        return self


@pytest.mark.parametrize(("is_wanted", "is_installed"), [(True, False), (True, True), (False, False), (False, True)])
def test_the_doctor_misses_a_voice_only_where_one_is_wanted(is_wanted: bool, is_installed: bool) -> None:
    (finding,) = voice_findings(is_wanted=is_wanted, is_there=is_installed)
    is_missed = is_wanted and not is_installed
    assert finding.severity is (Severity.WARNING if is_missed else Severity.OK)
    assert (MISSING in finding.sentence) == is_missed


@pytest.mark.skipif(not has_espeak(), reason="needs espeak-ng")
@pytest.mark.parametrize("language", Language)
def test_the_real_program_takes_every_language(language: Language) -> None:
    speaking = start_espeak("1, 2.", EspeakVoice(language, 400))
    speaking.end(20)
    assert speaking.is_over()
