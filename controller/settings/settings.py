"""The settings of `play`, from one TOML file and the command line; the only file that imports cattrs.

All mistakes are reported at once, each with its place: the line and the key in the file, or the option. The command line
overrides the file. Paths in the file are relative to the file's folder.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, NewType
from urllib.parse import urlsplit

import attrs
from cattrs import ClassValidationError, Converter
from cattrs.errors import ForbiddenExtraKeysError

from controller.match import CLOCK_FORMS, FORM, ClockRules, Mode, Seating, SeatingTextError, parse_clock, parse_seatings
from controller.rules import TomlTextError, quote_value, read_toml
from controller.rules.bounded_toml import KeyPath, key_lines, line_of
from controller.rules.errors import suggest
from controller.settings.receiver_settings import (
    HostName,
    MqttSettings,
    ObsSettings,
    SceneName,
    TcpPort,
    ViewerSetting,
    WebAddress,
    WebhookSettings,
    find_receiver_contradictions,
)
from controller.speech.language import Language

_MOST_KEY = 60  # characters of a key in a sentence
_MOST_SCENE = 200  # characters
MOST_DELAY_S = 1_800
"""A knob: half an hour. The moments of a longer delay would be kept more coarsely than a viewer likes."""

GameName = NewType("GameName", str)
ProfileName = NewType("ProfileName", str)
MatchLength = NewType("MatchLength", int)
DisputeCount = NewType("DisputeCount", int)
LedCount = NewType("LedCount", int)
Milliampere = NewType("Milliampere", int)
Brightness = NewType("Brightness", int)  # 0..255, of every light
FramesASecond = NewType("FramesASecond", float)
PicturePx = NewType("PicturePx", int)
Megabyte = NewType("Megabyte", int)
KeptMinutes = NewType("KeptMinutes", int)
WordsAMinute = NewType("WordsAMinute", int)

RANGES: dict[Any, tuple[int, int]] = {
    MatchLength: (1, 99),
    DisputeCount: (0, 99),
    LedCount: (1, 255),
    Milliampere: (100, 20_000),
    Brightness: (1, 255),
    FramesASecond: (1, 240),
    PicturePx: (160, 8192),
    TcpPort: (1, 65_535),
    Megabyte: (1, 1_000_000),
    KeptMinutes: (0, 10),
    WordsAMinute: (80, 400),
}


class Driver(Enum):
    """The protocol of the light board."""

    AUTO = "auto"
    BGLP = "bglp"
    WLED = "wled"
    ADALIGHT = "adalight"
    NULL = "null"


@dataclass(frozen=True, slots=True)
class SeatingSetting:
    """The text about who sits where, and every seating that it allows."""

    text: str
    seatings: tuple[Seating, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """The points of the players at the beginning; written as `3-1`."""

    white: int = 0
    black: int = 0


@dataclass(frozen=True, slots=True)
class SpectatorDelay:
    """By how much spectators see the page later; written as `60s`, `2m` or `1:30`."""

    text: str = "0s"
    seconds: int = 0


@attrs.frozen
class PlayerSettings:
    """The names of the players."""

    white: str = "White"
    black: str = "Black"


@attrs.frozen
class MatchSettings:
    """`length` is None for money games."""

    length: MatchLength | None = None
    score: Score = Score()
    crawford: bool = True


@attrs.frozen
class CameraSettings:
    """`source` is the SRC of the command line; None stands for the only camera of this machine."""

    source: str | None = None
    calibration: Path | None = None
    fps: FramesASecond | None = None
    width_px: PicturePx = PicturePx(1280)
    height_px: PicturePx = PicturePx(960)


@attrs.frozen
class LedSettings:
    """`port` is a path, `auto`, `none`, or `fake` for a board in memory."""

    port: str = "auto"
    driver: Driver = Driver.AUTO
    layout: Path | None = None
    count: LedCount | None = None
    cap_ma: Milliampere | None = None
    brightness: Brightness = Brightness(255)


@attrs.frozen
class WebSettings:
    """The live page. `host` is the address at which it listens; one that is not local admits other machines."""

    host: HostName = HostName("127.0.0.1")
    port: TcpPort = TcpPort(8080)
    table: str = ""  # shown in the head of the page, for a room with several tables
    browser: bool = True  # a browser opens when the match begins
    spectator_delay: SpectatorDelay = SpectatorDelay()
    phone_port: TcpPort = TcpPort(8443)  # of the page, over https, by which a phone sends its camera's pictures


@attrs.frozen
class LogSettings:
    """The most space for the pictures of one match and of all matches. The oldest pictures are deleted; events stay.

    `keep_frames_minutes`: of how many last minutes of a match frames are kept for a report; 0: none.
    """

    evidence_mb: Megabyte = Megabyte(200)
    all_evidence_mb: Megabyte = Megabyte(4_000)
    keep_frames_minutes: KeptMinutes = KeptMinutes(0)


@attrs.frozen
class SpeechSettings:
    """Speech of this machine, if it has a voice (espeak-ng). Each browser has its own choice.

    `persian_names`: rolls by the names used from Turkey to the Caucasus, for example shesh-besh.
    """

    aloud: bool = False
    language: Language = Language.ENGLISH
    persian_names: bool = False
    words_a_minute: WordsAMinute = WordsAMinute(160)


@attrs.frozen
class Settings:
    """All settings; each value is valid by itself."""

    game: GameName | None = None
    rules: Path | None = None
    profile: ProfileName = ProfileName("casual")
    mode: Mode = Mode.TEACH
    seating: SeatingSetting = SeatingSetting("", ())
    position: str | None = None
    clock: ClockRules | None = None
    bar: bool = True  # without a bar, hit checkers wait in the hand or on the rim
    disputes: DisputeCount | None = None  # how many each player may lose
    monitor: bool = False  # the tournament director wants the device to speak up
    director: str = ""
    players: PlayerSettings = PlayerSettings()
    match: MatchSettings = MatchSettings()
    camera: CameraSettings = CameraSettings()
    leds: LedSettings = LedSettings()
    web: WebSettings = WebSettings()
    log: LogSettings = LogSettings()
    speech: SpeechSettings = SpeechSettings()
    mqtt: MqttSettings = MqttSettings()
    webhook: WebhookSettings = WebhookSettings()
    obs: ObsSettings = ObsSettings()


@dataclass(frozen=True, slots=True)
class Mistake:
    """One wrong value. `where` is for example `club.toml, line 3, leds.port` or `--mode`; `sentence` has no full stop.

    `key` is that of the setting; it is empty where the mistake concerns the whole file.
    """

    where: str
    sentence: str
    key: KeyPath = ()

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"


class SettingsError(ValueError):
    """Invalid settings, with all mistakes."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class SettingsInput:
    """A settings text, the file that it comes from, and options, each as (key, option name, value)."""

    text: str = ""
    file: Path | None = None
    options: tuple[tuple[KeyPath, str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names of games and profiles that may be given."""

    games: tuple[str, ...]
    profiles: tuple[str, ...]


def read_settings(given: SettingsInput, known: KnownNames) -> Settings:
    """The settings of a text and options. SettingsError with every mistake."""
    try:
        values = read_toml(given.text)
    except TomlTextError as error:
        raise SettingsError((Mistake(str(given.file), str(error)),)) from None
    for key, _, value in given.options:
        _put_option(values, key, value)
    folder = given.file.parent if given.file is not None else Path()
    try:
        settings = _make_converter(known, folder).structure(values, Settings)
    except ClassValidationError as error:
        lines = key_lines(given.text)
        found = sorted(_collect_mistakes(error, ()), key=lambda one: line_of(one[0], lines) or 0)
    else:
        found = list(_find_contradictions(settings))
        if not found:
            return settings
    raise SettingsError(tuple(make_mistake(key, sentence, given) for key, sentence in found))


def make_mistake(key: KeyPath, sentence: str, given: SettingsInput) -> Mistake:
    """A mistake with its place: the option, or the line of the file."""
    named = {path: option for path, option, _ in given.options}
    return Mistake(_describe_place(key, given.file, key_lines(given.text), named), sentence, key)


def _find_contradictions(settings: Settings) -> Iterator[tuple[KeyPath, str]]:
    """Mistakes in combinations of values that are valid by themselves."""
    length, score = settings.match.length, settings.match.score
    if length is not None and max(score.white, score.black) >= length:
        yield ("match", "score"), f"{score.white}-{score.black} is the end of a match to {length}; give fewer points"
    if not settings.leds.port:
        yield ("leds", "port"), "name a port, auto, none or fake"
    yield from find_receiver_contradictions(settings.mqtt, settings.webhook, settings.obs)


def _put_option(values: dict[str, Any], key: KeyPath, value: object) -> None:
    """Puts an option into the values. A section that is no table stays; the converter reports it."""
    *sections, name = key
    for section in sections:
        inner: object = values.setdefault(section, {})
        if not isinstance(inner, dict):
            return
        values = inner
    values[name] = value


def _describe_place(
    key: KeyPath, file: Path | None, lines: Mapping[KeyPath, int], from_options: Mapping[KeyPath, str]
) -> str:
    if key in from_options:
        return from_options[key]
    line = line_of(key, lines)
    place = f"{file}" if line is None else f"{file}, line {line}"
    return f"{place}, {'.'.join(part[:_MOST_KEY] for part in key)}" if key else place


def _collect_mistakes(error: BaseException, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(error, ClassValidationError):
        with_notes, others = error.group_exceptions()
        for cause, note in with_notes:
            yield from _collect_mistakes(cause, (*path, note.name))
        for cause in others:
            yield from _collect_mistakes(cause, path)
    elif isinstance(error, ForbiddenExtraKeysError):
        names = [field.name for field in attrs.fields(error.cl)]
        for key in sorted(error.extra_fields):
            yield (*path, key), f"there is no such key; {suggest(key, names)}"
    else:
        yield path, str(error)


def _make_converter(known: KnownNames, folder: Path) -> Converter:
    converter = Converter(forbid_extra_keys=True)
    converter.register_structure_hook(str, _convert_text)
    converter.register_structure_hook(bool, _convert_switch)
    converter.register_structure_hook(Path, partial(_convert_path, folder))
    converter.register_structure_hook(SeatingSetting, _convert_seating)
    converter.register_structure_hook(Score, _convert_score)
    converter.register_structure_hook(SpectatorDelay, _convert_spectator_delay)
    converter.register_structure_hook(ClockRules | None, _convert_clock)
    converter.register_structure_hook(GameName, partial(_convert_name, "game", known.games))
    converter.register_structure_hook(HostName, _convert_host)
    converter.register_structure_hook(ProfileName, partial(_convert_name, "profile", known.profiles))
    for kind, (least, most) in RANGES.items():
        converter.register_structure_hook(kind, partial(_convert_number, least, most, kind is FramesASecond))
    converter.register_structure_hook(WebAddress, _convert_web_address)
    converter.register_structure_hook(SceneName, _convert_scene)
    for choice in (Mode, Driver, Language, ViewerSetting):
        converter.register_structure_hook(choice, _convert_choice)
    _register_sections(converter, Settings)
    return converter


def _register_sections(converter: Converter, kind: type) -> None:
    """Inner sections first, because the hook of a section holds those of its fields."""
    for section in (type(one.default) for one in attrs.fields(kind) if attrs.has(type(one.default))):
        _register_sections(converter, section)
        plain = converter.get_structure_hook(section)
        converter.register_structure_hook(section, partial(_convert_section, plain))


def _convert_text(value: object, _: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{quote_value(value)} is no text; put it in quotation marks")
    return value


def _convert_switch(value: object, _: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"write true or false, not {quote_value(value)}")
    return value


def _convert_path(folder: Path, value: object, _: object) -> Path:
    """A path from the file is relative to `folder`; options give complete Paths."""
    if isinstance(value, Path):
        return value
    return folder / Path(_convert_text(value, _)).expanduser()


def _convert_name(kind: str, names: tuple[str, ...], value: object, _: object) -> str:
    text = _convert_text(value, _)
    if text not in names:
        raise ValueError(f"there is no {kind} {quote_value(text)}; {suggest(text, names)}")
    return text


def _convert_host(value: object, _: object) -> str:
    text = _convert_text(value, _)
    if not re.fullmatch(r"[A-Za-z0-9:.-]{1,253}", text):
        remedy = "write 127.0.0.1 for this machine only, 0.0.0.0 for everybody in the room"
        raise ValueError(f"{quote_value(text)} is no address; {remedy}")
    return text


def _convert_web_address(value: object, _: object) -> str:
    """Neither the address nor a part of it is quoted: it may hold a secret."""
    text = _convert_text(value, _)
    try:
        parts = urlsplit(text)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or not re.fullmatch(r"[!-~]{1,2000}", text) or "@" in parts.netloc or parts.fragment:
        raise ValueError("this is no address of a server; write it as https://club.example/events, without a password")
    return text


def _convert_scene(value: object, _: object) -> str:
    text = _convert_text(value, _)
    if not 0 < len(text) <= _MOST_SCENE or not text.isprintable():
        raise ValueError(f"{quote_value(text)} is no name of a scene; write it as OBS shows it")
    return text


def _convert_choice(value: object, kind: type[Enum]) -> Enum:
    names = [str(choice.value) for choice in kind]
    if value not in names:
        raise ValueError(f"{quote_value(value)} is none of these; {suggest(str(value), names)}")
    return kind(value)


def _convert_number(least: int, most: int, may_be_fraction: bool, value: object, _: object) -> float:
    kinds = (int, float) if may_be_fraction else (int,)
    if isinstance(value, bool) or not isinstance(value, kinds):
        raise ValueError(f"{quote_value(value)} is no {'number' if may_be_fraction else 'whole number'}")
    if not least <= value <= most:
        raise ValueError(f"{value} is not possible; give {least} to {most}")
    return value


def _convert_seating(value: object, _: object) -> SeatingSetting:
    if not isinstance(value, str):
        raise ValueError(f"write {FORM} in quotation marks")
    try:
        return SeatingSetting(value, parse_seatings(value))
    except SeatingTextError as error:
        raise ValueError(str(error)) from None


def _convert_score(value: object, _: object) -> Score:
    points = re.fullmatch(r"(\d{1,2})-(\d{1,2})", value) if isinstance(value, str) else None
    if points is None:
        raise ValueError(
            f"{quote_value(value)} is no score; write White's and Black's points in quotation marks, as 3-1"
        )
    return Score(int(points[1]), int(points[2]))


def _convert_spectator_delay(value: object, _: object) -> SpectatorDelay:
    text = value.strip() if isinstance(value, str) else ""
    found = re.fullmatch(r"(?:(\d{1,2}):(\d\d)|(\d{1,4})s?|(\d{1,2})m)", text, re.ASCII)
    if found is None:
        raise ValueError(f"{quote_value(value)} is no delay; write seconds or minutes in quotation marks, as 60s or 2m")
    seconds = 60 * int(found[1] or found[4] or 0) + int(found[2] or found[3] or 0)
    if seconds > MOST_DELAY_S:
        raise ValueError(f"{quote_value(value)} is too long; give at most {MOST_DELAY_S // 60}m")
    return SpectatorDelay(text, seconds)


def _convert_clock(value: object, _: object) -> ClockRules | None:
    if not isinstance(value, str):
        raise ValueError(f"{quote_value(value)} is no clock; give {CLOCK_FORMS} in quotation marks")
    return parse_clock(value)


def _convert_section(plain: Any, value: object, kind: type) -> Any:
    if not isinstance(value, dict):
        raise ValueError(
            f"{quote_value(value)} is no section; write it as a heading in square brackets with its keys below"
        )
    return plain(value, kind)
