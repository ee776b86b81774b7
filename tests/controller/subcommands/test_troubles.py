"""What can be wrong with a recording or a camera, driven end to end: each trouble is named in one sentence with its remedy.

The exit status is 0 only if turns were refereed and nothing was passed over.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from controller.rules import RULESETS, position_text, start_position
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file
from tests.controller.trouble_pictures import (
    WALL,
    Picture,
    blurred,
    exposed,
    game_pictures,
    painted,
    picture_folder,
    played_scenes,
    resized,
    with_hands,
)
from vision.simulated.scene import CheckerSide
from vision.simulated.tabletop import Arrangement

pytestmark = pytest.mark.broad

STILLS_APART_MS, FILM_APART_MS = 10_000, 500
FILM = 11  # pictures of a film that lasts five seconds: whoever waits has heard why


@dataclass(frozen=True)
class Trouble:
    """A recording, how it is transcribed, and what has to be said. `status` is the exit status."""

    pictures: Callable[[], Sequence[Picture]]
    says: str
    options: str = ""
    reason: str = ""  # in JSON; "" where pictures could not be used, or nothing could be opened
    is_film: bool = False
    is_calibrated: bool = True
    game: str = "backgammon"
    status: int = 1
    passages: int = 1

    def call(self, folder: Path) -> list[object]:
        apart_ms = FILM_APART_MS if self.is_film else STILLS_APART_MS
        source = picture_folder(folder / "film", self.pictures(), apart_ms)
        known = ["--calibration", calibration_file(folder)] if self.is_calibrated else []
        stills = [] if self.is_film else ["--stills"]
        return ["transcribe", source, "--game", self.game, "-o", folder / "a.zmatch", *known, *stills, self.options]


def _game(change: Callable[[Picture], Picture]) -> Callable[[], Sequence[Picture]]:
    return lambda: [change(picture) for picture in game_pictures()]


def _still(scene: Callable[[], Arrangement], count: int = 2) -> Callable[[], Sequence[Picture]]:
    return lambda: painted([scene()] * count)


def _start() -> Arrangement:
    return played_scenes().start


def _shaken() -> Sequence[Picture]:
    return [np.roll(game_pictures()[0], 7 * number % 60, axis=1) for number in range(FILM)]


def _hands() -> Sequence[Picture]:
    return painted(with_hands(_start(), 15.0 * (number % 8)) for number in range(FILM))


def _two_sizes() -> Sequence[Picture]:
    first, second, *others = game_pictures()
    return [first, second, resized(second), *others]


def _night_falls() -> Sequence[Picture]:
    pictures = game_pictures()
    return [*pictures[:3], *(exposed(one, 0.01) for one in pictures[3:])]


def _camera_turned_away() -> Sequence[Picture]:
    pictures = game_pictures()
    return [*pictures[:3], WALL, WALL]


SHORT = position_text(start_position(RULESETS["nackgammon"]))
LIGHT = (CheckerSide.LIGHT,)
HALF = 320  # px, half of the picture's width

TROUBLES = {
    "no board": Trouble(lambda: [WALL], "No backgammon board was found; show the whole board", is_calibrated=False),
    "a dark room": Trouble(
        lambda: [exposed(one, 0.01) for one in game_pictures()[:1]],
        "too dark to find the board; light it",
        is_calibrated=False,
    ),
    "two boards": Trouble(
        lambda: [np.asarray(np.hstack([one, one]), np.uint8) for one in game_pictures()[:1]],
        "edges are not clear enough to be sure",
        is_calibrated=False,
    ),
    "a rim at the edge of the picture": Trouble(
        lambda: [np.ascontiguousarray(one[:, :-60]) for one in game_pictures()[2:3]],
        "The board seems to end where the picture ends; move the camera",
        is_calibrated=False,
    ),
    "half a board": Trouble(
        lambda: [np.hstack([WALL[:, :HALF], one[:, :HALF]]) for one in game_pictures()[:1]],
        "show the whole board",
        is_calibrated=False,
    ),
    "a wall where the board was": Trouble(
        _camera_turned_away, "does not show the board; turn it towards the board", reason="no_board"
    ),
    "dark": Trouble(_game(lambda one: exposed(one, 0.01)), "too dark to read the board; light it", reason="too_dark"),
    "over-exposed": Trouble(
        _game(lambda one: exposed(one, 5)), "too bright to read; dim the light", reason="too_bright"
    ),
    "blurred": Trouble(_game(blurred), "blurred; focus the camera on the board", reason="blurred"),
    "night falls": Trouble(_night_falls, "too dark to read the board; light it", reason="too_dark"),
    "another game": Trouble(
        game_pictures, "as another game begins (backgammon", reason="other_game", game="long_nardy"
    ),
    "another seating": Trouble(
        game_pictures,
        "for other seats than agreed; say who sits where",
        "--seating white=light,edge=bottom,mirrored=yes",
        reason="other_seating",
    ),
    "another position": Trouble(
        game_pictures, "put it right", f"--position {SHORT} --on-turn white", reason="board_differs"
    ),
    "a moving camera": Trouble(_shaken, "comes to rest; fix the camera", reason="moving", is_film=True),
    "only hands": Trouble(_hands, "keep hands off the board", reason="moving", is_film=True),
    "a hand that stays": Trouble(
        lambda: painted([with_hands(_start())] * FILM), "covers the board; take it away", reason="covered", is_film=True
    ),
    "one frame": Trouble(
        lambda: game_pictures()[:1], "or give --stills for single pictures", reason="nothing_at_rest", is_film=True
    ),
    "one picture": Trouble(lambda: game_pictures()[:1], "film on until dice are thrown", reason="no_turn"),
    "frames that are all alike": Trouble(
        lambda: [game_pictures()[0]] * FILM, "film on until dice are thrown", reason="no_turn", is_film=True
    ),
    "no game but its start": Trouble(_still(_start), "film on until dice are thrown", reason="no_turn"),
    "an end in mid-turn": Trouble(
        lambda: game_pictures()[:-1], "film until the dice are lifted", reason="turn_unfinished"
    ),
    "a turn that nobody saw": Trouble(
        lambda: [*game_pictures(3)[:3], *game_pictures(3)[5:]],
        "was not seen whole and is inferred from the boards around it; film without gaps",
        reason="turn_not_seen",
        passages=3,  # the turn before it, whose throw did not count, and the next one are understood only with it
    ),
    "no checkers": Trouble(_still(Arrangement), "No checkers stand on the board; set them up", reason="no_checkers"),
    "too many checkers": Trouble(
        _still(lambda: _start().with_stack("T3", LIGHT * 2)), "put it right. Too many on T3", reason="board_differs"
    ),
    "a calibration of another size": Trouble(
        lambda: [resized(one) for one in game_pictures()[:2]],
        "2 pictures could not be used: The picture is 640x360 px",
    ),
    "pictures of two sizes": Trouble(_two_sizes, "1 picture could not be used: The picture is 640x360 px"),
}


@pytest.mark.parametrize("name", TROUBLES)
def test_a_recording_with_a_trouble(name: str, tmp_path: Path, zarbiter: Program) -> None:
    """One sentence with the remedy for people, the same sentence for programs, and status 1."""
    trouble = TROUBLES[name]
    printed = zarbiter(*trouble.call(tmp_path / "people"), status=trouble.status)
    said = printed.out if trouble.is_calibrated else printed.err
    assert said.count(trouble.says) == (trouble.passages if trouble.is_calibrated else 1), said
    found = json.loads(zarbiter(*trouble.call(tmp_path / "programs"), "--json", status=trouble.status).out)
    assert found["complete"] is False
    told = [one["sentence"] for one in found.get("not_judged", ())] + found.get("unread_because", [])
    assert any(trouble.says.split(": ")[-1] in one for one in (*told, found.get("error", ""))), found
    if trouble.reason:
        passages = [one for one in found["not_judged"] if one["reason"] == trouble.reason]
        assert len(passages) == trouble.passages
        for passage in passages:
            assert passage["passed_over"]
            assert found["first_ms"] <= passage["from_ms"] <= passage["until_ms"] <= found["last_ms"]


def test_a_whole_recording(tmp_path: Path, zarbiter: Program) -> None:
    """Nothing is passed over, so nothing is listed, and the status is 0; also where a game is joined in its middle."""
    whole = Trouble(game_pictures, "")
    found = json.loads(zarbiter(*whole.call(tmp_path / "whole"), "--json").out)
    assert (found["complete"], found["turns"], found["not_judged"], found["last_ms"]) == (True, 2, [], 40_000)
    joined = replace(whole, pictures=lambda: game_pictures(4)[2:])
    found = json.loads(zarbiter(*joined.call(tmp_path / "joined"), "--json").out)
    assert (found["complete"], found["turns"]) == (True, 3)


def test_a_part_of_a_recording(tmp_path: Path, zarbiter: Program) -> None:
    """The times of a passage are those of --from and --until; a time outside the recording is named."""
    call = Trouble(lambda: game_pictures(4), "", "--from 0:20 --until 60.5").call(tmp_path)
    found = json.loads(zarbiter(*call, "--json").out)
    assert (found["turns"], found["first_ms"], found["last_ms"]) == (2, 20_000, 60_000)
    beyond = ("--from 1:00:00 --json -o", tmp_path / "b.zmatch")
    printed = zarbiter(*call[:4], *call[6:-1], *beyond, status=1)
    assert json.loads(printed.out)["error"].startswith("no picture lies between --from and --until; name times")
    assert "61:75 is no time of a recording; write it as" in zarbiter(*call, "--from 61:75", status=2).err


def test_a_picture_that_cannot_be_read(tmp_path: Path, zarbiter: Program) -> None:
    call = Trouble(game_pictures, "").call(tmp_path)
    (tmp_path / "film" / "0001.png").write_bytes(b"no picture")
    printed = zarbiter(*call, status=1)
    assert "1 picture could not be used" in printed.out
    assert "0001.png: this is no picture, or a damaged one; give a JPEG, PNG or WebP file" in printed.out


@pytest.mark.parametrize(
    ("content", "says", "status"),
    [
        (b"no film but text\n" * 9, "cannot be read as a video; convert it to MP4", 1),
        (b"", "cannot be read as a video; convert it to MP4", 1),
        (None, "is not there; give a picture, a folder, a video", 2),
    ],
)
def test_a_file_that_is_no_film(
    content: bytes | None, says: str, status: int, tmp_path: Path, zarbiter: Program
) -> None:
    if content is not None:
        (tmp_path / "a.mp4").write_bytes(content)
    printed = zarbiter("transcribe", tmp_path / "a.mp4", "--game backgammon -o", tmp_path / "a.zmatch", status=status)
    assert printed.err.count(says) == 1
    assert not (tmp_path / "a.zmatch").exists()


def test_a_folder_without_pictures(tmp_path: Path, zarbiter: Program) -> None:
    (tmp_path / "film").mkdir()
    printed = zarbiter("transcribe", tmp_path / "film", "--game backgammon -o", tmp_path / "a.zmatch", status=2)
    assert printed.err.count("there is no picture in this folder; name one with JPEG or PNG pictures") == 1


def test_times_out_of_order(tmp_path: Path, zarbiter: Program) -> None:
    call = Trouble(lambda: game_pictures()[:2], "").call(tmp_path)
    (tmp_path / "film" / "timestamps.csv").write_text("0000.png,5\n0001.png,3\n", encoding="utf-8")
    assert "line 2: 3 ms is not after the 5 ms before it; put the lines in order" in zarbiter(*call, status=2).err


def test_a_file_that_is_no_calibration(tmp_path: Path, zarbiter: Program) -> None:
    call = replace(Trouble(lambda: game_pictures()[:1], ""), is_calibrated=False).call(tmp_path)
    (tmp_path / "board.json").write_text('{"a": 1}', encoding="utf-8")
    printed = zarbiter(*call, "--calibration", tmp_path / "board.json", status=2)
    assert printed.err.count("make it anew with zarbiter calibrate") == 1


@pytest.mark.parametrize(
    ("pictures", "says", "hindrance"),
    [
        (lambda: [exposed(game_pictures()[0], 0.01)] * FILM, "It is too dark to read the board; light it.", "too_dark"),
        (
            lambda: painted([with_hands(_start())] * FILM),
            "A hand or something else covers the board; take it away.",
            "covered",
        ),
    ],
)
def test_people_at_the_table_hear_within_five_seconds(
    pictures: Callable[[], Sequence[Picture]], says: str, hindrance: str, tmp_path: Path, zarbiter: Program
) -> None:
    """Once, on the terminal; programs and the log have the same event."""
    film, known = picture_folder(tmp_path / "film", pictures(), FILM_APART_MS), calibration_file(tmp_path)
    call = ("play --game long_nardy --web none --leds none --camera", film, "--calibration", known, "--data")
    assert zarbiter(*call, tmp_path / "people").out.splitlines().count(says) == 1
    lines = zarbiter(*call, tmp_path / "programs", "--json").out.splitlines()
    (hindered,) = [event for event in map(json.loads, lines) if event["event"] == "SightHindered"]
    assert hindered["hindrance"] == hindrance
    assert hindered["at_ms"] <= 5_000


def test_a_camera_that_is_not_there(tmp_path: Path, zarbiter: Program) -> None:
    known = calibration_file(tmp_path)
    call = ("play --camera /dev/video99 --game backgammon --web none --data", tmp_path, "--calibration", known)
    assert zarbiter(*call, status=1).err.count("/dev/video99 is not there; plug it in") == 1
