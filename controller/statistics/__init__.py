"""All matches of a data folder in numbers: each player's totals, and what GNU Backgammon finds in the play.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.statistics.analysis import BLUNDER_LOSS, LEAST_LOSS, ErrorRate
    from controller.statistics.counting import FolderCounts, analyse_match, count_folder, list_pending
    from controller.statistics.gnubg import NoAnalysisError, NoProgramError, find_gnubg, run_analysis
    from controller.statistics.keeper import StatisticsKeeper
    from controller.statistics.report import Halt
    from controller.statistics.totals import (
        BLUNDER_COLUMNS,
        ErrorsReader,
        blunder_record,
        list_blunders,
        total_archive,
    )

else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
