"""Sources that read files: a video, a folder of pictures, one picture.

Each frame comes once, in order and as fast as the caller requests it, and a file always gives the same frames with the
same times. These sources do not wait, so the timeout of `latest` has no effect.

A folder of pictures may hold `timestamps.csv` with lines `file,ms` in the order of the exposures.
"""

import csv
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2

from vision.camera.opencv_capture import describe_oversize
from vision.errors import (
    BadPictureError,
    PictureFileError,
    SourceMissingError,
    SourceRefusedError,
    TimestampsError,
    VideoFileError,
)
from vision.frame import Condition, Frame, FrameSource, SourceState, is_colour_picture
from vision.pixels.picture_file import load_picture

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".ppm", ".pgm"})
FOREIGN_SUFFIXES = frozenset({".heic", ".heif", ".avif"})  # must be converted first
VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".mjpg", ".mjpeg", ".ts", ".mts", ".3gp", ".ogv"}
)
# The rate for pictures without timestamps, and for videos without a rate.
USUAL_FPS = 30.0


class _Recording(FrameSource):
    """The common part of all recordings: state, description and end.

    `length` is the number of frames: None when the file does not contain it, an estimate in some video formats.
    `read_count`: the frames so far, with those that were left out. `files`: what is read, in order. `times`: how each frame
    gets its time. `end_ms`: about the time of the last frame; 0 if the file does not say.
    """

    def __init__(self, description: str, length: int | None) -> None:
        self._description = description
        self.length = length
        self.read_count = 0
        self.files: tuple[Path, ...] = ()
        self.times = ""
        self.end_ms = 0
        self.is_complete = True  # False once the end proves to be premature
        self._state = SourceState(Condition.LIVE, 0)

    @property
    def state(self) -> SourceState:
        return self._state

    def describe(self) -> str:
        return self._description

    def close(self) -> None:
        self._state = SourceState(Condition.CLOSED, self._state.since_ms)

    def _record_frame(self, frame: Frame) -> Frame:
        self._state = SourceState(Condition.LIVE, frame.taken_ms)
        return frame

    def _end(self, sentence: str) -> None:
        self._state = SourceState(Condition.ENDED, self._state.since_ms, sentence)


class Pictures(_Recording):
    """Picture files with their times. `has_times`: somebody wrote them down; otherwise they follow from a rate."""

    def __init__(self, timed_files: Sequence[tuple[Path, int]], description: str, *, has_times: bool = False) -> None:
        super().__init__(description, len(timed_files))
        self.has_times = has_times
        self.files = tuple(file for file, _ in timed_files)
        self.times_ms = tuple(taken_ms for _, taken_ms in timed_files)
        self.times, self.end_ms = repr(self.times_ms), max(self.times_ms, default=0)

    def latest(self, timeout_ms: int = 0) -> Frame | None:
        """The next picture. Raises BadPictureError for an unreadable file; the next call continues after it."""
        if self._state.condition.is_final:
            return None
        if self.read_count == len(self.files):
            self._end("All pictures have been read.")
            return None
        file, taken_ms = self.files[self.read_count], self.times_ms[self.read_count]
        self.read_count += 1
        try:
            return self._record_frame(Frame(load_picture(file), taken_ms))
        except PictureFileError as error:
            raise BadPictureError(str(file), str(error)) from error


def open_picture(file: Path) -> Pictures:
    return Pictures([(file, 0)], f"the picture {file}")


def open_picture_folder(folder: Path, fps: float | None = None) -> Pictures:
    """The pictures of timestamps.csv in its order, or without that file all pictures that are not hidden, by name.

    Pictures of kinds that must be converted first are among them, unless a copy with the same stem lies beside them; each
    is a BadPictureError when its turn comes. Raises SourceRefusedError for a folder that is unreadable or has no picture, and TimestampsError.
    """
    try:
        files = _list_pictures(folder)
        times = folder / TIMESTAMPS_FILE
        if times.is_file():
            timed = read_timestamps(times, files)
        else:
            timed = [(file, round(index * 1000 / (fps or USUAL_FPS))) for index, file in enumerate(files.values())]
    except OSError as error:
        problem = f"the folder cannot be read ({error.strerror or error})"
        raise SourceRefusedError(str(folder), problem, "name one that you may read") from error
    if not timed:
        remedy = "name one with JPEG or PNG pictures (others, such as HEIC, must be converted first)"
        raise SourceRefusedError(str(folder), "there is no picture in this folder", remedy)
    return Pictures(timed, f"{len(timed)} of {len(files)} pictures in {folder}", has_times=times.is_file())


def _list_pictures(folder: Path) -> dict[str, Path]:
    """The pictures by name, in order of their names; none if all must be converted first."""
    known = PICTURE_SUFFIXES | FOREIGN_SUFFIXES
    files = sorted(one for one in folder.iterdir() if one.suffix.lower() in known and not one.name.startswith("."))
    readable = {one.stem for one in files if one.suffix.lower() in PICTURE_SUFFIXES and one.is_file()}
    listed = (one for one in files if one.suffix.lower() in PICTURE_SUFFIXES or one.stem not in readable)
    return {one.name: one for one in listed if one.is_file()} if readable else {}


