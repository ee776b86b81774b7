"""Chooses the reader of a text file by its content."""

from controller.formats.importing.foreign_files import describe_foreign_text
from controller.formats.importing.mat_reader import read_mat
from controller.formats.importing.oldmoves_reader import is_oldmoves, read_oldmoves
from controller.formats.importing.sgf_reader import read_sgf
from controller.formats.importing.sgg_reader import is_sgg, read_sgg
from controller.formats.transcript import Transcript, UnreadableFileError

_SGF = "("


def read_transcripts(text: str) -> tuple[Transcript, ...]:
    """Every match of a file of another program. Raises UnreadableFileError."""
    if text.lstrip().startswith(_SGF):
        return (read_sgf(text),)
    if is_sgg(text):
        return (read_sgg(text),)
    if is_oldmoves(text):
        return read_oldmoves(text)
    try:
        return read_mat(text)
    except UnreadableFileError:
        sentence = describe_foreign_text(text)
        if sentence is None:
            raise
        raise UnreadableFileError(sentence) from None
