"""`zarbiter club`: one page for a director over all tables that publish at the broker of the settings, and their tournament."""

import argparse
import logging
import os
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    check_folders,
    check_new_file,
    resolve_settings,
    write_csv,
)

if TYPE_CHECKING:
    from controller.club import ClubServer, Listener, Results, ResultsKeeper, Tournament
    from controller.web import Address

_LOG = logging.getLogger("zarbiter.club")

USUAL_PORT = 8090
_SETTINGS_FILE = "settings.toml"
_RESULTS = "club"
_LOOK_EVERY_S = 2.0


def add(commands: SubParsers, summary: str) -> None:
    club = add_command(
        commands,
        "club",
        _club,
        summary,
        "Shows all tables that publish at the broker of [mqtt], in --config or in settings.toml of the data folder: score, clock,"
        " what is waited for, the last ruling; those that need somebody come first. Changes nothing at any table. With --tournament"
        " it keeps the results of its matches; draw prints who meets whom, and enter takes a result by hand.",
    )
    club.add_argument("action", metavar="ACTION", nargs="?", help="draw or enter; without one, the page")
    club.add_argument("words", metavar="WORD", nargs="*", help="of enter: both players and the score, as Ann Ben 7-3")
    club.add_argument("--tournament", metavar="FILE", type=Path, help="format, length, players and tables in TOML")
    club.add_argument("--csv", metavar="FILE", type=Path, help="with draw: write pairings and results there")
    club.add_argument(
        "--web",
        metavar="HOST:PORT",
        help=f"where the page listens (default: 127.0.0.1:{USUAL_PORT}, this machine only; 0.0.0.0:{USUAL_PORT} for the room)",
    )


def _club(options: argparse.Namespace) -> bool:
    actions = {None: _show, "draw": _draw, "enter": _enter}
    action = actions.get(options.action)
    if action is None:
        raise UsageError(f"there is no action {options.action!r}; give draw or enter, or none for the page")
    if options.words and options.action != "enter":
        raise UsageError("only enter takes players and a score; leave them out")
    if options.csv is not None and options.action != "draw":
        raise UsageError("--csv belongs to draw; call zarbiter club draw")
    return action(options)


def _draw(options: argparse.Namespace) -> bool:
    from controller.club import ResultsFileError, count_wins, list_pairings, load_results

    if options.csv is not None:
        check_new_file(options.csv, "--csv")
    tournament, file = _tournament(options)
    try:
        results = load_results(file)
    except ResultsFileError as error:
        raise CommandFailedError(str(error)) from None
    if options.csv is not None:
        write_csv(options.csv, _records(tournament, results))
        return True
    for one in list_pairings(tournament, results):
        score = "" if one.result is None else f"  {one.result.points[0]}-{one.result.points[1]}"
        open_one = "" if one.result is None or one.result.is_confirmed else " (not confirmed)"
        table = f"  {one.table}" if one.table else ""
        print(f"round {one.round}{table}  {one.first or '?'} - {one.second or '?'}{score}{open_one}")
    for player, won, played in count_wins(tournament, results):
        print(f"{player}: {won} of {played} won")
    return True


def _records(tournament: "Tournament", results: "Results") -> list[dict[str, object]]:
    from controller.club import list_pairings

    return [
        {
            "round": one.round,
            "table": one.result.table if one.result is not None and one.result.table else one.table,
            "first": one.first or "",
            "second": one.second or "",
            "first_points": "" if one.result is None else one.result.points[0],
            "second_points": "" if one.result is None else one.result.points[1],
            "winner": "" if one.result is None else one.result.winner,
            "confirmed": "" if one.result is None else one.result.is_confirmed,
            "match": "" if one.result is None else one.result.match,
        }
        for one in list_pairings(tournament, results)
    ]


