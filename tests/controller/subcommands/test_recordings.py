"""Recordings as people make them, transcribed end to end: several files, stills, phones held upright, no game named."""

import json
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.match.events import CameraLost, GameStarted
from controller.match_log import read_match
from controller.rules import RULESETS
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import SEED, SIZE_PX, calibration_file
from tests.controller.trouble_pictures import WALL, Picture, game_pictures, picture_folder
from tests.vision.simulated.played_tables import style
from vision.simulated.painter import Painter

pytestmark = pytest.mark.broad

APART_MS = 10_000
TURNS = 4


def transcribed(zarbiter: Program, folder: Path, *call: object, status: int = 0) -> dict[str, Any]:
    match = folder / "a.zmatch"
    printed = zarbiter("transcribe --json -o", match, "--calibration", calibration_file(folder), *call, status=status)
    found: dict[str, Any] = json.loads(printed.out)
    return found


def stills(folder: Path, first: int, last: int) -> Path:
    """The settled scenes of a game in a folder: the start, then two of each turn."""
    return picture_folder(folder, game_pictures(TURNS)[first:last], APART_MS)


class TestSeveralFiles:
    def test_one_evening_is_one_match(self, tmp_path: Path, zarbiter: Program) -> None:
        """The log is that of one recording, whatever the files it is cut into, and its times tell the files apart."""
        first, second = stills(tmp_path / "first", 0, 5), stills(tmp_path / "second", 5, 9)
        found = transcribed(zarbiter, tmp_path, "--game backgammon --stills", first, second)
        assert (found["complete"], found["turns"], found["not_judged"]) == (True, TURNS, [])
        assert [one["name"] for one in found["recordings"]] == ["first", "second"]
        assert found["recordings"][1]["begins_ms"] > 4 * APART_MS
        assert found["last_ms"] == found["recordings"][1]["begins_ms"] + 3 * APART_MS
        again = transcribed(zarbiter, tmp_path, "--game backgammon --stills", first, second)
        assert again == found
        call = ("transcribe -o", tmp_path / "a.zmatch", "--game backgammon --stills --calibration")
        printed = zarbiter(*call, tmp_path / "calibration.json", first, second)
        assert "first 0:00:00 to second 0:00:30" in printed.out

    def test_a_file_that_is_missing_in_another_run(self, tmp_path: Path, zarbiter: Program) -> None:
        first, second = stills(tmp_path / "first", 0, 5), stills(tmp_path / "second", 5, 9)
        transcribed(zarbiter, tmp_path, "--game backgammon --stills", first, second)
        call = ("transcribe --game backgammon --stills -o", tmp_path / "a.zmatch")
        assert "holds a match of first (" in zarbiter(*call, first, status=2).err
        assert "a recording is named twice; name each once" in zarbiter(*call, first, first, status=2).err
        printed = zarbiter(*call, first, second, "--until 5", status=2)
        assert "--from and --until are times of one recording" in printed.err


class TestSeveralGames:
    @pytest.mark.parametrize(
        "between", [(), (WALL, WALL)], ids=["at once", "the camera shows something else meanwhile"]
    )
    def test_a_game_that_was_given_up(self, between: Sequence[Picture], tmp_path: Path, zarbiter: Program) -> None:
        """The start position begins the next game; how the last one ended was not seen, and is said once."""
        pictures = game_pictures(TURNS)
        folder = picture_folder(tmp_path / "film", [*pictures[:5], *between, *pictures[:7]], APART_MS)
        found = transcribed(zarbiter, tmp_path, "--game backgammon --stills", folder)
        assert (found["complete"], found["turns"], found["unsure"]) == (True, 5, 0)
        (given_up,) = [one for one in found["not_judged"] if one["reason"] == "game_given_up"]
        assert given_up["from_ms"] == (5 + len(between)) * APART_MS
        assert "game 1 was played out" in given_up["sentence"]
        started = [event for event in read_match(tmp_path / "a.zmatch").events if isinstance(event, GameStarted)]
        assert [event.number for event in started] == [1, 2]


