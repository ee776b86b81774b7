"""What became of the films of a data folder, kept beside its matches: a film that was read is not read again."""

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from controller.plain_file import read_plain_file
from controller.private_files import FILE_MODE, make_private_folder
from controller.settings import write_atomically
from controller.subcommands.transcribing.film_job import FilmOutcome, FilmState, Options

ARCHIVE = "archive"
"""The folder of outcomes in a data folder; a file a film, named by its fingerprint."""
_MOST_BYTES = 16_000_000  # of one outcome: a list of passages is some kilobytes


@dataclass(frozen=True, slots=True)
class OutcomeStore:
    """`options`: those of the present run; an outcome of others does not count."""

    folder: Path
    options: Options

    def load(self, digest: str) -> FilmOutcome | None:
        """The outcome of an earlier run; None if there is none of these options, or the film was refused."""
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            found = json.loads(read_plain_file(self._file(digest), _MOST_BYTES))
            state = FilmState(found["state"])
            if found["options"] == self._named_options() and state in (FilmState.READ, FilmState.UNSURE):
                record, warnings = dict(found["summary"]), tuple(map(str, found["warnings"]))
                return FilmOutcome(state, "", record, warnings, float(found["took_s"]), int(found["peak_mb"]))
        return None

    def save(self, digest: str, film: Path, outcome: FilmOutcome) -> None:
        """Raises OSError."""
        make_private_folder(self.folder)
        text = json.dumps({"film": str(film), "options": self._named_options(), **outcome_record(outcome)})
        write_atomically(self._file(digest), f"{text}\n", mode=FILE_MODE)

    def _named_options(self) -> dict[str, str]:
        """As texts; of a file its content counts."""
        return {
            name: _hash_file(value) if isinstance(value, Path) else str(value)
            for name, value in self.options
            if value is not None and value is not False
        }

    def _file(self, digest: str) -> Path:
        return self.folder / f"{digest}.json"


def _hash_file(file: Path) -> str:
    return hashlib.sha256(read_plain_file(file, _MOST_BYTES)).hexdigest()


def outcome_record(outcome: FilmOutcome) -> dict[str, object]:
    """The object of `transcribe --json` for a film of a folder, less its name."""
    return {
        "state": outcome.state.value,
        "sentence": outcome.sentence,
        "warnings": list(outcome.warnings),
        "took_s": outcome.took_s,
        "peak_mb": outcome.peak_mb,
        "summary": outcome.record,
    }


def refuse(sentence: str) -> FilmOutcome:
    return FilmOutcome(FilmState.REFUSED, sentence)


def with_match(outcome: FilmOutcome, match: Path) -> FilmOutcome:
    """The outcome with the match where it lies now: workers elsewhere wrote it into a folder of theirs."""
    return outcome if outcome.record is None else replace(outcome, record={**outcome.record, "match": str(match)})
