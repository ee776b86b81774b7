"""Who may import whom, and what things may be called.

Each rule is a function of a path (relative to the project's folder) and a source text, and returns one sentence for
each breach. The small bad examples prove that each rule can fail.
"""

import ast
import gc
import re
import sys
from collections.abc import Callable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("controller", "vision", "firmware_bridge")

TOP_LEVEL = {
    *("pyproject.toml", "firmware_bridge", "vision", "controller", "tests", "hardware", "README.md"),
    *("zarbiter", "LICENSE", "CHANGELOG.md", "requirements-lock.txt"),
    *(".ci", ".github", ".gitignore", ".pre-commit-config.yaml"),
}

# The rules of the game are computed from values alone: nothing that knows files, clocks, chance or the system.
PURE_STANDARD_LIBRARY = {
    *(
        "__future__",
        "abc",
        "collections",
        "collections.abc",
        "dataclasses",
        "difflib",
        "enum",
        "functools",
        "itertools",
    ),
    *("math", "operator", "re", "tomllib", "types", "typing"),
}
REACHES_OUTSIDE = {"__import__", "eval", "exec", "input", "open"}

# Package -> the packages of ours and the libraries it may know besides itself and the standard library.
MAY_IMPORT = {
    "vision": {"numpy", "cv2"},
    "firmware_bridge": set[str](),
    "controller": {"vision", "firmware_bridge", "numpy"},
}
# Module -> the only files (or folders) that import it.
ONLY_HERE = {
    "picamera2": ("vision/camera/picamera.py",),
    "libcamera": ("vision/camera/picamera.py",),
    "serial": ("firmware_bridge/serial_port.py",),
    "gpiozero": ("firmware_bridge/pins/gpio.py",),
    "attr": ("controller/settings/settings.py", "controller/settings/receiver_settings.py"),
    "attrs": ("controller/settings/settings.py", "controller/settings/receiver_settings.py"),
    "cattrs": ("controller/settings/settings.py",),
    "sqlite3": ("controller/match_log/",),
    "tomllib": ("controller/rules/bounded_toml.py", "firmware_bridge/layout_file.py"),  # it knows no limits
    "distributed": ("controller/subcommands/transcribing/cluster.py",),
    "paho": ("controller/publishing/mqtt.py",),
    "websocket": ("controller/publishing/obs.py",),
    "segno": ("controller/web/qr_code.py",),
    "starlette": ("controller/web/", "controller/club/page.py"),
    "uvicorn": ("controller/web/",),
    "cv2": ("vision/", "controller/match_log/"),  # the match log keeps its evidence as JPEG
    # The parts that touch the world are chosen and joined in one room, and nothing but the command line leans on it.
    "vision.camera.sources": ("controller/subcommands/",),
    "vision.camera.picamera": ("vision/camera/sources.py",),
    "vision.camera.v4l2": ("vision/camera/sources.py",),
    "vision.camera.stream": ("vision/camera/sources.py",),
    "firmware_bridge.serial_port": ("controller/subcommands/",),
    "firmware_bridge.pins.gpio": ("controller/subcommands/",),
    "controller.subcommands": ("controller/cli.py",),
    "controller.cli": ("controller/__main__.py",),
}
TRAINING = "vision/training/"  # may import the dev extra, and is never imported at play
DRAWING = "vision/simulated/"  # what it draws is the test of what reads: neither may lean on the other
DRAWING_MAY_KNOW = ("vision.simulated", "vision.frame", "vision.errors")

