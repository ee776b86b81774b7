import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.recorded import Video, open_picture, open_picture_folder, read_timestamps
from vision.errors import BadPictureError, SourceMissingError, SourceRefusedError, TimestampsError, VideoFileError
from vision.frame import Condition, FrameSource

WIDTH_PX, HEIGHT_PX = 96, 72


def write_picture(file: Path, value: int) -> Path:
    pixels = np.full((HEIGHT_PX, WIDTH_PX, 3), value, np.uint8)
    file.write_bytes(cv2.imencode(".png" if file.suffix.lower() == ".png" else ".jpg", pixels)[1].tobytes())
    return file


def write_video(file: Path, values: list[int], fps: float = 25.0) -> Path:
    video = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), fps, (WIDTH_PX, HEIGHT_PX))
    for value in values:
        video.write(np.full((HEIGHT_PX, WIDTH_PX, 3), value, np.uint8))
    video.release()
    return file


def all_of(source: FrameSource) -> list[tuple[int, int]]:
    """(brightness to the next ten, taken_ms) of all frames; the state is ENDED afterwards."""
    found: list[tuple[int, int]] = []
    while (frame := source.latest(0)) is not None:
        assert frame.pixels.shape == (HEIGHT_PX, WIDTH_PX, 3)
        assert not frame.pixels.flags.writeable
        found.append((10 * round(float(frame.pixels.mean()) / 10), frame.taken_ms))
    assert source.state.condition is Condition.ENDED
    return found


def test_pictures_come_by_name_once_each(tmp_path: Path) -> None:
    """By name whatever the order on the disk, with any suffix, any script and any case."""
    for name, value in (("b.JPG", 100), ("a.png", 50), ("тавла ζάρι.jpeg", 200), ("c#%03d.jpg", 150)):
        write_picture(tmp_path / name, value)
    source = open_picture_folder(tmp_path)
    assert source.describe() == f"4 of 4 pictures in {tmp_path}"
    assert all_of(source) == [(50, 0), (100, 33), (150, 67), (200, 100)]
    assert source.latest(0) is None
    assert source.state.since_ms == 100


def test_only_picture_files_are_read(tmp_path: Path) -> None:
    """Not notes, films, folders and hidden files, such as macOS leaves on memory cards."""
    write_picture(tmp_path / "a.jpg", 100)
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / "._a.jpg").write_bytes(b"resource fork")
    (tmp_path / "film.mp4").touch()
    (tmp_path / "more.jpg").mkdir()
    assert all_of(open_picture_folder(tmp_path)) == [(100, 0)]


def test_a_rate_gives_the_times(tmp_path: Path) -> None:
    """Two pictures a second lie 500 ms apart."""
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        write_picture(tmp_path / name, 100)
    assert all_of(open_picture_folder(tmp_path, fps=2.0)) == [(100, 0), (100, 500), (100, 1000)]


def test_timestamps_give_order_and_times(tmp_path: Path) -> None:
    """timestamps.csv takes precedence over names and rate, and chooses the pictures; an invalid one is refused."""
    for name, value in (("a.jpg", 50), ("b.jpg", 100), ("c.jpg", 150)):
        write_picture(tmp_path / name, value)
    (tmp_path / "timestamps.csv").write_text("file,ms\nc.jpg,1000\na.jpg,1250\n")
    source = open_picture_folder(tmp_path, fps=2.0)
    assert source.describe() == f"2 of 3 pictures in {tmp_path}"
    assert all_of(source) == [(150, 1000), (50, 1250)]
    (tmp_path / "timestamps.csv").write_text("a.jpg,soon\n")
    with pytest.raises(TimestampsError, match=r"timestamps\.csv, line 1: 'soon' is no whole number"):
        open_picture_folder(tmp_path)


