"""A mode that is changed during a match takes effect at once, is in the log, and stays in force after a restart."""

from dataclasses import replace

import pytest

from controller.lights.state_lights import select_signs
from controller.match.commands import ChangeMode, TakeBackPlay
from controller.match.events import CommandRefused, Mode, ModeChanged
from controller.refereeing.match_config import with_current_mode
from controller.refereeing.state import Directing, Phase
from controller.rules import Player
from controller.session.announcer import Announcer
from tests.controller.refereeing.refereed_match import opened
from tests.controller.refereeing.test_transition_table import in_phase

WHITE = Player.WHITE


def test_hints_end_with_the_change() -> None:
    """The strip is dark in the next picture, and lit again when hints are allowed again."""
    match = opened()
    assert select_signs(match.state, match.table, match.now_ms)
    match.give(ChangeMode(Mode.TOURNAMENT))
    assert match.ends_with(ModeChanged)
    assert not select_signs(match.state, match.table, match.now_ms)
    match.give(ChangeMode(Mode.TEACH))
    assert select_signs(match.state, match.table, match.now_ms)


@pytest.mark.parametrize("phase", Phase)
def test_it_is_changed_in_every_phase(phase: Phase) -> None:
    """Nothing else changes."""
    match = in_phase(phase)
    before = match.state
    match.give(ChangeMode(Mode.SILENT))
    assert match.ends_with(ModeChanged)
    assert match.state == replace(before, mode=Mode.SILENT, directing=Directing(monitor_appointed=False))


def test_what_is_in_force_already_is_refused() -> None:
    match = opened()
    match.give(ChangeMode(Mode.TEACH))
    assert match.last(CommandRefused).reason == "The mode is teach already."


def test_a_monitor_may_be_appointed_later() -> None:
    """The appointment stays when only the mode changes."""
    match = opened()
    match.give(ChangeMode(Mode.TOURNAMENT, monitor_appointed=True))
    match.give(ChangeMode(Mode.REFEREE))
    table = with_current_mode(match.table, match.state)
    assert (table.mode, table.monitor_appointed) == (Mode.REFEREE, True)


def test_a_restart_brings_no_hints_back() -> None:
    """Hints that a tournament forbids come back only by order."""
    match = opened()
    match.give(ChangeMode(Mode.TOURNAMENT))
    match.restart()
    assert with_current_mode(match.table, match.state).mode is Mode.TOURNAMENT


def test_a_play_taken_back_does_not_take_the_mode_back() -> None:
    match = opened()
    match.play(WHITE, (8, 5), (6, 5))
    match.give(ChangeMode(Mode.SILENT))
    match.give(TakeBackPlay())
    assert match.state.mode is Mode.SILENT


def test_what_may_not_light_up_is_not_said_either() -> None:
    """An illegal play is announced in the mode referee, and not in a tournament without a monitor."""
    for mode in (Mode.TOURNAMENT, Mode.REFEREE):
        said: list[str] = []
        match = opened()
        match.give(ChangeMode(mode))
        match.play(WHITE, (8, 4), (6, 5))
        events = match.rest(3000)
        assert match.is_in(Phase.ILLEGAL)
        Announcer(said.append, match.table).publish(match.state, events, match.now_ms)
        assert bool(said) is (mode is Mode.REFEREE)
