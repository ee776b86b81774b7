"""The manifest and the pages of the networks describe the files that are published."""

import hashlib
import tomllib
from pathlib import Path

import pytest

import vision.models

FOLDER = Path(vision.models.__path__[0])
MANIFEST = tomllib.loads((FOLDER / "manifest.toml").read_text(encoding="utf-8"))


def test_every_file_is_listed_and_has_a_page() -> None:
    """Nothing is missing on either side."""
    files = {file.stem for file in FOLDER.glob("*.onnx")}
    assert files == set(MANIFEST) == {file.stem for file in FOLDER.glob("*.md")} - {"README"}
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}.onnx`" in index and f"({name}.md)" in index for name in files)


@pytest.mark.parametrize("name", MANIFEST)
def test_the_file_is_the_published_one(name: str) -> None:
    content = (FOLDER / f"{name}.onnx").read_bytes()
    assert (hashlib.sha256(content).hexdigest(), len(content)) == (MANIFEST[name]["sha256"], MANIFEST[name]["size"])


def test_parents_are_networks() -> None:
    """By its name, with a remark where it is an earlier file."""
    assert {content["parent"].split()[0] for content in MANIFEST.values() if "parent" in content} <= set(MANIFEST)
