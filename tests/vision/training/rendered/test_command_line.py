import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.training.rendered import command_line
from vision.training.rendered.command_line import is_finished, main, write_label
from vision.training.rendered.dice_windows import __main__ as dice_windows
from vision.training.rendered.errors import NoCameraFoundError, NoLlvmError
from vision.training.rendered.tracing import mitsuba_backend

ROOT = Path(__file__).parents[4]


@pytest.fixture
def backend_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mitsuba is not started."""
    monkeypatch.setattr(command_line, "start", lambda _threads: None)
    monkeypatch.setattr(command_line, "free_memory", lambda: None)


@pytest.mark.usefixtures("backend_off")
@pytest.mark.parametrize("program", [command_line, dice_windows])
def test_finished_pictures_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Any) -> None:
    """Only numbers without a label are made of 3 to 5; without --skip-existing all are made."""
    made: list[str] = []

    def render(_args: object, _number: int, name: str) -> str:
        made.append(name)
        return "made"

    monkeypatch.setattr(program, "render", render)
    (tmp_path / "0004.json").write_text("{}")
    assert program.main(["--out", str(tmp_path), "--start", "3", "--n", "3", "--skip-existing"]) == 0
    assert made == ["0003", "0005"]
    assert program.main(["--out", str(tmp_path), "--start", "3", "--n", "3"]) == 0
    assert made[2:] == ["0003", "0004", "0005"]


@pytest.mark.usefixtures("backend_off")
def test_a_failed_number_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is printed, the next number is made, and the run ends with status 1."""

    def render(_args: object, number: int, _name: str) -> str:
        if number == 0:
            raise NoCameraFoundError(1500)
        return "well"

    monkeypatch.setattr(command_line, "render", render)
    caplog.set_level("INFO")
    assert main(["--out", str(tmp_path), "--n", "2"]) == 1
    assert [record.getMessage().split("(")[0] for record in caplog.records] == [
        "0000 FAILED NoCameraFoundError",
        "0001 well",
    ]


def test_a_label_is_written_whole(tmp_path: Path) -> None:
    assert not is_finished(tmp_path, "0001")
    write_label(tmp_path / "0001.json", {"image": "0001.jpg"})
    assert is_finished(tmp_path, "0001")
    assert json.loads((tmp_path / "0001.json").read_text()) == {"image": "0001.jpg"}
    assert [path.name for path in tmp_path.iterdir()] == ["0001.json"]


def test_a_missing_llvm_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRJIT_LIBLLVM_PATH", raising=False)
    monkeypatch.setattr(mitsuba_backend, "_PLACES", ("/nowhere/libLLVM*{version}*",))
    with pytest.raises(NoLlvmError, match="DRJIT_LIBLLVM_PATH") as caught:
        mitsuba_backend.start(1)
    assert isinstance(caught.value, OSError)


@pytest.mark.broad
@pytest.mark.parametrize("module", ["command_line", "dice_windows.__main__"])
def test_the_command_line_loads_without_the_tracer(module: str) -> None:
    """Help and tests need nothing of the renderer's environment: its libraries load with the first picture."""
    ask = f"import sys, vision.training.rendered.{module}; print({{'mitsuba', 'mujoco', 'skimage'}} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"


@pytest.mark.slow
def test_tiny_pictures_agree_with_themselves(tmp_path: Path) -> None:
    """Two boards 320 px wide, the second under a moving hand, come out twice with the same labels.

    The pictures are the same up to noise: Mitsuba orders the lamps of a scene anew each time it loads one.
    """
    pytest.importorskip("mitsuba", reason="the renderer has an environment of its own; see vision/training/README.md")
    for folder in ("first", "second"):
        where = str(tmp_path / folder)
        assert main(["--out", where, "--n", "2", "--seed", "7", "--width", "320"]) == 0
    for name in ("0000", "0001"):
        first, second = (cv2.imread(str(tmp_path / folder / f"{name}.jpg")) for folder in ("first", "second"))
        assert first is not None
        assert second is not None
        assert first.shape == (240, 320, 3)
        assert first.mean() > 20
        assert np.abs(first.astype(int) - second.astype(int)).mean() < 4
        labels = [(tmp_path / folder / f"{name}.json").read_text() for folder in ("first", "second")]
        assert labels[0] == labels[1]
