import os
import subprocess
from pathlib import Path

import pytest

from controller.formats.exporting.mat_writer import mat_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.importing.import_file import read_match_file
from controller.formats.match_model import MatchHistory
from tests.controller.formats.gnubg_judge import GNUBG, expectation, needs_gnubg, verdict
from tests.controller.formats.match_samples import GOLDEN, from_match_line, golden_files, logged
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.formats.test_disputed_match import disputed_events

pytestmark = [pytest.mark.broad, needs_gnubg]

CASES = (
    ("backgammon", 5),
    ("backgammon", None),
    ("hypergammon", 7),
    ("nackgammon", 3),
    ("hypergammon", None),
    ("backgammon", 9),
    ("backgammon", 1),
)
_EXPORT = """\
set confirm new off
set display off
load match {sgf}
export match mat {mat}
"""


def judged(match: MatchHistory, folder: Path) -> str:
    """GNU Backgammon's verdict on our .mat and .sgf; it inspects every board of every turn."""
    for name, (text, _) in (("match.mat", mat_text(match)), ("match.sgf", sgf_text(match))):
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "expect.json").write_text(expectation(match), encoding="utf-8")
    return verdict(folder / "expect.json", [folder / "match.mat", folder / "match.sgf"], folder)


def simulated(seed: int) -> MatchHistory:
    game, length = CASES[seed % len(CASES)]
    return logged(simulated_match(seed, game, length), game)


@pytest.mark.parametrize("file", golden_files(".sgf"), ids=lambda file: str(file.name))
def test_golden_matches(file: Path, tmp_path: Path) -> None:
    """Read and written by us, they are the matches that GNU Backgammon played."""
    read = read_match_file(file)
    (tmp_path / "ours").mkdir()
    assert "GNUBG-CHECK PASS" in judged(logged(read.events, read.match.game), tmp_path)
    expect = GOLDEN / "matches" / f"{file.stem}.json"
    if expect.is_file():
        assert "GNUBG-CHECK PASS" in verdict(expect, [tmp_path / "match.mat", tmp_path / "match.sgf"], tmp_path)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_matches(seed: int, tmp_path: Path) -> None:
    """A match, money with beavers and Jacoby, and hypergammon: with cubes, gammons and resignations."""
    assert "GNUBG-CHECK PASS" in judged(simulated(seed), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 53))
def test_fifty_simulated_matches(seed: int, tmp_path: Path) -> None:
    assert "GNUBG-CHECK PASS" in judged(simulated(seed), tmp_path)


@pytest.mark.parametrize("seed", [0, 2])
def test_match_text_is_byte_for_byte_what_gnubg_writes(seed: int, tmp_path: Path) -> None:
    match = simulated(seed)
    sgf, mat, commands = tmp_path / "match.sgf", tmp_path / "theirs.mat", tmp_path / "commands"
    sgf.write_text(sgf_text(match)[0], encoding="utf-8")
    commands.write_text(_EXPORT.format(sgf=sgf, mat=mat), encoding="utf-8")
    assert GNUBG is not None
    environment = {**os.environ, "HOME": str(tmp_path)}
    subprocess.run(
        [GNUBG, "-t", "-q", "-r", "-c", str(commands)],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=True,
    )
    assert from_match_line(mat.read_text(encoding="utf-8")) == from_match_line(mat_text(match)[0])


def test_a_disputed_match(tmp_path: Path) -> None:
    """The illegal play that stood is replayed as it was made, and the unfinished game stays unfinished."""
    # a roll that lies there would be one more record in the .sgf
    assert "GNUBG-CHECK PASS" in judged(logged(disputed_events()[:-1]), tmp_path)


def test_the_judge_can_fail(tmp_path: Path) -> None:
    """Another player, other dice, half a file: the comparison with GNU Backgammon detects them."""
    match = simulated(0)
    assert "PASS" in judged(match, tmp_path)
    good = (tmp_path / "match.mat").read_text(encoding="utf-8")
    for wrong in (good.replace("Анна", "Инна"), good.replace("  1) 65:", "  1) 64:", 1), good[: len(good) // 2]):
        assert wrong != good
        (tmp_path / "match.mat").write_text(wrong, encoding="utf-8")
        said = verdict(tmp_path / "expect.json", [tmp_path / "match.mat"], tmp_path)
        assert "PROBLEM" in said
        assert "PASS" not in said