# The rooms of a package, floor by floor: a room may import rooms of lower floors. Rooms of one floor do not know each
# other, but for what BESIDE names.
FLOORS: dict[str, tuple[tuple[str, ...], ...]] = {
    "vision": (
        *(("errors",), ("places", "frame"), ("geometry",), ("pixels",)),
        *(("camera", "checkers", "field", "dice"), ("board", "dice_tracking")),
    ),
    "controller": (
        *(
            ("lazy_names", "visible_text", "plain_file", "private_files", "rules"),
            ("match", "rule_answers"),
            ("observing", "match_log"),
            ("adjudication", "wording"),
        ),
        *(
            ("refereeing", "pictures"),
            ("questions",),
            ("lights", "formats"),
            ("speech",),
            ("settings", "session", "doctor"),
            ("statistics",),
        ),
        *(("web", "simulation"), ("publishing",), ("club",), ("subcommands",), ("cli",), ("__main__",)),
    ),
}
BESIDE = {  # room -> rooms of its own floor that it may import
    "vision.field": {"vision.checkers"},  # the start position gives the field away
    "vision.dice": {"vision.checkers"},  # dice lean on checkers
}
STANDS_APART = ("vision.simulated", "vision.training")  # they have rules of their own below
# What controller's lowest rooms may know of vision; the others may know its values and its work.
OF_VISION_ONLY: dict[str, tuple[str, ...]] = {
    "controller.rules": (),
    "controller.rule_answers": (),
    "controller.match_log": (),
    "controller.match": ("vision.places",),
    "controller.adjudication": ("vision.places",),
}
# Rooms in which a picture is worked on: everywhere else only the values of vision are known, not its readers.
WORKS_WITH_PICTURES = (
    *(
        "controller.observing",
        "controller.session",
        "controller.pictures",
        "controller.doctor",
        "controller.simulation",
    ),
    *("controller.lights.led_mapping", "controller.web", "controller.subcommands", "controller.cli"),
)
WORK_OF_VISION = (
    *("vision.board.read_board", "vision.board.cached_reading", "vision.dice.detect", "vision.dice_tracking.tracker"),
    *("vision.field.detector", "vision.field.auto_calibration", "vision.field.led_finder", "vision.camera"),
)

NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "base", "manager"}
SPEAKS_TO_THE_TERMINAL = ("controller/cli.py", "controller/subcommands/")


@cache
def nodes_of(source: str) -> tuple[ast.AST, ...]:
    """Every node of the syntax tree in the order of `ast.walk`, which takes longer; most rules ask for them."""
    gc.disable()
    found: list[ast.AST] = [ast.parse(source)]
    for node in found:  # it grows meanwhile
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += [one for one in value if isinstance(one, ast.AST)]
    gc.freeze()  # trees are kept to the end; the collector would look through them again and again
    gc.enable()
    return tuple(found)


@cache
def imported_modules(path: str, source: str) -> tuple[tuple[int, str], ...]:
    """(line, absolute dotted name) of every import, at any depth; `from a import b` gives `a.b`."""
    return tuple(_imported_modules(path, source))


def _imported_modules(path: str, source: str) -> Iterator[tuple[int, str]]:
    folder = path.split("/")[:-1]
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = folder[: len(folder) - node.level + 1] if node.level else []
            origin = ".".join([*package, *(node.module.split(".") if node.module else [])])
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def is_of(module: str, name: str) -> bool:
    """Whether `module` is `name` or something inside it."""
    return module == name or module.startswith(name + ".")


def is_allowed(path: str, module: str) -> bool:
    package, top = path.split("/")[0], module.split(".")[0]
    if path.startswith("controller/rules/"):
        return is_of(module, "controller.rules") or any(is_of(module, name) for name in PURE_STANDARD_LIBRARY)
    if top in (package, *MAY_IMPORT[package]) or top in sys.stdlib_module_names:
        return True
    if path.startswith(TRAINING):
        return top not in PACKAGES
    return any(path.startswith(place) for name, places in ONLY_HERE.items() if is_of(module, name) for place in places)


def forbidden_imports(path: str, source: str) -> list[str]:
    """The packages know only what the table lets them know."""
    return [
        f"{path}:{line} imports {module}"
        for line, module in imported_modules(path, source)
        if not is_allowed(path, module)
    ]


