import pytest

from controller.cli import main
from controller.rules import GAMES, RULESETS
from controller.simulation.compare import Comparison
from controller.simulation.demo import make_demo_game
from tests.controller.subcommands.called import Program

pytestmark = pytest.mark.broad


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that a demo without faults prints."""
    assert main(["demo", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_short_demo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames, rulings, lights on a serial port, the winner, a verified log, and the figures of the run.

    Both links of the page are printed, the operator's with the token; without a page the rulings are the same.
    """
    monkeypatch.setattr("controller.simulation.demo.LAST_TURNS", 2)
    lines, without_page = (output(capsys, "--game", "hypergammon", "--headless", "--web", web) for web in ("0", "none"))
    assert lines[0] == "Hypergammon: seed 1."
    assert any(line.startswith("Lights: BGLP 1, firmware 1.0, ") and "72 LEDs (simulated)" in line for line in lines)
    assert any(" wins a " in line for line in lines)
    (log,) = [line for line in lines if line.startswith("Log: ")]
    assert log.endswith(" events, verified.")
    assert any("wrong rulings 0" in line for line in lines)
    assert " frames in " in lines[-1]
    (page,) = (line for line in lines if line.startswith("Page: "))
    (spectators,) = (line for line in lines if line.startswith("To look on only: "))
    assert page.startswith(f"Page: {spectators.removeprefix('To look on only: ')}#operator=")
    assert not any("http" in line for line in without_page)
    rulings = [[line for line in printed if "Legal." in line] for printed in (lines, without_page)]
    assert rulings[0] == rulings[1]
    assert rulings[0]


def test_a_game_that_is_not_refereed_to_its_end(zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The film ends too early: the log is whole, and the exit status says that something is missing."""
    monkeypatch.setattr("controller.simulation.demo.LAST_TURNS", 2)
    monkeypatch.setattr("controller.simulation.demo.MAX_TURNS", 1)
    printed = zarbiter("demo --game hypergammon", status=1)
    assert (
        printed.err.splitlines()[-1]
        == "zarbiter: the game was not refereed to its end; try another --seed, and report this one"
    )
    assert "verified." in printed.out


def test_a_wrong_ruling_is_a_failure(zarbiter: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.simulation.demo.LAST_TURNS", 2)
    monkeypatch.setattr(Comparison, "wrong_rulings", 1)
    assert "wrong rulings 1" in zarbiter("demo --game hypergammon", status=1).out


def test_it_begins_where_the_seeded_game_stands() -> None:
    first, again = (make_demo_game("backgammon", RULESETS["backgammon"], 1, has_mishaps=False) for _ in range(2))
    assert first.start is not None
    assert again.start is not None
    assert first.start.position == again.start.position
    assert first.table.start.position is not None
    assert first.table.start.on_turn is not None
    assert first.table.start.rolls_before == min(first.start.rolls.values()) > 5
    other = make_demo_game("backgammon", RULESETS["backgammon"], 2, has_mishaps=False)
    assert other.table.start != first.table.start


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_beginning(game: str) -> None:
    """No numbers wait to be played that were handed over, for a match cannot begin with them."""
    found = make_demo_game(game, RULESETS.get(game), 3, has_mishaps=True)
    assert found.start is None or not found.start.handed_over
    assert (found.start is None) == (found.table.start.position is None)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_shown(game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.simulation.demo.LAST_TURNS", 3)
    assert any("verified." in line for line in output(capsys, "--game", game))
