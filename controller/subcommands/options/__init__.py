"""Options that several sub-commands share, usage errors, exit statuses and the progress bar.

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.subcommands.options.call import (
        EXIT_FAILED,
        EXIT_INTERRUPTED,
        EXIT_OK,
        EXIT_USAGE,
        CallParser,
        SubParsers,
        UsageError,
        check_new_file,
    )
    from controller.subcommands.options.light_board_options import AUTO, FAKE, add_light_board_options
    from controller.subcommands.options.match_options import (
        add_match_options,
        collect_given,
        resolve_settings,
        resolve_table,
    )
    from controller.subcommands.options.progress_bar import ProgressBar, announce_when_slow
    from controller.subcommands.options.shared_options import (
        check_folders,
        load_house_rules,
        make_common_parser,
        resolve_game,
    )

__all__ = [
    "AUTO",
    "EXIT_FAILED",
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "EXIT_USAGE",
    "FAKE",
    "CallParser",
    "ProgressBar",
    "SubParsers",
    "UsageError",
    "add_light_board_options",
    "add_match_options",
    "announce_when_slow",
    "check_folders",
    "check_new_file",
    "collect_given",
    "load_house_rules",
    "make_common_parser",
    "resolve_game",
    "resolve_settings",
    "resolve_table",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "call": (
        "CallParser",
        "EXIT_FAILED",
        "EXIT_INTERRUPTED",
        "EXIT_OK",
        "EXIT_USAGE",
        "SubParsers",
        "UsageError",
        "check_new_file",
    ),
    "light_board_options": ("AUTO", "FAKE", "add_light_board_options"),
    "match_options": ("add_match_options", "collect_given", "resolve_settings", "resolve_table"),
    "progress_bar": ("ProgressBar", "announce_when_slow"),
    "shared_options": ("check_folders", "load_house_rules", "make_common_parser", "resolve_game"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
