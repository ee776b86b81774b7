import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.cli import main
from controller.match.events import GameStarted, RefereeEvent, SeatingKnown
from controller.match_log import IntactChain, read_match, verify
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, position_text, start_position
from controller.session.live_inputs import LiveInput
from controller.session.loop import referee_match
from controller.subcommands.match import recorded_match
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures

pytestmark = pytest.mark.broad

SEQUENCE = Path(__file__).parents[4] / "shared" / "boards" / "sequence_03"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two and a half seconds of the start position; the time jumps once."""
    folder = camera_folder(tmp_path_factory.mktemp("film"), start_pictures(25))
    lines = (folder / "timestamps.csv").read_text(encoding="utf-8").splitlines()
    jumped = [f"{name},{int(ms) + (60_000 if number >= 15 else 0)}" for number, (name, ms) in
              enumerate(line.split(",") for line in lines)]  # fmt: skip
    (folder / "timestamps.csv").write_text("\n".join(jumped), encoding="utf-8")
    return folder


def transcribe(folder: Path, match: Path, *more: str) -> int:
    known = str(calibration_file(match.parent))
    return main(["transcribe", str(folder), "--game", "backgammon", "-o", str(match), "--calibration", known, *more])


def events_of(match: Path) -> tuple[RefereeEvent, ...]:
    return read_match(match).events


def test_a_folder_becomes_a_match(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seating and start are found, the times are those of the folder, the log is intact, and that nobody plays is reported."""
    match = tmp_path / "a.zmatch"
    assert transcribe(pictures, match) == 1
    reported = events_of(match)
    assert any(isinstance(event, SeatingKnown) for event in reported)
    (started,) = [event for event in reported if isinstance(event, GameStarted)]
    assert 500 <= started.at_ms <= 1_500
    assert isinstance(verify(match), IntactChain)
    assert capsys.readouterr().out.splitlines() == [
        f"{match}: 0 turns in 0 finished games, 0:00:00 to 0:01:02.4.",
        "Unsure: 0. Not seen: 0. Illegal: 0. Bad throws: 0.",
        "0:00:00 to 0:01:02.4 passed over: A game begins and no turn of it is seen; film on until dice are thrown, played and lifted.",
        "0:00:02.9 to 0:01:01.5 not judged: The camera is lost. The recording has no picture for 60.1 s.",
    ]


