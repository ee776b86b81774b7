"""Takes the screenshots for the documentation: `python -m tests.controller.web.screenshots [FOLDER]`.

A match with an illegal play is refereed from simulated frames, with its log and pictures. During the match and afterwards,
a phone's and a desktop's browser show the page. A seed defines the match.
"""

import sys
from base64 import b64decode
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from selenium.webdriver import Chrome

from controller.match.events import PlayRefused, RefereeEvent
from controller.match.seating import Seating
from controller.match_log import create_match, read_match
from controller.refereeing.match_config import MatchConfig, MatchPlayers
from controller.refereeing.referee import begin_match
from controller.refereeing.state import Phase, RefereeState
from controller.rules import MatchRules, get_ruleset
from controller.session.camera_watch import VideoProcessor
from controller.session.loop import Sink, referee_match
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.mishaps import Mishaps
from controller.web.address import LOOPBACK, Address
from controller.web.camera_view import ViewableProcessor
from controller.web.match.live_match import LiveMatch
from controller.web.match_page import MatchPage
from controller.web.server import PageServer
from tests.controller.web import page_views
from tests.controller.web.browsing import DESKTOP, PHONE, browser_of, devtools, find, in_colours, until, visit
from tests.controller.web.shown_match import TOKEN
from tests.controller.web.small_png import small_png
from tests.vision.simulated.played_tables import calibration_of
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / ".github" / "screenshots"
SEED, TURNS, SIZE_PX = 8, 3, (640, 480)
MOST_BYTES = 150_000
NAMES = (
    *("live-phone", "illegal-desktop", "overlay", "ruling-phone", "replay-desktop", "question-phone"),
    *("set-up-phone", "calibration-phone"),
)


@dataclass(slots=True)
class Camera:
    """Two browsers, and the folder for screenshots."""

    phone: Chrome
    desktop: Chrome
    folder: Path

    def take(self, name: str, browser: Chrome, *, selector: str = "", scale: float = 1.0) -> None:
        """Takes the screen, or one element."""
        clip = {"clip": {**box_of(browser, selector), "scale": scale}} if selector else {}
        shot = cast(str, devtools(browser, "Page.captureScreenshot", format="png", **clip)["data"])
        file = self.folder / f"{name}.png"
        file.write_bytes(small_png(b64decode(shot)))
        print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB")


def box_of(browser: Chrome, selector: str) -> dict[str, float]:
    script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
    box = browser.execute_script(script, selector)
    return {name: box[name] for name in ("x", "y", "width", "height")}


@dataclass(slots=True)
class Visitor:
    """A sink after that of the page, which takes each screenshot once, at its moment."""

    camera: Camera
    server: PageServer
    turns: int = 0
    is_refused: bool = False
    link: None = None

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        del now_ms
        self.turns += any(type(event).__name__ == "DiceRolled" for event in events)
        if self.turns == 1 and state.phase is Phase.PLAYING:
            self.turns += 1
            self._while_playing()
        if not self.is_refused and any(isinstance(event, PlayRefused) for event in events):
            self.is_refused = True
            visit(self.camera.desktop, self.server)
            until(self.camera.desktop, lambda: find(self.camera.desktop, "#guide").is_displayed())
            self.camera.take("illegal-desktop", self.camera.desktop)

    def _while_playing(self) -> None:
        phone, desktop = self.camera.phone, self.camera.desktop
        visit(phone, self.server)
        self.camera.take("live-phone", phone)
        nothing = {"r": 0, "g": 0, "b": 0, "a": 0}
        devtools(desktop, "Emulation.setDefaultBackgroundColorOverride", color=nothing)
        visit(desktop, self.server, is_operator=False, path="overlay")
        self.camera.take("overlay", desktop, selector="#overlay", scale=0.6)
        devtools(desktop, "Emulation.setDefaultBackgroundColorOverride")


def refereed(camera: Camera, server: PageServer, path: Path) -> MatchConfig:
    """Referees the match from frames, with a log and the page."""
    table = MatchConfig(
        game="backgammon",
        rules=get_ruleset("backgammon"),
        seating=Seating(),
        match=MatchRules(target=5),
        players=MatchPlayers("Leyla", "Arman"),
    )
    style = table_style(1, SIZE_PX)
    plan = GamePlan(
        seed=SEED,
        board=plan_of(style),
        mishaps=Mishaps(illegal_play=0.6, condoned=0.0, hand_away=0.1),
        max_turns=TURNS,
    )
    simulated = SimulatedTable(film_game(table.rules, plan), plan.board, FrameMaker(Painter(style)))
    with create_match(path, table.game) as log:
        state, events = begin_match(table, 0)
        log.append(events)
        sink = server.show_match(LiveMatch("m", table, state, events, path=path))
        watch = ViewableProcessor(VideoProcessor(calibration_of(style)), server.camera)
        sinks: list[Sink] = [simulated, sink, Visitor(camera, server)]
        referee_match(simulated.inputs(), table, log, sinks, processor=watch, state=state)
    return table


def photograph(camera: Camera, folder: Path) -> None:
    """Takes all screenshots."""
    path = folder / "m.zmatch"
    with closing(PageServer(Address(LOOPBACK, 0), TOKEN)) as server:
        table = refereed(camera, server, path)
        events = read_match(path).events
        number = next(n for n, event in enumerate(events, 1) if isinstance(event, PlayRefused))
        visit(camera.phone, server)
        find(camera.phone, f"#log [data-number='{number}'] button").click()
        until(camera.phone, lambda: len(camera.phone.find_elements("css selector", "#ruling figure")) == 3)
        camera.take("ruling-phone", camera.phone)
        MatchPage(server).replay("m", table, events, path=path)
        visit(camera.desktop, server, path="?turn=2")
        until(camera.desktop, lambda: find(camera.desktop, "#event-text").text)
        camera.take("replay-desktop", camera.desktop)
    for name, view in (
        ("question-phone", page_views.question),
        ("set-up-phone", page_views.office),
        ("calibration-phone", page_views.corners),
    ):
        with ExitStack() as opened:
            view(camera.phone, opened, folder)
            camera.take(name, camera.phone)


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with browser_of(PHONE) as phone, browser_of(DESKTOP) as desktop, TemporaryDirectory() as work:
        in_colours(phone, "light")
        in_colours(desktop, "dark")
        photograph(Camera(phone, desktop, folder), Path(work))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
