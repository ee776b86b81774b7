import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.match.clocks import US
from controller.match.events import Mode
from controller.match.seating import Checkers, PictureEdge
from controller.rules.bounded_toml import key_lines
from controller.settings.settings import KnownNames, Score, Settings, SettingsError, SettingsInput, read_settings
from controller.settings.store import POLL_INTERVAL_MS, SettingsWatcher

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
    """Every value is converted; a relative path starts at the file's folder."""
    settings = read(WHOLE)
    assert (settings.game, settings.profile, settings.mode) == ("tavla", "wbgf", Mode.REFEREE)
    seatings = {(one.white_plays, one.edge, one.mirrored) for one in settings.seating.seatings}
    assert seatings == {(Checkers.DARK, PictureEdge.TOP, False)}
    assert settings.clock == US
    assert (settings.match.length, settings.match.score) == (7, Score(3, 1))
    assert settings.camera.calibration == Path("/home/ann/table.json")
    assert settings.leds.layout == Path("/etc/strip.toml")
    assert (settings.leds.cap_ma, settings.leds.brightness) == (2000, 128)


def test_without_a_file() -> None:
    settings = read_settings(SettingsInput(), KNOWN)
    assert (settings.game, settings.profile, settings.mode) == (None, "casual", Mode.TEACH)
    assert settings.leds.port == "auto"
    assert settings.match.length is None


def test_an_option_overrides_the_file() -> None:
    settings = read(WHOLE, (("game",), "--game", "long_nardy"), (("match", "length"), "--match", 9))
    assert (settings.game, settings.match.length, settings.players.white) == ("long_nardy", 9, "Ann")


def test_all_mistakes_are_reported_at_once() -> None:
    """Each has its line and key, or its option; a similar key or word is suggested."""
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
    found = mistakes(text, (("profile",), "--profile", "fide"))
    assert found[:1] == ["--profile: there is no profile 'fide'; choose one of casual, wbgf"]
    assert found[1].startswith("/home/ann/club.toml, line 1, game: there is no game 'tafla'; did you mean tavla?")
    assert found[2] == "/home/ann/club.toml, line 2, mod: there is no such key; did you mean mode?"
    assert found[3].startswith("/home/ann/club.toml, line 3, clock: 'hourglass' is no clock; give us,")
    assert found[4].startswith("/home/ann/club.toml, line 4, web: 3 is no section; ")
    assert found[5] == "/home/ann/club.toml, line 7, match.length: 'seven' is no whole number"
    assert found[6].startswith("/home/ann/club.toml, line 8, match.score: '3:1' is no score; ")
    assert found[7] == "/home/ann/club.toml, line 11, leds.prt: there is no such key; did you mean port?"
    assert found[8] == "/home/ann/club.toml, line 12, leds.driver: 'wledd' is none of these; did you mean wled?"
    assert found[9] == "/home/ann/club.toml, line 13, leds.brightness: 300 is not possible; give 1 to 255"
    assert len(found) == 10


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('seating = "wite=light"', ", line 1, seating: 'wite=light' is no part of a seating"),
        ('seating = "white=red"', ", line 1, seating: white is light or dark, not 'red'"),
        ('seating = "edge=top,edge=bottom"', ", line 1, seating: edge is given twice; write it once"),
        (
            '[match]\nlength = 3\nscore = "3-0"',
            ", line 3, match.score: 3-0 is the end of a match to 3; give fewer points",
        ),
        (
            '[web]\nspectator_delay = "soon"',
            ", line 2, web.spectator_delay: 'soon' is no delay; write seconds or minutes",
        ),
        ("[log]\nkeep_frames_minutes = 11", ", line 2, log.keep_frames_minutes: 11 is not possible; give 0 to 10"),
        ("[web]\nspectator_delay = 60", ", line 2, web.spectator_delay: 60 is no delay; write seconds or minutes"),
        ('[web]\nspectator_delay = "31m"', ", line 2, web.spectator_delay: '31m' is too long; give at most 30m"),
        ("game = = 1", ": this is no TOML: Invalid value (at line 1, column 8); "),
    ],
)
def test_one_mistake(text: str, sentence: str) -> None:
    (found,) = mistakes(f"{text}\n")
    assert found.startswith(f"{FILE}{sentence}")


@pytest.mark.parametrize(
    ("text", "seconds"), [("0s", 0), ("60s", 60), ("90", 90), ("2m", 120), ("1:30", 90), ("30m", 1800)]
)
def test_a_delay_is_seconds_or_minutes(text: str, seconds: int) -> None:
    assert read("", (("web", "spectator_delay"), "--spectator-delay", text)).web.spectator_delay.seconds == seconds


