import logging
from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.match.events import DiceRolled
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, Player
from controller.settings.settings import KnownNames, Settings, SettingsError, SettingsInput, read_settings
from controller.speech.espeak import MISSING, PROGRAM
from controller.speech.language import Language
from controller.subcommands.match.match_sinks import open_voice

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])


def settings(text: str) -> Settings:
    return read_settings(SettingsInput(text, Path("club.toml")), KnownNames(games=(), profiles=("casual",)))


ALOUD = settings('[speech]\naloud = true\nlanguage = "tr"\npersian_names = true\nwords_a_minute = 120\n').speech


def test_speech_is_set_in_the_file() -> None:
    usual = settings("").speech
    assert (usual.aloud, usual.language, usual.persian_names) == (False, Language.ENGLISH, False)
    assert (ALOUD.aloud, ALOUD.language, ALOUD.words_a_minute) == (True, Language.TURKISH, 120)


@pytest.mark.parametrize("line", ['language = "xx"', "words_a_minute = 5", 'aloud = "yes"', "volume = 11"])
def test_a_mistake_is_reported_with_its_line(line: str) -> None:
    with pytest.raises(SettingsError, match=r"club\.toml, line 2, speech\."):
        settings(f"[speech]\n{line}\n")


def test_the_default_settings_start_no_voice() -> None:
    with ExitStack() as opened:
        assert open_voice(settings("").speech, TABLE, opened) is None


def test_a_missing_program_is_reported_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with ExitStack() as opened, caplog.at_level(logging.WARNING):
        assert open_voice(ALOUD, TABLE, opened) is None
    assert caplog.messages == [MISSING]


def test_the_program_gets_the_roll_in_the_language(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fake program records its arguments and its input; the end of the match waits for it."""
    program, heard = tmp_path / PROGRAM, tmp_path / "heard"
    program.write_text(f'#!/bin/sh\necho "$@" > {heard}\nread -r line\nprintf "%s" "$line" >> {heard}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with ExitStack() as opened:
        sink = open_voice(ALOUD, TABLE, opened)
        assert sink is not None
        sink.publish(RefereeState(), (DiceRolled(1, Player.WHITE, (6, 5)),), 1)
    assert heard.read_text(encoding="utf-8") == "-v tr -s 120 --stdin\nBeyaz attı: şeş beş."
