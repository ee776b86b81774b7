"""Settings that act while a match goes on."""

from pathlib import Path

from controller.match.commands import ChangeMode, Command
from controller.match.events import Mode
from controller.match.officiating import PROFILES
from controller.refereeing.state import RefereeState
from controller.rules import GAMES
from controller.settings.settings import KnownNames, Settings, SettingsInput
from controller.settings.store import POLL_INTERVAL_MS, SettingsWatcher
from controller.subcommands.match.match_sinks import LiveSettings


def test_an_order_that_found_no_room_is_given_again(tmp_path: Path) -> None:
    """Orders may wait already; the mode changes all the same, once."""
    file = tmp_path / "settings.toml"
    known = KnownNames(tuple(GAMES), tuple(PROFILES))
    has_room = iter([False, True])
    ordered: list[Command] = []

    def order(command: Command) -> bool:
        ordered.append(command)
        return next(has_room)

    read = SettingsWatcher(SettingsInput("", file), known, Settings(), lambda _: None)
    live = LiveSettings(read, Settings(), None, order)
    file.write_text('mode = "silent"\n', encoding="utf-8")
    for number in range(4):
        live.publish(RefereeState(), (), number * POLL_INTERVAL_MS)
    assert ordered == [ChangeMode(Mode.SILENT, monitor_appointed=False)] * 2
