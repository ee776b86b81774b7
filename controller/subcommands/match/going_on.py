"""What a service does with `zarbiter play --go-on`: it goes on with a match that was broken off, or sets one up."""

import argparse
import logging
import os
from collections.abc import Callable

from controller.match_log import matches_folder
from controller.session import ServiceManager
from controller.settings import data_folder
from controller.subcommands.match.match_resuming import find_broken_off
from controller.subcommands.options import CommandFailedError, UsageError

_LOG = logging.getLogger("zarbiter.play")


def play_as_service(options: argparse.Namespace, play: Callable[[argparse.Namespace], bool]) -> bool:
    """Calls `play` once, or again on the page if the match that was broken off cannot go on."""
    with ServiceManager.of_environment().running() as options.service:
        return _go_on(options, play) if options.go_on else play(options)


def _go_on(options: argparse.Namespace, play: Callable[[argparse.Namespace], bool]) -> bool:
    if options.set_up or options.resume is not None:
        raise UsageError("--go-on finds its match, or sets one up; leave --set-up and --resume out")
    options.stay = True
    options.resume = find_broken_off(matches_folder(data_folder(options.data, os.environ)))
    try:
        if options.resume is not None:
            return play(options)
    except CommandFailedError as error:
        _LOG.warning("%s cannot go on: %s", options.resume, error)
    options.set_up, options.resume = True, None
    return play(options)
