"""Counting: each match file is read once, as long as it does not change."""

import json
import os
from pathlib import Path
from unittest.mock import Mock

import pytest

from controller.match_log import MatchLog, read_match
from controller.statistics import counting
from controller.statistics.analysis import make_analysis
from controller.statistics.counting import count_folder, list_pending, list_written
from controller.statistics.store import load_analysis, save_analysis
from controller.statistics.totals import ErrorsReader, total_archive
from tests.controller.statistics.fake_gnubg import answer_for, short_match
from tests.controller.statistics.logged_matches import log_matches


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """The match files that were read."""
    spy = Mock(wraps=read_match)
    monkeypatch.setattr(counting, "read_match", spy)
    return spy


def test_a_match_is_read_again_only_after_a_change(tmp_path: Path, reads: Mock) -> None:
    first, second = log_matches(tmp_path)
    before = count_folder(tmp_path)
    assert [len(one.players) for one in before.matches] == [2, 2]
    assert count_folder(tmp_path) == before
    assert reads.call_count == 2
    os.utime(first, ns=(0, 1))
    second.unlink()
    assert [one.identity.name for one in count_folder(tmp_path).matches] == [first.name]
    assert reads.call_count == 3
    kept = tmp_path / "statistics" / "counts.jsonl"
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 1
    assert (kept.stat().st_mode & 0o777, kept.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ('"rolls": 3', '"rolls": "3"'),
        ('"rolls": 3', '"rolls": true'),
        ('"thinking_ms": []', '"thinking_ms": [-1]'),
        ('"head": "', '"head": "../'),
        ('"version": 1', '"version": 0'),
        ('"players"', '"players": 1, "x"'),
        ("{", "["),
    ],
)
def test_kept_counts_of_another_form_are_not_used(tmp_path: Path, reads: Mock, true: str, false: str) -> None:
    """Whoever writes in the folder can at most have a match read again."""
    log_matches(tmp_path)
    before = count_folder(tmp_path)
    kept = tmp_path / "statistics" / "counts.jsonl"
    text = kept.read_text(encoding="utf-8")
    assert true in text
    kept.write_text(text.replace(true, false), encoding="utf-8")
    assert count_folder(tmp_path) == before
    assert reads.call_count == 4


def test_a_step_ends_after_its_time(tmp_path: Path) -> None:
    """What one step left is counted by the next; what is not wanted is no part of it, and stays kept."""
    files = log_matches(tmp_path)
    assert count_folder(tmp_path, most_s=-1).n_left == 2
    count_folder(tmp_path)
    wanted = count_folder(tmp_path, most_s=-1, is_wanted=lambda one: one.name == files[0].name)
    assert ([one.identity.name for one in wanted.matches], wanted.n_left) == ([files[0].name], 0)
    os.utime(files[0], ns=(0, 1))
    count_folder(tmp_path, is_wanted=lambda one: one.name == files[0].name)
    assert len((tmp_path / "statistics" / "counts.jsonl").read_text(encoding="utf-8").splitlines()) == 2


def test_a_folder_that_cannot_be_written_is_counted(tmp_path: Path) -> None:
    log_matches(tmp_path)
    (tmp_path / "statistics").write_text("in the way", encoding="utf-8")
    assert len(count_folder(tmp_path).matches) == 2


def test_a_match_that_is_written_is_known(tmp_path: Path) -> None:
    """A killed program leaves the file of its lock, which no longer counts."""
    first, second = log_matches(tmp_path)
    (second.parent / f".{second.name}.lock").touch()
    with MatchLog(first):
        assert list_written(tmp_path) == {first.name}
    assert list_written(tmp_path) == frozenset()
    assert list_written(tmp_path / "nowhere") == frozenset()


def test_an_analysis_belongs_to_the_content_of_a_match(tmp_path: Path) -> None:
    """It is kept word for word, and found again after the file was copied."""
    file, _ = log_matches(tmp_path)
    counts = count_folder(tmp_path)
    assert [one.identity.name for one in list_pending(tmp_path, counts)][::-1] == [
        one.identity.name for one in counts.matches
    ]
    match = short_match()
    analysis = make_analysis(match, answer_for(match))
    save_analysis(tmp_path, counts.matches[0].head, analysis)
    kept = load_analysis(tmp_path, counts.matches[0].head)
    assert kept is not None
    assert (kept.errors, kept.mistakes) == (analysis.errors, analysis.mistakes)
    file.rename(file.with_name("copied.zmatch"))
    counts = count_folder(tmp_path)
    assert len(list_pending(tmp_path, counts)) == 1
    archive = total_archive(counts, ErrorsReader(tmp_path))
    assert (archive.n_for_gnubg, archive.n_analysed, archive.rates) == (2, 1, {"ann": 500.0, "ben": 500.0})


def test_of_a_deleted_match_nothing_is_kept(tmp_path: Path) -> None:
    """No name of a player, and no analysis; a file that is not ours stays."""
    first, second = log_matches(tmp_path, (("Ann", "Ben"), ("Zoe", "Ben")))
    match = short_match()
    for one in count_folder(tmp_path).matches:
        save_analysis(tmp_path, one.head, make_analysis(match, answer_for(match)))
    (tmp_path / "statistics" / "gnubg" / "notes.txt").touch()
    second.unlink()
    (left,) = count_folder(tmp_path).matches
    assert left.identity.name == first.name
    assert "Zoe" not in (tmp_path / "statistics" / "counts.jsonl").read_text(encoding="utf-8")
    kept = {one.name for one in (tmp_path / "statistics" / "gnubg").iterdir()}
    assert kept == {f"{left.head}.json", "notes.txt"}


def test_a_damaged_analysis_is_none(tmp_path: Path) -> None:
    match = short_match()
    save_analysis(tmp_path, "ab", make_analysis(match, answer_for(match)))
    file = tmp_path / "statistics" / "gnubg" / "ab.json"
    text = file.read_text(encoding="utf-8")
    for wrong in (
        "",
        "[]",
        text.replace('"loss": 0.5', '"loss": "0.5"'),
        text.replace('"score": [0, 0]', '"score": [0, "0"]'),
        '{"errors": [1, 2], "mistakes": []}',
    ):
        file.write_text(wrong, encoding="utf-8")
        assert load_analysis(tmp_path, "ab") is None


def test_what_is_damaged_among_the_counts_is_counted_again(tmp_path: Path, reads: Mock) -> None:
    """Other bytes, values of another form, and a match of one player."""
    log_matches(tmp_path)
    before = count_folder(tmp_path)
    file = tmp_path / "statistics" / "counts.jsonl"
    whole = [json.loads(line) for line in file.read_bytes().splitlines()]
    wrong = [{**whole[0], "players": whole[0]["players"][:1]}, {**whole[1], "identity": []}]
    file.write_bytes(b"\xff\n" + "\n".join(map(json.dumps, wrong)).encode())
    assert count_folder(tmp_path) == before
    assert reads.call_count == 4