def imports_out_of_place(path: str, source: str) -> list[str]:
    """A library of the edge is imported in its one file."""
    return [
        f"{path}:{line} imports {module}, which is for {' and '.join(places)}"
        for line, module in imported_modules(path, source)
        for name, places in ONLY_HERE.items()
        if is_of(module, name) and not path.startswith((*places, name.replace(".", "/")))
    ]


def training_at_play(path: str, source: str) -> list[str]:
    """What made the weights is not needed by those who use them."""
    return [
        f"{path}:{line} imports {module}"
        for line, module in imported_modules(path, source)
        if is_of(module, "vision.training") and not path.startswith(TRAINING)
    ]


def drawing_and_reading(path: str, source: str) -> list[str]:
    """What draws a table and what reads one share no code but frame and errors."""
    modules = [(line, module) for line, module in imported_modules(path, source) if is_of(module, "vision")]
    if path.startswith(DRAWING):
        found = [(line, module) for line, module in modules if not any(is_of(module, one) for one in DRAWING_MAY_KNOW)]
    elif path.startswith("vision/") and not path.startswith(TRAINING):
        found = [(line, module) for line, module in modules if is_of(module, "vision.simulated")]
    else:
        return []
    return [f"{path}:{line} imports {module}" for line, module in found]


def room_of(module: str) -> tuple[str, int] | None:
    """(room, floor) of a module of `vision` or `controller`; None for what stands apart or names a package itself."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    for floor, rooms in enumerate(FLOORS.get(package, ())):
        if room in rooms:
            return f"{package}.{room}", floor
    return None


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports_between_rooms(path: str, source: str) -> list[str]:
    """A room imports only rooms below it."""
    here = room_of(module_of(path))
    if here is None:
        return []
    found = []
    for line, module in imported_modules(path, source):
        there = room_of(module)
        if there is None or there[0] == here[0] or there[0].split(".")[0] != here[0].split(".")[0]:
            continue
        if there[1] > here[1] or (there[1] == here[1] and there[0] not in BESIDE.get(here[0], ())):
            found.append(f"{path}:{line} imports {module}, which is not below {here[0]}")
    return found


def vision_known_above(path: str, source: str) -> list[str]:
    """The controller's lowest rooms know only places; what reads pictures is called by few rooms."""
    me = module_of(path)
    if not me.startswith("controller."):
        return []
    found = []
    for line, module in imported_modules(path, source):
        if not is_of(module, "vision"):
            continue
        only = next((known for room, known in OF_VISION_ONLY.items() if is_of(me, room)), ("vision",))
        is_work = any(is_of(module, work) for work in WORK_OF_VISION)
        if not any(is_of(module, known) for known in only) or (
            is_work and not any(is_of(me, room) for room in WORKS_WITH_PICTURES)
        ):
            found.append(f"{path}:{line} imports {module}")
    return found


def rooms_without_floor(names: set[str]) -> list[str]:
    """Every room of `vision` and `controller` has its floor."""
    return [f"{name} has no floor" for name in sorted(names) if room_of(name) is None and name not in STANDS_APART]


def calls(source: str, names: set[str]) -> Iterator[tuple[int, str]]:
    for node in nodes_of(source):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            yield node.lineno, node.func.id


def reaches_outside(path: str, source: str) -> list[str]:
    """The rules neither open files nor import by name."""
    if not path.startswith("controller/rules/"):
        return []
    return [f"{path}:{line} calls {name}" for line, name in calls(source, REACHES_OUTSIDE)]


def prints(path: str, source: str) -> list[str]:
    """Only the command line speaks to the terminal."""
    if path.startswith(SPEAKS_TO_THE_TERMINAL):
        return []
    return [f"{path}:{line} calls {name}" for line, name in calls(source, {"print"})]


