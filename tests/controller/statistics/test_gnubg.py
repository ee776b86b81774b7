"""GNU Backgammon itself, and programs that are not it."""

from pathlib import Path

import pytest

from controller.formats.importing.import_file import read_match_text
from controller.statistics.gnubg import NoAnalysisError, NoProgramError, StoppedError, run_analysis
from tests.controller.formats.gnubg_judge import needs_gnubg
from tests.controller.statistics.fake_gnubg import install, short_match, uninstall

# Two standard openings without an error, and a six-six that breaks everything up.
BLUNDER = """\
 3 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                    42: 8/4 6/4
  2) 66: 8/2 8/2 13/7 13/7
"""


@pytest.mark.broad
@needs_gnubg
def test_a_real_analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From a folder with a space, at which GNU Backgammon ends a path."""
    spaced = tmp_path / "a folder"
    spaced.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spaced))
    analysis = run_analysis(read_match_text(BLUNDER).match)
    white, black = analysis.errors
    assert (white.plays, black.plays, black.play_loss) == (2, 1, 0.0)
    (blunder,) = [one for one in analysis.mistakes if one.decision == "play"]
    assert (blunder.turn, blunder.roll, blunder.best) == (3, "66", "24/18(2) 13/7(2)")
    assert blunder.loss == pytest.approx(white.play_loss, abs=0.001)
    assert [one.what for one in analysis.rates] == ["checker play", "cube", "overall"]


def test_programs_that_are_no_gnubg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One writes nothing, another writes something else, a third cannot be started, and then there is none."""
    for script in ("echo hello", "echo '[]' > analysis.json"):
        install(tmp_path / "bin", monkeypatch, script)
        with pytest.raises(NoAnalysisError, match="GNU Backgammon gave none; see whether gnubg starts by itself"):
            run_analysis(short_match())
    (tmp_path / "bin" / "gnubg").write_bytes(b"\x7fELF")
    with pytest.raises(NoProgramError, match="could not be started"):
        run_analysis(short_match())
    uninstall(monkeypatch)
    with pytest.raises(NoProgramError, match="apt install gnubg"):
        run_analysis(short_match())


def test_it_ends_as_soon_as_it_may_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "bin", monkeypatch, "exec sleep 60")
    with pytest.raises(StoppedError):
        run_analysis(short_match(), lambda: False)
