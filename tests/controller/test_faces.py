"""The rooms whose names are loaded at their first use give every name that they list."""

from importlib import import_module
from pathlib import Path

import pytest

CONTROLLER = Path(__file__).parents[2] / "controller"
FACES = sorted(
    ".".join(("controller", *file.parent.relative_to(CONTROLLER).parts))
    for file in CONTROLLER.rglob("__init__.py")
    if "lazy_getattr" in file.read_text(encoding="utf-8")
)
assert FACES, "the search finds no room whose names are loaded at their first use"


@pytest.mark.parametrize("room", FACES)
def test_a_room_gives_its_names(room: str) -> None:
    """Each name is found in its module."""
    face = import_module(room)
    assert face.__all__
    for name in face.__all__:
        assert getattr(face, name) is not None


@pytest.mark.parametrize("room", FACES)
def test_an_unknown_name_is_missing(room: str) -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = import_module(room).nothing
