"""What the first bytes of a picture file say: its kind and its size, before anything is decoded.

A decoder reserves memory for the size that a file claims; 50 kB may claim 4 GB. The size is read here from every kind of
file that is decoded. HEIC and AVIF are known by name only, because not every OpenCV decodes them.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

_PNG = b"\x89PNG\r\n\x1a\n"
_SEEN_IN_PICTURE = (b"tRNS", b"eXIf")  # transparency, and which way is up
MOST_PIXELS = 50_000_000
"""Of one picture, decoded in 150 MB. The finest cameras of telephones merge their pixels to 50 million or fewer."""

_PNM = re.compile(rb"P[1-6](?:\s|#[^\r\n]*[\r\n])+(\d{1,9})(?:\s|#[^\r\n]*[\r\n])+(\d{1,9})\s")
_MOST_PNM_HEADER = 4096
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})  # JPEG markers among those of frames that begin no frame
_TIFF_SIZES = {3: "H", 4: "I", 16: "Q"}  # type of a TIFF field -> format of `struct`
_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """`kind` is the name that people use. The size is the largest that the header claims."""

    kind: str
    width_px: int
    height_px: int


def read_picture_header(content: bytes) -> PictureHeader | None:
    """The header of a JPEG, PNG, WebP, BMP, TIFF, GIF or PNM file; None for any other content and for a header cut short."""
    try:
        for kind, magic, read_sizes in _READERS:
            if magic.match(content):
                sizes = list(read_sizes(content))
                return PictureHeader(kind, max(w for w, _ in sizes), max(h for _, h in sizes)) if sizes else None
    except (struct.error, OverflowError):  # it ends too early, or points beyond any file
        pass
    return None


def foreign_kind(content: bytes) -> str | None:
    """`HEIC` or `AVIF` for such a file, by the brands of its first box (ISO/IEC 23008-12); else None."""
    if content[4:8] != b"ftyp":
        return None
    end = min(int.from_bytes(content[:4], "big"), 256)
    brands = {content[8:12], *(content[at : at + 4] for at in range(16, end, 4))}
    if brands & _AVIF_BRANDS:
        return "AVIF"
    return "HEIC" if brands & _HEIC_BRANDS else None


def _jpeg_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    """The size of each frame header before the first scan."""
    at = 2
    while (at := content.find(b"\xff", at)) >= 0:
        marker = content[at + 1] if at + 1 < len(content) else 0xD9
        if marker in (0xD9, 0xDA):  # end of the picture, beginning of a scan
            return
        if marker in (0x00, 0x01, 0xFF) or 0xD0 <= marker <= 0xD8:  # no segment follows
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            height_px, width_px = struct.unpack_from(">HH", content, at + 5)
            yield width_px, height_px
        (length,) = struct.unpack_from(">H", content, at + 2)
        at += 2 + length


def _png_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    """The size, if each chunk lies in the file: a decoder reserves memory for the length that a chunk claims."""
    if content[12:16] == b"IHDR" and _has_whole_chunks(content):
        yield struct.unpack_from(">II", content, 16)


def _has_whole_chunks(content: bytes) -> bool:
    at = 8
    for name, begin, end in _png_chunks(content):
        if name == b"IEND":
            return end - begin == 12  # what follows is not read
        at = end
    return at == len(content)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name, the begin and the end of each chunk; the last one may end behind the content."""
    at = 8
    while at + 12 <= len(content):
        end = at + 12 + int.from_bytes(content[at : at + 4], "big")
        yield content[at + 4 : at + 8], at, end
        at = end


def without_remarks(content: bytes) -> bytes:
    """A PNG file with only those chunks that decide what is seen; any other content as it is.

    libpng writes a line to the terminal for each remark that it does not like, and a file may have as many as it wants.
    """
    if not content.startswith(_PNG):
        return content
    kept, seen = [_PNG], set[bytes]()
    for name, begin, end in _png_chunks(content):
        is_remark = bool(name[0] & 0x20) and (name in seen or name not in _SEEN_IN_PICTURE)
        seen.add(name)
        if not is_remark:
            kept.append(content[begin:end])
    return b"".join(kept)


def _webp_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    match content[12:16]:
        case b"VP8X":
            yield (
                int.from_bytes(content[24:27], "little") + 1,
                int.from_bytes(content[27:30], "little") + 1,
            )
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", content, 21)
            yield (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width_px, height_px = struct.unpack_from("<HH", content, 26)
            yield width_px & 0x3FFF, height_px & 0x3FFF
        case _:
            return


def _bmp_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    (size,) = struct.unpack_from("<I", content, 14)
    if size == 12:  # the header of OS/2
        yield struct.unpack_from("<HH", content, 18)
    else:
        width_px, height_px = struct.unpack_from("<ii", content, 18)
        yield abs(width_px), abs(height_px)  # negative: from top to bottom


def _gif_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    yield struct.unpack_from("<HH", content, 6)


def _pnm_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    if found := _PNM.match(content[:_MOST_PNM_HEADER]):
        yield int(found[1]), int(found[2])


def _tiff_sizes(content: bytes) -> Iterator[tuple[int, int]]:
    """The size in the first directory, which is the picture that is decoded."""
    order = "<" if content[:2] == b"II" else ">"
    is_big = struct.unpack_from(f"{order}H", content, 2)[0] == 43
    (start,) = struct.unpack_from(f"{order}{'Q' if is_big else 'I'}", content, 8 if is_big else 4)
    (count,) = struct.unpack_from(f"{order}{'Q' if is_big else 'H'}", content, start)
    first, step, value_at = (start + 8, 20, 12) if is_big else (start + 2, 12, 8)
    found: dict[int, int] = {}
    for at in range(first, first + step * min(count, 4096), step):
        tag, kind = struct.unpack_from(f"{order}HH", content, at)
        if tag in (_TIFF_WIDTH, _TIFF_HEIGHT) and kind in _TIFF_SIZES:
            (value,) = struct.unpack_from(f"{order}{_TIFF_SIZES[kind]}", content, at + value_at)
            found[tag] = max(value, found.get(tag, 0))
    if len(found) == 2:
        yield found[_TIFF_WIDTH], found[_TIFF_HEIGHT]


_READERS = (
    ("JPEG", re.compile(rb"\xff\xd8\xff"), _jpeg_sizes),
    ("PNG", re.compile(re.escape(_PNG)), _png_sizes),
    ("WebP", re.compile(rb"RIFF.{4}WEBPVP8[ LX]", re.DOTALL), _webp_sizes),
    ("BMP", re.compile(rb"BM"), _bmp_sizes),
    ("TIFF", re.compile(rb"II[*+]\0|MM\0[*+]"), _tiff_sizes),
    ("GIF", re.compile(rb"GIF8[79]a"), _gif_sizes),
    ("PNM", re.compile(rb"P[1-6]"), _pnm_sizes),
)