@pytest.mark.parametrize("content", [b"", b"not a picture", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"])
def test_a_defective_picture_is_named_and_skipped(tmp_path: Path, content: bytes) -> None:
    """The next call after the error gives the next picture, at its own time."""
    write_picture(tmp_path / "a.jpg", 50)
    (tmp_path / "b.jpg").write_bytes(content)
    write_picture(tmp_path / "c.jpg", 150)
    source = open_picture_folder(tmp_path, fps=10.0)
    assert source.latest(0) is not None
    with pytest.raises(BadPictureError) as caught:
        source.latest(0)
    assert caught.value.file == str(tmp_path / "b.jpg")
    assert str(caught.value).startswith(f"{tmp_path / 'b.jpg'}: ")
    assert all_of(source) == [(150, 200)]


@pytest.mark.parametrize("suffix", [".jpg", ".png"])
def test_half_a_picture_is_defective(tmp_path: Path, suffix: str) -> None:
    """A decoder would fill the rest with grey."""
    file = tmp_path / f"half{suffix}"
    noise = np.random.default_rng(1).integers(0, 255, (HEIGHT_PX, WIDTH_PX, 3), np.uint8)
    whole = cv2.imencode(suffix, noise)[1].tobytes()
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadPictureError, match=file.name):
        open_picture(file).latest(0)


def test_a_deleted_picture_is_named(tmp_path: Path) -> None:
    file = write_picture(tmp_path / "a.jpg", 50)
    write_picture(tmp_path / "b.jpg", 100)
    source = open_picture_folder(tmp_path)
    file.unlink()
    with pytest.raises(BadPictureError, match=r"a\.jpg"):
        source.latest(0)
    assert all_of(source) == [(100, 33)]


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    """With the remedy; HEIC is mentioned, since telephones write it."""
    (tmp_path / "IMG_1.HEIC").touch()
    with pytest.raises(SourceRefusedError, match=r"there is no picture in this folder; name one with JPEG.* HEIC"):
        open_picture_folder(tmp_path)


def test_one_picture_is_one_frame(tmp_path: Path) -> None:
    """At 0 ms, then the end."""
    source = open_picture(write_picture(tmp_path / "board.png", 120))
    assert source.describe() == f"the picture {tmp_path / 'board.png'}"
    assert all_of(source) == [(120, 0)]


def test_a_video_gives_every_frame_with_its_time(tmp_path: Path) -> None:
    """Twenty-five a second are 40 ms apart, and a second reading gives the same."""
    file = write_video(tmp_path / "тавла 50%d.avi", [0, 50, 100, 150, 200])
    expected = [(0, 0), (50, 40), (100, 80), (150, 120), (200, 160)]
    with Video(file) as source:
        assert source.describe() == f"the video {file}"
        assert all_of(source) == expected
        assert source.state.sentence == "All frames have been read."
    assert source.state.condition is Condition.CLOSED
    with Video(file) as source:
        assert all_of(source) == expected


def test_a_rate_replaces_the_video_s(tmp_path: Path) -> None:
    """Time-lapse: five frames said to be two a second."""
    with Video(write_video(tmp_path / "a.avi", [50, 50, 50]), fps=2.0) as source:
        assert all_of(source) == [(50, 0), (50, 500), (50, 1000)]


def test_half_a_video_is_reported(tmp_path: Path) -> None:
    """Its frames are read; the final sentence has the expected number."""
    file = write_video(tmp_path / "a.avi", list(range(0, 200, 5)))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with Video(file) as source:
        frames = all_of(source)
        assert 5 < len(frames) < 40
        assert source.state.sentence == (
            f"{file} breaks off after {len(frames)} of 40 frames; play it to see if it is whole."
        )


def test_another_file_is_no_video(tmp_path: Path) -> None:
    """The error is an OSError and names the file; a missing file has an error of its own."""
    file = tmp_path / "a.mp4"
    file.write_bytes(b"not a video" * 100)
    with pytest.raises(VideoFileError, match="convert it to MP4") as caught:
        Video(file)
    assert caught.value.file == str(file)
    assert isinstance(caught.value, OSError)
    with pytest.raises(SourceMissingError, match=r"b\.mp4 is not there"):
        Video(tmp_path / "b.mp4")


def test_a_closed_recording_gives_nothing(tmp_path: Path) -> None:
    for source in (
        Video(write_video(tmp_path / "a.avi", [50, 60])),
        open_picture(write_picture(tmp_path / "a.jpg", 50)),
    ):
        with source:
            pass
        assert source.latest(0) is None
        assert source.state.condition is Condition.CLOSED


PICTURES = {name: Path("frames") / name for name in ("a.jpg", "b.jpg", "c, d.jpg", "é.png")}


def read(folder: Path, text: str | bytes) -> list[tuple[str, int]]:
    file = folder / "timestamps.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [(path.name, ms) for path, ms in read_timestamps(file, PICTURES)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b.jpg,0\na.jpg,40\n", [("b.jpg", 0), ("a.jpg", 40)]),  # the order of the lines
        ('\ufefffile,ms\r\na.jpg, 5\r\n\r\n"c, d.jpg",120\r\n', [("a.jpg", 5), ("c, d.jpg", 120)]),
        ("e\u0301.png,7\n", [("é.png", 7)]),  # é as two characters, as macOS writes it
    ],
)
def test_timestamps_of_other_programs_are_read(tmp_path: Path, text: str, expected: list[tuple[str, int]]) -> None:
    """Byte-order mark, heading, Windows line ends, empty lines, spaces, a quoted comma, composed characters."""
    assert read(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("a.jpg,0\nb.jpg\n", 2, "1 values instead of two; write it as file,ms"),
        ("a.jpg,0,1\n", 1, "3 values instead of two; write it as file,ms"),
        ("a.jpg,0.5\n", 1, "'0.5' is no whole number of milliseconds; write it as file,ms"),
        ("a.jpg,-3\n", 1, "'-3' is no whole number of milliseconds; write it as file,ms"),
        ("a.jpg,\u0663\n", 1, "'\u0663' is no whole number of milliseconds; write it as file,ms"),
        (
            "a.jpg,0\n\nz.jpg,9\n",
            3,
            "there is no picture z.jpg in this folder; take the line out or put the picture in",
        ),
        ("../a.jpg,0\n", 1, "there is no picture ../a.jpg in this folder; take the line out or put the picture in"),
        ("a.jpg,0\na.jpg,9\n", 2, "a.jpg was named before; give each picture one line"),
        ("a.jpg,5\nb.jpg,5\n", 2, "5 ms is not after the 5 ms before it; put the lines in order of time"),
        ('a.jpg,1\n"b.jpg,2\n', 2, "unexpected end of data; write it as file,ms"),
        (
            f"a.jpg,{'9' * 5_000}\n",
            1,
            f"'{'9' * 60}' is no whole number of milliseconds; write it as file,ms",
        ),
        (
            f"{'z' * 5_000},1\n",
            1,
            f"there is no picture {'z' * 60} in this folder; take the line out or put the picture in",
        ),
        (b"x" * 20_000_001, 1, "it has more than 20 MB; write one line a picture"),
        (b"a.jpg,0\n\xff.jpg,1\n", 2, "this is not UTF-8; save the file as UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str | bytes, line: int, problem: str) -> None:
    with pytest.raises(TimestampsError) as caught:
        read(tmp_path, text)
    assert (caught.value.line, caught.value.problem) == (line, problem)
    assert str(caught.value) == f"{tmp_path / 'timestamps.csv'}, line {line}: {problem}."
    assert isinstance(caught.value, ValueError)


def test_a_video_of_huge_pictures_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    """A file of 6 kB whose headers claim 64 megapixels."""
    file = tmp_path / "huge.avi"
    video = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 64))
    video.write(np.zeros((64, 64, 3), np.uint8))
    video.release()
    content = bytearray(file.read_bytes())
    for at in range(4_096):
        if content[at : at + 4] == struct.pack("<I", 64):
            content[at : at + 4] = struct.pack("<I", 8_000)
    frame = content.index(b"\xff\xc0")
    content[frame + 5 : frame + 9] = struct.pack(">HH", 8_000, 8_000)
    file.write_bytes(content)
    with pytest.raises(VideoFileError) as refused:
        Video(file)
    problem = "has pictures of 8000x8000 pixels, and at most 50 million can be read"
    assert str(refused.value) == f"{file} {problem}; make the video smaller."


