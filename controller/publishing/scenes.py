"""Which scene OBS shows: from a state to what happens at the table, and from there to the scene that the settings name."""

from collections.abc import Mapping
from enum import Enum

from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Phase, RefereeState
from controller.settings import SceneSettings
from controller.web.match.live_match import Snapshot
from controller.web.match.question_record import throw_record
from controller.web.match.visibility import Viewer, mask_phase


class Occasion(Enum):
    """What happens at the table; its value is the key below `[obs.scenes]`."""

    IDLE = "idle"  # no match is played
    SET_UP = "set_up"  # the checkers are set up for a game
    THROW = "throw"  # a throw is waited for
    PLAY = "play"  # a throw counts, and is played
    DOUBLE = "double"  # a double is offered
    RULING = "ruling"  # a play or a throw does not count
    UNSURE = "unsure"  # the referee cannot tell, and asks
    DISPUTE = "dispute"
    PAUSE = "pause"
    STOPPED = "stopped"  # the camera sees no board, or the board must be put right
    GAME_WON = "game_won"
    MATCH_WON = "match_won"  # also after it, until the next match begins


_OF_PHASE = {
    Phase.SET_UP: Occasion.SET_UP,
    Phase.OPENING: Occasion.THROW,
    Phase.AWAIT_ROLL: Occasion.THROW,
    Phase.PLAYING: Occasion.PLAY,
    Phase.TURN_END: Occasion.PLAY,
    Phase.ILLEGAL: Occasion.RULING,
    Phase.UNSURE: Occasion.UNSURE,
    Phase.CUBE_OFFERED: Occasion.DOUBLE,
    Phase.GAME_OVER: Occasion.GAME_WON,
    Phase.RESTORE: Occasion.STOPPED,
    Phase.BLIND: Occasion.STOPPED,
    Phase.PAUSED: Occasion.PAUSE,
    Phase.DISPUTE: Occasion.DISPUTE,
}


def find_occasion(state: RefereeState, config: MatchConfig, *, is_playing: bool) -> Occasion:
    """What happens, as far as spectators may see it in this mode."""
    if state.match_winner is not None:
        return Occasion.MATCH_WON
    if not is_playing:
        return Occasion.IDLE
    occasion = _OF_PHASE[mask_phase(state, config, Viewer.SPECTATOR)]
    throw = throw_record(state, config, Viewer.SPECTATOR) if occasion is Occasion.THROW else None
    if throw is None:
        return occasion
    return Occasion.RULING if throw["is_refused"] else Occasion.UNSURE


def list_scenes(settings: SceneSettings) -> dict[Occasion, str]:
    """The scenes that the settings name."""
    named = {occasion: getattr(settings, occasion.value) for occasion in Occasion}
    return {occasion: scene for occasion, scene in named.items() if scene is not None}


class SceneChoice:
    """The scene for each state. An occasion without a scene keeps the last one; "": none was chosen yet."""

    def __init__(self, scenes: Mapping[Occasion, str]) -> None:
        self._scenes = scenes
        self._last = ""

    def of(self, _match: str, newest: Snapshot, config: MatchConfig, *, is_playing: bool = True) -> tuple[str, str]:
        """The scene, which is also all that OBS would notice."""
        occasion = find_occasion(newest.state, config, is_playing=is_playing)
        self._last = self._scenes.get(occasion, self._last)
        return self._last, self._last
