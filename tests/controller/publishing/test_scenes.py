from dataclasses import replace

import pytest

from controller.match import Mode
from controller.match.events import ThrowRefused, ThrowUnclear
from controller.publishing.scenes import Occasion, SceneChoice, find_occasion, list_scenes
from controller.refereeing.state import Phase, Questions, RefereeState
from controller.rules import BadThrow, Player
from controller.settings.receiver_settings import SceneSettings
from controller.web.match.live_match import Snapshot
from tests.controller.publishing.published_match import CONFIG


def occasion_of(state: RefereeState, mode: Mode = Mode.REFEREE, *, is_playing: bool = True) -> Occasion:
    return find_occasion(state, replace(CONFIG, mode=mode), is_playing=is_playing)


def test_every_phase_is_an_occasion() -> None:
    """What the streamer sees follows the phase."""
    found = {phase.value: occasion_of(RefereeState(phase)).value for phase in Phase}
    assert found == {
        "set_up": "set_up",
        "opening": "throw",
        "await_roll": "throw",
        "playing": "play",
        "turn_end": "play",
        "illegal": "ruling",
        "unsure": "unsure",
        "cube_offered": "double",
        "game_over": "game_won",
        "restore": "stopped",
        "blind": "stopped",
        "paused": "pause",
        "dispute": "dispute",
    }


@pytest.mark.parametrize(
    ("questions", "expected"),
    [
        (Questions(throw_refused=ThrowRefused(0, None, (BadThrow.COCKED,), (3, 1))), Occasion.RULING),
        (Questions(throw_unclear=ThrowUnclear(0, None, (), (3, None))), Occasion.UNSURE),
    ],
)
def test_a_throw_that_does_not_count(questions: Questions, expected: Occasion) -> None:
    assert occasion_of(RefereeState(Phase.AWAIT_ROLL, questions=questions)) is expected


def test_an_illegal_play_that_is_only_recorded_gives_nothing_away() -> None:
    """As on a spectator's page."""
    assert occasion_of(RefereeState(Phase.ILLEGAL), Mode.TOURNAMENT) is Occasion.PLAY


def test_the_end() -> None:
    """Whoever won is shown until the next match begins; a match that was left is shown to nobody."""
    won = RefereeState(Phase.GAME_OVER, match_winner=Player.WHITE)
    assert [occasion_of(won, is_playing=is_playing) for is_playing in (True, False)] == [Occasion.MATCH_WON] * 2
    assert occasion_of(RefereeState(Phase.PLAYING), is_playing=False) is Occasion.IDLE


def test_an_occasion_without_a_scene_keeps_the_last_one() -> None:
    choice = SceneChoice(list_scenes(SceneSettings(play="Board", dispute="Table")))  # type: ignore[arg-type]
    phases = (Phase.SET_UP, Phase.PLAYING, Phase.AWAIT_ROLL, Phase.DISPUTE, Phase.PLAYING)
    shown = [choice.of("m", Snapshot(RefereeState(phase), 0, 0), CONFIG)[0] for phase in phases]
    assert shown == ["", "Board", "Board", "Table", "Board"]


def test_every_occasion_has_a_key_in_the_settings() -> None:
    names = [occasion.value for occasion in Occasion]
    assert sorted(names) == sorted(SceneSettings.__annotations__)
