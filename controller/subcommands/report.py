"""`zarbiter report`: one zip of everything that somebody needs to find out what went wrong in a match, and its reading."""

import argparse
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from controller.private_files import FILE_MODE, write_private
from controller.subcommands.log import MATCH_HELP, find_match_file
from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    check_new_file,
    format_count,
    not_written,
    resolve_settings,
)

if TYPE_CHECKING:
    from controller.match_log import EvidencePicture, MatchRecord
    from controller.match_log.event_json import JsonValue
    from controller.settings import Settings

_MATCH, _FACTS, _SETTINGS = "match.zmatch", "report.json", "settings.json"
_CALIBRATION, _DOCTOR = "calibration.json", "doctor.jsonl"
_FRAMES = "frames/"
_PARTS = (_MATCH, _FACTS, _SETTINGS, _CALIBRATION, _DOCTOR)
_SECRET = ("token", "secret", "password", "key", "passphrase")
_ACCESS = re.compile(r"(\w+://)(?:[^/\s]*@)?|\?\S*")  # of an address: who may open it, and the query
_PATH_OF_ADDRESS = re.compile(r"(\w+://[^/\s]*)\S*")  # the address of a webhook may end in what lets one in
_MOST_PART_BYTES = 200_000_000
_MOST_FRAMES = 600  # ten minutes of one a second


def add(commands: SubParsers, summary: str) -> None:
    report = add_command(
        commands,
        "report",
        _report,
        summary,
        "Puts the log with its pictures, the calibration, the settings without secrets, the versions and what doctor says"
        " into one file, with the frames that play --keep-frames kept. Names of people and places are replaced."
        " --open unpacks such a file.",
    )
    report.add_argument("name", metavar="MATCH", nargs="?", help=MATCH_HELP)
    report.add_argument("-o", "--output", metavar="FILE", type=Path, help="the zip file; with --open the new folder")
    report.add_argument("--with-names", action="store_true", help="keep the names of people and places")
    report.add_argument("--no-pictures", action="store_true", help="leave the pictures of the board out")
    report.add_argument("--no-doctor", action="store_true", help="do not check this machine")
    report.add_argument("--open", metavar="FILE", type=Path, help="unpack a report, to look at its match")


def _report(options: argparse.Namespace) -> bool:
    if options.open is not None:
        return _open(options)
    if options.name is None or options.output is None:
        raise UsageError("a report needs a match and a file: zarbiter report MATCH -o FILE.zip; or give --open FILE")
    check_new_file(options.output, "-o")
    path = find_match_file(options.name, options)
    parts, frames = dict(_collect(path, options)), () if options.no_pictures else _find_frames(path)
    try:
        with zipfile.ZipFile(options.output, "w", zipfile.ZIP_DEFLATED) as archive:
            options.output.chmod(FILE_MODE)
            for name, content in parts.items():
                archive.writestr(name, content)
            n_frames = _add_frames(archive, frames)
    except OSError as error:
        raise not_written(options.output, error) from None
    print(f"{options.output}: {_list_parts(parts, n_frames)}; look through it before you send it")
    return True


def _find_frames(match: Path) -> tuple[Path, ...]:
    from controller.match_log import frame_files, frames_folder

    folder = frames_folder(match)
    try:
        return frame_files(folder)
    except OSError as error:
        raise CommandFailedError(f"{folder} cannot be read ({error.strerror}); see who may read it") from None


def _add_frames(archive: zipfile.ZipFile, files: tuple[Path, ...]) -> int:
    """Adds the frames that are still there, one in memory at a time; returns their number. A JPEG packs no smaller."""
    n_frames = 0
    for file in files:
        with suppress(FileNotFoundError):  # a match that is being played removes its oldest frames
            archive.writestr(f"{_FRAMES}{file.name}", file.read_bytes(), zipfile.ZIP_STORED)
            n_frames += 1
    return n_frames


def _list_parts(parts: dict[str, bytes], n_frames: int) -> str:
    return ", ".join((*parts, *([format_count(n_frames, "frame")] if n_frames else [])))


