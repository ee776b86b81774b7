import os
from pathlib import Path

import pytest

from controller.cli import main
from controller.settings.atomic_file import write_atomically
from controller.settings.settings import SettingsError
from controller.settings.store import LAST_GOOD, FileChangedError, SettingsStore

GOOD = "# ours\n[leds]\nbrightness = 20 # at night\n"
BRIGHTNESS = ("leds", "brightness")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "club.toml"
    found.write_text(GOOD, encoding="utf-8")
    return found


def saved(keeper: SettingsStore, key: tuple[str, ...], value: str | int | None) -> None:
    keeper.save({key: value}, keeper.read().seal)


def test_what_is_saved_is_read_again(file: Path) -> None:
    """Comments stay, the version before is kept beside it, and nothing else lies about."""
    keeper = SettingsStore(file)
    saved(keeper, BRIGHTNESS, 99)
    assert file.read_text(encoding="utf-8") == GOOD.replace("20", "99")
    assert keeper.check(keeper.read().text).settings.leds.brightness == 99
    assert (file.parent / f"club.toml{LAST_GOOD}").read_text(encoding="utf-8") == GOOD
    assert sorted(one.name for one in file.parent.iterdir()) == ["club.toml", f"club.toml{LAST_GOOD}"]


def test_a_file_that_is_not_there_is_made(tmp_path: Path) -> None:
    """With its folder."""
    keeper = SettingsStore(tmp_path / "data" / "settings.toml")
    saved(keeper, ("game",), "tavla")
    assert keeper.file.read_text(encoding="utf-8") == 'game = "tavla"\n'


def test_all_mistakes_are_told_and_nothing_is_written(file: Path) -> None:
    """Each with its key; the file stays as it was."""
    keeper = SettingsStore(file)
    with pytest.raises(SettingsError) as raised:
        keeper.save({BRIGHTNESS: 0, ("mode",): "loud", ("match", "score"): "x"}, keeper.read().seal)
    assert {mistake.key for mistake in raised.value.mistakes} == {BRIGHTNESS, ("mode",), ("match", "score")}
    assert file.read_text(encoding="utf-8") == GOOD
    assert not (file.parent / f"club.toml{LAST_GOOD}").exists()


def test_a_version_that_could_not_be_used_is_not_kept(file: Path) -> None:
    """Whoever mends a file by hand does not lose the last good one."""
    keeper = SettingsStore(file)
    saved(keeper, BRIGHTNESS, 21)
    file.write_text(GOOD.replace("20", "0"), encoding="utf-8")
    saved(keeper, BRIGHTNESS, 22)
    assert (file.parent / f"club.toml{LAST_GOOD}").read_text(encoding="utf-8") == GOOD


def test_what_somebody_else_has_written_is_not_lost(file: Path) -> None:
    """The form was made from another text."""
    keeper = SettingsStore(file)
    seal = keeper.read().seal
    file.write_text(GOOD.replace("20", "30"), encoding="utf-8")
    with pytest.raises(FileChangedError):
        keeper.save({BRIGHTNESS: 40}, seal)
    assert "30" in file.read_text(encoding="utf-8")


def test_a_broken_file_is_told_and_not_overwritten(file: Path) -> None:
    """It may hold what nobody wants to write again."""
    file.write_text("[leds\n", encoding="utf-8")
    keeper = SettingsStore(file)
    assert keeper.read().problem.startswith("this is no TOML")
    with pytest.raises(SettingsError):
        saved(keeper, BRIGHTNESS, 40)
    assert file.read_text(encoding="utf-8") == "[leds\n"


def test_the_command_line_counts_more(file: Path) -> None:
    """And is known to the form."""
    keeper = SettingsStore(file, ((BRIGHTNESS, "--brightness", 7),))
    saved(keeper, BRIGHTNESS, 50)
    assert keeper.check(keeper.read().text).settings.leds.brightness == 7
    assert keeper.option_values == {BRIGHTNESS: ("--brightness", 7)}