def test_the_summary_for_programs(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = tmp_path / "a.zmatch"
    assert transcribe(pictures, match, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    passages, (recording,) = found.pop("not_judged"), found.pop("recordings")
    assert (recording["name"], recording["begins_ms"]) == (pictures.name, 0)
    assert recording["n_bytes"] == sum(file.stat().st_size for file in pictures.glob("*.png"))
    assert found == {
        "match": str(match),
        "game": "backgammon",
        "games": 0,
        "turns": 0,
        "unsure": 0,
        "not_seen": 0,
        "illegal": 0,
        "bad_throws": 0,
        "doubt": "",
        "unread": 0,
        "unread_because": [],
        "first_ms": 0,
        "last_ms": 62_400,
        "complete": False,
    }
    assert [(one["reason"], one["passed_over"]) for one in passages] == [("no_turn", True), ("no_pictures", False)]


def test_it_finds_the_board_by_itself(pictures: Path, tmp_path: Path, zarbiter: Program) -> None:
    match = tmp_path / "a.zmatch"
    zarbiter("transcribe", pictures, "--game backgammon -o", match, status=1)
    assert any(isinstance(event, GameStarted) for event in events_of(match))


def test_pictures_without_a_board(tmp_path: Path, zarbiter: Program) -> None:
    grey = [np.full((480, 640, 3), 90, np.uint8)] * 3
    folder = camera_folder(tmp_path / "grey", grey)
    printed = zarbiter("transcribe", folder, "--game backgammon -o", tmp_path / "a.zmatch", status=1)
    assert printed.err.rstrip().endswith("Or give --calibration FILE.")


def test_a_damaged_picture_is_passed_over(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "film"
    shutil.copytree(pictures, folder)
    (folder / "0007.png").write_bytes(b"no picture")
    match = tmp_path / "a.zmatch"
    assert transcribe(folder, match) == 1
    printed = capsys.readouterr()
    assert printed.err.count("0007.png") == 1
    assert printed.out.splitlines()[-1].startswith("1 picture could not be used: ")
    assert any(isinstance(event, GameStarted) for event in events_of(match))


def test_a_broken_off_run_goes_on(pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first half, then the whole: the events and the report of one go; called again, the report stays."""
    whole, broken = tmp_path / "whole.zmatch", tmp_path / "broken.zmatch"
    assert transcribe(pictures, whole) == 1
    assert transcribe(pictures, broken, "--until", "1.2") == 1
    assert events_of(broken)
    assert transcribe(pictures, broken) == 1
    assert events_of(broken) == events_of(whole)
    capsys.readouterr()
    reports = []
    for match in (whole, broken):
        assert transcribe(pictures, match, "--json") == 1
        reports.append({**json.loads(capsys.readouterr().out), "match": ""})
    assert reports[0] == reports[1]
    assert len(reports[0]["not_judged"]) == 2


def test_a_broken_off_run_goes_on_at_its_own_board(
    pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board without a bar and the position of the first call count, though the second one leaves them out."""
    tables: list[MatchConfig] = []

    def noted(inputs: Iterable[LiveInput], table: MatchConfig, *others: Any, **named: Any) -> RefereeState:
        tables.append(table)
        return referee_match(inputs, table, *others, **named)

    monkeypatch.setattr(recorded_match, "referee_match", noted)
    match, settings = tmp_path / "a.zmatch", tmp_path / "club.toml"
    settings.write_text("bar = false\n", encoding="utf-8")
    position = position_text(start_position(RULESETS["nackgammon"]))
    assert transcribe(pictures, match, "--config", str(settings), "--position", position) == 1
    capsys.readouterr()
    assert transcribe(pictures, match) == 1
    assert [(table.has_bar, table.start.position) for table in tables] == [(False, position)] * 2
    assert not any(isinstance(event, GameStarted) for event in events_of(match))
    assert (
        "the match goes on as its log says, and not as the settings do: the board has no bar; "
        f"it begins with {position}\n"
    ) in capsys.readouterr().err


def test_another_match_is_not_written_over(pictures: Path, tmp_path: Path, zarbiter: Program) -> None:
    match = tmp_path / "a.zmatch"
    assert transcribe(pictures, match) == 1
    before = events_of(match)
    printed = zarbiter("transcribe", pictures, "--game tavla -o", match, status=2)
    assert "holds a match of another game or profile; name another file" in printed.err
    assert events_of(match) == before


def test_another_recording_never_goes_on_in_a_match(pictures: Path, tmp_path: Path, zarbiter: Program) -> None:
    """Under the same name, with the same options, of the same length: its result is not that of the first one."""
    folder, match = tmp_path / "film", tmp_path / "a.zmatch"
    shutil.copytree(pictures, folder)
    assert transcribe(folder, match) == 1
    before = events_of(match)
    shutil.copy(folder / "0002.png", folder / "0024.png")
    printed = zarbiter("transcribe", folder, "--game backgammon -o", match, status=2)
    assert f"{match} holds a match of film (" in printed.err
    assert "another one or was changed; name another file, or delete that match with zarbiter log delete" in printed.err
    assert events_of(match) == before


@pytest.mark.parametrize(
    ("source", "sentence"), [("nothing", "nothing is not there"), (".", "there is no picture in this folder")]
)
def test_what_is_no_recording(
    source: str, sentence: str, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert sentence in zarbiter("transcribe", source, "--game backgammon -o", tmp_path / "a.zmatch", status=2).err
    assert not (tmp_path / "a.zmatch").exists()


@pytest.mark.slow
@pytest.mark.skipif(not SEQUENCE.is_dir(), reason="the rendered sequences are not here")
def test_rendered_stills(tmp_path: Path, zarbiter: Program) -> None:
    """The first frames of a rendered sequence: the start position, seen from the edge where it is."""
    folder = tmp_path / "film"
    folder.mkdir()
    for number in range(3):
        shutil.copy(SEQUENCE / f"frame_{number:03}.jpg", folder)
    match = tmp_path / "a.zmatch"
    zarbiter("transcribe", folder, "--game backgammon --stills -o", match, status=1)
    (started,) = [event for event in events_of(match) if isinstance(event, GameStarted)]
    assert started.at_ms == 0
