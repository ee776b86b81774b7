import json
import logging
from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.importing.import_file import read_match_text
from controller.formats.reports.error_rates import ErrorRate, make_analysis_commands, parse_error_rates
from controller.subcommands.replaying.gnubg import NoAnalysisError, run_analysis
from tests.controller.formats.gnubg_judge import needs_gnubg

PRINTED = """\
Player                                   Carla                   Dmitri

Chequerplay statistics

Error total EMG (MWC)                         -1.103 (-11.005%)       -1.352 (-15.090%)
Error rate mEMG (MWC)                        -26.9   ( -0.268%)      -31.4   ( -0.351%)
Chequerplay rating                       Beginner                Awful!

Luck statistics

Luck rate mEMG (MWC)                         -34.4   ( -0.314%)      +44.9   ( +0.534%)
Luck rating                              Bad dice, man!          Good dice, man!

Cube statistics

Error rate mEMG (MWC)                       -325.3   ( -2.680%)        0.0   (  0.000%)
Cube decision rating                     Awful!                  Supernatural

Overall statistics

Error rate mEMG (MWC)                        -75.6   ( -0.662%)      -35.6   ( -0.366%)
Overall rating                           Awful!                  Casual player
"""


def test_the_statistics_of_gnubg() -> None:
    """Three rates for each player, without luck."""
    assert parse_error_rates(PRINTED) == (
        ErrorRate("checker play", 26.9, 31.4, "Beginner", "Awful!"),
        ErrorRate("cube", 325.3, 0.0, "Awful!", "Supernatural"),
        ErrorRate("overall", 75.6, 35.6, "Awful!", "Casual player"),
    )


@pytest.mark.parametrize("printed", ["", "No game in progress.\n", PRINTED.replace("Error rate", "Something")])
def test_other_text_has_no_rates(printed: str) -> None:
    assert parse_error_rates(printed) == ()


def test_the_commands_name_the_file() -> None:
    assert make_analysis_commands("/a/match.sgf").splitlines()[2] == "load match /a/match.sgf"


ONE_TURN = " 1 point match\n\n Game 1\n A : 0         B : 0\n  1) 31: 8/5 6/5                    42: 8/4 6/4\n"


@pytest.mark.broad
@needs_gnubg
def test_a_real_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two standard openings without an error, from a folder with a space, at which GNU Backgammon ends a path."""
    spaced = tmp_path / "a folder"
    spaced.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spaced))
    file = tmp_path / "match.mat"
    file.write_text(ONE_TURN, encoding="utf-8")
    assert main(["analyse", str(file), "--json"]) == 0
    overall = json.loads(capsys.readouterr().out)["error_rates"][-1]
    assert (overall["what"], overall["white"]) == ("overall", 0.0)


def test_a_program_that_is_no_gnubg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One program prints no statistics, another cannot be started."""
    match = read_match_text(ONE_TURN).match
    program = tmp_path / "gnubg"
    program.write_text("#!/bin/sh\necho hello\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(NoAnalysisError, match="gave none"):
        run_analysis(match, logging.getLogger("test"))
    program.write_bytes(b"\x7fELF")
    with pytest.raises(NoAnalysisError, match="could not be started"):
        run_analysis(match, logging.getLogger("test"))
