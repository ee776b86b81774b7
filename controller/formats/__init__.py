"""Match files of other programs: writes matches of the log as such files, and reads such files into events.

In the middle stands one model of a match (`match_model.py`). `from_events.py` folds it from a log, `to_events.py` turns
it back into events. So everything written comes from rulings, and everything read was checked by the rules core. Points
are counted along each player's own path; White is the left column, player 0 and the `W` of an .sgf file.

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.formats.exporting.header_tags import uses_jacoby
    from controller.formats.exporting.mat_writer import mat_text, snowie_text
    from controller.formats.exporting.sgf_writer import sgf_text
    from controller.formats.exporting.turn_states import NoSuchMatchStateError, find_match_state, parse_turn_reference
    from controller.formats.from_events import build_match, build_match_of_record
    from controller.formats.importing.import_file import ImportedMatch, read_match_file
    from controller.formats.limits import LIMITS
    from controller.formats.match_model import (
        Attempt,
        BoardPut,
        CubeAction,
        GameAction,
        GameEnding,
        GameHistory,
        MatchHistory,
        PendingRoll,
        PlayedTurn,
        Resignation,
    )
    from controller.formats.positions.match_state import IdTextError
    from controller.formats.positions.position_ids import gnubgid
    from controller.formats.positions.snowie_position import snowie_position
    from controller.formats.positions.xgid import xgid
    from controller.formats.reports.error_rates import ErrorRate, make_analysis_commands, parse_error_rates
    from controller.formats.reports.match_statistics import compute_statistics, statistics_lines, statistics_record
    from controller.formats.reports.replay_text import ReplayStep, format_board, list_replay_steps
    from controller.formats.reports.sheet import EvidenceLoader, no_evidence, sheet_html
    from controller.formats.reports.statistics_svg import statistics_svg
    from controller.formats.safe_text import one_line, safe_names
    from controller.formats.transcript import UnreadableFileError
    from controller.formats.variations import NotForThisGameError

__all__ = [
    "LIMITS",
    "Attempt",
    "BoardPut",
    "CubeAction",
    "ErrorRate",
    "EvidenceLoader",
    "GameAction",
    "GameEnding",
    "GameHistory",
    "IdTextError",
    "ImportedMatch",
    "MatchHistory",
    "NoSuchMatchStateError",
    "NotForThisGameError",
    "PendingRoll",
    "PlayedTurn",
    "ReplayStep",
    "Resignation",
    "UnreadableFileError",
    "build_match",
    "build_match_of_record",
    "compute_statistics",
    "find_match_state",
    "format_board",
    "gnubgid",
    "list_replay_steps",
    "make_analysis_commands",
    "mat_text",
    "no_evidence",
    "one_line",
    "parse_error_rates",
    "parse_turn_reference",
    "read_match_file",
    "safe_names",
    "sgf_text",
    "sheet_html",
    "snowie_position",
    "snowie_text",
    "statistics_lines",
    "statistics_record",
    "statistics_svg",
    "uses_jacoby",
    "xgid",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "exporting.header_tags": ("uses_jacoby",),
    "exporting.mat_writer": ("mat_text", "snowie_text"),
    "exporting.sgf_writer": ("sgf_text",),
    "exporting.turn_states": ("NoSuchMatchStateError", "find_match_state", "parse_turn_reference"),
    "from_events": ("build_match", "build_match_of_record"),
    "importing.import_file": ("ImportedMatch", "read_match_file"),
    "limits": ("LIMITS",),
    "match_model": (
        "Attempt",
        "BoardPut",
        "CubeAction",
        "GameAction",
        "GameEnding",
        "GameHistory",
        "MatchHistory",
        "PendingRoll",
        "PlayedTurn",
        "Resignation",
    ),
    "positions.match_state": ("IdTextError",),
    "positions.position_ids": ("gnubgid",),
    "positions.snowie_position": ("snowie_position",),
    "positions.xgid": ("xgid",),
    "reports.error_rates": ("ErrorRate", "make_analysis_commands", "parse_error_rates"),
    "reports.match_statistics": ("compute_statistics", "statistics_lines", "statistics_record"),
    "reports.replay_text": ("ReplayStep", "format_board", "list_replay_steps"),
    "reports.sheet": ("EvidenceLoader", "no_evidence", "sheet_html"),
    "reports.statistics_svg": ("statistics_svg",),
    "safe_text": ("one_line", "safe_names"),
    "transcript": ("UnreadableFileError",),
    "variations": ("NotForThisGameError",),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
