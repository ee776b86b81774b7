"""A file that never ends, or that nobody writes, is refused at once by each option and setting that names one."""

import os
import time
from pathlib import Path

import pytest

from controller.cli import main
from controller.settings import SettingsError
from controller.settings.store import SettingsStore
from tests.controller.board_pictures import written
from tests.controller.subcommands.called import Program

WITHIN_S = 1.0  # of this process


@pytest.fixture(params=["pipe", "/dev/zero"])
def endless(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param != "pipe":
        return Path(request.param)
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (("play", "--config", "{file}"), 2),
        (("play", "--rules", "{file}"), 2),
        (("rules", "list", "--config", "{file}"), 2),
        (("rules", "list", "--rules", "{file}"), 2),
        (("leds", "test", "--port", "fake", "--layout", "{file}"), 2),
        (("read", "{picture}", "--calibration", "{file}"), 2),
        (("read", "{file}"), 1),
        (("import", "{file}", "--data", "{data}"), 1),
        (("analyse", "{file}", "--data", "{data}"), 1),
        (("replay", "{file}", "--data", "{data}"), 1),
        (("log", "verify", "{file}", "--data", "{data}"), 1),
    ],
)
def test_options(
    call: tuple[str, ...], status: int, endless: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = written(tmp_path / "board.png")
    words = [word.format(file=endless, picture=picture, data=tmp_path / "data") for word in call]
    begun = time.process_time()
    assert main(words) == status
    assert time.process_time() - begun < WITHIN_S
    printed = capsys.readouterr()
    (said,) = (printed.out + printed.err).splitlines()
    assert str(endless) in said


def test_settings(endless: Path, tmp_path: Path, zarbiter: Program) -> None:
    """A house variant that the settings name, on the command line and on the page."""
    file = tmp_path / "club.toml"
    file.write_text(f'rules = "{endless}"\n')
    problem = f"cannot read {endless} (it is no file but a pipe or a device); name a file that can be read"
    assert zarbiter("play", "--config", file, status=2).err == f"zarbiter: --rules: {problem}\n"
    store = SettingsStore(file)
    with pytest.raises(SettingsError, match="it is no file but a pipe or a device"):
        store.check(store.read().text)
    assert SettingsStore(endless).read().problem.startswith("it is no file but a pipe or a device")
