"""Public names of a room that load their module at their first use (PEP 562), so that no command loads what it lacks."""

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def lazy_getattr(package: str, face: str) -> tuple[Callable[[str], object], list[str]]:
    """The `__getattr__` and the `__all__` of a package, from the imports that its `face` (`__file__`) shows to mypy."""
    module_of = {
        alias.name: node.module
        for node in ast.walk(ast.parse(Path(face).read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{package}.")
        for alias in node.names
    }

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_of[name]), name)

    return load, sorted(module_of)
