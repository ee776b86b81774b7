"""`zarbiter update`: a later version, by the tool that installed this one, and never during a match."""

import argparse
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from controller.subcommands.appliance.service import STATE, UNIT, is_installed
from controller.subcommands.appliance.system_calls import call_program
from controller.subcommands.options import CommandFailedError, SubParsers, UsageError, add_command

_TIMEOUT_S = 900.0  # a slow network and a Pi that compiles no wheel, but unpacks 100 MB of them
_PACKAGE = "zarbiter"


def add(commands: SubParsers, summary: str) -> None:
    update = add_command(
        commands,
        "update",
        _update,
        summary,
        "Calls pipx or uv, whichever installed this version. Refuses while a match is being played or transcribed. The service"
        " is started anew afterwards.",
    )
    update.add_argument(
        "source",
        metavar="SRC",
        nargs="?",
        type=Path,
        help="a wheel, or a folder of wheels for a machine without a network (default: where this version came from)",
    )


def _update(options: argparse.Namespace) -> bool:
    words, env = choose_call(Path(sys.prefix), options.source)
    _refuse_during_match(options)
    call_program(*words, env={**os.environ, **env}, timeout_s=_TIMEOUT_S)
    print(call_program(sys.executable, "-m", "controller", "--version").strip())
    if is_installed():
        if os.geteuid() == 0:
            call_program("systemctl", "try-restart", UNIT)
        else:
            print(f"the service still runs the old version; call sudo systemctl restart {UNIT}")
    return True


def choose_call(prefix: Path, source: Path | None) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """The call of the tool that made the environment `prefix`, and what it needs in its environment.

    Raises UsageError for a source that is no wheel, and where neither pipx nor uv made it.
    """
    wheels: tuple[str, ...] = ()
    if source is not None:
        wheels = _name_wheels(source)
    if (prefix / "pipx_metadata.json").is_file():
        # Root's or the user's, whoever calls; and no second link to the program elsewhere.
        home = {"PIPX_HOME": str(prefix.parent.parent)} | _name_folder_of_links(prefix)
        if not wheels:
            return ("pipx", "upgrade", _PACKAGE), home
        return ("pipx", "runpip", _PACKAGE, "install", "--upgrade", *wheels), home
    if (prefix / "uv-receipt.toml").is_file():
        home = {"UV_TOOL_DIR": str(prefix.parent)}
        return ("uv", "tool", *(("install", "--force", *wheels) if wheels else ("upgrade", _PACKAGE))), home
    raise UsageError(
        "neither pipx nor uv installed this version; in the project's folder call git pull, elsewhere update it as it was"
        " installed"
    )


def _name_folder_of_links(prefix: Path) -> dict[str, str]:
    """Where the command lies by which this program is found, if that is a link into its environment."""
    found = shutil.which(_PACKAGE)
    is_ours = found is not None and Path(found).is_symlink() and Path(found).resolve().is_relative_to(prefix.resolve())
    return {"PIPX_BIN_DIR": str(Path(found).parent)} if found is not None and is_ours else {}


def _name_wheels(source: Path) -> tuple[str, ...]:
    if source.is_dir() and any(source.glob(f"{_PACKAGE}-*.whl")):
        return "--no-index", "--find-links", str(source.absolute()), _PACKAGE
    if source.is_file() and source.name.startswith(f"{_PACKAGE}-") and source.suffix == ".whl":
        return (str(source.absolute()),)
    raise UsageError(f"{source} is neither a wheel of zarbiter nor a folder with one; name one, or leave it out")


def _refuse_during_match(options: argparse.Namespace) -> None:
    """Raises CommandFailedError while a match of this user or of the service is being written."""
    from controller.match_log import MatchLogError, match_files, matches_folder
    from controller.match_log.writer_lock import is_locked
    from controller.settings import data_folder

    for data in dict.fromkeys((data_folder(options.data, os.environ), STATE)):
        try:
            if not data.exists():
                continue
            written = [file.stem for file in match_files(matches_folder(data)) if is_locked(file)]
        except (MatchLogError, OSError):
            raise CommandFailedError(
                f"whether a match is being played in {data} may not be seen; call it with sudo"
            ) from None
        if written:
            raise CommandFailedError(f"{written[0]} is being played or transcribed; end it, then call this again")