class TestStills:
    def test_times_that_are_written_down(self, tmp_path: Path, zarbiter: Program) -> None:
        folder = stills(tmp_path / "film", 0, 9)
        call = ("transcribe --game backgammon -o", tmp_path / "a.zmatch", "--calibration", calibration_file(tmp_path))
        printed = zarbiter(*call, folder)
        assert "taken one by one, so each counts as a settled scene, as with --stills" in printed.err
        assert f"{TURNS} turns in 0 finished games" in printed.out

    def test_stills_beside_a_video(self, tmp_path: Path, zarbiter: Program) -> None:
        video = film(tmp_path / "a.mp4", game_pictures(TURNS)[:2], 5.0)
        call = ("transcribe --game backgammon -o", tmp_path / "a.zmatch", stills(tmp_path / "film", 0, 3), video)
        assert (
            "film were taken one by one, those of the others were not; transcribe them apart"
            in zarbiter(*call, status=2).err
        )

    def test_a_picture_that_may_not_be_read(
        self, tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(_: object) -> str:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("controller.subcommands.match.recording._digest", refuse)
        call = ("transcribe --game backgammon -o", tmp_path / "a.zmatch", stills(tmp_path / "film", 0, 3))
        assert "film cannot be read (Permission denied); name one that you may read" in zarbiter(*call, status=2).err

    def test_times_of_the_files(self, tmp_path: Path, zarbiter: Program) -> None:
        folder = stills(tmp_path / "film", 0, 9)
        (folder / "timestamps.csv").unlink()
        for number, file in enumerate(sorted(folder.iterdir())):
            os.utime(file, (1e9 + 10 * number,) * 2)
        assert transcribed(zarbiter, tmp_path, "--game backgammon", folder)["turns"] == TURNS

    def test_pictures_that_must_be_converted_first(self, tmp_path: Path, zarbiter: Program) -> None:
        """A picture of an iPhone among others is named, unless its copy in JPEG lies beside it."""
        folder = stills(tmp_path / "film", 0, 5)
        (folder / "timestamps.csv").unlink()
        heic = struct.pack(">I4s4sI4s", 20, b"ftyp", b"heic", 0, b"mif1")
        (folder / "0002.heic").write_bytes(heic)
        assert transcribed(zarbiter, tmp_path, "--game backgammon --stills", folder)["unread"] == 0
        (folder / "0003a.HEIC").write_bytes(heic)
        found = transcribed(
            zarbiter, tmp_path, f"--game backgammon --stills -o {tmp_path / 'b.zmatch'}", folder, status=1
        )
        assert found["unread"] == 1
        assert "convert it to JPEG" in found["unread_because"][0]


def film(file: Path, pictures: Sequence[Picture], fps: float) -> Path:
    height_px, width_px = pictures[0].shape[:2]
    video = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), fps, (width_px, height_px))
    for pixels in pictures:
        video.write(pixels)
    video.release()
    return file


def start_of(game: str, count: int = 1) -> list[Picture]:
    from controller.match import Seating
    from controller.simulation.filmed.arrangements import arrangement_of, plan_of
    from controller.simulation.filmed.snapshots import FrameRates, TableSnapshot
    from controller.simulation.filmed.table import SimulatedTable
    from controller.simulation.referee_run import film_game
    from controller.simulation.scripts import GamePlan

    rules, table = RULESETS[game], style(SEED, SIZE_PX)
    plan = GamePlan(seed=SEED, seating=Seating(white_head=rules.white_head), max_turns=1, board=plan_of(table))
    seen = SimulatedTable[TableSnapshot](
        film_game(rules, plan), plan.board, lambda moment: moment, FrameRates()
    ).inputs()
    first = next(one for one in seen if isinstance(one, TableSnapshot))
    painter = Painter(table)
    return [painter.paint_frame(arrangement_of(first, table), number) for number in range(count)]


def test_a_calibration_from_a_picture_that_must_be_converted_first(tmp_path: Path, zarbiter: Program) -> None:
    """One sentence with the remedy, and no other advice."""
    file = tmp_path / "a.heic"
    file.write_bytes(struct.pack(">I4s4sI4s", 20, b"ftyp", b"heic", 0, b"mif1"))
    (said,) = zarbiter("calibrate", file, "-o", tmp_path / "a.json", status=1).err.splitlines()
    assert said.startswith("zarbiter: not calibrated: ")
    assert "convert it to JPEG" in said


class TestTheGame:
    def test_it_is_assumed_and_said(self, tmp_path: Path, zarbiter: Program) -> None:
        call = ("transcribe --stills -o", tmp_path / "a.zmatch", "--calibration", calibration_file(tmp_path))
        printed = zarbiter(*call, stills(tmp_path / "film", 0, 5))
        assert "no --game is given; taken as backgammon" in printed.err

    def test_a_start_that_one_game_has(self, tmp_path: Path, zarbiter: Program) -> None:
        folder = picture_folder(tmp_path / "film", start_of("nackgammon", 3), APART_MS)
        for _ in range(2):  # the second run reads it from the log
            assert transcribed(zarbiter, tmp_path, folder, status=1)["game"] == "nackgammon"

    def test_a_start_that_several_games_have(self, tmp_path: Path, zarbiter: Program) -> None:
        folder = picture_folder(tmp_path / "film", start_of("long_nardy", 3), APART_MS)
        call = ("transcribe -o", tmp_path / "a.zmatch", "--calibration", calibration_file(tmp_path), folder)
        printed = zarbiter(*call, status=2)
        assert "it is that of long_nardy, nardegammon, gulbar, " in printed.err
        assert "no --game is given, and the first board is no start of backgammon" in printed.err
        assert "give --game long_nardy, or another" in printed.err
        assert not (tmp_path / "a.zmatch").exists()


