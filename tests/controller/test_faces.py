"""The rooms whose names are loaded at their first use give every name that they list."""

from importlib import import_module
from pathlib import Path

import pytest

CONTROLLER = Path(__file__).parents[2] / "controller"
FACES = sorted(
    ".".join(("controller", *file.parent.relative_to(CONTROLLER).parts))
    for file in CONTROLLER.rglob("__init__.py")
    if "_MODULES" in file.read_text(encoding="utf-8")
)
assert FACES, "the search finds no room whose names are loaded at their first use"


@pytest.mark.parametrize("room", FACES)
def test_a_room_gives_its_names(room: str) -> None:
    """`__all__` and the table of modules name the same, and each name is found in its module."""
    face = import_module(room)
    assert sorted(name for names in face._MODULES.values() for name in names) == sorted(face.__all__)
    for name in face.__all__:
        assert getattr(face, name) is not None


@pytest.mark.parametrize("room", FACES)
def test_an_unknown_name_is_missing(room: str) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = import_module(room).nothing
