"""Data folders with short matches."""

from pathlib import Path

from controller.formats.importing.import_file import read_match_text
from controller.match_log import matches_folder, new_match

HOSTILE = '<img src=x onerror="document.title=1">'

SHORT = """\
 3 point match

 Game 1
 {white} : 0                    {black} : 0
  1) 31: 8/5 6/5                    42: 8/4 6/4
  2) 66: 24/18 24/18 13/7 13/7       55: 13/8 13/8 6/1 6/1
  3) 11: 6/5 6/5 5/4 5/4             44: 13/9 13/9 6/2 6/2
"""


def log_matches(data: Path, names: tuple[tuple[str, str], ...] = (("Ann", "Ben"), (HOSTILE, "Ben"))) -> list[Path]:
    """A match for each pair of names: White throws three doubles of three, Black two."""
    files = []
    for white, black in names:
        read = read_match_text(SHORT.format(white=white, black=black))
        with new_match(matches_folder(data), "backgammon", read.events) as log:
            files.append(log.path)
    return files
