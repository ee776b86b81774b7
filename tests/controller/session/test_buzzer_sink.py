from controller.match.events import DiceRolled, Mode, PlayRefused
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, Player, Rule
from controller.session.buzzer_sink import BuzzerSink
from firmware_bridge.pins.buzzer import LONG_MS, SHORT_MS

TABLE = MatchConfig(game="backgammon", rules=RULESETS["backgammon"])
REFUSED = PlayRefused(0, Player.WHITE, (6, 5), "", "", (Rule.HEAD,), ("One checker.",))


def test_a_beep_begins_and_ends() -> None:
    """A throw that counts is one short tone, asked to the buzzer by two calls."""
    reported: list[bool] = []
    buzzer = BuzzerSink(reported.append, TABLE)
    buzzer.publish(RefereeState(), (DiceRolled(0, Player.WHITE, (6, 5)),), 1_000)
    for now_ms in range(1_000, 1_000 + 2 * SHORT_MS, 10):
        buzzer.publish(RefereeState(), (), now_ms)
    assert reported == [True, False]


def test_it_ends_silent() -> None:
    reported: list[bool] = []
    buzzer = BuzzerSink(reported.append, TABLE)
    buzzer.publish(RefereeState(), (REFUSED,), 0)
    buzzer.publish(RefereeState(), (), LONG_MS // 2)
    buzzer.close()
    assert reported == [True, False]


def test_a_silent_referee_does_not_buzz() -> None:
    reported: list[bool] = []
    table = MatchConfig(game="backgammon", rules=RULESETS["backgammon"], mode=Mode.SILENT)
    BuzzerSink(reported.append, table).publish(RefereeState(), (REFUSED,), 0)
    assert reported == []
