"""The match log: events and the pictures that prove them, in one SQLite file a match, safe before any light shows them."""

from controller.match_log.catalogue import file_for_new, find_match, match_files, matches_folder, new_match
from controller.match_log.creation import create_match
from controller.match_log.errors import MatchLogError, StorageError
from controller.match_log.picture import Picture, PictureKind
from controller.match_log.pruning import thin_out
from controller.match_log.replay import LoggedEvent, MatchRecord, read_match
from controller.match_log.store import MatchLog
from controller.match_log.turns import Ruled, TurnLine, turn_lines
from controller.match_log.verify import Broken, Intact, verify

__all__ = [
    "Broken",
    "Intact",
    "LoggedEvent",
    "MatchLog",
    "MatchLogError",
    "MatchRecord",
    "Picture",
    "PictureKind",
    "Ruled",
    "StorageError",
    "TurnLine",
    "create_match",
    "file_for_new",
    "find_match",
    "match_files",
    "matches_folder",
    "new_match",
    "read_match",
    "thin_out",
    "turn_lines",
    "verify",
]