def test_a_house_variant_is_one_more_game(file: Path) -> None:
    """Of the file that the settings name, relative to theirs; its own mistakes are about that setting."""
    rules = file.parent / "house.toml"
    rules.write_text('name = "club_nardy"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n', encoding="utf-8")
    keeper = SettingsStore(file)
    keeper.save({("rules",): "house.toml", ("game",): "club_nardy"}, keeper.read().seal)
    checked = keeper.check(keeper.read().text)
    assert "club_nardy" in checked.known.games
    assert checked.house is not None
    rules.write_text('name = "x y"\nbase = "nothing"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        keeper.check(keeper.read().text)
    assert [mistake.key for mistake in raised.value.mistakes] == [("rules",), ("rules",), ("game",)]


@pytest.mark.parametrize("name", ["nowhere.toml", "/dev/zero", ".", "~nobody/x", "a\0b"])
def test_a_house_variant_that_is_no_file(file: Path, name: str) -> None:
    """Is a mistake of that setting, and nothing is read without end."""
    keeper = SettingsStore(file)
    with pytest.raises(SettingsError) as raised:
        saved(keeper, ("rules",), name)
    assert {mistake.key for mistake in raised.value.mistakes} == {("rules",)}


def test_a_file_changed_while_it_is_saved_is_not_lost(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To check and to keep the last version takes its time, and an editor needs less."""
    keeper, by_hand = SettingsStore(file), GOOD.replace("20", "30")
    monkeypatch.setattr(SettingsStore, "_keep_last_good", lambda *_: file.write_text(by_hand, encoding="utf-8"))
    with pytest.raises(FileChangedError):
        saved(keeper, BRIGHTNESS, 40)
    assert file.read_text(encoding="utf-8") == by_hand


def test_a_file_that_is_too_long_is_not_cut_off(file: Path) -> None:
    """What lies behind the limit was not read, and must not be written over."""
    text = f"{'# ours' * 10}\n" * 20_000 + GOOD
    file.write_text(text, encoding="utf-8")
    keeper = SettingsStore(file)
    assert keeper.read().problem == "it has more than 1000 kB; make it shorter"
    with pytest.raises(SettingsError, match="make it shorter"):
        saved(keeper, ("mode",), "silent")
    assert file.read_text(encoding="utf-8") == text


def test_passwords_stay_with_those_who_may_read_them(file: Path) -> None:
    """The copy of a file is no more public than the file."""
    file.write_text('[camera]\nsource = "rtsp://me:secret@camera/1"\n', encoding="utf-8")
    file.chmod(0o600)
    saved(SettingsStore(file), BRIGHTNESS, 40)
    copy = file.with_name(f"club.toml{LAST_GOOD}")
    assert "secret" in copy.read_text(encoding="utf-8")
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("key", "value"), [(("position",), "nonsense"), (("leds", "port"), "")])
def test_what_play_would_refuse_is_not_saved(file: Path, key: tuple[str, ...], value: str) -> None:
    """Else the program would not start again."""
    with pytest.raises(SettingsError) as raised:
        saved(SettingsStore(file), key, value)
    assert [mistake.key for mistake in raised.value.mistakes] == [key]
    assert file.read_text(encoding="utf-8") == GOOD
    assert main(["play", "--data", str(file.parent), f"--{key[-1].replace('port', 'leds')}", value]) == 2


def test_where_a_wrong_position_stands(file: Path) -> None:
    """Its line, as of every other mistake."""
    file.write_text('# ours\nposition = "nonsense"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"club\.toml, line 2, position: "):
        SettingsStore(file).load()


def test_a_file_that_is_no_toml_holds_for_no_match(file: Path) -> None:
    """It does not say that everything is as usual."""
    file.write_text("[leds\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="this is no TOML"):
        SettingsStore(file).load()


class TestWholeFile:
    def test_links_and_modes_stay(self, tmp_path: Path) -> None:
        """A file that is a link to another folder is changed there."""
        there = tmp_path / "there.toml"
        there.write_text("a", encoding="utf-8")
        there.chmod(0o600)
        link = tmp_path / "link.toml"
        link.symlink_to(there)
        write_atomically(link, "b")
        assert link.is_symlink()
        assert there.read_text(encoding="utf-8") == "b"
        assert there.stat().st_mode & 0o777 == 0o600

    def test_what_cannot_be_written_leaves_the_old(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A disk that is full while it is written."""
        file = tmp_path / "a.toml"
        file.write_text("old", encoding="utf-8")
        monkeypatch.setattr(os, "fsync", _full)
        with pytest.raises(OSError, match="full"):
            write_atomically(file, "new")
        assert file.read_text(encoding="utf-8") == "old"
        assert [one.name for one in tmp_path.iterdir()] == ["a.toml"]


def _full(_: int) -> None:
    raise OSError(28, "the disk is full")
