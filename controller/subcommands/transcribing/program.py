"""Which program this is: results of two are equal only where all of it is."""

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

_ROOT = Path(__file__).parents[3]
_OWN = ("controller", "vision")
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Program:
    """`sources`: the first digits of a hash over all code and networks that read films."""

    zarbiter: str
    sources: str
    opencv: str
    numpy: str

    def differences(self, other: "Program") -> str:
        """`zarbiter 0.1 and not 0.2, numpy 1.26 and not 2.4`."""
        theirs, ours = asdict(self), asdict(other)
        return ", ".join(
            f"{name} {value} and not {ours[name]}" for name, value in theirs.items() if value != ours[name]
        )


@cache
def describe_program() -> Program:
    files = sorted(
        file
        for package in _OWN
        for file in (_ROOT / package).rglob("*")
        if file.suffix in (".py", ".onnx") and "training" not in file.parts
    )
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(_ROOT).as_posix().encode())
        digest.update(file.read_bytes())
    return Program(_version("zarbiter"), digest.hexdigest()[:_DIGITS], _opencv(), np.__version__)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "of no package"


def _opencv() -> str:
    from vision.pixels.inference import opencv_version

    return opencv_version()
