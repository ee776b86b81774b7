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


LIST = 'format = "knockout"\nlength = 7\nplayers = ["Ann", "=Ben", "Cem"]\ntables = ["Table-1"]\n'


@pytest.fixture
def players(tmp_path: Path) -> Path:
    file = tmp_path / "thursday.toml"
    file.write_text(LIST)
    return file


def test_a_tournament_from_its_list_to_its_end(
    players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who has not been beaten advances; a spreadsheet takes no name for a formula; only the owner reads the results."""
    data, out = str(tmp_path / "data"), tmp_path / "out.csv"
    named = ("--data", data, "--tournament", str(players))
    assert main(["club", "enter", "cem", "=ben", "2-7", *named]) == 0
    assert main(["club", "draw", *named]) == 0
    assert capsys.readouterr().out.splitlines() == [
        *("round 1  Table-1  =Ben - Cem  2-7", "round 2  Table-1  Ann - =Ben"),
        *("=Ben: 1 of 1 won", "Ann: 0 of 0 won", "Cem: 0 of 1 won"),
    ]
    assert main(["club", "draw", "--csv", str(out), *named]) == 0
    assert out.read_text().splitlines()[1] == "1,Table-1,'=Ben,Cem,2,7,'=Ben,True,"
    assert (tmp_path / "data/club/thursday.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("bake",), "there is no action 'bake'; give draw or enter, or none for the page"),
        (("draw", "Ann"), "only enter takes players and a score; leave them out"),
        (("--csv", "x.csv"), "--csv belongs to draw; call zarbiter club draw"),
        (("draw",), "no list of players is named; give it with --tournament FILE"),
        (("enter", "Ann", "--tournament", "{list}"), "enter takes both players and the score; write enter Ann Ben 7-3"),
        (("enter", "Ann", "Eva", "7-3", "--tournament", "{list}"), "no player of the list is called 'Eva'"),
        (("enter", "=Ben", "Cem", "7-8", "--tournament", "{list}"), "7-8 ends no match to 7"),
        (("enter", "=Ben", "Cem", "7:3", "--tournament", "{list}"), "'7:3' is no score; write the points"),
        (("enter", "Ann", "Cem", "7-3", "--tournament", "{list}"), "Ann and Cem do not meet; zarbiter club draw"),
    ],
)
def test_a_wrong_call(
    call: tuple[str, ...], said: str, players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = refused(capsys, tmp_path, *(word.format(list=players) for word in call))
    assert status == 2
    assert said in found
    assert not (tmp_path / "club").exists()


def test_a_file_that_holds_no_results(players: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is neither overwritten nor taken."""
    (tmp_path / "club").mkdir()
    file = tmp_path / "club/thursday.json"
    for text in ("{", '{"results": [1]}', '{"results": [{"first": 1}]}', "[" * 50_000):
        file.write_text(text)
        for call in (("draw",), ("enter", "=Ben", "Cem", "7-2")):
            status, said = refused(capsys, tmp_path, *call, "--tournament", str(players))
            assert status == 1
            assert "holds no results; move it away" in said
            assert file.read_text() == text
