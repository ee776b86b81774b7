"""Match files: how fast they are read, and whether GNU Backgammon counts the throws as our statistics do.

`python -m tests.benchmarks.match_files [--matches N]`. *Sim*: seeded matches to 7 points, written as each format and
read back with every play judged. GNU Backgammon, where it is installed, counts each player's throws of every match.
"""

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.importing.import_file import read_matches
from controller.formats.match_model import MatchHistory
from controller.formats.reports.match_statistics import compute_statistics
from controller.formats.xg.xg_writer import xg_file
from tests.controller.formats.match_samples import logged
from tests.controller.formats.simulated_matches import simulated_match

WRITERS: dict[str, Callable[[MatchHistory], bytes]] = {
    ".mat": lambda match: mat_text(match)[0].encode(),
    ".sgf": lambda match: sgf_text(match)[0].encode(),
    ".xg": lambda match: xg_file(match)[0],
}
TOTALS = re.compile(r"^Total moves\s+(\d+)\s+(\d+)", re.MULTILINE)


def turns_per_second(matches: list[MatchHistory], write: Callable[[MatchHistory], bytes]) -> float:
    """The median over the matches, in processor time."""
    rates = []
    for match in matches:
        content = write(match)
        start_s = time.process_time()
        (read,) = read_matches(content)
        rates.append(read.turns / (time.process_time() - start_s))
    return median(rates)


def throws_by_gnubg(program: str, match: MatchHistory, folder: Path) -> tuple[int, int] | None:
    (folder / "m.sgf").write_text(sgf_text(match)[0], encoding="utf-8")
    commands = (
        "set confirm new off",
        "set display off",
        "load match m.sgf",
        "analyse match",
        "show statistics match",
        "",
    )
    plies = ("set analysis chequerplay evaluation plies 0", "set analysis cubedecision evaluation plies 0")
    (folder / "commands").write_text("\n".join((*plies, *commands)), encoding="utf-8")
    done = subprocess.run(
        (program, "-t", "-q", "-r", "-c", "commands"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=folder,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )
    found = TOTALS.search(done.stdout.decode("utf-8", "replace"))
    return None if found is None else (int(found[1]), int(found[2]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=50)
    matches = [logged(simulated_match(seed, "backgammon", 7)) for seed in range(parser.parse_args().matches)]
    for name, write in WRITERS.items():
        print(f"{name:5} {turns_per_second(matches, write):8,.0f} turns a second, every play judged")
    program = shutil.which("gnubg", path="/usr/games:/usr/local/games:/usr/bin")
    if program is None:
        print("GNU Backgammon is not installed")
        return
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for match in matches:
            ours = compute_statistics(match)
            counted = throws_by_gnubg(program, match, Path(folder))
            if counted != (ours.white.rolls, ours.black.rolls):
                differing += 1
                print(f"differs: we count {ours.white.rolls} and {ours.black.rolls} throws, GNU Backgammon {counted}")
    print(f"throws of each player as GNU Backgammon counts them: {len(matches) - differing} of {len(matches)} matches")


if __name__ == "__main__":
    main()
