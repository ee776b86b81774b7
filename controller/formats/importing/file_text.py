"""Reads the bytes of a match file, and decodes text; refuses files that are too large before anything is parsed."""

import errno
from pathlib import Path

from controller.formats.importing.foreign_files import NO_TEXT, describe_foreign_file
from controller.formats.importing.text_encoding import DecodedText, decode_guessed, decode_wide
from controller.formats.limits import MOST_JSONL_BYTES, MOST_SGF_BYTES, MOST_TEXT_BYTES, MOST_XG_BYTES
from controller.formats.transcript import UnreadableFileError
from controller.formats.xg.xg_archive import XG_BEGINNING
from controller.plain_file import read_plain_file

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_MOST_BYTES = {b"{": MOST_JSONL_BYTES, b"(": MOST_SGF_BYTES}  # by the first character


def read_content(file: Path) -> bytes:
    """Raises UnreadableFileError for a file that is too large, and OSError if it cannot be read."""
    try:
        content = read_plain_file(file, max(MOST_JSONL_BYTES, MOST_XG_BYTES))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EFBIG):
            raise UnreadableFileError(f"{error.strerror}") from None
        raise
    return check_size(content)


def check_size(content: bytes) -> bytes:
    """The content, if it is no larger than files of its format are. Raises UnreadableFileError."""
    most = (
        MOST_XG_BYTES
        if content.startswith(XG_BEGINNING)
        else _MOST_BYTES.get(content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1], MOST_TEXT_BYTES)
    )
    if len(content) > most:
        raise UnreadableFileError(f"it has more than {most // 1_000_000} MB; match files are much smaller")
    return content


def decode_text(content: bytes) -> DecodedText:
    """UTF-8 or UTF-16, with or without a byte order mark, else the encoding that reads best."""
    foreign = describe_foreign_file(content)
    if foreign is not None:
        raise UnreadableFileError(foreign)
    if content.startswith(_UTF_16):
        return DecodedText(content.decode("utf-16", errors="replace"))
    if b"\0" in content:
        wide = decode_wide(content)
        if wide is None:
            raise UnreadableFileError(NO_TEXT)
        return wide
    try:
        return DecodedText(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return decode_guessed(content)
