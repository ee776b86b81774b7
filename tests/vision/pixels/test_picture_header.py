"""The size of a picture is known before it is decoded, and a picture of more than 50 megapixels never is."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import PictureFileError
from vision.pixels.picture_file import decode_picture, load_picture
from vision.pixels.picture_header import PictureHeader, foreign_kind, read_picture_header

WIDTH_PX, HEIGHT_PX = 150, 90
OF_HEIC = "convert it to JPEG, or set the iPhone to Settings, Camera, Formats, Most Compatible"
KINDS = {
    ".jpg": "JPEG",
    ".png": "PNG",
    ".webp": "WebP",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".gif": "GIF",
    ".ppm": "PNM",
    ".pgm": "PNM",
}


def encoded(suffix: str, flags: tuple[int, ...] = ()) -> bytes:
    pixels = np.random.default_rng(3).integers(0, 256, (HEIGHT_PX, WIDTH_PX, 1 if suffix == ".pgm" else 3), np.uint8)
    is_whole, content = cv2.imencode(suffix, pixels, flags)
    assert is_whole
    return content.tobytes()


def claiming(suffix: str, width_px: int, height_px: int) -> bytes:
    """A small file that claims another size."""
    content = bytearray(encoded(suffix))
    match suffix:
        case ".jpg":
            at = next(at for at in range(len(content)) if content[at] == 0xFF and content[at + 1] in (0xC0, 0xC2))
            content[at + 5 : at + 9] = struct.pack(">HH", height_px, width_px)
        case ".png":
            content[16:24] = struct.pack(">II", width_px, height_px)
            content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
        case ".bmp":
            content[18:26] = struct.pack("<ii", width_px, -height_px)
        case ".gif":
            content[6:10] = struct.pack("<HH", width_px, height_px)
        case ".tif":
            (start,) = struct.unpack_from("<I", content, 4)
            (count,) = struct.unpack_from("<H", content, start)
            for at in range(start + 2, start + 2 + 12 * count, 12):
                tag = struct.unpack_from("<H", content, at)[0]
                if tag in (256, 257):
                    struct.pack_into("<HHII", content, at, tag, 4, 1, width_px if tag == 256 else height_px)
        case ".webp":
            size = (width_px - 1).to_bytes(3, "little") + (height_px - 1).to_bytes(3, "little")
            return b"RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0" + size + bytes(content[12:])
        case _:
            return bytes(content.replace(f"{WIDTH_PX} {HEIGHT_PX}".encode(), f"{width_px} {height_px}".encode(), 1))
    return bytes(content)


@pytest.mark.parametrize("suffix", KINDS)
def test_what_is_encoded_is_measured(suffix: str) -> None:
    content = encoded(suffix)
    assert read_picture_header(content) == PictureHeader(KINDS[suffix], WIDTH_PX, HEIGHT_PX)
    decoded = decode_picture(content, cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (HEIGHT_PX, WIDTH_PX, 3)


@pytest.mark.parametrize(
    ("suffix", "flags"),
    [
        (".webp", (cv2.IMWRITE_WEBP_QUALITY, 50)),  # lossy
        (".jpg", (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)),
        (".ppm", (cv2.IMWRITE_PXM_BINARY, 0)),
    ],
)
def test_other_ways_to_encode(suffix: str, flags: tuple[int, ...]) -> None:
    assert read_picture_header(encoded(suffix, flags)) == PictureHeader(KINDS[suffix], WIDTH_PX, HEIGHT_PX)


@pytest.mark.parametrize("suffix", KINDS)
def test_a_bomb_is_refused_from_its_header(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of some kB that claims 50 megapixels and a row: its pixels are never asked for."""
    file = tmp_path / f"bomb{suffix}"
    file.write_bytes(claiming(suffix, 10_000, 5_001))
    monkeypatch.setattr("cv2.imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(PictureFileError) as refused:
        load_picture(file)
    remedy = "make the picture smaller: at most 50 million, and 30,000 a side"
    assert str(refused.value) == f"10000x5001 pixels are too many; {remedy}"
    assert decode_picture(file.read_bytes(), cv2.IMREAD_GRAYSCALE) is None


def test_a_thumbnail_before_the_frame_does_not_count() -> None:
    """EXIF data hold a whole JPEG file of their own."""
    thumbnail = b"Exif\0\0" + encoded(".jpg")[:2_000]
    content = encoded(".jpg")
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    assert read_picture_header(content[:2] + segment + content[2:]) == PictureHeader("JPEG", WIDTH_PX, HEIGHT_PX)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99),
            f"this is a picture in the format HEIC, which cannot be read; {OF_HEIC}",
        ),
        (
            b"\0\0\0\x1cftypmif1\0\0\0\0mif1miafheix" + bytes(99),
            f"this is a picture in the format HEIC, which cannot be read; {OF_HEIC}",
        ),
        (
            b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf" + bytes(99),
            "this is a picture in the format AVIF, which cannot be read; convert it to JPEG or PNG",
        ),
        (b"\0\0\0\x18ftypisom\0\0\0\0isommp42", "this is no picture, or a damaged one; give a JPEG, PNG or WebP file"),
        (b"", "this is no picture, or a damaged one; give a JPEG, PNG or WebP file"),
    ],
)
def test_a_foreign_format_is_named(content: bytes, sentence: str, tmp_path: Path) -> None:
    """Whatever the name of the file says."""
    file = tmp_path / "IMG_0001.jpg"
    file.write_bytes(content)
    with pytest.raises(PictureFileError) as refused:
        load_picture(file)
    assert str(refused.value) == sentence


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_a_damaged_header_is_measured_or_not(suffix: str, data: st.DataObject) -> None:
    """Never an exception, and what is decoded has at most the size that was measured."""
    content = bytearray(encoded(suffix))
    at = data.draw(st.integers(0, min(120, len(content) - 1)))
    other = data.draw(st.binary(min_size=1, max_size=6))
    content[at : at + data.draw(st.integers(0, 8))] = other
    damaged = bytes(content[: data.draw(st.sampled_from((len(content), at + 1, at + 40)))])
    foreign_kind(damaged)
    header = read_picture_header(damaged)
    decoded = decode_picture(damaged, cv2.IMREAD_COLOR)
    if decoded is not None:
        assert header is not None
        assert decoded.shape[0] * decoded.shape[1] <= header.width_px * header.height_px


def test_a_chunk_that_claims_more_than_the_file_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory of 4 GB would be reserved for it."""
    content = bytearray(encoded(".png"))
    at = content.index(b"IDAT") - 4
    content[at : at + 4] = b"\xff\xff\xff\xff"
    monkeypatch.setattr("cv2.imdecode", lambda *_: pytest.fail("it was decoded"))
    assert decode_picture(bytes(content), cv2.IMREAD_COLOR) is None
    assert decode_picture(encoded(".png")[:-20], cv2.IMREAD_COLOR) is None
