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
    without_analysis,
    without_log_data,
)
from tests.controller.formats.simulated_matches import simulated_match

pytestmark = pytest.mark.broad

KINDS = [("backgammon", 5), ("backgammon", None), ("nackgammon", 3), ("hypergammon", 7), ("backgammon", 1)]


def names(file: Path) -> str:
    return file.name


class TestGoldenMatches:
    @pytest.mark.parametrize("file", golden_files(".mat"), ids=names)
    def test_match_text_comes_back_byte_for_byte(self, file: Path) -> None:
        """From the line with the length on."""
        read = read_match_file(file)
        assert not read.problems
        text, remarks = mat_text(logged(read.events, read.match.game))
        assert from_match_line(text) == from_match_line(file.read_text(encoding="utf-8"))
        assert not remarks

    @pytest.mark.parametrize("file", golden_files(".snowie.txt"), ids=names)
    def test_snowie_text_comes_back_byte_for_byte(self, file: Path) -> None:
        read = read_match_file(file)
        assert snowie_text(logged(read.events))[0] == file.read_text(encoding="utf-8")

    def test_snowie_text_cannot_say_that_it_is_nackgammon(self) -> None:
        _, remarks = snowie_text(read_match_file(SAMPLES / "g5_nack_3pt.mat").match)
        assert [remark for remark in remarks if "nackgammon" in remark]

    @pytest.mark.parametrize("file", golden_files(".sgf"), ids=names)
    def test_sgf_comes_back_without_the_analysis(self, file: Path) -> None:
        read = read_match_file(file)
        assert not read.problems
        text, remarks = sgf_text(logged(read.events, read.match.game))
        assert without_analysis(text) == without_analysis(file.read_text(encoding="utf-8"))
        assert not remarks

    @pytest.mark.parametrize("file", golden_files(".mat"), ids=names)
    def test_both_files_of_a_match_have_the_same_plays_and_results(self, file: Path) -> None:
        text, tree = read_match_file(file), read_match_file(file.with_suffix(".sgf"))
        assert every_play(text.match.games) == every_play(tree.match.games)
        assert [game.result for game in text.match.games] == [game.result for game in tree.match.games]

    def test_through_the_command_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file, data = SAMPLES / "g5_nack_3pt.mat", ["--data", str(tmp_path / "data")]
        assert main(["import", str(file), *data]) == 0
        name = capsys.readouterr().out.partition(":")[0]
        assert main(["export", name, "--format", "mat", "-o", str(tmp_path / "out.mat"), *data]) == 0
        written = (tmp_path / "out.mat").read_text(encoding="utf-8")
        assert from_match_line(written) == from_match_line(file.read_text(encoding="utf-8"))


class TestSimulatedMatches:
    @pytest.mark.parametrize(("game", "length"), KINDS)
    @pytest.mark.parametrize("write", [mat_text, sgf_text])
    def test_a_written_match_is_read_back(self, game: str, length: int | None, write: object) -> None:
        """With the same plays, results and winner."""
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
        """Its final state has the score, the winner and the board of the match."""
        text, _ = sgf_text(logged(simulated_match(8, game, length), game))
        read = read_match_text(text)
        state = replay_events(read.events)
        assert state.match.score == read.match.final_score
        assert state.match_winner == read.match.winner
        assert state.position == read.match.games[-1].played_turns[-1].after

    @pytest.mark.parametrize(("game", "length"), KINDS)
    def test_the_events_of_an_import_contain_the_whole_match(self, game: str, length: int | None) -> None:
        text, _ = sgf_text(logged(simulated_match(8, game, length), game))
        read = read_match_text(text)
        assert without_log_data(logged(read.events, game)) == without_log_data(read.match)
