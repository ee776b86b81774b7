"""How large things may grow: functions, files, rooms, what a module imports, and what a state holds.

Each rule is a function of a path (relative to the project's folder) and a source text, and returns one sentence for
each breach. The small bad examples prove that each rule can fail.
"""

import ast
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.test_architecture import PACKAGES, ROOT, imported_modules, module_of, nodes_of

LONGEST_FUNCTION = 60
LONGEST_FILE = 500
MOST_FIELDS = 15  # of a state: what has more is several values in one bag
MOST_FILES = 20  # in a folder of a package
MOST_FILES_IN_ROOT = 8  # beside the rooms of `vision` and `controller`
MOST_IMPORTS = 12  # modules of ours that a module imports; the face of a room counts as one


def long_functions(path: str, source: str) -> list[str]:
    """A function has at most 60 lines, its docstring counted."""
    return [
        f"{path}:{node.lineno} {node.name} has {lines} lines"
        for node in nodes_of(source)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]


def long_file(path: str, source: str) -> list[str]:
    """A file has at most 500 lines."""
    lines = len(source.splitlines())
    return [f"{path} has {lines} lines"] if lines > LONGEST_FILE else []


def crowded_folders(files: list[str]) -> list[str]:
    """No folder of a package has more than 20 files, the roots of `vision` and `controller` no more than 8."""
    counts = Counter(file.rpartition("/")[0] for file in files)
    return [
        f"{folder} has {count} files"
        for folder, count in sorted(counts.items())
        if count > (MOST_FILES_IN_ROOT if folder in ("vision", "controller") else MOST_FILES)
    ]


def large_states(path: str, source: str) -> list[str]:
    """A dataclass that is a state or a configuration by its name, or lies in the referee's room, has at most 15 fields."""
    return [
        f"{path}:{node.lineno} {node.name} has {fields} fields"
        for node in nodes_of(source)
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(one) for one in node.decorator_list)
        and (node.name.endswith(_STATES) or path.startswith("controller/refereeing/"))
        and (fields := sum(isinstance(line, ast.AnnAssign) for line in node.body)) > MOST_FIELDS
    ]


def many_imports(path: str, source: str) -> list[str]:
    """A module imports at most 12 modules of ours.

    Names from the face of another room count as one module, whatever file defines them. Faces themselves are exempt.
    """
    if path.endswith("/__init__.py") or not path.startswith(PACKAGES):
        return []
    me, ours = module_of(path), our_modules()
    known = set()
    for _, name in imported_modules(path, source):
        package = name.rpartition(".")[0]
        is_from_face = package in ours and not me.startswith(f"{package}.") and name in names_of_faces()
        module = package if is_from_face or name not in ours else name
        known |= {module} & ours.keys()
    return [f"{path} imports {len(known)} modules of ours"] if len(known) > MOST_IMPORTS else []


@cache
def our_modules() -> dict[str, Path]:
    """The modules and packages of ours by their dotted names."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    return {module_of(file.relative_to(ROOT).as_posix()): file for file in files}


@cache
def names_of_faces() -> frozenset[str]:
    """Every name that a package gives, with the package before it: its `__all__`, or what a lazy room imports."""
    found = set()
    for module, file in our_modules().items():
        for node in nodes_of(file.read_text(encoding="utf-8")) if file.name == "__init__.py" else ():
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
                found |= {f"{module}.{name}" for name in ast.literal_eval(node.value)}
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{module}."):
                found |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(found)


_STATES = ("State", "Perception", "Config", "Ledger", "Throws", "Findings", "Outages", "Timing")

Rule = Callable[[str, str], list[str]]


@pytest.mark.parametrize(
    "rule", [long_functions, long_file, large_states, many_imports], ids=lambda rule: rule.__name__
)
def test_nothing_is_too_long(rule: Rule) -> None:
    """The packages and the tests are held to the limits alike."""
    files = [file for folder in (*PACKAGES, "tests") for file in sorted((ROOT / folder).rglob("*.py"))]
    assert [
        one for file in files for one in rule(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    ] == []


def test_no_room_is_crowded() -> None:
    """Who looks into a folder can take in what lies there."""
    files = [file.relative_to(ROOT).as_posix() for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    assert crowded_folders(files) == []


TWELVE_MODULES = (
    "from controller.match import Mode, events\n"  # the face, and a module of the room
    "from controller.adjudication import adjudicate, view_of\n"  # `adjudicate` is a name of the face and a module
    "from vision.geometry import calibration, projection, top_view\n"
    "from vision.pixels import drawing, inference, normalise, resize\n"
    "import firmware_bridge.errors\n"
    "from vision.places import Place\n"
)


@pytest.mark.parametrize(
    ("rule", "path", "source", "expected"),
    [
        (long_functions, "vision/a.py", "def f():\n" + "    x = 1\n" * 59, []),
        (long_functions, "vision/a.py", "def f():\n" + "    x = 1\n" * 60, ["vision/a.py:1 f has 61 lines"]),
        (long_functions, "vision/a.py", "async def f():\n" + "    x = 1\n" * 60, ["vision/a.py:1 f has 61 lines"]),
        (long_file, "tests/test_a.py", "x = 1\n" * 500, []),
        (long_file, "tests/test_a.py", "x = 1\n" * 501, ["tests/test_a.py has 501 lines"]),
        (large_states, "vision/a.py", "@dataclass(frozen=True)\nclass AState:\n" + "    x: int = 1\n" * 15, []),
        (large_states, "vision/a.py", "@dataclass\nclass A:\n" + "    x: int = 1\n" * 16, []),
        (large_states, "vision/a.py", "@dataclass\nclass AConfig:\n" + "    x: int\n" * 16, ["vision/a.py:2 AConfig has 16 fields"]),
        (large_states, "controller/refereeing/a.py", "@dataclass(frozen=True, slots=True)\nclass A:\n" + "    x: int\n" * 16, ["controller/refereeing/a.py:2 A has 16 fields"]),
        (many_imports, "controller/web/a.py", TWELVE_MODULES, []),
        (many_imports, "controller/web/a.py", TWELVE_MODULES + "import vision.frame\n", ["controller/web/a.py imports 13 modules of ours"]),
        (many_imports, "controller/web/a.py", TWELVE_MODULES + "import json\nfrom controller.match import Seating, Tick\n", []),
        (many_imports, "controller/match/a.py", TWELVE_MODULES + "from controller.match import commands\n", ["controller/match/a.py imports 13 modules of ours"]),
        (many_imports, "controller/web/__init__.py", TWELVE_MODULES + "import vision.frame\n", []),
    ],
)  # fmt: skip
def test_each_rule_can_fail(rule: Rule, path: str, source: str, expected: list[str]) -> None:
    """What is one line over a limit is found; what is just inside it is not."""
    assert rule(path, source) == expected


def test_a_crowded_room_is_found() -> None:
    """Files in rooms below a room do not count as its own."""
    files = [f"vision/dice/{n}.py" for n in range(21)] + [f"vision/field/{n}.py" for n in range(20)]
    roots = [f"controller/{n}.py" for n in range(9)] + [f"firmware_bridge/{n}.py" for n in range(9)]
    assert crowded_folders(files + roots) == ["controller has 9 files", "vision/dice has 21 files"]
