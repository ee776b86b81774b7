"""`zarbiter club`: one page for a director over all tables that publish at the broker of the settings."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    check_folders,
    resolve_settings,
)

if TYPE_CHECKING:
    from controller.club import ClubServer, Listener
    from controller.web import Address

USUAL_PORT = 8090
_SETTINGS_FILE = "settings.toml"


def add(commands: SubParsers, summary: str) -> None:
    club = add_command(
        commands,
        "club",
        _club,
        summary,
        "Shows all tables that publish at the broker of [mqtt], in --config or in settings.toml of the data folder: score, clock,"
        " what is waited for, the last ruling; those that need somebody come first. Changes nothing at any table.",
    )
    club.add_argument(
        "--web",
        metavar="HOST:PORT",
        help=f"where the page listens (default: 127.0.0.1:{USUAL_PORT}, this machine only; 0.0.0.0:{USUAL_PORT} for the room)",
    )


def _club(options: argparse.Namespace) -> bool:
    from controller.club import Listener
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
    try:
        listener = Listener(make_broker(mqtt, mqtt.host))
    except SendingError as error:
        raise CommandFailedError(str(error)) from None
    try:
        _serve(listener, address, data)
    finally:
        listener.close()
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


def _serve(listener: "Listener", address: "Address", data: Path) -> None:
    from controller.subcommands.match.page import wait_for_interrupt
    from controller.web import PageError, open_in_browser

    try:
        server = _open_server(listener, address, data)
    except PageError as error:
        raise CommandFailedError(f"{error}; choose another with --web HOST:PORT") from None
    try:
        print(f"Page: {server.link}", flush=True)
        open_in_browser(server.link)
        wait_for_interrupt(lambda sentence: print(sentence, file=sys.stderr, flush=True))
    finally:
        server.close()


def _open_server(listener: "Listener", address: "Address", data: Path) -> "ClubServer":
    from functools import partial

    from controller.club import ClubServer
    from controller.web import load_or_create_token

    return ClubServer(address, partial(load_or_create_token, data), listener.take)
