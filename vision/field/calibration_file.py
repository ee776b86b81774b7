"""A calibration as a JSON file, written atomically and validated strictly.

The file may come from another version, another machine or an editor. Each field must therefore occur exactly once, with
its type and in its range, and an unknown field is an error. The JSON keys are the field names of the dataclasses, apart
from the image size and the lens.
"""

import base64
import json
import math
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TypeVar

import numpy as np

from vision.checkers import is_valid_change
from vision.checkers.appearance import NETWORK
from vision.errors import CalibrationFileError
from vision.geometry.calibration import (
    Appearance,
    Calibration,
    CalibrationMethod,
    CheckerColour,
    CheckerProperties,
    Placement,
    Reference,
)
from vision.geometry.projection import FieldShape, Lens, Projection
from vision.pixels.inference import identify_network

VERSION = 1
_OWN_FIELD = b'"image_width_px"'  # no other file has it
MOST_BYTES = 4_000_000  # the reference picture takes up to 300 kB
MOST_MM = 1e5
MOST_PX = 1e5
LEAST_AREA_PX = 400.0  # area of the field in the picture; below it the homography is nearly degenerate

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
Value = TypeVar("Value")
Kind = TypeVar("Kind", bound=Enum)


class _CalibrationFieldError(Exception):
    """The problem of one field. Internal: `parse_calibration` converts it."""


