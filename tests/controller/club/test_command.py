"""Calls of `zarbiter club` that show nothing say why and what to do."""

from pathlib import Path
from socket import create_server

import pytest

from controller.cli import main


def refused(capsys: pytest.CaptureFixture[str], data: Path, *call: str) -> tuple[int, str]:
    return main(["club", "--data", str(data), *call]), capsys.readouterr().err


def test_settings_without_a_broker(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, said = refused(capsys, tmp_path)
    assert status == 2
    assert f"no settings name a broker; write [mqtt] and host into {tmp_path}/settings.toml" in said


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("none", "--web none leaves nothing to show; give HOST:PORT"),
        ("[::", "--web: '[::' is no address; write HOST:PORT"),
    ],
)
def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str], tmp_path: Path, address: str, said: str) -> None:
    status, found = refused(capsys, tmp_path, "--web", address)
    assert status == 2
    assert said in found


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
    with create_server(("127.0.0.1", 0)) as taken:
        (tmp_path / "settings.toml").write_text('[mqtt]\nhost = "127.0.0.1"\nport = 9\n')
        port = taken.getsockname()[1]
        status, said = refused(capsys, tmp_path, "--web", f"127.0.0.1:{port}")
    assert status == 1
    assert f"no page at 127.0.0.1:{port}" in said
    assert "; choose another with --web HOST:PORT" in said


def test_a_password_that_others_may_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "secret").chmod(0o644)
    (tmp_path / "settings.toml").write_text('[mqtt]\nhost = "127.0.0.1"\nuser = "club"\npassword_file = "secret"\n')
    status, said = refused(capsys, tmp_path)
    assert status == 1
    assert "run chmod 600 on it" in said