class Video(_Recording):
    """A video file. `fps` replaces the times in the file; the first frame is at 0 ms.

    Of more than `most_fps` frames a second, the others are left out. Raises SourceMissingError and VideoFileError.
    """

    def __init__(self, file: Path, fps: float | None = None, most_fps: float | None = None) -> None:
        if not file.is_file():
            raise SourceMissingError(str(file), "name a video file")
        self._file = file
        try:
            self._video = cv2.VideoCapture(str(file.resolve()), cv2.CAP_FFMPEG)
        except (cv2.error, UnicodeEncodeError) as error:
            raise VideoFileError(str(file)) from error
        if not self._video.isOpened():
            raise VideoFileError(str(file))
        if (problem := describe_oversize(self._video)) is not None:
            self._video.release()
            raise VideoFileError(str(file), problem, "make the video smaller")
        own_fps = self._video.get(cv2.CAP_PROP_FPS)
        self._fixed_fps = fps
        frame_ms = 1000 / (fps or (own_fps if 0 < own_fps < 1000 else USUAL_FPS))
        self._step_ms = max(1, round(frame_ms))
        # half a frame less: a rate that is a multiple of `most_fps` keeps its rhythm though times are rounded
        self._least_step_ms = 0.0 if most_fps is None else 1000 / most_fps - frame_ms / 2
        self._expected_count = max(0, int(self._video.get(cv2.CAP_PROP_FRAME_COUNT)))  # 0 when unknown
        self._first_ms, self._last_ms = 0.0, 0
        super().__init__(f"the video {file}", self._expected_count or None)
        self.files, self.times = (file,), "" if fps is None else f"{fps:g}"
        self.end_ms = round(frame_ms * self._expected_count)

    def latest(self, timeout_ms: int = 0) -> Frame | None:
        if self._state.condition.is_final:
            return None
        while self._video.grab():
            taken_ms = self._last_ms = self._time_ms()
            if self.read_count > 0 and taken_ms - self._state.since_ms < self._least_step_ms:
                self.read_count += 1
                continue
            is_whole, pixels = self._video.retrieve()
            if not is_whole or not is_colour_picture(pixels):
                break
            self.read_count += 1
            return self._record_frame(Frame(pixels, taken_ms))
        self._end(self._end_sentence())
        self._video.release()
        return None

    def close(self) -> None:
        self._video.release()
        super().close()

    def _time_ms(self) -> int:
        """The time in the file where it increases, because versions of OpenCV differ for unusual files."""
        if self._fixed_fps:
            return round(self.read_count * 1000 / self._fixed_fps)
        position_ms = self._video.get(cv2.CAP_PROP_POS_MSEC)
        if self.read_count == 0:
            self._first_ms = position_ms
            return 0
        since_first_ms = round(position_ms - self._first_ms)
        return since_first_ms if since_first_ms > self._last_ms else self._last_ms + self._step_ms

    def _end_sentence(self) -> str:
        self.is_complete = self.read_count > 0 and self.read_count >= 0.9 * self._expected_count
        if self.read_count == 0:
            return f"{self._file} has no picture that can be read; play it to see if it is whole."
        if not self.is_complete:  # the count in the file is an estimate for some formats, hence the 0.9 above
            return f"{self._file} breaks off after {self.read_count} of {self._expected_count} frames; play it to see if it is whole."
        return "All frames have been read."


TIMESTAMPS_FILE = "timestamps.csv"
_MOST_BYTES = 20_000_000  # of this file: an evening of 30 pictures a second has 10 MB
_MOST_DIGITS = 12  # of milliseconds: 30 years
_MOST_SHOWN = 60  # characters of a name or a number in a sentence
_HEADING = ["file", "ms"]


def read_timestamps(file: Path, pictures: Mapping[str, Path]) -> list[tuple[Path, int]]:
    """The pictures in a timestamps file with their milliseconds, which increase strictly.

    `pictures` maps the admissible names to their paths. A heading `file,ms` is optional. Raises TimestampsError for the
    first invalid line.
    """
    if file.stat().st_size > _MOST_BYTES:
        raise TimestampsError(str(file), 1, f"it has more than {_MOST_BYTES // 1_000_000} MB; write one line a picture")
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TimestampsError(str(file), line, "this is not UTF-8; save the file as UTF-8") from error
    same = {_normalise_name(name): path for name, path in pictures.items()}
    found: list[tuple[Path, int]] = []
    named: set[str] = set()
    rows = csv.reader(text.splitlines(), strict=True)
    try:
        for row in rows:
            if not row or (rows.line_num == 1 and [cell.strip() for cell in row] == _HEADING):
                continue
            name, ms, problem = _parse_row(row)
            name = _normalise_name(name)
            if not problem and name in named:
                problem = f"{name[:_MOST_SHOWN]} was named before; give each picture one line"
            elif not problem and name not in same:
                problem = (
                    f"there is no picture {name[:_MOST_SHOWN]} in this folder; take the line out or put the picture in"
                )
            elif not problem and found and ms <= found[-1][1]:
                problem = f"{ms} ms is not after the {found[-1][1]} ms before it; put the lines in order of time"
            if problem:
                raise TimestampsError(str(file), rows.line_num, problem)
            named.add(name)
            found.append((same[name], ms))
    except csv.Error as error:
        raise TimestampsError(str(file), rows.line_num, f"{error}; write it as file,ms") from error
    return found


def _parse_row(row: list[str]) -> tuple[str, int, str]:
    """Name, milliseconds, and the problem of the line, empty for a valid line."""
    if len(row) != 2:
        return "", 0, f"{len(row)} values instead of two; write it as file,ms"
    name, ms = row[0].strip(), row[1].strip()
    if not (ms.isascii() and ms.isdigit() and len(ms) <= _MOST_DIGITS):
        return name, 0, f"{ms[:_MOST_SHOWN]!r} is no whole number of milliseconds; write it as file,ms"
    return name, int(ms), ""


def _normalise_name(name: str) -> str:
    """macOS writes é as two characters, other systems as one."""
    return unicodedata.normalize("NFC", name)
