"""A folder of wheels with which Zarbiter is installed where there is no internet: `python -m hardware.offline_bundle DIR`.

It holds Zarbiter, what it needs for each processor and Python that is named, and pipx.
Needs a network and pip here, once.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.13")  # of Raspberry Pi OS 12 and 13
PLATFORM = "aarch64"
# glibc 2.36 and 2.41 of these two run wheels for all older ones.
TAGS = ("manylinux_2_34", "manylinux_2_31", "manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014")
# What `pi` holds: pip judges its conditions by the machine that downloads. For 3.13 apt's python3-lgpio serves.
GPIO = {"3.11": ("gpiozero>=2.0.1,<3", "lgpio>=0.2.2,<0.3", "rpi-lgpio>=0.6,<0.7")}
GPIO_ELSEWHERE = ("gpiozero>=2.0.1,<3",)
INSTALLERS = ("pipx", "pip")  # pipx brings the newest pip into its environments
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "-q")
HOW_TO = """On a machine without internet, in the folder that holds this one:

    python3 -m venv ~/pipx
    ~/pipx/bin/pip install --no-index --find-links {name} pipx
    ~/pipx/bin/pipx install --pip-args '--no-index --find-links {name}' zarbiter
    ~/pipx/bin/pipx ensurepath

Later versions: zarbiter update {name}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", action="append", help=f"a version of Python (default: {' and '.join(PYTHONS)})")
    parser.add_argument("--processor", default=PLATFORM, help=f"as uname -m has it (default: {PLATFORM})")
    options = parser.parse_args()
    make_bundle(options.folder, tuple(options.python or PYTHONS), options.processor)


def make_bundle(folder: Path, pythons: tuple[str, ...], processor: str) -> None:
    """Raises CalledProcessError, whose words pip has printed, where a wheel is not to be had."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as sources:  # a build in the project's folder would keep files that are gone
        copy_sources(Path(sources))
        subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, sources], check=True)  # noqa: S603
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    for python in pythons:
        gpio = GPIO.get(python, GPIO_ELSEWHERE) if processor == PLATFORM else ()
        download(folder, python, processor, (*needed, *gpio, *INSTALLERS))
    (folder / "README.txt").write_text(HOW_TO.format(name=folder.name), encoding="utf-8")


def copy_sources(target: Path) -> None:
    for name in ("controller", "vision", "firmware_bridge"):
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, target)


def download(folder: Path, python: str, processor: str, needed: tuple[str, ...]) -> None:
    platforms = [word for tag in TAGS for word in ("--platform", f"{tag}_{processor}")]
    only = ("--python-version", python, "--implementation", "cp", "--only-binary=:all:")
    subprocess.run([*PIP, "download", "--dest", folder, *platforms, *only, *needed], check=True)  # noqa: S603


if __name__ == "__main__":
    main()