def empty_name(path: str, _source: str) -> list[str]:
    """A file or folder is named for what it holds."""
    parts = path.removesuffix(".py").split("/")
    return [f"{path}: {part} says nothing" for part in parts if part in NAMES_THAT_SAY_NOTHING]


def surplus_and_missing(names: set[str], ignored: list[str]) -> list[str]:
    """The top level holds what it must and, besides what git ignores, nothing else."""
    ours = {name for name in names if not any(fnmatch(name, pattern) for pattern in ignored)}
    surplus = [f"{name} has no place at the top level" for name in sorted(ours - TOP_LEVEL)]
    return surplus + [f"{name} is missing at the top level" for name in sorted(TOP_LEVEL - names)]


Rule = Callable[[str, str], list[str]]
FOR_PACKAGES: tuple[Rule, ...] = (
    *(forbidden_imports, imports_out_of_place, training_at_play, drawing_and_reading),
    *(imports_between_rooms, vision_known_above),
    *(reaches_outside, prints),
    empty_name,
)
FOR_TESTS: tuple[Rule, ...] = (empty_name,)


def breaches(rule: Rule, folders: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*.py")):
            found += rule(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("rule", FOR_PACKAGES, ids=lambda rule: rule.__name__)
def test_the_packages_keep(rule: Rule) -> None:
    """The three packages break no rule of this file."""
    assert breaches(rule, PACKAGES) == []


@pytest.mark.parametrize("rule", FOR_TESTS, ids=lambda rule: rule.__name__)
def test_the_tests_keep(rule: Rule) -> None:
    """The tests are held to the same limits of size and name."""
    assert breaches(rule, ("tests",)) == []


def test_every_room_has_a_floor() -> None:
    """A new room is given its place in the table before anything may import it."""
    rooms = {
        f"{package}.{entry.stem}"
        for package in FLOORS
        for entry in (ROOT / package).iterdir()
        if entry.suffix in ("", ".py")
    }
    assert (
        rooms_without_floor(
            {room for room in rooms if "__init__" not in room and "models" not in room and "pycache" not in room}
        )
        == []
    )


def test_the_top_level_is_as_agreed() -> None:
    """Nothing is missing at the top level and nothing was added to it."""
    patterns = re.findall(r"^/?([^#/\s]\S*?)/?$", (ROOT / ".gitignore").read_text(), re.MULTILINE)
    assert surplus_and_missing({entry.name for entry in ROOT.iterdir()}, [*patterns, ".git"]) == []


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("controller/rules/roll.py", "import random", ["controller/rules/roll.py:1 imports random"]),
        ("controller/rules/roll.py", "import numpy as np", ["controller/rules/roll.py:1 imports numpy"]),
        ("controller/rules/roll.py", "from ..loop import x", ["controller/rules/roll.py:1 imports controller.loop.x"]),
        ("controller/rules/roll.py", "from .. import loop", ["controller/rules/roll.py:1 imports controller.loop"]),
        ("controller/rules/roll.py", "from controller import loop", ["controller/rules/roll.py:1 imports controller.loop"]),
        ("controller/rules/roll.py", "def f():\n    import os", ["controller/rules/roll.py:2 imports os"]),
        ("vision/dice/detect.py", "from controller.rules import judge", ["vision/dice/detect.py:1 imports controller.rules.judge"]),
        ("vision/dice/detect.py", "import firmware_bridge", ["vision/dice/detect.py:1 imports firmware_bridge"]),
        ("vision/dice/detect.py", "if TYPE_CHECKING:\n    import controller", ["vision/dice/detect.py:2 imports controller"]),
        ("vision/dice/detect.py", "import scipy", ["vision/dice/detect.py:1 imports scipy"]),
        ("vision/training/fit.py", "import controller", ["vision/training/fit.py:1 imports controller"]),
        ("firmware_bridge/protocol/link.py", "import numpy", ["firmware_bridge/protocol/link.py:1 imports numpy"]),
        ("firmware_bridge/protocol/link.py", "import vision.frame", ["firmware_bridge/protocol/link.py:1 imports vision.frame"]),
        ("controller/session/loop.py", "import scipy", ["controller/session/loop.py:1 imports scipy"]),
    ],
)  # fmt: skip
def test_a_forbidden_import_is_found(path: str, source: str, expected: list[str]) -> None:
    """Plain, relative, lazy and type-checking imports are all seen."""
    assert forbidden_imports(path, source) == expected


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("controller/rules/roll.py", "from collections.abc import Iterator\nfrom .player import Player\nimport math"),
        ("controller/rules/roll.py", "from controller.rules import player"),
        (
            "controller/session/loop.py",
            "import time, numpy\nfrom vision.frame import Frame\nimport firmware_bridge.protocol.link",
        ),
        ("controller/match_log/evidence.py", "import cv2"),
        ("controller/settings/settings.py", "import cattrs"),
        ("controller/web/server.py", "import uvicorn\nfrom starlette.routing import Route"),
        ("vision/camera/v4l2.py", "import fcntl, mmap, cv2\nimport numpy as np\nfrom .frame import Frame"),
        ("vision/camera/picamera.py", "def f():\n    from picamera2 import Picamera2"),
        ("vision/camera/sources.py", "from vision.camera.v4l2 import V4l2Camera"),
        ("controller/cli.py", "from controller.subcommands import calibrate"),
        ("controller/subcommands/read.py", "from controller.subcommands.options.call import UsageError"),
        ("controller/subcommands/calibrate.py", "from vision.camera.sources import open_source"),
        ("controller/subcommands/play.py", "from firmware_bridge import gpio, serial_port"),
        ("vision/training/fit.py", "import scipy, hypothesis"),
        ("firmware_bridge/serial_port.py", "import os, serial"),
        ("firmware_bridge/pins/gpio.py", "from gpiozero import Button"),
    ],
)
def test_an_allowed_import_is_let_through(path: str, source: str) -> None:
    """Each line of the table lets through what it names."""
    assert forbidden_imports(path, source) == []
    assert imports_out_of_place(path, source) == []


