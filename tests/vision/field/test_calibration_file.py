import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.drawn_boards import calibration_for
from vision.checkers.appearance import NETWORK, NUMBERS
from vision.errors import CalibrationFileError
from vision.field.calibration_file import (
    MOST_BYTES,
    calibration_text,
    load_calibration,
    may_be_replaced,
    parse_calibration,
    save_calibration,
)
from vision.field.drift import make_reference
from vision.geometry.calibration import (
    Appearance,
    Calibration,
    CalibrationMethod,
    CheckerColour,
    CheckerProperties,
    Placement,
)
from vision.pixels.inference import identify_network

SMALL = calibration_for()
CHANGE = bytes(2 * NUMBERS)
APPEARANCE = Appearance(identify_network(NETWORK), CHANGE, CHANGE, pictures=3)
CHECKERS = CheckerProperties(33.5, 9.25, CheckerColour((80.5, -1.0, 12.0), (3.0, 1.0, 2.5)), None)
FULL = replace(
    SMALL,
    checkers=CHECKERS,
    placement=Placement.MIRRORED,
    reference=make_reference(np.full((480, 640, 3), 90, np.uint8), SMALL.projection),
    appearance=APPEARANCE,
    notes=("Die Ecken wurden übernommen.",),
)

PICTURES = {size: np.zeros((size[1], size[0], 3), np.uint8) for size in ((640, 480), (1280, 960), (800, 600))}

colours = st.builds(
    CheckerColour,
    st.tuples(st.floats(0, 100), st.floats(-128, 127), st.floats(-128, 127)),
    st.tuples(*[st.floats(0, 99)] * 3),
)
checker_properties = st.builds(
    CheckerProperties, st.floats(5, 80), st.none() | st.floats(1, 30), st.none() | colours, st.none() | colours
)
calibrations = st.builds(
    lambda known, checkers, way, error, has_reference, notes: replace(
        known,
        checkers=checkers,
        way=way,
        error_mm=error,
        reference=make_reference(PICTURES[known.image_size_px], known.projection) if has_reference else None,
        notes=tuple(notes),
    ),
    st.sampled_from([calibration_for(), calibration_for(1280, 960), calibration_for(800, 600)]),
    st.none() | checker_properties,
    st.sampled_from(CalibrationMethod),
    st.none() | st.floats(0, 50),
    st.booleans(),
    st.lists(st.text(max_size=20), max_size=3),
)


def read(text: str) -> Calibration:
    return parse_calibration(text.encode(), "board.json")


def changed(path: str, value: object) -> str:
    """The full calibration's text with one field set; `path` goes down with dots."""
    whole: dict[str, Any] = json.loads(calibration_text(FULL))
    inner, names = whole, path.split(".")
    for name in names[:-1]:
        inner = inner[name]
    inner[names[-1]] = value
    return json.dumps(whole)


def test_the_file_has_its_fields_in_order() -> None:
    """The names and their order are those of every earlier file."""
    whole = json.loads(calibration_text(FULL))
    assert list(whole) == [
        *("version", "image_width_px", "image_height_px", "projection", "field", "scale_is_assumed", "way"),
        *("error_mm", "taken_at", "checkers", "placement", "reference", "appearance", "notes"),
    ]
    assert list(whole["field"]) == ["width_mm", "height_mm", "bar_left_mm", "bar_right_mm"]
    light = {"lab_mean": [80.5, -1.0, 12.0], "lab_spread": [3.0, 1.0, 2.5]}
    assert whole["checkers"] == {"diameter_mm": 33.5, "thickness_mm": 9.25, "light": light, "dark": None}


@given(calibrations)
def test_reading_undoes_writing(known: Calibration) -> None:
    assert parse_calibration(calibration_text(known).encode("utf-8", "surrogatepass"), "board.json") == known


