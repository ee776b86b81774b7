"""Texts of strangers: settings, match files, timestamps, positions, typed commands and the headers of pictures."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2

from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.importing.file_text import decode_text
from controller.formats.importing.import_file import read_match_file, read_match_text
from controller.formats.positions.match_state import IdTextError
from controller.formats.positions.position_ids import parse_gnubgid
from controller.formats.positions.xgid import parse_xgid
from controller.formats.reports.match_statistics import compute_statistics
from controller.formats.reports.replay_text import list_replay_steps
from controller.formats.transcript import UnreadableFileError
from controller.formats.variations import NotForThisGameError
from controller.formats.xg.xg_archive import COMMENTS_FILE, MATCH_FILE, pack_archive, unpack_archive
from controller.formats.xg.xg_records import RECORD_BYTES
from controller.formats.xg.xg_writer import xg_file
from controller.match import PROFILES, ClockTextError, SeatingTextError, parse_clock, parse_seatings
from controller.match_log import create_match
from controller.rules import RULESETS, ImpossibleSetupError, Position, RulesError, parse_house_variant, parse_setup
from controller.rules.grasshopper import game as grasshopper
from controller.settings import KnownNames, SettingsError, SettingsInput, read_settings
from controller.settings.toml_edit import with_values
from controller.wording.command_text import CommandTextError, parse_command
from firmware_bridge.errors import LayoutFileError
from firmware_bridge.layout_file import parse_layout
from tests.controller.formats.match_samples import SAMPLES
from tests.fuzz.fuzzed import Kind, Reader, refusing, seeds_of
from vision.camera.recorded import read_timestamps
from vision.errors import TimestampsError
from vision.pixels.picture_file import decode_picture
from vision.pixels.picture_header import MOST_PIXELS, foreign_kind, read_picture_header

_KNOWN = KnownNames(tuple(RULESETS), tuple(PROFILES))
_TAVLA = RULESETS["tavla"]


@contextmanager
def _toml(_folder: Path) -> Iterator[Reader]:
    def read(content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        with refusing(RulesError):
            parse_house_variant(text)
        with refusing(LayoutFileError):
            parse_layout(content, "a.toml")
        try:
            read_settings(SettingsInput(text, Path("club.toml")), _KNOWN)
        except SettingsError as error:
            for mistake in error.mistakes:
                with refusing(SettingsError):
                    raise SettingsError((mistake,)) from None
            return
        changed = with_values(text, {("players", "white"): 'A"nn'})
        assert read_settings(SettingsInput(changed), _KNOWN).players.white == 'A"nn'

    yield read


@contextmanager
def _match_file(folder: Path) -> Iterator[Reader]:
    log_file = folder / "m.zmatch"

    def read(content: bytes) -> None:
        with refusing(UnreadableFileError, NotForThisGameError):
            imported = read_match_text(decode_text(content).text)
            found = imported.match
            with create_match(log_file, found.game) as log:
                log.append(imported.events)
            for file in folder.iterdir():
                file.unlink()
            compute_statistics(found)
            list_replay_steps(found)
            mat_text(found)
            sgf_text(found)

    yield read


@contextmanager
def _xg(folder: Path) -> Iterator[Reader]:
    """Changed records in a sound archive, whose checksums would hide every other change."""
    file = folder / "m.xg"

    def read(content: bytes) -> None:
        file.write_bytes(pack_archive({MATCH_FILE: content, COMMENTS_FILE: content[:400]}, match_id=bytes(16), name=""))
        with refusing(UnreadableFileError, NotForThisGameError):
            xg_file(read_match_file(file).match)

    yield read


@contextmanager
def _timestamps(folder: Path) -> Iterator[Reader]:
    file, pictures = folder / "timestamps.csv", {"a.jpg": Path("a.jpg"), "b.png": Path("b.png")}

    def read(content: bytes) -> None:
        file.write_bytes(content)
        with refusing(TimestampsError):
            times = [ms for _, ms in read_timestamps(file, pictures)]
            assert times == sorted(set(times))

    yield read


@contextmanager
def _positions(_folder: Path) -> Iterator[Reader]:
    def read(content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        with refusing(RulesError, ImpossibleSetupError):
            Position.of(parse_setup(text), _TAVLA)
        with refusing(RulesError):
            grasshopper.from_text(text)
        with refusing(IdTextError):
            parse_gnubgid(text)
        with refusing(IdTextError):
            parse_xgid(text)
        with refusing(CommandTextError):
            parse_command(text)
        with refusing(SeatingTextError):
            parse_seatings(text)
        with refusing(ClockTextError):
            parse_clock(text)

    yield read


@contextmanager
def _pictures(_folder: Path) -> Iterator[Reader]:
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

    def read(content: bytes) -> None:
        foreign_kind(content)
        header = read_picture_header(content)
        picture = decode_picture(content, cv2.IMREAD_COLOR)
        if picture is not None:
            assert header is not None
            assert picture.shape[0] * picture.shape[1] <= header.width_px * header.height_px <= MOST_PIXELS

    yield read
    cv2.utils.logging.setLogLevel(level)


def _samples(suffix: str) -> tuple[bytes, ...]:
    return tuple(file.read_bytes()[:6_000] for file in sorted(SAMPLES.glob(f"*{suffix}")))


KINDS = (
    Kind(
        "toml",
        seeds_of("toml"),
        (
            b"[a]\n",
            b"[[a]]\n",
            b"a.b.",
            b" = ",
            b"0x",
            b'"""',
            b"'''",
            b"{",
            b"}",
            b"[",
            b"]",
            b"1979-05-27",
            b"nan",
            b"#",
        ),
        _toml,
    ),
    Kind(
        "match_text",
        (*seeds_of("match_text"), *_samples(".mat")),
        (
            b" Game 1\n",
            b" 1) ",
            b"31: 8/5 6/5",
            b" Wins 1 point",
            b" Doubles => 2",
            b" Takes",
            b" Drops",
            b"bar/24*",
            b"(2)",
        ),
        _match_file,
    ),
    Kind(
        "sgf",
        (*seeds_of("sgf"), *_samples(".sgf")),
        (
            b";",
            b"(",
            b")",
            b"[",
            b"]",
            b"AB[a][b]",
            b"GM[6]",
            b";W[31hefe]",
            b";B[double]",
            b"RE[B+2R]",
            b"PL[W]",
            b"\\]",
        ),
        _match_file,
    ),
    Kind(
        "xg",
        tuple(
            unpack_archive(xg_file(read_match_file(SAMPLES / name).match)[0])[MATCH_FILE][: 12 * RECORD_BYTES]
            for name in ("g2_std_5pt.mat", "g5_nack_3pt.mat")
        ),
        (b"\x01\x00\x00\x00", b"\xff\xff\xff\xff", b"\xff", b"\x7f", bytes(26), bytes([15] * 26)),
        _xg,
    ),
    Kind(
        "json_lines",
        seeds_of("json_lines"),
        (
            b'"event": ',
            b"{",
            b"}",
            b"[",
            b"]",
            b"null",
            b"true",
            b'"W"',
            b'"sequence": 2',
            b'"at_ms": -1',
            b",",
            b"\n{}",
        ),
        _match_file,
    ),
    Kind("timestamps", seeds_of("timestamps"), (b"a.jpg", b",", b"40", b"\n", b'"', b"file,ms"), _timestamps),
    Kind(
        "positions",
        seeds_of("positions"),
        (
            b"/",
            b"0",
            b"f",
            b"XGID=",
            b":",
            b"board ",
            b"roll ",
            b"white=light",
            b",cocked",
            b"bronstein:",
            b"/point",
            b"+12",
        ),
        _positions,
    ),
    Kind(
        "pictures", seeds_of("pictures"), (b"\xff\xc0", b"\xff\xda", b"IHDR", b"VP8X", b"\x7f\xff\xff\xff"), _pictures
    ),
)
