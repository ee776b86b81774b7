"""The documents hold together: what they name exists, every room has a README, and nothing is cited from outside."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("controller", "vision", "firmware_bridge", "hardware", "tests", ".github")
DOCUMENTS = [
    *sorted(
        file
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.md")
        if not {"node_modules", "build"} & set(file.relative_to(ROOT).parts)
    ),
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
]
ROOMS = sorted(
    folder
    for package in ("controller", "vision")
    for folder in (ROOT / package).iterdir()
    if folder.is_dir() and folder.name not in ("__pycache__",) and any(folder.glob("*.py"))
)
# Documents of the project's beginnings, which were never part of the tree, and numbers that stood for their sources.
OUTSIDE = re.compile(r"\b(rules|design|officiating|vision|formats|firmware|style|house)\.md\b|\bshared/|\bS00[0-9]\b")


def named_paths(text: str) -> list[str]:
    """Paths between backquotes that begin in a package, with a file at their end."""
    return re.findall(r"`((?:controller|vision|firmware_bridge|hardware|tests|\.github)/[\w./-]+\.\w+)`", text)


def outside_references(text: str) -> list[str]:
    return [match.group() for match in OUTSIDE.finditer(text)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_what_a_document_names_exists(document: Path) -> None:
    """A path in a document leads to a file of the tree, from the project's folder or from the document's own."""
    paths = named_paths(document.read_text(encoding="utf-8"))
    assert [path for path in paths if not ((ROOT / path).exists() or (document.parent / path).exists())] == []


def undefined_names(text: str) -> list[str]:
    """Rows of a table that name one Python file and, in the last column, names that the file does not define."""
    rows = re.findall(r"^\|[^|\n]*\| `([\w/]+\.py)` \| ([^|\n]*) \|$", text, re.MULTILINE)
    return [
        f"{file}: {name}"
        for file, names in rows
        for name in re.findall(r"`(\w+)`", names)
        if not re.search(rf"^(?:(?:async )?def|class) {name}\b|^{name}\b.*=", (ROOT / file).read_text(), re.MULTILINE)
    ]


def test_the_map_names_functions_that_exist() -> None:
    """Each step of "follow one frame" and "follow one turn" is defined in the file beside it."""
    text = (ROOT / "controller" / "README.md").read_text(encoding="utf-8")
    assert text.count("| step | file | function |") == 2
    assert undefined_names(text) == []
    assert undefined_names("| x | `vision/frame.py` | `Frame`, `nothing` |") == ["vision/frame.py: nothing"]


@pytest.mark.parametrize("room", ROOMS, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_every_room_has_a_readme(room: Path) -> None:
    """The README says what the room is for and where to begin reading."""
    assert (room / "README.md").is_file()


def test_the_product_cites_nothing_from_outside() -> None:
    """Code, documents and page refer to titles of public sources or to files of the tree."""
    files = [
        file
        for package in ("controller", "vision", "firmware_bridge", "hardware", ".github")
        for file in (ROOT / package).rglob("*")
        if file.suffix in (".py", ".md", ".js", ".html", ".c", ".h", ".toml", ".scad")
        and "node_modules" not in file.parts
    ]
    found = {
        file.relative_to(ROOT).as_posix(): references
        for file in [*files, ROOT / "README.md", ROOT / "CHANGELOG.md"]
        if (references := outside_references(file.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_a_wrong_path_and_a_reference_to_outside_are_found() -> None:
    """Both searches can fail."""
    assert named_paths("see `vision/dice/detect.py` and `dice/x.py`") == ["vision/dice/detect.py"]
    assert outside_references("as rules.md 3 has it, [S002]; `shared/boards`") == ["rules.md", "S002", "shared/"]
    assert outside_references("see README.md and vision/README.md") == []
