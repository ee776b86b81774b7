from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.clocks import US
from controller.match.events import Mode
from controller.match.seating import Checkers, PictureEdge
from controller.settings.settings import KnownNames, Score, Settings, SettingsError, SettingsInput, read_settings
from controller.settings.store import POLL_INTERVAL_MS, SettingsWatcher
from controller.settings.toml_edit import key_lines

FILE = Path("/home/ann/club.toml")
KNOWN = KnownNames(("backgammon", "tavla", "long_nardy"), ("casual", "wbgf"))
WHOLE = """\
game = "tavla"
profile = "wbgf"
mode = "referee"
seating = "white=dark,edge=top,mirrored=no"
clock = "us"

[players]
white = "Ann"
black = "Ben"

[match]
length = 7
score = "3-1"

[camera]
source = "/dev/video2"
calibration = "table.json"

[leds]
port = "/dev/ttyUSB0"
layout = "/etc/strip.toml"
cap_ma = 2000
brightness = 128
"""


def read(text: str, *options: tuple[tuple[str, ...], str, object]) -> Settings:
    return read_settings(SettingsInput(text, FILE, options), KNOWN)


def mistakes(text: str, *options: tuple[tuple[str, ...], str, object]) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        read(text, *options)
    return [str(mistake) for mistake in raised.value.mistakes]


def test_a_whole_file() -> None:
    """Every value arrives as what it means; a relative path is one from the file's folder."""
    settings = read(WHOLE)
    assert (settings.game, settings.profile, settings.mode) == ("tavla", "wbgf", Mode.REFEREE)
    assert {(one.white_plays, one.edge, one.mirrored) for one in settings.seating.seatings} == {
        (Checkers.DARK, PictureEdge.TOP, False)
    }
    assert settings.clock == US
    assert (settings.match.length, settings.match.score) == (7, Score(3, 1))
    assert settings.camera.calibration == Path("/home/ann/table.json")
    assert settings.leds.layout == Path("/etc/strip.toml")
    assert (settings.leds.cap_ma, settings.leds.brightness) == (2000, 128)


def test_without_a_file() -> None:
    """Everything has a value of its own."""
    settings = read_settings(SettingsInput(), KNOWN)
    assert (settings.game, settings.profile, settings.mode) == (None, "casual", Mode.TEACH)
    assert settings.leds.port == "auto"
    assert settings.match.length is None


def test_an_option_counts_more_than_the_file() -> None:
    """The game of the command line is played, and what it does not name stays as the file has it."""
    settings = read(WHOLE, (("game",), "--game", "long_nardy"), (("match", "length"), "--match", 9))
    assert (settings.game, settings.match.length, settings.players.white) == ("long_nardy", 9, "Ann")


def test_all_mistakes_are_told_at_once() -> None:
    """Each with its line and key, or its option; a key or word that is nearly right is suggested."""
    text = """\
game = "tafla"
mod = "teach"
clock = "hourglass"
web = 3

[match]
length = "seven"
score = "3:1"

[leds]
prt = "/dev/ttyUSB0"
driver = "wledd"
brightness = 300
"""
    told = mistakes(text, (("profile",), "--profile", "fide"))
    assert told[:1] == ["--profile: there is no profile 'fide'; choose one of casual, wbgf"]
    assert told[1].startswith("/home/ann/club.toml, line 1, game: there is no game 'tafla'; did you mean tavla?")
    assert told[2] == "/home/ann/club.toml, line 2, mod: there is no such key; did you mean mode?"
    assert told[3].startswith("/home/ann/club.toml, line 3, clock: 'hourglass' is no clock; give us,")
    assert told[4].startswith("/home/ann/club.toml, line 4, web: 3 is no section; ")
    assert told[5] == "/home/ann/club.toml, line 7, match.length: 'seven' is no whole number"
    assert told[6].startswith("/home/ann/club.toml, line 8, match.score: '3:1' is no score; ")
    assert told[7] == "/home/ann/club.toml, line 11, leds.prt: there is no such key; did you mean port?"
    assert told[8] == "/home/ann/club.toml, line 12, leds.driver: 'wledd' is none of these; did you mean wled?"
    assert told[9] == "/home/ann/club.toml, line 13, leds.brightness: 300 is not possible; give 1 to 255"
    assert len(told) == 10


def test_values_that_contradict_each_other() -> None:
    """A match cannot begin at its end."""
    (told,) = mistakes('[match]\nlength = 3\nscore = "3-0"\n')
    assert told == "/home/ann/club.toml, line 3, match.score: 3-0 is the end of a match to 3; give fewer points"


@pytest.mark.parametrize(
    ("seating", "sentence"),
    [
        ("wite=light", "'wite=light' is no part of a seating"),
        ("white=red", "white is light or dark, not 'red'"),
        ("edge=top,edge=bottom", "edge is given twice; write it once"),
    ],
)
def test_a_seating_that_is_none(seating: str, sentence: str) -> None:
    """The sentence names the part."""
    (told,) = mistakes(f'seating = "{seating}"\n')
    assert sentence in told


def test_what_is_no_toml() -> None:
    """The place stands in the sentence."""
    (told,) = mistakes("game = = 1\n")
    assert told.startswith("/home/ann/club.toml: this is no TOML: Invalid value (at line 1, column 8); ")


def test_lines_of_keys() -> None:
    """Headings, dotted and quoted keys are found; what stands inside a long text is none."""
    text = 'a = """\nb = 1\n"""\nc.d = 2\n["e f"]\n# g = 3\n"h" = 4\n'
    assert key_lines(text) == {("a",): 1, ("c", "d"): 4, ("e f",): 5, ("e f", "h"): 7}


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    """Whatever stands in the file: settings, or mistakes."""
    try:
        assert isinstance(read(text), Settings)
    except SettingsError as error:
        assert error.mistakes  # noqa: PT017  (either is right)


class TestWhilePlaying:
    def test_a_broken_file_leaves_the_last_good(self, tmp_path: Path) -> None:
        """The good one, a broken one, a good one again: what holds is never the broken one, and its mistake is told."""
        file = tmp_path / "play.toml"
        file.write_text("[leds]\nbrightness = 200\n", encoding="utf-8")
        given = SettingsInput(file.read_text(encoding="utf-8"), file)
        told: list[str] = []
        settings = SettingsWatcher(given, KNOWN, read_settings(given, KNOWN), told.append)
        assert settings.poll(0).leds.brightness == 200
        file.write_text("[leds]\nbrightness = 2000\n", encoding="utf-8")
        assert settings.poll(POLL_INTERVAL_MS).leds.brightness == 200
        assert told[0] == f"{file}, line 2, leds.brightness: 2000 is not possible; give 1 to 255."
        file.write_text("[leds]\nbrightness = 20\n", encoding="utf-8")
        assert settings.poll(2 * POLL_INTERVAL_MS).leds.brightness == 20

    def test_a_file_that_vanished_is_no_trouble(self, tmp_path: Path) -> None:
        """The settings stay, and one sentence says so."""
        file = tmp_path / "play.toml"
        file.write_text("[leds]\nbrightness = 200\n", encoding="utf-8")
        given = SettingsInput(file.read_text(encoding="utf-8"), file)
        told: list[str] = []
        settings = SettingsWatcher(given, KNOWN, read_settings(given, KNOWN), told.append)
        file.unlink()
        assert settings.poll(0).leds.brightness == 200
        assert settings.poll(POLL_INTERVAL_MS).leds.brightness == 200
        assert len(told) == 1