def upright(file: Path) -> Path:
    """Marks a video to be shown turned by a quarter, as phones do: the matrix of its track header."""
    content = bytearray(file.read_bytes())
    matrix = content.index(b"tkhd") + 44
    content[matrix : matrix + 36] = struct.pack(">9i", 0, 1 << 16, 0, -(1 << 16), 0, 0, 0, 0, 1 << 30)
    file.write_bytes(content)
    return file


class TestVideos:
    def test_times_between_two_recordings(self, tmp_path: Path, zarbiter: Program) -> None:
        """What was open when a recording ended is said to have lasted to its end, and no longer."""
        pictures = start_of("nackgammon", 30)
        first, second = film(tmp_path / "a.mp4", pictures, 10.0), film(tmp_path / "b.mp4", pictures[::-1], 10.0)
        call = ("transcribe --game backgammon -o", tmp_path / "a.zmatch", "--calibration", calibration_file(tmp_path))
        printed = zarbiter(*call, first, second, status=1)
        assert "a.mp4 0:00:02 to a.mp4 0:00:03 not judged" in printed.out
        assert "a.mp4 0:01" not in printed.out

    def test_a_length_that_is_not_known(self, tmp_path: Path, zarbiter: Program) -> None:
        """Where the next recording begins could then only be guessed; alone or last it is read."""
        pictures = start_of("backgammon", 12)
        known = film(tmp_path / "a.mp4", pictures, 10.0)
        endless = tmp_path / "b.mjpeg"
        endless.write_bytes(b"".join(cv2.imencode(".jpg", one)[1].tobytes() for one in pictures))
        call = ("transcribe --game backgammon --fps 10 -o", tmp_path / "a.zmatch")
        printed = zarbiter(*call, endless, known, status=2)
        assert "b.mjpeg does not say how long it is, so none can follow; convert it to MP4" in printed.err
        found = transcribed(zarbiter, tmp_path, "--game backgammon --fps 10", known, endless, status=1)
        assert [one["reason"] for one in found["not_judged"]] == ["no_turn"]

    def test_two_in_a_row(self, tmp_path: Path, zarbiter: Program) -> None:
        """Nobody knows what happened between them, and nobody is accused for it: the camera was away."""
        pictures = start_of("backgammon", 12)
        first, second = film(tmp_path / "a.mp4", pictures, 10.0), film(tmp_path / "b.mp4", pictures[::-1], 10.0)
        found = transcribed(zarbiter, tmp_path, "--game backgammon", first, second, status=1)
        assert [one["reason"] for one in found["not_judged"]] == ["no_turn"]
        events = read_match(tmp_path / "a.zmatch").events
        (lost,) = [event for event in events if isinstance(event, CameraLost)]
        assert lost.sentence == "A recording ends here, and b.mp4 begins."
        assert len([event for event in events if isinstance(event, GameStarted)]) == 1

    def test_a_phone_held_upright(self, tmp_path: Path, zarbiter: Program) -> None:
        """The board is found and a game begins in a video that is stored lying on its side."""
        tall = [np.full((900, 680, 3), 70, np.uint8) for _ in range(4)]
        for pixels, drawn in zip(tall, start_of("backgammon", 4), strict=True):
            pixels[200:680, 20:660] = drawn
        lying = [np.asarray(cv2.rotate(one, cv2.ROTATE_90_COUNTERCLOCKWISE), np.uint8) for one in tall]
        file = upright(film(tmp_path / "phone.mp4", lying, 5.0))
        printed = zarbiter("transcribe --game backgammon -o", tmp_path / "a.zmatch", file, status=1)
        assert "A game begins and no turn of it is seen" in printed.out

    @pytest.mark.parametrize("fps", [10.0, 24.0, 30.0, 60.0])
    def test_pictures_a_second(self, fps: float, tmp_path: Path, zarbiter: Program) -> None:
        """A second and a half of the start is enough at any rate."""
        few = start_of("backgammon", 3)
        file = film(tmp_path / "a.mp4", [few[number % 3] for number in range(round(1.5 * fps))], fps)
        found = transcribed(zarbiter, tmp_path, "--game backgammon", file, status=1)
        assert [one["reason"] for one in found["not_judged"]] == ["no_turn"]
        assert 1_300 < found["last_ms"] < 1_500