def _collect(path: Path, options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """The parts of the report by their names. Below, `names` are those to replace; None: nothing is replaced."""
    from controller.formats import names_of
    from controller.match_log import MatchLogError, read_match

    try:
        record = read_match(path)
        names = None if options.with_names else names_of(record.events)
        yield _MATCH, _copy_log(path, record, names, with_pictures=not options.no_pictures)
    except MatchLogError as error:
        raise CommandFailedError(str(error)) from None
    settings = resolve_settings(options)
    calibration = settings.camera.calibration
    if calibration is not None and calibration.is_file():
        yield _CALIBRATION, calibration.read_bytes()
    if options.config is not None:
        yield _SETTINGS, _settings_text(options.config, names).encode()
    if not options.no_doctor:
        yield _DOCTOR, _doctor_text(settings, options, names).encode()
    yield _FACTS, json.dumps(_facts(record, with_names=bool(options.with_names)), indent=1).encode()


def _copy_log(path: Path, record: "MatchRecord", names: tuple[str, ...] | None, *, with_pictures: bool) -> bytes:
    """A log of the events with other names. Its chain is its own, since the first one vouches for the names too."""
    from controller.formats import hide_names
    from controller.match_log import create_match
    from controller.match_log.event_json import parse_event

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / _MATCH
        with create_match(copy, record.facts.game) as log:
            for logged in record.logged:
                event = parse_event(logged.text)
                event = event if names is None else hide_names(event, names)
                kinds = [one.digest.kind for one in logged.pictures] if with_pictures else []
                pictures = list(_pictures(path, logged.sequence, kinds))
                log.append((event,), pictures)
        return copy.read_bytes()


def _pictures(path: Path, sequence: int, kinds: list[str]) -> "Iterator[EvidencePicture]":
    """The pictures of an event that were not pruned."""
    from controller.match_log.picture import decode_jpeg
    from controller.match_log.replay import read_picture

    for number, kind in enumerate(kinds):
        content = read_picture(path, sequence, number)
        picture = None if content is None else decode_jpeg(kind, content)
        if picture is not None:
            yield picture


def _settings_text(file: Path, names: tuple[str, ...] | None) -> str:
    """The settings as JSON, without players and without whatever is called a secret."""
    from controller.rules.bounded_toml import read_toml

    try:
        values = read_toml(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "{}"
    return json.dumps(_of_this_machine(_without_secrets(values), names), indent=1, default=str)


def _without_secrets(values: "JsonValue") -> "JsonValue":
    if isinstance(values, dict):
        kept = {key: value for key, value in values.items() if key != "players"}
        if isinstance(url := kept.get("url"), str):
            kept["url"] = _PATH_OF_ADDRESS.sub(r"\1", url)
        return {
            key: "left out" if any(word in key.lower() for word in _SECRET) else _without_secrets(value)
            for key, value in kept.items()
        }
    if isinstance(values, str) and "://" in values:
        return _ACCESS.sub(r"\1", values)
    return [_without_secrets(value) for value in values] if isinstance(values, list) else values


def _of_this_machine(value: "JsonValue", names: tuple[str, ...] | None) -> "JsonValue":
    """Every text in a JSON value without the names and without the home folder, which is called after its owner."""
    from controller.formats import replace_names

    if isinstance(value, dict):
        return {key: _of_this_machine(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_of_this_machine(inner, names) for inner in value]
    if not isinstance(value, str) or names is None:
        return value
    return replace_names(value.replace(str(Path.home()), "~"), names, ignore_case=True)


def _doctor_text(settings: "Settings", options: argparse.Namespace, names: tuple[str, ...] | None) -> str:
    from controller.doctor import finding_record, run_checks
    from controller.settings import data_folder
    from controller.subcommands.doctor import all_checks

    checks = all_checks(settings, data_folder(options.data, os.environ))
    return "".join(f"{json.dumps(_of_this_machine(dict(finding_record(one)), names))}\n" for one in run_checks(checks))


def _facts(record: "MatchRecord", *, with_names: bool) -> dict[str, object]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    versions = {}
    for package in ("zarbiter", "opencv-python", "opencv-python-headless", "numpy", "pyserial"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return {
        "match": record.facts.match_id if with_names else "left out",  # a file is often called after its players
        "game": record.facts.game,
        "created": record.facts.created_utc,
        "events": len(record.events),
        "names": "kept" if with_names else "replaced",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.platform(),
        "versions": versions,
    }


def _open(options: argparse.Namespace) -> bool:
    """Unpacks the known parts only, whatever else the file holds, into a new folder."""
    from controller.formats import ZIP_ERRORS
    from controller.match_log import frames_folder

    file: Path = options.open
    folder: Path = options.output if options.output is not None else file.with_suffix("")
    if options.name is not None:
        raise UsageError("--open reads a report, not a match; leave MATCH out")
    if folder.exists():
        raise UsageError(f"-o: {folder} is there already; name a new folder")
    try:
        with zipfile.ZipFile(file) as archive:
            parts = {name: _read_part(archive, name) for name in _PARTS if name in archive.namelist()}
            frames = _read_frames(archive)
    except ZIP_ERRORS:
        raise CommandFailedError(f"{file} is no whole report; have it sent anew") from None
    except OSError as error:
        raise CommandFailedError(f"{file} cannot be read ({error.strerror or error}); name another file") from None
    if _MATCH not in parts:
        raise CommandFailedError(f"{file} holds no match; see whether it is a report of zarbiter report")
    try:
        folder.mkdir(mode=0o700, parents=True)
        for name, content in parts.items():
            write_private(folder / name, content)
        if frames:
            frames_folder(folder / _MATCH).mkdir(mode=0o700)
        for name, content in frames.items():
            write_private(frames_folder(folder / _MATCH) / name, content)
    except OSError as error:
        raise not_written(folder, error) from None
    print(f"{folder}: {_list_parts(parts, len(frames))}; zarbiter replay {folder / _MATCH} shows the match")
    return True


def _read_frames(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """The frames by their names; anything that is not called as a frame is left out. Raises ValueError for too many bytes."""
    from controller.match_log import FRAME_NAME

    frames, left_bytes = dict[str, bytes](), _MOST_PART_BYTES
    for path in archive.namelist():
        name = path.removeprefix(_FRAMES)
        if path.startswith(_FRAMES) and FRAME_NAME.fullmatch(name) and len(frames) < _MOST_FRAMES:
            frames[name] = _read_part(archive, path, left_bytes)
            left_bytes -= len(frames[name])
    return frames


def _read_part(archive: zipfile.ZipFile, name: str, most_bytes: int = _MOST_PART_BYTES) -> bytes:
    """At most the size of a log with all its pictures. Raises ValueError beyond it."""
    with archive.open(name) as opened:
        content = opened.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise ValueError(name)
    return content