@pytest.mark.parametrize(
    ("path", "source", "module"),
    [
        ("vision/camera/v4l2.py", "from picamera2 import Picamera2", "picamera2.Picamera2"),
        ("firmware_bridge/protocol/link.py", "import serial.tools", "serial.tools"),
        ("firmware_bridge/pins/buttons.py", "import gpiozero", "gpiozero"),
        ("controller/session/loop.py", "import sqlite3", "sqlite3"),
        ("controller/session/loop.py", "import cv2", "cv2"),
        ("controller/session/loop.py", "import cattrs", "cattrs"),
        ("controller/session/loop.py", "import uvicorn", "uvicorn"),
        ("controller/subcommands/play.py", "from starlette.routing import Route", "starlette.routing.Route"),
        ("controller/session/loop.py", "from firmware_bridge import serial_port", "firmware_bridge.serial_port"),
        ("controller/session/loop.py", "from vision.camera.v4l2 import Camera", "vision.camera.v4l2.Camera"),
        ("controller/cli.py", "from vision.camera.sources import open_source", "vision.camera.sources.open_source"),
        (
            "controller/subcommands/play.py",
            "from vision.camera.picamera import PiCamera",
            "vision.camera.picamera.PiCamera",
        ),
        (
            "controller/session/loop.py",
            "from vision.camera.sources import open_source",
            "vision.camera.sources.open_source",
        ),
        ("controller/session/loop.py", "from ..cli import main", "controller.cli.main"),
        ("controller/subcommands/play.py", "from controller.cli import main", "controller.cli.main"),
        ("controller/session/loop.py", "from ..subcommands import call", "controller.subcommands.call"),
    ],
)
def test_an_import_out_of_place_is_found(path: str, source: str, module: str) -> None:
    """A library of the edge is refused everywhere but in its file."""
    (breach,) = imports_out_of_place(path, source)
    assert breach.startswith(f"{path}:1 imports {module}, which is for ")


