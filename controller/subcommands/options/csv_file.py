"""Tables for spreadsheets."""

import csv
from collections.abc import Sequence
from pathlib import Path

from controller.subcommands.options.call import not_written


def write_csv(file: Path, records: Sequence[dict[str, object]], columns: Sequence[str] = ()) -> None:
    """Writes records with `columns` as head, else the keys of the first one. Raises CommandFailedError."""
    from controller.settings import open_atomically

    try:
        with open_atomically(file, errors="replace") as part:
            writer = csv.DictWriter(part, columns or records[0])
            writer.writeheader()
            writer.writerows({key: _plain_cell(value) for key, value in record.items()} for record in records)
    except OSError as error:
        raise not_written(file, error) from None


def _plain_cell(value: object) -> object:
    """A name that a spreadsheet would take for a formula is quoted."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
