"""Match files of other programs: writes matches of the log as such files, and reads such files into events.

In the middle stands one model of a match (`match_model.py`). `from_events.py` folds it from a log, `to_events.py` turns
it back into events. So everything written comes from rulings, and everything read was checked by the rules core. Points
are counted along each player's own path; White is the left column, player 0 and the `W` of an .sgf file.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.formats.anonymous import hide_names, names_of, replace_names
    from controller.formats.exporting.header_tags import uses_jacoby
    from controller.formats.exporting.mat_writer import mat_text, snowie_text
    from controller.formats.exporting.sgf_writer import sgf_text
    from controller.formats.exporting.turn_states import NoSuchMatchStateError, find_match_state, parse_turn_reference
    from controller.formats.fingerprint import match_fingerprint
    from controller.formats.from_events import build_match, build_match_of_record
    from controller.formats.importing.import_file import ImportedMatch, read_match_file, read_matches
    from controller.formats.importing.match_sources import ZIP_ERRORS, MatchSource, list_sources
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
    from controller.formats.positions.match_state import IdTextError, MatchState
    from controller.formats.positions.position_ids import gnubgid, parse_position_id
    from controller.formats.positions.snowie_position import snowie_position
    from controller.formats.positions.xgid import xgid
    from controller.formats.reports.match_statistics import compute_statistics, statistics_lines, statistics_record
    from controller.formats.reports.player_totals import (
        DOUBLES_EXPECTED,
        PIPS_EXPECTED,
        Interval,
        PlayerCounts,
        PlayerTotals,
        count_players,
        player_key,
        total_lines,
        total_players,
        total_records,
    )
    from controller.formats.reports.replay_text import ReplayStep, format_board, list_replay_steps
    from controller.formats.reports.sheet import EvidenceLoader, SheetProof, no_evidence, proof_text, sheet_html
    from controller.formats.reports.statistics_svg import statistics_svg
    from controller.formats.review import (
        Choice,
        ReviewedTurn,
        ReviewError,
        TurnChoices,
        find_choices,
        list_reviewed_turns,
        put_right,
    )
    from controller.formats.safe_text import one_line, safe_names
    from controller.formats.transcript import UnreadableFileError
    from controller.formats.variations import NotForThisGameError, find_variation
    from controller.formats.xg.xg_writer import xg_file, xgp_file
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
