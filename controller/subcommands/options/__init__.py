"""Options that several sub-commands share, errors of a call and the progress bar.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.subcommands.options.call import (
        CallParser,
        CommandFailedError,
        SubParsers,
        UsageError,
        check_new_file,
        clock_time,
        format_clock_time,
        format_count,
        not_written,
        positive,
    )
    from controller.subcommands.options.csv_file import write_csv
    from controller.subcommands.options.light_board_options import AUTO, FAKE, add_light_board_options
    from controller.subcommands.options.match_options import (
        add_match_options,
        collect_given,
        resolve_settings,
        resolve_table,
    )
    from controller.subcommands.options.position_options import parse_occupancy, resolve_position
    from controller.subcommands.options.progress_bar import Bar, MakeBar, ProgressBar, announce_when_slow
    from controller.subcommands.options.shared_options import (
        add_command,
        check_folders,
        load_house_rules,
        make_overlay_folder,
        resolve_game,
    )
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
