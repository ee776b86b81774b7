"""The page's office while a match goes on: jobs are done between two inputs of the loop, as far as a match allows."""

from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.refereeing.state import RefereeState
from controller.subcommands.match.lights import MatchLights
from controller.web.calibration.in_match import may_calibrate
from controller.web.set_up.program_control import EndMatch, PendingJob, PointAt, ProgramControl, ResumeMatch, StartMatch

_NOT_NOW = "A game is being played, and its lights are needed; point at LEDs between games, or pause the match."


class PageJobSink:
    """`lights` None: the match is played without. `is_ended`: somebody wants no more of this match."""

    link: Peripheral | None = None

    def __init__(self, office: ProgramControl, lights: MatchLights | None) -> None:
        self._office = office
        self._lights = lights
        self.is_ended = False
        if office.led_map is not None and lights is not None:
            office.led_map.led_count = lights.led_count

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        asked = self._office.next_job()
        if asked is None:
            return
        match asked.job:
            case PointAt(led):
                self._point_at(asked, led, state, now_ms)
            case EndMatch():
                self.is_ended = True
                asked.complete()
            case StartMatch() | ResumeMatch():
                asked.fail("A match is being played; end it first.")

    def _point_at(self, asked: PendingJob, led: int | None, state: RefereeState, now_ms: int) -> None:
        """Never while a game is played: one bright LED is what the lights say of a point to play to."""
        if led is not None and not may_calibrate(state):
            asked.fail(_NOT_NOW)
        elif self._lights is None:
            asked.fail("This match is played without lights.")
        elif led is not None and led >= self._lights.led_count:
            asked.fail(f"This strip has the LEDs 0 to {self._lights.led_count - 1}.")
        else:
            self._lights.picture.point_at(led, now_ms)
            asked.complete()
