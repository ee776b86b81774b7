import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from firmware_bridge import layout_file
from firmware_bridge.errors import BridgeError, LayoutError, LayoutFileError
from firmware_bridge.layout import LedLayout, LedPlace, StartCorner, StripPlan, Wiring
from tests.firmware_bridge.test_layout import PLANS

SMALL = {"version": 1, "led_count": 3, "places": {"T1": [0], "B12": [2, 1]}}


@given(PLANS)
def test_what_is_written_is_read(plan: StripPlan) -> None:
    layout = LedLayout.from_plan(plan)
    assert layout_file.parse_layout(layout_file.layout_text(layout).encode(), "a.json") == layout
    assert layout_file.parse_layout_value(layout_file.layout_value(layout)) == layout


def test_the_text_has_a_place_a_line() -> None:
    layout = LedLayout.from_table(3, {LedPlace.T1: (0,), LedPlace.B12: (1, 2)})
    assert layout_file.layout_text(layout) == (
        '{\n "version": 1,\n "led_count": 3,\n "places": {\n  "T1": [0],\n  "B12": [1, 2]\n }\n}\n'
    )


def test_a_plan_in_toml() -> None:
    text = 'version = 1\n[plan]\nleds_per_point = 2\nstart = "bottom_right"\nwiring = "z"\nat_bar = 1\n'
    plan = StripPlan(2, StartCorner.BOTTOM_RIGHT, Wiring.Z, at_bar=1)
    assert layout_file.parse_layout(text.encode(), "strip.TOML") == LedLayout.from_plan(plan)