def test_a_film_of_many_frames_a_second_is_thinned_out(tmp_path: Path) -> None:
    """The kept frames have their true times, and all frames count as read."""
    values = [50, 100, 150, 200] * 6
    file = write_video(tmp_path / "a.avi", values, fps=40.0)
    with Video(file, most_fps=10.0) as source:
        assert all_of(source) == [(50, 100 * number) for number in range(6)]
        assert (source.read_count, source.length) == (24, 24)
        assert source.is_complete
    with Video(write_video(tmp_path / "b.avi", values[:4], fps=8.0), most_fps=10.0) as source:
        assert [value for value, _ in all_of(source)] == values[:4]


def test_pictures_that_must_be_converted_first_are_named(tmp_path: Path) -> None:
    """Unless a copy lies beside them; a folder that has no others says so itself."""
    (tmp_path / "a.heic").write_bytes(b"\0\0\0\x14ftypheic")
    with pytest.raises(SourceRefusedError, match="must be converted first"):
        open_picture_folder(tmp_path)
    write_picture(tmp_path / "a.jpg", 100)
    assert [file.name for file in open_picture_folder(tmp_path).files] == ["a.jpg"]
    (tmp_path / "b.HEIC").write_bytes(b"\0\0\0\x14ftypheic")
    source = open_picture_folder(tmp_path)
    assert source.latest(0) is not None
    with pytest.raises(BadPictureError, match=r"b\.HEIC"):
        source.latest(0)
