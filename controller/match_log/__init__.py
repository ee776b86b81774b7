"""The match log: the events of a match and their evidence pictures, in one SQLite file for each match.

An event is on the disk before any light shows it.
"""

from controller.match_log.catalogue import find_match, match_files, matches_folder, new_match, resolve_new_path
from controller.match_log.creation import FRAME_NAME, create_match, frame_files, frames_folder
from controller.match_log.errors import MatchLogError, StorageError
from controller.match_log.picture import EvidencePicture, PictureKind
from controller.match_log.pruning import prune_matches
from controller.match_log.replay import LoggedEvent, MatchRecord, read_match
from controller.match_log.store import MatchLog
from controller.match_log.turns import TurnLine, TurnRuling, revise, turn_lines
from controller.match_log.verify import BrokenChain, IntactChain, verify

__all__ = [
    "FRAME_NAME", "BrokenChain", "EvidencePicture", "IntactChain", "LoggedEvent", "MatchLog", "MatchLogError",
    "MatchRecord", "PictureKind", "StorageError", "TurnLine", "TurnRuling", "create_match", "find_match", "frame_files",
    "frames_folder", "match_files", "matches_folder", "new_match", "prune_matches", "read_match", "resolve_new_path",
    "revise", "turn_lines", "verify",
]  # fmt: skip
