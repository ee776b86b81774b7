"""The films of a folder: found, distinguished by their fingerprints, and each given the name of its match."""

import argparse
import logging
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.subcommands.options import UsageError
from vision.camera.recorded import PICTURE_SUFFIXES, TIMESTAMPS_FILE, VIDEO_SUFFIXES

_LOG = logging.getLogger("zarbiter.transcribe")

_LONGEST_STEM = 40  # of the film's name in that of its match
_DIGITS = 8
"""Hexadecimal digits of the fingerprint in the name of a match: two of 10,000 films share them once in 86 archives."""


@dataclass(frozen=True, slots=True)
class Film:
    """A film of the folder. `name`: its path within the folder; `digest`: its fingerprint, `RecordingUsed.digest`."""

    path: Path
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class FoundFilms:
    """The films of a folder in the order of their names. `left_out`: the folders of pictures among them."""

    films: tuple[Path, ...]
    left_out: tuple[Path, ...]


def is_folder_of_films(options: argparse.Namespace) -> bool:
    """Whether a call of transcribe is of an archive. A folder with pictures is one recording, unless --jobs or --cluster
    says that its films are meant.

    Raises UsageError for a folder without films and for options that go with the other kind.
    """
    is_asked = options.jobs is not None or options.cluster is not None
    if not is_asked and not any(_is_archive(source) for source in options.sources):
        return False
    if len(options.sources) > 1:
        raise UsageError("a folder of films stands alone; name it by itself, or name its films in the order of time")
    (folder,) = map(Path, options.sources)
    if not folder.exists():
        raise UsageError(f"{folder} is not there; name a folder with films")
    if not _is_folder(folder):
        raise UsageError(f"--jobs and --cluster are for a folder of films, which {folder} is not; leave them out")
    if not find_films(folder).films:
        raise UsageError(f"there is no film in {folder}; name a folder with videos, such as .mp4, in it or below it")
    given = {"-o": options.output, "--stills": options.stills, "--from": options.first, "--until": options.until}
    wrong = [name for name, value in given.items() if value is not None and value is not False]
    if wrong:
        raise UsageError(f"{', '.join(wrong)}: {folder} is a folder of films; leave it out, or name one film")
    if options.jobs is not None and options.cluster is not None:
        raise UsageError("--jobs is for processes of this machine, --cluster for workers elsewhere; give one")
    return True


def _is_archive(source: str) -> bool:
    """Whether a source is a folder with films and no pictures of its own."""
    folder = Path(source)
    try:
        if not _is_folder(folder):
            return False
        has_pictures = any(_is_picture(one) for one in folder.iterdir())
        n_films = sum(_is_video(one) for one in folder.iterdir()) if has_pictures else len(find_films(folder).films)
    except OSError:
        return False
    if has_pictures and n_films:
        _LOG.warning("the pictures in %s are one recording and its films are left out; give --jobs 1 for them", folder)
    return n_films > 0 and not has_pictures


def _is_folder(folder: Path) -> bool:
    try:
        return folder.is_dir()
    except ValueError:  # a null character in the name
        return False


def find_films(folder: Path) -> FoundFilms:
    """Videos at any depth, and folders below with the times of their pictures. Links to folders are not followed."""
    films: list[Path] = []
    left_out: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        here = Path(place)
        files = [here / name for name in sorted(names) if not name.startswith(".")]
        films += [file for file in files if _is_video(file)]
        if here != folder and any(_is_picture(file) for file in files):
            has_times = TIMESTAMPS_FILE in names
            (films if has_times else left_out).append(here)
    return FoundFilms(tuple(sorted(films)), tuple(left_out))


def _is_video(file: Path) -> bool:
    return file.suffix.lower() in VIDEO_SUFFIXES and not file.name.startswith(".") and file.is_file()


def _is_picture(file: Path) -> bool:
    return file.suffix.lower() in PICTURE_SUFFIXES and not file.name.startswith(".")


def name_match(film: Film) -> str:
    """The name of a film's match: that of the film, as far as a match may have it, and its fingerprint."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(film.name).stem).strip("-_")[:_LONGEST_STEM] or "film"
    return f"{stem}-{film.digest[:_DIGITS]}"


def pair_twins(films: Iterable[Film]) -> Iterator[tuple[Film, Film]]:
    """Each film that is there twice, with the first one of its fingerprint."""
    first: dict[str, Film] = {}
    for film in films:
        known = first.setdefault(film.digest, film)
        if known is not film:
            yield film, known
