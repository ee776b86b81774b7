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


@pytest.fixture
def store(file: Path) -> SettingsStore:
    return SettingsStore(file)


def saved(store: SettingsStore, key: tuple[str, ...], value: str | int | None) -> None:
    store.save({key: value}, store.read().seal)


def test_a_save_keeps_comments_and_the_last_good_version(file: Path, store: SettingsStore) -> None:
    """No other file is left behind."""
    saved(store, BRIGHTNESS, 99)
    assert file.read_text(encoding="utf-8") == GOOD.replace("20", "99")
    assert store.check(store.read().text).settings.leds.brightness == 99
    assert (file.parent / f"club.toml{LAST_GOOD}").read_text(encoding="utf-8") == GOOD
    assert sorted(one.name for one in file.parent.iterdir()) == ["club.toml", f"club.toml{LAST_GOOD}"]


def test_a_missing_file_is_created_with_its_folder(tmp_path: Path) -> None:
    """The new file has only the saved value."""
    store = SettingsStore(tmp_path / "data" / "settings.toml")
    saved(store, ("game",), "tavla")
    assert store.file.read_text(encoding="utf-8") == 'game = "tavla"\n'


def test_all_mistakes_are_raised_and_nothing_is_written(file: Path, store: SettingsStore) -> None:
    with pytest.raises(SettingsError) as raised:
        store.save({BRIGHTNESS: 0, ("mode",): "loud", ("match", "score"): "x"}, store.read().seal)
    assert {mistake.key for mistake in raised.value.mistakes} == {BRIGHTNESS, ("mode",), ("match", "score")}
    assert file.read_text(encoding="utf-8") == GOOD
    assert not (file.parent / f"club.toml{LAST_GOOD}").exists()


def test_an_invalid_version_does_not_replace_the_last_good_one(file: Path, store: SettingsStore) -> None:
    """A file may be edited by hand between two saves."""
    saved(store, BRIGHTNESS, 21)
    file.write_text(GOOD.replace("20", "0"), encoding="utf-8")
    saved(store, BRIGHTNESS, 22)
    assert (file.parent / f"club.toml{LAST_GOOD}").read_text(encoding="utf-8") == GOOD


def test_a_file_changed_since_it_was_read_is_not_overwritten(file: Path, store: SettingsStore) -> None:
    """The seal belongs to the earlier text."""
    seal = store.read().seal
    file.write_text(GOOD.replace("20", "30"), encoding="utf-8")
    with pytest.raises(FileChangedError):
        store.save({BRIGHTNESS: 40}, seal)
    assert "30" in file.read_text(encoding="utf-8")


def test_a_broken_file_is_reported_and_neither_used_nor_overwritten(file: Path, store: SettingsStore) -> None:
    """It is not taken for an empty file."""
    file.write_text("[leds\n", encoding="utf-8")
    assert store.read().problem.startswith("this is no TOML")
    with pytest.raises(SettingsError, match="this is no TOML"):
        store.load()
    with pytest.raises(SettingsError):
        saved(store, BRIGHTNESS, 40)
    assert file.read_text(encoding="utf-8") == "[leds\n"


def test_the_command_line_overrides_the_file(file: Path) -> None:
    """The form gets the option name and the value."""
    store = SettingsStore(file, ((BRIGHTNESS, "--brightness", 7),))
    saved(store, BRIGHTNESS, 50)
    assert store.check(store.read().text).settings.leds.brightness == 7
    assert store.option_values == {BRIGHTNESS: ("--brightness", 7)}


