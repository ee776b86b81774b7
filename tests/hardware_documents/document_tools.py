"""What the documents are built with, and what happens without it."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

HARDWARE = Path(__file__).parents[2] / "hardware"
PACKAGED = {"graphviz": "dot", "openscad": "openscad"}
"""The packages of the system and the program each is known by."""


def require(*, packages: tuple[str, ...] = (), modules: tuple[str, ...] = ()) -> None:
    """Skips the test when one is missing; with REQUIRE_SIM=1 it fails instead."""
    missing = [f"apt-get install {program}" for program in packages if shutil.which(PACKAGED[program]) is None]
    if any(find_spec(module) is None for module in modules):
        missing.append("pip install '.[hardware]'")
    if not missing:
        return
    why = f"the hardware's documents are built with more tools: {' and '.join(missing)}"
    if os.environ.get("REQUIRE_SIM") == "1":
        pytest.fail(why)
    pytest.skip(why)
