"""`zarbiter replay --page`: shows the match in a browser, where each viewer steps through it, until Ctrl-C."""

import argparse
import os
import sys
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from controller.match import ClockTextError, MatchStarted
from controller.refereeing.match_config import MatchConfig
from controller.rules import RulesError
from controller.rules.grasshopper.game import STANDARD
from controller.settings import WebSettings, data_folder, restore_match_config
from controller.subcommands.match.page import (
    ADDRESS_REMEDY,
    open_match_page,
    page_lines,
    resolve_address,
    wait_for_interrupt,
)
from controller.subcommands.options import CommandFailedError
from controller.subcommands.replaying.match_loading import LoadedMatch
from controller.web import PageError


def replay_on_page(loaded: LoadedMatch, options: argparse.Namespace) -> None:
    """The links carry `--at`, so that the page begins at that turn."""
    address, query = resolve_address(options), f"?turn={options.at}" if options.at else ""
    started = next((event for event in loaded.events if isinstance(event, MatchStarted)), None)
    if started is None:
        raise CommandFailedError("no game has begun in this match; choose another one of zarbiter log list")
    folder, port = data_folder(options.data, os.environ), WebSettings().port
    try:
        with ExitStack() as opened:
            page = open_match_page(address, port, folder, opened, in_browser=not options.headless, query=query)
            if page is not None:
                page.replay(loaded.path.stem, _make_table(started), loaded.events, path=loaded.log)
                say = partial(print, flush=True)
                for line in page_lines(page, sys.stdout):
                    say(line)
                wait_for_interrupt(say)
    except PageError as error:
        raise CommandFailedError(ADDRESS_REMEDY.format(error)) from None
    except (RulesError, ClockTextError) as error:
        raise CommandFailedError(f"{loaded.path} cannot be shown: {error}") from None


def _make_table(started: MatchStarted) -> MatchConfig:
    """The configuration that was agreed, with the mode of that time."""
    return replace(restore_match_config(started, MatchConfig(game=started.game, rules=STANDARD)), mode=started.mode)