def _enter(options: argparse.Namespace) -> bool:
    from controller.club import ResultsFileError, TournamentError, enter_result, load_results, save_results

    tournament, file = _tournament(options)
    if len(options.words) != 3:
        raise UsageError("enter takes both players and the score; write enter Ann Ben 7-3")
    first, second, score = options.words
    try:
        save_results(file, enter_result(tournament, load_results(file), (first, second), score))
    except TournamentError as error:
        raise UsageError(str(error)) from None
    except ResultsFileError as error:
        raise CommandFailedError(str(error)) from None
    return True


def _tournament(options: argparse.Namespace) -> "tuple[Tournament, Path]":
    """The tournament of --tournament, and the file of its results."""
    from controller.club import TournamentError, read_tournament
    from controller.rules import TomlTextError, read_toml
    from controller.settings import data_folder
    from controller.subcommands.options.shared_options import read_text

    if options.tournament is None:
        raise UsageError("no list of players is named; give it with --tournament FILE")
    try:
        tournament = read_tournament(read_toml(read_text("--tournament", options.tournament)))
    except (TomlTextError, TournamentError) as error:
        raise UsageError(f"{options.tournament}: {error}") from None
    return tournament, data_folder(options.data, os.environ) / _RESULTS / f"{options.tournament.stem}.json"


def _show(options: argparse.Namespace) -> bool:
    from controller.club import Listener, ResultsKeeper
    from controller.publishing import SendingError, make_broker
    from controller.settings import data_folder

    data = data_folder(options.data, os.environ)
    address = _resolve_address(options.web)
    usual = data / _SETTINGS_FILE
    if options.config is None and usual.is_file():
        options.config = usual
        check_folders(options)
    mqtt = resolve_settings(options).mqtt
    if mqtt.host is None:
        raise UsageError(f"no settings name a broker; write [mqtt] and host into {options.config or usual}")
    kept = None if options.tournament is None else _tournament(options)
    with ExitStack() as opened:
        try:
            broker = make_broker(mqtt, mqtt.host)
            listener = opened.enter_context(closing(Listener(broker)))
            keeper = None
            if kept is not None:
                keeper = ResultsKeeper(*kept, opened.enter_context(closing(Listener(broker))))
        except SendingError as error:
            raise CommandFailedError(str(error)) from None
        _serve(listener, address, data, keeper)
    return True


def _resolve_address(text: str | None) -> "Address":
    from controller.web import NO_PAGE, Address, parse_web_option

    try:
        address = parse_web_option(text)
    except ValueError as error:
        raise UsageError(f"--web: {error}") from None
    if address is NO_PAGE:
        raise UsageError("--web none leaves nothing to show; give HOST:PORT, or leave the option out")
    return address or Address(port=USUAL_PORT)


def _serve(listener: "Listener", address: "Address", data: Path, keeper: "ResultsKeeper | None") -> None:
    from controller.subcommands.match.page import wait_for_interrupt
    from controller.web import PageError, open_in_browser

    try:
        server = _open_server(listener, address, data)
    except PageError as error:
        raise CommandFailedError(f"{error}; choose another with --web HOST:PORT") from None
    try:
        print(f"Page: {server.link}", flush=True)
        open_in_browser(server.link)
        if keeper is not None:
            _keep_results(keeper)
            return
        wait_for_interrupt(lambda sentence: print(sentence, file=sys.stderr, flush=True))
    finally:
        server.close()


def _open_server(listener: "Listener", address: "Address", data: Path) -> "ClubServer":
    from functools import partial

    from controller.club import ClubServer
    from controller.web import load_or_create_token

    return ClubServer(address, partial(load_or_create_token, data), listener.take, listener.ask)


def _keep_results(keeper: "ResultsKeeper") -> None:
    """Until Ctrl-C. A file that cannot be written is said once, and tried again with the next news."""
    from controller.club import ResultsFileError

    print("The page stays, and results are kept, until Ctrl-C.", file=sys.stderr, flush=True)
    complaint = ""
    with suppress(KeyboardInterrupt):
        while True:
            try:
                keeper.look()
                complaint = ""
            except ResultsFileError as error:
                if str(error) != complaint:
                    complaint = str(error)
                    _LOG.warning("%s", complaint)
            time.sleep(_LOOK_EVERY_S)
