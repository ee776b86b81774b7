"""An update calls the tool that installed this version, and never during a match."""

import os
from pathlib import Path

import pytest

from controller.match_log import create_match
from controller.subcommands.appliance import service, update
from controller.subcommands.appliance.update import choose_call
from tests.controller.subcommands.called import Program
from tests.fake_machine import write_program

WHEEL = "zarbiter-9.0-py3-none-any.whl"


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / WHEEL).write_bytes(b"")
    return tmp_path / "wheels"


def made_by(tool: str, tmp_path: Path) -> Path:
    """The environment of a tool."""
    prefix = tmp_path / "tools" / "venvs" / "zarbiter"
    prefix.mkdir(parents=True)
    (prefix / {"pipx": "pipx_metadata.json", "uv": "uv-receipt.toml", "pip": "pyvenv.cfg"}[tool]).write_text("")
    return prefix


@pytest.mark.parametrize(
    ("source", "call"),
    [
        (None, "pipx upgrade zarbiter"),
        ("", "pipx runpip zarbiter install --upgrade --no-index --find-links {wheels} zarbiter"),
        (WHEEL, f"pipx runpip zarbiter install --upgrade {{wheels}}/{WHEEL}"),
        (None, "uv tool upgrade zarbiter"),
        ("", "uv tool install --force --no-index --find-links {wheels} zarbiter"),
    ],
)
def test_the_tool_that_installed_it(source: str | None, call: str, tmp_path: Path, wheels: Path) -> None:
    tool = call.partition(" ")[0]
    words, env = choose_call(made_by(tool, tmp_path), None if source is None else wheels / source)
    assert " ".join(words) == call.format(wheels=wheels)
    tools = tmp_path / "tools"
    assert env == {"pipx": {"PIPX_HOME": str(tools)}, "uv": {"UV_TOOL_DIR": str(tools / "venvs")}}[tool]


def test_the_command_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program for all, in /usr/local/bin, gets no second link in the folder of who updates it."""
    prefix = made_by("pipx", tmp_path)
    write_program(prefix / "zarbiter", "#!/bin/sh\n")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "zarbiter").symlink_to(prefix / "zarbiter")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert choose_call(prefix, None)[1]["PIPX_BIN_DIR"] == str(tmp_path / "bin")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This program in an environment of a pipx that only notes its calls; a machine without the service."""
    monkeypatch.setattr("sys.prefix", str(made_by("pipx", tmp_path)))
    (tmp_path / "bin").mkdir()
    for name in ("pipx", "systemctl"):
        write_program(tmp_path / "bin" / name, f'#!/bin/sh\necho "$(basename $0) $*" >> {tmp_path}/called\n')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(update, "STATE", tmp_path / "state")
    monkeypatch.setattr(service, "_UNITS", tmp_path / "units")
    return tmp_path


def test_with_a_service(installed: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    (installed / "units").mkdir()
    (installed / "units" / "zarbiter.service").write_text("", encoding="utf-8")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    call = f"update --data {installed / 'data'}"
    assert "call sudo systemctl restart zarbiter.service" in zarbiter(call).out
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "zarbiter " in zarbiter(call).out
    called = (installed / "called").read_text(encoding="utf-8").splitlines()
    assert called == ["pipx upgrade zarbiter"] * 2 + ["systemctl try-restart zarbiter.service"]


@pytest.mark.parametrize("folder", ["data", "state"])
def test_a_match_is_not_disturbed(folder: str, installed: Path, zarbiter: Program) -> None:
    with create_match(installed / folder / "matches" / "final.zmatch", "tavla"):
        said = zarbiter(f"update --data {installed / 'data'}", status=1).err
    assert said == "zarbiter: final is being played or transcribed; end it, then call this again\n"
    assert not (installed / "called").exists()


def test_what_may_not_be_seen(installed: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    (installed / "state").mkdir()
    monkeypatch.setattr("controller.match_log.catalogue.Path.is_dir", refuse)
    said = zarbiter(f"update --data {installed / 'data'}", status=1).err
    assert (
        said == f"zarbiter: whether a match is being played in {installed}/state may not be seen; call it with sudo\n"
    )


def test_wrong_calls(installed: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    said = zarbiter(f"update {installed}", status=2).err
    assert f"{installed} is neither a wheel of zarbiter nor a folder with one; name one, or leave it out" in said
    monkeypatch.setattr("sys.prefix", str(installed))
    remedy = "in the project's folder call git pull, elsewhere update it as it was installed"
    expected = f"zarbiter: neither pipx nor uv installed this version; {remedy}\n"
    assert zarbiter("update", status=2).err == expected
