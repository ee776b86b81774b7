from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.exporting.mat_writer import mat_text, snowie_text
from controller.formats.exporting.sgf_writer import sgf_text
from controller.formats.importing.import_file import read_match_file, read_match_text
from controller.refereeing.referee import replay_events
from tests.controller.formats.match_samples import (
    SAMPLES,
    every_play,
    from_match_line,
    golden_files,
    logged,
    told,
    without_analysis,
)
from tests.controller.formats.simulated_matches import simulated_match

pytestmark = pytest.mark.broad

KINDS = [("backgammon", 5), ("backgammon", None), ("nackgammon", 3), ("hypergammon", 7), ("backgammon", 1)]


def names(file: Path) -> str:
    return file.name


class TestGoldenMatches:
    @pytest.mark.parametrize("file", golden_files(".mat"), ids=names)
    def test_match_text_comes_back_byte_for_byte(self, file: Path) -> None:
        """From the line with the length on; every play is legal."""
        read = read_match_file(file)
        assert not read.problems
        text, remarks = mat_text(logged(read.events, read.match.game))
        assert from_match_line(text) == from_match_line(file.read_text(encoding="utf-8"))
        assert not remarks

    @pytest.mark.parametrize("file", golden_files(".snowie.txt"), ids=names)
    def test_snowie_text_has_no_header(self, file: Path) -> None:
        """It begins with the line that says how long the match is."""
        read = read_match_file(file)
        assert snowie_text(logged(read.events))[0] == file.read_text(encoding="utf-8")

    @pytest.mark.parametrize("file", golden_files(".sgf"), ids=names)
    def test_sgf_comes_back_without_the_analysis(self, file: Path) -> None:
        """Players, date, rules, results and every play are the same."""
        read = read_match_file(file)
        assert not read.problems
        text, remarks = sgf_text(logged(read.events, read.match.game))
        assert without_analysis(text) == without_analysis(file.read_text(encoding="utf-8"))
        assert not remarks

    @pytest.mark.parametrize("file", golden_files(".mat"), ids=names)
    def test_both_files_of_a_match_tell_the_same_plays(self, file: Path) -> None:
        """Only what match text cannot say (the agreed rules) may differ."""
        text, tree = read_match_file(file), read_match_file(file.with_suffix(".sgf"))
        assert every_play(text.match.games) == every_play(tree.match.games)
        assert [game.result for game in text.match.games] == [game.result for game in tree.match.games]

    def test_through_the_command_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """import, then export: the file that came in."""
        file, data = SAMPLES / "g5_nack_3pt.mat", ["--data", str(tmp_path / "data")]
        assert main(["import", str(file), *data]) == 0
        name = capsys.readouterr().out.partition(":")[0]
        assert main(["export", name, "--format", "mat", "-o", str(tmp_path / "out.mat"), *data]) == 0
        written = (tmp_path / "out.mat").read_text(encoding="utf-8")
        assert from_match_line(written) == from_match_line(file.read_text(encoding="utf-8"))


class TestSimulatedMatches:
    @pytest.mark.parametrize(("game", "length"), KINDS)
    @pytest.mark.parametrize("write", [mat_text, sgf_text])
    def test_what_was_written_is_read_again(self, game: str, length: int | None, write: object) -> None:
        """The same plays, cube, results and scores; a refused resignation is the one thing that is not written."""
        match = logged(simulated_match(3, game, length), game)
        assert callable(write)
        text, _ = write(match)
        read = read_match_text(text)
        assert not read.problems
        assert every_play(read.match.games) == every_play(match.games)
        assert [game.result for game in read.match.games] == [game.result for game in match.games]
        assert read.match.winner == match.winner

    @pytest.mark.parametrize(("game", "length"), KINDS)
    def test_the_referee_understands_an_imported_log(self, game: str, length: int | None) -> None:
        """Its state after the last event: the score, the winner and the board of the match that was read."""
        text, _ = sgf_text(logged(simulated_match(8, game, length), game))
        read = read_match_text(text)
        state = replay_events(read.events)
        assert state.match.score == read.match.final_score
        assert state.match_winner == read.match.winner
        assert state.position == read.match.games[-1].played_turns[-1].after

    @pytest.mark.parametrize(("game", "length"), KINDS)
    def test_a_log_of_what_was_read_tells_the_match_that_was_read(self, game: str, length: int | None) -> None:
        """The events of an import carry everything that the reader found."""
        text, _ = sgf_text(logged(simulated_match(8, game, length), game))
        read = read_match_text(text)
        assert told(logged(read.events, game)) == told(read.match)
