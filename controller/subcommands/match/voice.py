"""The voice of this machine for a match, where the settings want one and there is one."""

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING

from controller.speech.espeak import MISSING, EspeakSink, EspeakVoice, has_espeak

if TYPE_CHECKING:
    from controller.refereeing.match_config import MatchConfig
    from controller.settings.settings import SpeechSettings

_LOG = logging.getLogger("zarbiter.play")


def open_voice(settings: "SpeechSettings", table: "MatchConfig", opened: ExitStack) -> EspeakSink | None:
    """Until `opened` is closed. None where nothing shall be said aloud; where nothing can be, that is told once."""
    if not settings.aloud:
        return None
    if not has_espeak():
        _LOG.warning("%s", MISSING)
        return None
    voice = EspeakVoice(settings.language, settings.words_a_minute, settings.persian_names)
    sink = EspeakSink(table, voice, _warn)
    opened.callback(sink.close)
    return sink


def _warn(sentence: str) -> None:
    _LOG.warning("%s", sentence)
