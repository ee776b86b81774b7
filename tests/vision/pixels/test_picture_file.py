import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import PictureFileError
from vision.pixels.picture_file import decode_picture, load_picture, save_picture

PICTURE = np.random.default_rng(1).integers(0, 256, (70, 90, 3), np.uint8)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """PNG loses nothing."""
    save_picture(tmp_path / "a.png", PICTURE)
    loaded = load_picture(tmp_path / "a.png")
    assert loaded.dtype == np.uint8
    assert (loaded == PICTURE).all()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/a.png", "No such file or directory"),
        ("a.unknown", "its suffix names no kind of picture"),
        ("a", "its suffix names no kind of picture"),
    ],
)
def test_what_cannot_be_saved(tmp_path: Path, name: str, reason: str) -> None:
    """One sentence with the file and the reason."""
    with pytest.raises(PictureFileError, match=reason):
        save_picture(tmp_path / name, PICTURE)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody might ever write to it."""
    import os

    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(PictureFileError, match="no plain file"):
        load_picture(tmp_path / "pipe.png")


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    """Longer than any system accepts: refused like a missing file, so that the other pictures can be read."""
    with pytest.raises(PictureFileError, match="the file cannot be read"):
        load_picture(tmp_path / f"{'a' * 300}.png")


def test_a_strip(tmp_path: Path) -> None:
    """More than 30,000 pixels on a side are refused, because OpenCV's remap would fail."""
    save_picture(tmp_path / "strip.png", np.zeros((64, 30_001, 3), np.uint8))
    with pytest.raises(PictureFileError, match="30001x64 pixels are too many"):
        load_picture(tmp_path / "strip.png")


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def test_remarks_in_a_picture_reach_no_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A thousand chunks that libpng complains of; the picture is the same as without them, transparency and all."""
    pixels = np.dstack([np.full((80, 90, 3), 77, np.uint8), np.full((80, 90, 1), 128, np.uint8)])
    plain = cv2.imencode(".png", pixels)[1].tobytes()
    header_end = 8 + 25
    remarks = chunk(b"gAMA", b"\0\0\0") * 500 + chunk(b"tEXt", b"\x1b]0;a\x07") * 500
    decoded = decode_picture(plain[:header_end] + remarks + plain[header_end:], cv2.IMREAD_UNCHANGED)
    assert decoded is not None
    assert np.array_equal(decoded, pixels)
    assert capfd.readouterr().err == ""


def test_a_palette_with_transparency_stays_as_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    head = struct.pack(">IIBBBBB", 64, 64, 8, 3, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\0" + bytes(64) for _ in range(64)))
    parts = ((b"IHDR", head), (b"PLTE", bytes((10, 20, 30))), (b"tRNS", b"\x40"), (b"IDAT", rows), (b"IEND", b""))
    content = b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)
    decoded = decode_picture(content, cv2.IMREAD_UNCHANGED)
    assert decoded is not None
    assert decoded[0, 0].tolist() == [30, 20, 10, 0x40]
