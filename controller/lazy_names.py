"""Public names of a room that load their module at their first use (PEP 562), so that no command loads what it lacks."""

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_getattr(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """The `__getattr__` of a package. `modules`: module of the package -> the public names that it defines."""
    module_of = {name: module for module, names in modules.items() for name in names}

    def load(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_of[name]}"), name)

    return load
