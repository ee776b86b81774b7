"""The documents hold together: what they name exists, every room has a README, and nothing is cited from outside."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import PACKAGES, ROOT, TRAINING, imported_modules, is_of

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
ROOMS_AND_BRIDGE = [*ROOMS, ROOT / "firmware_bridge"]
# The one form of this line: the names of rooms and, beside the rooms, of single modules, in the order of the alphabet.
IMPORTED_BY = re.compile(r"^\*\*Imported by:\*\* (no room|`[\w/.]+`(?:,\s`[\w/.]+`)*)\.$", re.MULTILINE)
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


def room_at(path: str) -> str:
    """The room, or the single module beside the rooms, that a file of a package belongs to."""
    return "firmware_bridge" if path.startswith("firmware_bridge/") else "/".join(path.split("/")[:2])


@cache
def importers() -> dict[str, list[str]]:
    """Room -> the rooms and single modules that import it; training is left out."""
    found: dict[str, set[str]] = {room.relative_to(ROOT).as_posix(): set() for room in ROOMS_AND_BRIDGE}
    for file in (file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if path.startswith(TRAINING):
            continue
        for _, module in imported_modules(path, file.read_text(encoding="utf-8")):
            for room, by in found.items():
                if room != room_at(path) and is_of(module, room.replace("/", ".")):
                    by.add(room_at(path))
    return {room: sorted(by) for room, by in found.items()}


def named_importers(text: str) -> list[str]:
    """The names in the line "Imported by", which has one form."""
    (names,) = IMPORTED_BY.findall(text)
    return re.findall(r"`([\w/.]+)`", names)


@pytest.mark.parametrize("room", ROOMS_AND_BRIDGE, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_readme_names_who_imports_the_room(room: Path) -> None:
    """Exactly those that do, whatever line of their code does it."""
    text = (room / "README.md").read_text(encoding="utf-8")
    assert named_importers(text) == importers()[room.relative_to(ROOT).as_posix()]


def test_importers_are_read_from_one_form() -> None:
    """Other forms are refused; single modules of a package count beside its rooms."""
    assert named_importers("**Imported by:** `vision/dice`,\n`controller/cli.py`.") == [
        "vision/dice",
        "controller/cli.py",
    ]
    assert named_importers("**Imported by:** no room.") == []
    with pytest.raises(ValueError, match="not enough values"):
        named_importers("**Imported by:** `vision/dice` (readings).")
    assert room_at("controller/web/match/orders.py") == "controller/web"
    assert room_at("firmware_bridge/pins/gpio.py") == "firmware_bridge"
    assert room_at("controller/cli.py") == "controller/cli.py"


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