class _Fields:
    """The fields of one JSON object. Each method removes one field; `end` refuses the fields that remain."""

    def __init__(self, value: JsonValue, where: str) -> None:
        if not isinstance(value, dict):
            raise _CalibrationFieldError(
                f"field {where} is not an object" if where else "it does not hold one JSON object"
            )
        self._left = dict(value)
        self._where = f"{where}." if where else ""

    def take(self, name: str) -> JsonValue:
        if name not in self._left:
            raise _CalibrationFieldError(f"field {self._where}{name} is missing")
        return self._left.pop(name)

    def number(self, name: str, low: float, high: float) -> float:
        return _number(self.take(name), self._where + name, low, high)

    def numbers(self, name: str, count: int, low: float, high: float) -> tuple[float, ...]:
        value = self.take(name)
        if not isinstance(value, list) or len(value) != count:
            raise _CalibrationFieldError(f"field {self._where}{name} is not a list of {count} numbers")
        return tuple(_number(entry, self._where + name, low, high) for entry in value)

    def integer(self, name: str, low: int, high: int) -> int:
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _CalibrationFieldError(f"field {self._where}{name} is not a whole number from {low} to {high}")
        return value

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise _CalibrationFieldError(f"field {self._where}{name} is not a text")
        return value

    def one_of(self, name: str, kind: type[Kind]) -> Kind:
        value, values = self.take(name), [member.value for member in kind]
        if value not in values:
            raise _CalibrationFieldError(f"field {self._where}{name} is none of {', '.join(values)}")
        return kind(value)

    def boolean(self, name: str) -> bool:
        value = self.take(name)
        if not isinstance(value, bool):
            raise _CalibrationFieldError(f"field {self._where}{name} is neither true nor false")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.take(name)
        entries = [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(entries) < len(value):
            raise _CalibrationFieldError(f"field {self._where}{name} is not a list of texts")
        return tuple(entries)

    def part(self, name: str, read: Callable[["_Fields"], Value]) -> Value:
        fields = _Fields(self.take(name), self._where + name)
        value = read(fields)
        fields.end()
        return value

    def or_none(self, name: str, read: Callable[[str], Value]) -> Value | None:
        """None for a field that is null, else the result of `read`."""
        if self._left.get(name, "") is None:
            del self._left[name]
            return None
        return read(name)

    def or_missing(self, name: str, read: Callable[[str], Value]) -> Value | None:
        """As `or_none`; None as well for a field that older versions do not write."""
        return self.or_none(name, read) if name in self._left else None

    def end(self) -> None:
        if self._left:
            raise _CalibrationFieldError(
                f"field {self._where}{sorted(self._left)[0][:60]!r} is unknown to this version"
            )


def _number(value: JsonValue, where: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _CalibrationFieldError(f"field {where} is not a number")
    if not low <= value <= high:  # also false for NaN
        raise _CalibrationFieldError(f"field {where} does not lie between {low:g} and {high:g}")
    return float(value)


def save_calibration(calibration: Calibration, path: Path) -> None:
    """Writes a calibration atomically: a reader finds either the old file or the new one.

    Raises CalibrationFileError when the file cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(calibration_text(calibration))
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise CalibrationFileError(
            str(path), f"cannot be written ({error.strerror or error})", "choose a folder that exists and has room"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Best effort, because some file systems cannot synchronise a folder."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def may_be_replaced(path: Path) -> bool:
    """Whether a calibration may be saved here: no file of something else is lost.

    So it is where nothing is, an empty file, or a calibration, even a damaged one or one of another version.
    """
    try:
        content = _read_content(path) if path.exists() else b""
    except CalibrationFileError:
        return False
    return not content.strip(b"\0\t\r\n ") or _OWN_FIELD in content


def load_calibration(path: Path) -> Calibration:
    """Raises CalibrationFileError for a file that is unreadable or invalid."""
    return parse_calibration(_read_content(path), str(path))


def _read_content(path: Path) -> bytes:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # reading it might never end
            raise CalibrationFileError(str(path), "it is no file but a pipe or a device")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CalibrationFileError(str(path), f"cannot be read ({error.strerror or error})") from error
    if len(content) > MOST_BYTES:
        raise CalibrationFileError(str(path), f"it has more than {MOST_BYTES // 1_000_000} MB, so it is no calibration")
    return content


def parse_calibration(content: bytes, file: str) -> Calibration:
    """Parses the bytes of a file; `file` is its name for the error. Raises CalibrationFileError."""
    try:
        value = json.loads(
            content.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicates
        )
        fields = _Fields(value, "")
        calibration = _read_calibration(fields)
        fields.end()
    except _CalibrationFieldError as faulty:
        raise CalibrationFileError(file, str(faulty)) from None
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError and JSONDecodeError are ValueErrors
        raise CalibrationFileError(file, "it is not JSON") from error
    return calibration


def _refuse_constant(name: str) -> float:
    raise _CalibrationFieldError(f"it holds {name}, which is not a number")


def _refuse_duplicates(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _CalibrationFieldError(f"field {twice[:60]!r} is there twice")
    return fields


def _read_calibration(fields: _Fields) -> Calibration:
    version = fields.take("version")
    if version != VERSION or isinstance(version, bool):
        raise _CalibrationFieldError(f"field version is {str(version)[:20]}, and this program knows {VERSION} only")
    width_px, height_px = fields.integer("image_width_px", 16, 30_000), fields.integer("image_height_px", 16, 30_000)
    calibration = Calibration(
        image_size_px=(width_px, height_px),
        projection=fields.part("projection", _read_projection),
        field=fields.part("field", _read_field),
        scale_is_assumed=fields.boolean("scale_is_assumed"),
        way=fields.one_of("way", CalibrationMethod),
        error_mm=fields.or_none("error_mm", lambda name: fields.number(name, 0, MOST_MM)),
        taken_at=_read_time(fields),
        checkers=fields.or_none("checkers", lambda name: fields.part(name, _read_checkers)),
        placement=fields.or_none("placement", lambda name: fields.one_of(name, Placement)),
        reference=fields.or_none("reference", lambda name: fields.part(name, _read_reference)),
        appearance=fields.or_missing("appearance", lambda name: fields.part(name, _read_appearance)),
        notes=fields.texts("notes"),
    )
    _check_view(calibration)
    _check_picture(calibration)
    return calibration


def _read_projection(fields: _Fields) -> Projection:
    centre = fields.numbers("centre_px", 2, -MOST_PX, MOST_PX)
    lens = Lens(fields.number("focal_px", 10, MOST_PX), (centre[0], centre[1]), fields.number("k1", -1, 1))
    homography = fields.numbers("homography", 9, -1e9, 1e9)
    camera = fields.numbers("camera_mm", 3, -MOST_MM, MOST_MM)
    if camera[2] <= 1:
        raise _CalibrationFieldError("field projection.camera_mm does not lie above the board")
    return Projection(lens, homography, (camera[0], camera[1], camera[2]))


def _read_field(fields: _Fields) -> FieldShape:
    width, height = fields.number("width_mm", 10, MOST_MM), fields.number("height_mm", 10, MOST_MM)
    left = fields.number("bar_left_mm", 0.1 * width, 0.9 * width)
    return FieldShape(width, height, left, fields.number("bar_right_mm", left, 0.9 * width))


def _read_time(fields: _Fields) -> str:
    text = fields.text("taken_at")
    try:
        zone = datetime.fromisoformat(text).tzinfo
    except ValueError:
        zone = None
    if zone is None:
        raise _CalibrationFieldError("field taken_at is not a time with its zone (ISO 8601)")
    return text


def _read_checkers(fields: _Fields) -> CheckerProperties:
    return CheckerProperties(
        diameter_mm=fields.number("diameter_mm", 1, MOST_MM),
        thickness_mm=fields.or_none("thickness_mm", lambda name: fields.number(name, 0.1, MOST_MM)),
        light=fields.or_none("light", lambda name: fields.part(name, _read_colour)),
        dark=fields.or_none("dark", lambda name: fields.part(name, _read_colour)),
    )


def _read_colour(fields: _Fields) -> CheckerColour:
    mean, spread = fields.numbers("lab_mean", 3, -200, 200), fields.numbers("lab_spread", 3, 0, 200)
    return CheckerColour((mean[0], mean[1], mean[2]), (spread[0], spread[1], spread[2]))


def _read_reference(fields: _Fields) -> Reference:
    try:
        picture = base64.b64decode(fields.text("picture_png"), validate=True)
    except ValueError:  # binascii.Error is one
        raise _CalibrationFieldError("field reference.picture_png is not base64") from None
    return Reference(picture, fields.integer("shrink", 1, 64), fields.part("projection", _read_projection))


def _read_appearance(fields: _Fields) -> Appearance:
    """An appearance of another network stays in the file and is not used, so that only its own one is checked."""
    network = fields.text("network")
    changes = []
    for name in ("change", "first"):
        try:
            content = base64.b64decode(fields.text(name), validate=True)
        except ValueError:  # binascii.Error is one
            raise _CalibrationFieldError(f"field appearance.{name} is not base64") from None
        if network == identify_network(NETWORK) and not is_valid_change(content):
            raise _CalibrationFieldError(f"field appearance.{name} is no change of the network's last layer")
        changes.append(content)
    return Appearance(network, changes[0], changes[1], fields.integer("pictures", 1, 10**9))


def _check_view(calibration: Calibration) -> None:
    """Refuses a projection unless the field lies in front of the camera as a visible convex quadrilateral."""
    projections = [calibration.projection]
    if calibration.reference is not None:
        projections.append(calibration.reference.projection)
    for projection in projections:
        corners_mm = np.column_stack([calibration.field.corners_mm, np.ones(4)])
        depths = corners_mm @ projection.matrix[2]
        if not (depths > 1e-9).all():
            problem = "a part of the field lies behind the camera"
            raise _CalibrationFieldError(f"field projection.homography is degenerate: {problem}")
        x_px, y_px = projection.to_picture(calibration.field.corners_mm).T
        sides_x, sides_y = np.roll(x_px, -1) - x_px, np.roll(y_px, -1) - y_px
        turns = sides_x * np.roll(sides_y, -1) - sides_y * np.roll(sides_x, -1)
        area = float(abs(np.dot(x_px, np.roll(y_px, -1)) - np.dot(y_px, np.roll(x_px, -1)))) / 2
        if not (math.isfinite(area) and area >= LEAST_AREA_PX and ((turns > 0).all() or (turns < 0).all())):
            problem = "the field is no quadrilateral in the picture"
            raise _CalibrationFieldError(f"field projection.homography is degenerate: {problem}")


def _check_picture(calibration: Calibration) -> None:
    """Checks the size in the header of the reference picture, before anything decodes it."""
    reference = calibration.reference
    if reference is not None:
        shrunk = [side // reference.shrink for side in calibration.image_size_px]
        header = b"".join([b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", *(side.to_bytes(4, "big") for side in shrunk)])
        if not reference.picture_png.startswith(header):
            raise _CalibrationFieldError(f"field reference.picture_png is no PNG picture of {shrunk[0]}x{shrunk[1]} px")


def calibration_text(calibration: Calibration) -> str:
    """The content of the file."""
    known = calibration
    value: dict[str, JsonValue] = {
        "version": VERSION,
        "image_width_px": known.image_size_px[0],
        "image_height_px": known.image_size_px[1],
        "projection": _projection_value(known.projection),
        "field": asdict(known.field),
        "scale_is_assumed": known.scale_is_assumed,
        "way": known.way.value,
        "error_mm": known.error_mm,
        "taken_at": known.taken_at,
        "checkers": None if known.checkers is None else asdict(known.checkers),
        "placement": None if known.placement is None else known.placement.value,
        "reference": None if known.reference is None else _reference_value(known.reference),
        "appearance": None if known.appearance is None else _appearance_value(known.appearance),
        "notes": list(known.notes),
    }
    return json.dumps(value, indent=1, allow_nan=False) + "\n"


def _projection_value(projection: Projection) -> JsonValue:
    return {
        "focal_px": projection.lens.focal_px,
        "centre_px": list(projection.lens.centre_px),
        "k1": projection.lens.k1,
        "homography": list(projection.homography),
        "camera_mm": list(projection.camera_mm),
    }


def _appearance_value(appearance: Appearance) -> JsonValue:
    return {
        "network": appearance.network,
        "change": base64.b64encode(appearance.change).decode("ascii"),
        "first": base64.b64encode(appearance.first).decode("ascii"),
        "pictures": appearance.pictures,
    }


def _reference_value(reference: Reference) -> JsonValue:
    return {
        "picture_png": base64.b64encode(reference.picture_png).decode("ascii"),
        "shrink": reference.shrink,
        "projection": _projection_value(reference.projection),
    }