def test_saving_replaces_the_file_whole(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    save_calibration(SMALL, file)
    save_calibration(FULL, file)
    assert load_calibration(file) == FULL
    assert list(tmp_path.iterdir()) == [file]


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full half-way, the old calibration is still there and the half one is gone."""
    file = tmp_path / "board.json"
    save_calibration(SMALL, file)

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(CalibrationFileError, match="No space left on device"):
        save_calibration(FULL, file)
    assert load_calibration(file) == SMALL
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_folder_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationFileError, match=r"nowhere/board.json: cannot be written .*choose a folder"):
        save_calibration(SMALL, tmp_path / "nowhere" / "board.json")
    with pytest.raises(CalibrationFileError, match=r"gone.json: cannot be read .*zarbiter calibrate"):
        load_calibration(tmp_path / "gone.json")
    with pytest.raises(CalibrationFileError, match="cannot be read"):
        load_calibration(tmp_path)


def test_a_huge_file_is_not_read_whole(tmp_path: Path) -> None:
    """A film in place of the calibration is refused by its size."""
    file = tmp_path / "film.json"
    file.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(CalibrationFileError, match="more than 4 MB"):
        load_calibration(file)


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("version", 2, "field version is 2, and this program knows 1 only"),
        ("version", "1", "field version is 1"),
        ("version", True, "field version is True"),
        ("surprise", 1, "field 'surprise' is unknown to this version"),
        ("field.colour", "red", r"field field\.'colour' is unknown"),
        ("image_width_px", 640.5, "image_width_px is not a whole number from 16 to 30000"),
        ("image_width_px", -640, "image_width_px is not a whole number"),
        ("image_width_px", True, "image_width_px is not a whole number"),
        ("field.width_mm", "440", r"field field\.width_mm is not a number"),
        ("field.width_mm", 0, r"field field\.width_mm does not lie between 10 and 100000"),
        ("field.width_mm", None, r"field field\.width_mm is not a number"),
        ("field.bar_right_mm", 100, r"field field\.bar_right_mm does not lie between 205 and 396"),
        ("field", [], "field field is not an object"),
        ("projection.homography", [1, 2, 3], r"projection\.homography is not a list of 9 numbers"),
        ("projection.homography", [0] * 9, r"projection\.homography is degenerate"),
        ("projection.homography", [1, 0, 0, 1, 0, 0, 0, 0, 1], r"projection\.homography is degenerate"),
        ("projection.homography", [1, 0, 0, 0, 1, 0, 0, -0.01, 1], "lies behind the camera"),
        ("projection.camera_mm", [0, 0, -5], r"projection\.camera_mm does not lie above the board"),
        ("projection.k1", 3, r"projection\.k1 does not lie between -1 and 1"),
        ("projection.centre_px", [1, "2"], r"projection\.centre_px is not a number"),
        ("scale_is_assumed", 1, "scale_is_assumed is neither true nor false"),
        ("way", "magic", "field way is none of tags, position, itself, corners"),
        ("way", ["tags"], "field way is none of"),
        ("placement", "askew", "field placement is none of upright"),
        ("error_mm", -1, "error_mm does not lie between"),
        ("taken_at", "yesterday", "taken_at is not a time with its zone"),
        ("taken_at", "2026-01-01T00:00:00", "taken_at is not a time with its zone"),
        ("taken_at", 5, "taken_at is not a text"),
        ("checkers.diameter_mm", None, r"checkers\.diameter_mm is not a number"),
        ("checkers.thickness_mm", "thin", r"checkers\.thickness_mm is not a number"),
        ("checkers.light", 3, r"field checkers\.light is not an object"),
        ("checkers.light.lab_mean", [1, 2], r"checkers\.light\.lab_mean is not a list of 3 numbers"),
        ("reference.picture_png", "§", r"reference\.picture_png is not base64"),
        ("reference.picture_png", "AAAA", r"reference\.picture_png is no PNG picture of 320x240 px"),
        ("reference.shrink", 1, r"reference\.picture_png is no PNG picture of 640x480 px"),
        ("reference.projection.homography", [0] * 9, "degenerate"),
        ("appearance.change", "§", r"appearance\.change is not base64"),
        ("appearance.first", "AAAA", r"appearance\.first is no change of the network's last layer"),
        ("appearance.change", "/" * 989 + "w==", "is no change of the network's last layer"),
        ("appearance.pictures", 0, r"appearance\.pictures is not a whole number from 1"),
        ("notes", "one", "notes is not a list of texts"),
        ("notes", [1], "notes is not a list of texts"),
    ],
)  # fmt: skip
def test_each_wrong_field_is_named(path: str, value: object, problem: str) -> None:
    with pytest.raises(
        CalibrationFileError, match=rf"^board\.json: .*{problem}.*; make it anew with zarbiter calibrate\.$"
    ):
        read(changed(path, value))


def test_a_file_from_before_appearances_is_read() -> None:
    whole = json.loads(calibration_text(FULL))
    del whole["appearance"]
    assert read(json.dumps(whole)) == replace(FULL, appearance=None)


def test_the_appearance_of_another_network_is_kept() -> None:
    """It is not used, and a program with that network may use it again."""
    known = read(changed("appearance", {"network": "0" * 12, "change": "AAAA", "first": "AAAA", "pictures": 1}))
    assert known.appearance == Appearance("0" * 12, bytes(3), bytes(3), 1)


@pytest.mark.parametrize("name", sorted(set(json.loads(calibration_text(FULL))) - {"appearance"}))
def test_no_field_may_be_missing(name: str) -> None:
    """None is written as null, never left out."""
    whole = json.loads(calibration_text(FULL))
    del whole[name]
    with pytest.raises(CalibrationFileError, match=f"field {name} is missing"):
        read(json.dumps(whole))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "it is not JSON"),
        (b"{", "it is not JSON"),
        (b"\xff\xd8\xff\xe0", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "it does not hold one JSON object"),
        (b"null", "it does not hold one JSON object"),
        (b'{"version": NaN}', "it holds NaN, which is not a number"),
        (b'{"version": -Infinity}', "it holds -Infinity"),
        (b'{"version": 1, "version": 1}', "field 'version' is there twice"),
        (calibration_text(FULL).replace("440", "1e999").encode(), "does not lie between"),
        (calibration_text(FULL).replace("440", "4" * 400).encode(), "does not lie between"),
        (calibration_text(FULL).replace("440", "4" * 9000).encode(), "it is not JSON"),
    ],
)
def test_garbage_is_refused(content: bytes, problem: str) -> None:
    """No file, however odd, gives anything but our own error."""
    with pytest.raises(CalibrationFileError, match=problem):
        parse_calibration(content, "board.json")


@given(st.data())
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    """A few bytes overwritten anywhere: a calibration or our own error, never another one."""
    content = bytearray(calibration_text(FULL).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with suppress(CalibrationFileError):
        assert isinstance(parse_calibration(bytes(content), "board.json"), Calibration)


@pytest.mark.parametrize(
    ("content", "may_be"),
    [
        (calibration_text(FULL).encode(), True),
        (changed("version", 99).encode(), True),
        (changed("field.bar_right_mm", 1.0).encode(), True),
        (calibration_text(FULL).encode()[:300], True),  # cut off
        (bytes(4_096), True),  # what some file systems leave after a power cut
        (b"", True),
        (b'{"version": 1, "name": "a package"}', False),
        (b"export PATH=/bin", False),
        (b"\x89PNG\r\n\x1a\n", False),
    ],
)
def test_only_calibrations_are_replaced(content: bytes, may_be: bool, tmp_path: Path) -> None:
    """Also those that cannot be read any more: their error says to calibrate anew."""
    file = tmp_path / "board.json"
    assert may_be_replaced(file)
    file.write_bytes(content)
    assert may_be_replaced(file) is may_be


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    assert not may_be_replaced(tmp_path)
