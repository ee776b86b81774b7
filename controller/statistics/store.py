"""The counts of matches, and their analyses, kept in the data folder so that each match is read and analysed once.

`statistics/counts.jsonl` has one line a match, which holds as long as size and time of the match file are the ones it was counted
with. `statistics/gnubg/HASH.json` is the analysis of the match whose log ends with that hash, wherever it lies. Both may be
deleted; what cannot be read or written is computed again.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from controller.formats import PlayerCounts
from controller.match_log.catalogue import SUFFIX
from controller.private_files import FILE_MODE, make_private_folder
from controller.rules import Player
from controller.settings import open_atomically, write_atomically
from controller.statistics.analysis import MatchAnalysis, Mistake, PlayerErrors

_FOLDER, _COUNTS, _ANALYSES = "statistics", "counts.jsonl", "gnubg"
_VERSION = 1  # counts of another version are not read
_MOST_TIME_MS = 2**31
_DAMAGED = (ValueError, TypeError, KeyError, AttributeError, RecursionError)  # what values of another form lead to


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """A match file that has changed has another identity."""

    name: str
    n_bytes: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class CountedMatch:
    """A match in numbers. `players` are White's and Black's; without them `problem` says why.

    `head` is the last hash of its log. `is_for_gnubg`: GNU Backgammon knows the game, and there is something to analyse.
    """

    identity: FileIdentity
    head: str = ""
    is_for_gnubg: bool = False
    players: tuple[PlayerCounts, ...] = ()
    problem: str = ""


def identify(file: Path) -> FileIdentity | None:
    """None for a file that is gone."""
    try:
        found = file.stat()
    except OSError:
        return None
    return FileIdentity(file.name, found.st_size, found.st_mtime_ns)


def list_identities(folder: Path) -> tuple[FileIdentity, ...]:
    """All match files of a folder, in no order; fast also for thousands. Empty where the folder cannot be read."""
    found: list[FileIdentity] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                with suppress(OSError):  # it is gone meanwhile
                    state = entry.stat()
                    found.append(FileIdentity(entry.name, state.st_size, state.st_mtime_ns))
    return tuple(found)


def load_counts(data: Path) -> dict[FileIdentity, CountedMatch]:
    """The kept counts; lines that cannot be read are left out."""
    kept: dict[FileIdentity, CountedMatch] = {}
    with suppress(OSError), (data / _FOLDER / _COUNTS).open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            with suppress(*_DAMAGED):
                one = _parse_counted(json.loads(line))
                kept[one.identity] = one
    return kept


def save_counts(data: Path, counted: Iterable[CountedMatch]) -> None:
    """Does nothing where the data folder cannot be written: the matches are then read again."""
    with suppress(OSError):
        make_private_folder(data / _FOLDER)
        with open_atomically(data / _FOLDER / _COUNTS, mode=FILE_MODE) as part:
            for one in counted:
                part.write(json.dumps({"version": _VERSION, **asdict(one)}) + "\n")


def list_analysed(data: Path) -> frozenset[str]:
    """The heads of all matches with an analysis."""
    try:
        return frozenset(one.stem for one in (data / _FOLDER / _ANALYSES).iterdir())
    except OSError:
        return frozenset()


def forget_analyses(data: Path, heads: Iterable[str]) -> None:
    """Deletes the analyses of matches that are gone, or went on."""
    for head in heads:
        with suppress(OSError, ValueError):
            _analysis_file(data, head).unlink(missing_ok=True)


def load_analysis(data: Path, head: str) -> MatchAnalysis | None:
    """None where there is none."""
    try:
        found = json.loads(_analysis_file(data, head).read_text(encoding="utf-8"))
        white, black = (PlayerErrors(**_check_types(PlayerErrors, one)) for one in found["errors"])
        return MatchAnalysis((white, black), tuple(map(_parse_mistake, found["mistakes"])))
    except (OSError, *_DAMAGED):
        return None


def save_analysis(data: Path, head: str, analysis: MatchAnalysis) -> None:
    """Raises OSError."""
    record = {
        "errors": [asdict(one) for one in analysis.errors],
        "mistakes": [{**asdict(one), "player": one.player.value} for one in analysis.mistakes],
    }
    file = _analysis_file(data, head)
    make_private_folder(file.parent)
    write_atomically(file, json.dumps(record), mode=FILE_MODE)


def _analysis_file(data: Path, head: str) -> Path:
    """`head` is a hash that was computed here, or digits of another one: never a name from a log."""
    return data / _FOLDER / _ANALYSES / f"{bytes.fromhex(head).hex()}.json"


def _parse_counted(found: dict[str, Any]) -> CountedMatch:
    if found["version"] != _VERSION:
        raise ValueError(found["version"])
    identity = FileIdentity(**_check_types(FileIdentity, found["identity"]))
    players = tuple(_parse_counts(one) for one in found["players"])
    if len(players) not in (0, len(Player)):
        raise ValueError(len(players))
    head = bytes.fromhex(found["head"]).hex()
    return CountedMatch(identity, head, found["is_for_gnubg"] is True and players != (), players, str(found["problem"]))


def _parse_counts(found: dict[str, Any]) -> PlayerCounts:
    times = found.pop("thinking_ms")
    if not all(type(one) is int and 0 <= one < _MOST_TIME_MS for one in times):
        raise ValueError(times)
    return PlayerCounts(**_check_types(PlayerCounts, found), thinking_ms=tuple(times))


def _parse_mistake(found: dict[str, Any]) -> Mistake:
    player, (own, other) = Player(found.pop("player")), found.pop("score")
    if type(own) is not int or type(other) is not int:
        raise TypeError(own)
    return Mistake(**_check_types(Mistake, found), player=player, score=(own, other))


def _check_types(kind: type, found: dict[str, Any]) -> dict[str, Any]:
    """The same values. Raises TypeError where a whole number, a number or a text is something else."""
    wanted = {field.name: field.type for field in fields(kind)}
    for name, value in found.items():
        if type(value) is not wanted[name] and not (wanted[name] is float and type(value) is int):
            raise TypeError(name)
    return found