@pytest.mark.parametrize(
    ("rule", "path", "source", "expected"),
    [
        (training_at_play, "vision/dice/detect.py", "from ..training import fit", ["vision/dice/detect.py:1 imports vision.training.fit"]),
        (drawing_and_reading, "vision/simulated/a.py", "from vision import dice", ["vision/simulated/a.py:1 imports vision.dice"]),
        (drawing_and_reading, "vision/a.py", "from .simulated import draw", ["vision/a.py:1 imports vision.simulated.draw"]),
        (drawing_and_reading, "vision/simulated/a.py", "from vision.frame import Frame\nfrom . import draw", []),
        (drawing_and_reading, "vision/training/a.py", "from vision.simulated import draw", []),
        (reaches_outside, "controller/rules/a.py", "x = open('f')", ["controller/rules/a.py:1 calls open"]),
        (reaches_outside, "controller/rules/a.py", "__import__('os')", ["controller/rules/a.py:1 calls __import__"]),
        (reaches_outside, "controller/a.py", "x = open('f')", []),
        (prints, "controller/session/loop.py", "def f():\n    print(1)", ["controller/session/loop.py:2 calls print"]),
        (prints, "controller/cli.py", "print(1)", []),
        (prints, "controller/subcommands/read.py", "print(1)", []),
        (imports_between_rooms, "vision/geometry/a.py", "import vision.dice.detect", ["vision/geometry/a.py:1 imports vision.dice.detect, which is not below vision.geometry"]),
        (imports_between_rooms, "vision/checkers/a.py", "from vision.dice import detect", ["vision/checkers/a.py:1 imports vision.dice.detect, which is not below vision.checkers"]),
        (imports_between_rooms, "vision/dice/a.py", "from vision.checkers import occupancy", []),
        (imports_between_rooms, "controller/match/a.py", "def f():\n    from ..web import server", ["controller/match/a.py:2 imports controller.web.server, which is not below controller.match"]),
        (imports_between_rooms, "controller/web/a.py", "from controller.match import events", []),
        (imports_between_rooms, "controller/web/match/a.py", "from controller.web.server import serve", []),
        (vision_known_above, "controller/match/a.py", "from vision.places import Place\nimport vision.frame", ["controller/match/a.py:2 imports vision.frame"]),
        (vision_known_above, "controller/refereeing/a.py", "import vision.dice.detect", ["controller/refereeing/a.py:1 imports vision.dice.detect"]),
        (vision_known_above, "controller/observing/a.py", "import vision.dice.detect", []),
        (empty_name, "vision/utils.py", "", ["vision/utils.py: utils says nothing"]),
        (empty_name, "vision/common/a.py", "", ["vision/common/a.py: common says nothing"]),
        (empty_name, "vision/dice/detect.py", "", []),
    ],
)  # fmt: skip
def test_each_rule_can_fail(rule: Rule, path: str, source: str, expected: list[str]) -> None:
    """What is one line over a limit is found; what is just inside it is not."""
    assert rule(path, source) == expected


def test_a_room_without_floor_is_found() -> None:
    """`training` and `simulated` stand apart."""
    assert rooms_without_floor({"vision.dice", "vision.attic", "vision.training"}) == ["vision.attic has no floor"]


def test_a_surplus_and_a_missing_entry_are_found() -> None:
    """A stray folder is named, a missing file is named, and what git ignores is passed over."""
    names = (TOP_LEVEL - {"LICENSE"}) | {"scripts", ".venv", "zarbiter.egg-info"}
    assert surplus_and_missing(names, [".venv", "*.egg-info"]) == [
        "scripts has no place at the top level",
        "LICENSE is missing at the top level",
    ]
