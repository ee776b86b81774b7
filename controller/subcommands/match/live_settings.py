"""What of the settings acts while a match goes on: the brightness of the lights at once, the mode as an order."""

from collections.abc import Callable

from controller.match.commands import ChangeMode, Command
from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.refereeing.state import RefereeState
from controller.session.light_sink import LightSink
from controller.settings.settings import Settings
from controller.settings.store import SettingsWatcher


class LiveSettings:
    """Not shown anything: it only goes with the time, and the settings file is looked at now and then.

    A changed mode is ordered like everything that people want, so the log has it. What was chosen for this match alone
    holds until the settings say something new; `before` are those with which it began. `order` tells whether there was
    room for it; where there was none, it is tried again.
    """

    link: Peripheral | None = None

    def __init__(
        self, file: SettingsWatcher, before: Settings, lights: LightSink | None, order: Callable[[Command], bool]
    ) -> None:
        self._file = file
        self._lights = lights
        self._order = order
        self._requested = before.mode, before.monitor

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        settings = self._file.poll(now_ms)
        if self._lights is not None:
            self._lights.brightness = settings.leds.brightness
        asked = settings.mode, settings.monitor
        if self._requested != asked and self._order(ChangeMode(*asked)):
            self._requested = asked