def test_lines_of_keys() -> None:
    """Headings, dotted and quoted keys have lines; the inside of a multi-line string has none."""
    text = 'a = """\nb = 1\n"""\nc.d = 2\n["e f"]\n# g = 3\n"h" = 4\n'
    assert key_lines(text) == {("a",): 1, ("c", "d"): 4, ("e f",): 5, ("e f", "h"): 7}


@given(st.text())
def test_any_text_gives_settings_or_mistakes(text: str) -> None:
    try:
        assert isinstance(read(text), Settings)
    except SettingsError as error:
        assert error.mistakes  # noqa: PT017  (either is right)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "play.toml"
    written.write_text("[leds]\nbrightness = 200\n", encoding="utf-8")
    return written


def watch(file: Path, reports: list[str]) -> SettingsWatcher:
    given = SettingsInput(file.read_text(encoding="utf-8"), file)
    return SettingsWatcher(given, KNOWN, read_settings(given, KNOWN), reports.append)


def test_a_broken_file_leaves_the_last_valid_settings(file: Path) -> None:
    """Its mistake is reported; the next valid file holds."""
    reports: list[str] = []
    watcher = watch(file, reports)
    assert watcher.poll(0).leds.brightness == 200
    file.write_text("[leds]\nbrightness = 2000\n", encoding="utf-8")
    assert watcher.poll(POLL_INTERVAL_MS).leds.brightness == 200
    assert reports[0] == f"{file}, line 2, leds.brightness: 2000 is not possible; give 1 to 255."
    file.write_text("[leds]\nbrightness = 20\n", encoding="utf-8")
    assert watcher.poll(2 * POLL_INTERVAL_MS).leds.brightness == 20


def test_a_deleted_file_leaves_the_settings(file: Path) -> None:
    reports: list[str] = []
    watcher = watch(file, reports)
    file.unlink()
    assert [watcher.poll(now_ms).leds.brightness for now_ms in (0, POLL_INTERVAL_MS)] == [200, 200]
    assert len(reports) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[mqtt]\nuser = "a"\npassword_file = "p"', "mqtt.host: there is no broker; name the machine that it runs on"),
        (
            '[mqtt]\nhost = "b"\nuser = "a"',
            "line 3, mqtt.user: user and password_file go together; give both or neither",
        ),
        ('[mqtt]\nhost = "b"\nca = "c"', "line 3, mqtt.ca: a certificate is checked with TLS alone; write tls = true"),
        ('[mqtt]\nhost = "b b"', "'b b' is no address"),
        (
            '[mqtt]\nhost = "b"\npasword_file = "x"',
            "line 3, mqtt.pasword_file: there is no such key; did you mean password_file?",
        ),
        ('[webhook]\nsecret_file = "s"', "webhook.url: there is no address; name the one that gets the events"),
        (
            '[webhook]\nurl = "https://club.example"',
            "webhook.secret_file: events are signed; name a file whose first line is a secret of yours",
        ),
        (
            "[obs]\nport = 4456",
            "obs.host: there is no OBS; name the machine that it runs on, as 127.0.0.1",
        ),
        ('[obs]\nhost = "o"', 'obs.scenes: no scene is named; write one below [obs.scenes], as play = "Board"'),
        (
            '[obs]\nhost = "o"\n[obs.scenes]\nplay = "B"\npaus = "C"',
            "line 5, obs.scenes.paus: there is no such key; did you mean pause?",
        ),
        (
            '[obs]\nhost = "o"\n[obs.scenes]\nplay = "B\\u001b"',
            "line 4, obs.scenes.play: 'B\\x1b' is no name of a scene; write it as OBS shows it",
        ),
    ],
)
def test_receivers_that_cannot_be_used(text: str, expected: str) -> None:
    (mistake,) = mistakes(text)
    assert expected in mistake


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://club.example/", "club.example/hook", "https://", "https://ann:pass-w0rd@club.example/", "http://a:b/"),
        *("https://club.example/#t0ken", "https://club.example/a b", "https://club.example/\x07", "http://[::1"),
    ],
)
def test_an_address_of_a_webhook_is_never_quoted(url: str) -> None:
    """A part of it may be a secret."""
    (mistake,) = mistakes(f"[webhook]\nurl = {json.dumps(url)}\nsecret_file = 's'")
    assert mistake == (
        f"{FILE}, line 2, webhook.url: this is no address of a server; write it as https://club.example/events, without a password"
    )