def test_a_table_in_toml() -> None:
    text = "version = 1\nled_count = 3\n[places]\nT1 = [0]\nB12 = [2, 1]\n"
    assert layout_file.parse_layout(text.encode(), "strip.toml") == layout_file.parse_layout_value(SMALL)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({**SMALL, "version": 2}, "field version is 2, and this program knows 1 only"),
        ({**SMALL, "version": True}, "field version is True, and this program knows 1 only"),
        ({**SMALL, "version": None}, "field version is None, and this program knows 1 only"),
        ({**SMALL, "led_count": "3"}, "field led_count is not a whole number"),
        ({**SMALL, "led_count": True}, "field led_count is not a whole number"),
        ({**SMALL, "led_count": 3.0}, "field led_count is not a whole number"),
        ({**SMALL, "places": [0]}, "field places is not an object with fields"),
        ({**SMALL, "places": {"T13": [0]}}, "places has 'T13'; a place is T1 to T12, B1 to B12, bar or tray"),
        ({**SMALL, "places": {"T1": 0}}, "field places.T1 is not a list of LED numbers"),
        ({**SMALL, "places": {"T1": ["0"]}}, "field places.T1 is not a whole number"),
        ({**SMALL, "places": {"T1": [0], "T2": [0]}}, "LED 0 belongs to T1 and to T2; name it once"),
        ({**SMALL, "places": {}}, "no LED lies at any point; name the LEDs of the points"),
        ({**SMALL, "colour": "red"}, "field 'colour' is unknown to this version, or does not go with the others"),
        ({**SMALL, "plan": {"leds_per_point": 1}}, "field 'led_count' is unknown to this version, or does not go with the others"),
        ({"version": 1, "plan": {}}, "field plan.leds_per_point is missing"),
        ({"version": 1, "plan": 7}, "field plan is not an object with fields"),
        ({"version": 1, "plan": {"leds_per_point": 2, "start": "north"}}, "field plan.start is none of top_left, top_right, bottom_left, bottom_right"),
        ({"version": 1, "plan": {"leds_per_point": 2, "wiring": 1}}, "field plan.wiring is none of u, z"),
        ({"version": 1, "plan": {"leds_per_point": 9}}, "leds_per_point is 9; give 1 to 5"),
        ({"version": 1, "plan": {"leds_per_point": 1.5}}, "field plan.leds_per_point is not a whole number"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_sentence(value: dict[str, Any], sentence: str) -> None:
    with pytest.raises(LayoutError) as refused:
        layout_file.parse_layout_value(value)
    assert str(refused.value) == sentence


def test_an_unknown_field_of_a_plan_is_reported_with_the_known_ones() -> None:
    with pytest.raises(LayoutError, match=r"plan.leds_a_point is unknown; a plan has leds_per_point, start, wiring, "):
        layout_file.parse_layout_value({"version": 1, "plan": {"leds_a_point": 2}})


@pytest.mark.parametrize("value", [{"version": 1}, {"version": 1, "led_count": 3}, {"version": 1, "places": {}}])
def test_one_of_both_forms_must_be_there(value: dict[str, Any]) -> None:
    with pytest.raises(LayoutError, match="neither a plan nor led_count with places"):
        layout_file.parse_layout_value(value)


class TestFile:
    def test_there_and_back(self, tmp_path: Path) -> None:
        file = tmp_path / "leds.json"
        layout_file.save_layout(layout_file.parse_layout_value(SMALL), file)
        assert layout_file.load_layout(file) == layout_file.parse_layout_value(SMALL)
        assert list(tmp_path.iterdir()) == [file]

    @pytest.mark.parametrize(
        ("name", "content", "problem"),
        [
            ("a.json", b'{\n"version": 1 2}', "it is not JSON (Expecting ',' delimiter, line 2, column 14)"),
            ("a.json", b"\xff", "it is no text in UTF-8 (byte 0)"),
            ("a.json", b"[" * 50_000, "it is not JSON"),
            ("a.json", b"[1]", "a layout is not an object with fields"),
            ("a.json", b'{"version": 1, "version": 1}', "field 'version' is there twice"),
            ("a.toml", b"version = 1 2", "it is not TOML"),
            ("a.toml", b"version = 1\nversion = 1", "it is not TOML"),
            ("a.toml", b"a" + b".a" * 49_000 + b" = 1", "a line has more than 2,000 characters"),
            ("a.toml", b"version = 0x" + b"f" * 1_900, "field version is "),
            ("a.toml", b"[plan]\nleds_per_point = 0x" + b"f" * 1_900, ""),
            ("a.json", b" " * 100_001, "it has more than 100 kB, so it is no layout"),
        ],
    )
    def test_what_is_no_layout_is_refused(self, tmp_path: Path, name: str, content: bytes, problem: str) -> None:
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(LayoutFileError) as refused:
            layout_file.load_layout(file)
        assert str(refused.value).startswith(f"{file}: {problem}")
        assert str(refused.value).endswith("; correct it, or make it anew with zarbiter leds map.")
        assert isinstance(refused.value, BridgeError)

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(LayoutFileError, match="cannot be read"):
            layout_file.load_layout(tmp_path / "none.json")

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(LayoutFileError, match="choose a folder that exists"):
            layout_file.save_layout(layout_file.parse_layout_value(SMALL), tmp_path / "none" / "leds.json")

    def test_a_failure_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        file = tmp_path / "leds.json"
        layout_file.save_layout(layout_file.parse_layout_value(SMALL), file)
        before = file.read_text()
        monkeypatch.setattr("os.fsync", _no_room)
        with pytest.raises(LayoutFileError, match="No space left"):
            layout_file.save_layout(LedLayout((LedPlace.T1,)), file)
        assert (file.read_text(), list(tmp_path.iterdir())) == (before, [file])

    def test_what_is_saved_is_json(self, tmp_path: Path) -> None:
        layout_file.save_layout(layout_file.parse_layout_value(SMALL), tmp_path / "leds.json")
        read = json.loads((tmp_path / "leds.json").read_text())
        assert read == {"version": 1, "led_count": 3, "places": {"T1": [0], "B12": [1, 2]}}


def _no_room(_: int) -> None:
    raise OSError(28, "No space left on device")
