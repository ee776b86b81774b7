"""One page over all tables of a hall, from what they publish at an MQTT broker (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.club.listener import Listener
    from controller.club.page import ClubServer
    from controller.club.results_file import ResultsFileError, ResultsKeeper, load_results, save_results
    from controller.club.tournament import (
        Results,
        Tournament,
        TournamentError,
        count_wins,
        enter_result,
        list_pairings,
        read_tournament,
    )
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
