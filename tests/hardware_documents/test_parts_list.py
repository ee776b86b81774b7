"""The parts list and the wiring name the same parts, and the table is the list."""

from pathlib import Path

import pytest

from tests.hardware_documents.document_tools import HARDWARE, require


def test_the_table_is_the_list() -> None:
    require(modules=("yaml",))
    from hardware.bom.table import as_csv, parts

    assert (HARDWARE / "bom/bom.csv").read_text(encoding="utf-8") == as_csv(parts())


def test_what_is_wired_is_listed_and_what_is_listed_is_wired() -> None:
    """Every reference of the drawings has one row, and no row has a reference that is drawn nowhere."""
    require(modules=("wireviz",))
    from hardware.bom.table import parts
    from hardware.wiring.harness import HARNESSES, read_harness

    listed = [ref for part in parts() for ref in part.refs]
    wired = frozenset[str]().union(*(read_harness(file).references for file in HARNESSES))
    assert sorted(listed) == sorted(wired)


def test_a_row_counts_its_references() -> None:
    """Pieces are as many as their references; cable goes by the metre."""
    require(modules=("yaml",))
    from hardware.bom.table import PIECES, parts

    assert [
        part.refs for part in parts() if part.refs and part.unit == PIECES and part.quantity != len(part.refs)
    ] == []


def test_a_misspelt_row_is_refused(tmp_path: Path) -> None:
    require(modules=("yaml",))
    from hardware.bom.table import parts

    source = tmp_path / "parts.yaml"
    source.write_text("- {refs: [A1], quantity: 1, part: Nano, value: 5 V, needed: light board, price: 3}\n")
    with pytest.raises(TypeError, match="price"):
        parts(source)
