"""A match whose events go into a log and to the receivers of its settings, without a camera."""

from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from controller.match import CommandRefused, Mode, RefereeEvent
from controller.match_log import EvidencePicture, MatchLog, matches_folder, new_match
from controller.publishing.publisher import Publisher, PublishingSink, open_publisher
from controller.refereeing.match_config import MatchConfig, MatchPlayers
from controller.refereeing.referee import begin_match
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS
from controller.settings import Settings, SettingsInput, read_settings
from controller.settings.settings import KnownNames

TABLE = "Table 3"
TOPIC = "zarbiter/Table-3"
CONFIG = MatchConfig(
    game="backgammon", rules=RULESETS["backgammon"], mode=Mode.REFEREE, players=MatchPlayers("Ann", "Ben")
)


def settings_of(text: str, table: str = TABLE) -> Settings:
    known = KnownNames(("backgammon",), ("casual",))
    return read_settings(SettingsInput(f'{text}\n[web]\ntable = "{table}"\n', Path("/club.toml")), known)


@dataclass(slots=True)
class PublishedMatch:
    """`held_up_s`: how long each state held up the match's thread."""

    publisher: Publisher
    log: MatchLog
    sink: PublishingSink
    state: RefereeState
    held_up_s: list[float] = field(default_factory=list)

    @classmethod
    def begun(cls, settings: Settings, data: Path, config: MatchConfig = CONFIG) -> "PublishedMatch":
        publisher = open_publisher(settings, data)
        state, events = begin_match(config, 0)
        log = new_match(matches_folder(data), config.game, events)
        return cls(publisher, log, publisher.show(log.path, config, state, len(events), 0), state)

    def happen(self, *events: RefereeEvent, pictures: tuple[EvidencePicture, ...] = ()) -> None:
        self.log.append(events, pictures)
        begun_s = perf_counter()
        self.sink.publish(self.state, events, self.log.n_events)
        self.held_up_s.append(perf_counter() - begun_s)

    def refuse(self, count: int) -> None:
        """So many events, one after the other."""
        for _ in range(count):
            self.happen(CommandRefused(self.log.n_events, "EndTurn", "There is no turn."))

    def go_on(self, settings: Settings, data: Path) -> None:
        """The program is started anew and goes on with the match."""
        self.publisher = open_publisher(settings, data)
        self.sink = self.publisher.show(self.log.path, CONFIG, self.state, self.log.n_events, 0)

    def close(self) -> None:
        self.sink.close()
        self.publisher.close()
        self.log.close()