def test_a_house_variant_adds_a_game(file: Path, store: SettingsStore) -> None:
    """Its path is relative to the settings file; its mistakes have the key `rules`."""
    rules = file.parent / "house.toml"
    rules.write_text('name = "club_nardy"\nbase = "long_nardy"\n[parameters]\nhead_limit = 2\n', encoding="utf-8")
    store.save({("rules",): "house.toml", ("game",): "club_nardy"}, store.read().seal)
    checked = store.check(store.read().text)
    assert "club_nardy" in checked.known.games
    assert checked.house is not None
    rules.write_text('name = "x y"\nbase = "nothing"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        store.check(store.read().text)
    assert [mistake.key for mistake in raised.value.mistakes] == [("rules",), ("rules",), ("game",)]


@pytest.mark.parametrize("name", ["nowhere.toml", "/dev/zero", ".", "~nobody/x", "a\0b"])
def test_a_house_variant_that_is_no_file(file: Path, name: str, store: SettingsStore) -> None:
    """It is a mistake of that setting; an endless file is not read."""
    with pytest.raises(SettingsError) as raised:
        saved(store, ("rules",), name)
    assert {mistake.key for mistake in raised.value.mistakes} == {("rules",)}


def test_a_file_changed_while_it_is_saved_is_not_lost(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check takes time, in which an editor may write the file."""
    store, by_hand = SettingsStore(file), GOOD.replace("20", "30")
    monkeypatch.setattr(SettingsStore, "_keep_last_good", lambda *_: file.write_text(by_hand, encoding="utf-8"))
    with pytest.raises(FileChangedError):
        saved(store, BRIGHTNESS, 40)
    assert file.read_text(encoding="utf-8") == by_hand


def test_a_file_over_the_size_limit_is_not_truncated(file: Path, store: SettingsStore) -> None:
    """The rest was not read, and must not be overwritten."""
    text = f"{'# ours' * 10}\n" * 20_000 + GOOD
    file.write_text(text, encoding="utf-8")
    assert store.read().problem == "it has more than 100 kB; name another file or make it shorter"
    with pytest.raises(SettingsError, match="make it shorter"):
        saved(store, ("mode",), "silent")
    assert file.read_text(encoding="utf-8") == text


def test_the_copy_has_the_mode_of_the_file(file: Path) -> None:
    """The file may hold a password."""
    file.write_text('[camera]\nsource = "rtsp://me:secret@camera/1"\n', encoding="utf-8")
    file.chmod(0o600)
    saved(SettingsStore(file), BRIGHTNESS, 40)
    copy = file.with_name(f"club.toml{LAST_GOOD}")
    assert "secret" in copy.read_text(encoding="utf-8")
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_new_file_is_private(tmp_path: Path) -> None:
    """It may hold names and passwords."""
    new = tmp_path / "data" / "settings.toml"
    saved(SettingsStore(new), BRIGHTNESS, 40)
    assert new.stat().st_mode & 0o777 == 0o600
    assert new.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("key", "value"), [(("position",), "nonsense"), (("leds", "port"), "")])
def test_a_value_that_play_refuses_is_not_saved(file: Path, key: tuple[str, ...], value: str) -> None:
    """Otherwise the program would not start again."""
    with pytest.raises(SettingsError) as raised:
        saved(SettingsStore(file), key, value)
    assert [mistake.key for mistake in raised.value.mistakes] == [key]
    assert file.read_text(encoding="utf-8") == GOOD
    assert main(["play", "--data", str(file.parent), f"--{key[-1].replace('port', 'leds')}", value]) == 2


def test_a_wrong_position_is_reported_with_its_line(file: Path) -> None:
    file.write_text('# ours\nposition = "nonsense"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"club\.toml, line 2, position: "):
        SettingsStore(file).load()


class TestAtomicFile:
    def test_links_and_modes_stay(self, tmp_path: Path) -> None:
        """The target of a symbolic link is changed."""
        there = tmp_path / "there.toml"
        there.write_text("a", encoding="utf-8")
        there.chmod(0o600)
        link = tmp_path / "link.toml"
        link.symlink_to(there)
        write_atomically(link, "b")
        assert link.is_symlink()
        assert there.read_text(encoding="utf-8") == "b"
        assert there.stat().st_mode & 0o777 == 0o600

    def test_a_failed_write_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The disk becomes full during the write."""
        file = tmp_path / "a.toml"
        file.write_text("old", encoding="utf-8")
        monkeypatch.setattr(os, "fsync", _full)
        with pytest.raises(OSError, match="full"):
            write_atomically(file, "new")
        assert file.read_text(encoding="utf-8") == "old"
        assert [one.name for one in tmp_path.iterdir()] == ["a.toml"]


def _full(_: int) -> None:
    raise OSError(28, "the disk is full")
