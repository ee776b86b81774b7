from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from controller.lights.state_lights import (
    MONITOR_TOPICS,
    TOPICS_BY_MODE,
    Topic,
    render_state,
    select_signs,
    select_topics,
)
from controller.lights.vocabulary import BOTH_RIMS, CORNERS, LEFT_HALF, LIGHT_STYLES, RIGHT_HALF, LightSign, Meaning
from controller.match.clocks import US, begin_turn, new_clock
from controller.match.events import BoardDiffers, Mode, PlayRefused, PlayUnclear, ThrowRefused, ThrowUnclear
from controller.match.officiating import UKBGF, US2008
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.observing.board_evidence import BoardEvidence
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.perception import DiceLedger, Outages, Perception, PlayerTimestamp, TurnTiming, View
from controller.refereeing.state import Due, Phase, RefereeState
from controller.rules import BadThrow, Player, Rule, ThrowKind, Unclear, get_ruleset
from controller.rules.grasshopper.game import STANDARD
from controller.rules.grasshopper.game import START as GRASSHOPPER_START
from controller.rules.grasshopper.game import to_text as grasshopper_text
from firmware_bridge.layout import LOWER_ROW, POINTS, UPPER_ROW, LedLayout, LedPlace, StripPlan
from firmware_bridge.led_frame import BLACK as DARK_LED
from firmware_bridge.led_frame import LedFrame
from tests.controller.refereeing.states import changed_state, state_at
from vision.dice.readings import BoardHalf, Contact, DieReading, DieState
from vision.dice_tracking.events import SettledDie

WHITE, BLACK = Player.WHITE, Player.BLACK
RULES = get_ruleset("backgammon")
TABLE = MatchConfig(game="backgammon", rules=RULES)
START = "00000050300005000000000020/00000050300005000000000020"
LAYOUT = LedLayout.from_plan(StripPlan(1))
AIDS = {
    *(Meaning.LEGAL_SOURCE, Meaning.LEGAL_DESTINATION, Meaning.ONLY_SOURCE, Meaning.ONLY_DESTINATION, Meaning.NO_PLAY)
}


def die(number: int, half: BoardHalf | None) -> SettledDie:
    flat = DieReading(
        (0.0, -9.0, -9.0, -9.0, -9.0, -9.0), DieState.FLAT, 1.0, (9, 9), 20, None, half, Contact.NOTHING, 0, 1
    )
    return SettledDie(number, number // 2, flat, 0)


def nothing_seen(taken_ms: int) -> BoardEvidence:
    flat = np.zeros((24, 4, 16), np.float32)
    pairs = np.zeros((16, 16), np.float32)
    return BoardEvidence(flat, pairs, None, np.zeros(25, np.float32), 1, taken_ms, taken_ms)


def at(phase: Phase, **changes: object) -> RefereeState:
    return state_at(phase, **{"seating": Seating(), "position": START, "on_turn": WHITE, "number": 1, **changes})


def playing(position: str, numbers: tuple[int, ...], player: Player = WHITE, **changes: object) -> RefereeState:
    due = Due(changes.pop("kind", ThrowKind.ROLL), numbers)  # type: ignore[arg-type]
    return at(Phase.PLAYING, position=position, on_turn=player, due=due, **changes)


def table_in(mode: Mode, **changes: object) -> MatchConfig:
    return replace(TABLE, mode=mode, **changes)  # type: ignore[arg-type]


def shown(state: RefereeState, table: MatchConfig = TABLE, now_ms: int = 100_000) -> dict[Meaning, set[str]]:
    return {sign.meaning: {place.value for place in sign.places} for sign in select_signs(state, table, now_ms)}


def names(places: Iterable[LedPlace]) -> set[str]:
    return {place.value for place in places}


REFUSED_THROW = ThrowRefused(99_000, WHITE, (BadThrow.COCKED,), (3, None))
REFUSED_PLAY = PlayRefused(
    99_000, WHITE, (6, 5), START, START, (Rule.WRONG_NUMBERS,), ("It cannot be.",), ("T5", "bar"), ("T1",)
)
UNCLEAR_PLAY = PlayUnclear(99_000, WHITE, ("8/5", "6/3"), ("B6", "B8"), "Show the points.")
DIFFERS = BoardDiffers(99_000, ("T3",), ("T1", "T3"))

STATES = {
    "set-up": at(Phase.SET_UP, differs=DIFFERS),
    "opening": at(Phase.OPENING, on_turn=None),
    "to throw": at(Phase.AWAIT_ROLL),
    "bad throw": at(Phase.AWAIT_ROLL, throw_refused=REFUSED_THROW),
    "doubtful throw": at(Phase.AWAIT_ROLL, throw_unclear=ThrowUnclear(1, WHITE, (Unclear.VALUE,), (None, 3))),
    "playing": playing(START, (6, 5)),
    "forced pass": playing(START, (6, 5), is_pass_forced=True),
    "turn end": at(Phase.TURN_END),
    "illegal": at(Phase.ILLEGAL, refused=REFUSED_PLAY),
    "unsure": at(Phase.UNSURE, unclear=UNCLEAR_PLAY),
    "cube": at(Phase.CUBE_OFFERED),
    "game over": at(Phase.GAME_OVER),
    "restore": at(Phase.RESTORE, differs=DIFFERS),
    "blind": at(Phase.BLIND),
    "paused": at(Phase.PAUSED),
    "dispute": at(Phase.DISPUTE),
}
IN_TEACH = {
    "set-up": {Meaning.MISSING, Meaning.EXTRA},
    "opening": {Meaning.THROW_LIGHT, Meaning.THROW_DARK},
    "to throw": {Meaning.THROW_LIGHT},
    "bad throw": {Meaning.THROW_VOID},
    "doubtful throw": {Meaning.UNSURE},
    "playing": {Meaning.LEGAL_SOURCE},
    "forced pass": {Meaning.NO_PLAY},
    "turn end": set[Meaning](),
    "illegal": {Meaning.TAKE_BACK, Meaning.BELONGS_HERE},
    "unsure": {Meaning.UNSURE},
    "cube": set[Meaning](),
    "game over": set[Meaning](),
    "restore": {Meaning.MISSING, Meaning.EXTRA},
    "blind": {Meaning.CAMERA_LOST},
    "paused": set[Meaning](),
    "dispute": set[Meaning](),
}
STILL_IN_TOURNAMENT = ("bad throw", "doubtful throw", "restore", "blind")


def test_every_phase_is_among_the_states() -> None:
    assert {state.phase for state in STATES.values()} == set(Phase)


@pytest.mark.parametrize("name", STATES)
def test_what_each_mode_shows(name: str) -> None:
    """`teach` shows everything, `referee` no hints, `tournament` bad throws and restoring, `silent` only faults."""
    state, all_of_it = STATES[name], IN_TEACH[name]
    assert set(shown(state)) == all_of_it
    assert set(shown(state, table_in(Mode.REFEREE))) == all_of_it - AIDS
    assert set(shown(state, table_in(Mode.TOURNAMENT))) == (all_of_it if name in STILL_IN_TOURNAMENT else set())
    assert set(shown(state, table_in(Mode.SILENT))) == (all_of_it if name == "blind" else set())


@pytest.mark.parametrize("name", STATES)
def test_no_tournament_sees_an_aid(name: str) -> None:
    """Not even when the device is appointed as a monitor; illegal plays and doubts are shown then."""
    appointed = table_in(Mode.TOURNAMENT, monitor_appointed=True)
    found = set(shown(STATES[name], appointed))
    assert not found & AIDS
    assert not found & {Meaning.THROW_LIGHT, Meaning.THROW_DARK}
    if name in ("illegal", "unsure", "set-up"):
        assert found == IN_TEACH[name]


def test_a_profile_may_want_the_monitor_appointed() -> None:
    """Under us2008 and ukbgf the mode `referee` shows no illegal play before the device is appointed."""
    for profile in (US2008, UKBGF):
        quiet = table_in(Mode.REFEREE, profile=profile)
        assert shown(STATES["illegal"], quiet) == {}
        assert shown(STATES["illegal"], replace(quiet, monitor_appointed=True)) != {}
        assert shown(STATES["illegal"], table_in(Mode.TEACH, profile=profile)) != {}


def test_modes_grow_quieter() -> None:
    """The topics of each mode are a part of those of the mode before it; an appointed monitor adds no help."""
    loud_first = [TOPICS_BY_MODE[mode] for mode in (Mode.TEACH, Mode.REFEREE, Mode.TOURNAMENT, Mode.SILENT)]
    assert all(quiet < loud for loud, quiet in pairwise(loud_first))
    appointed = select_topics(table_in(Mode.TOURNAMENT, monitor_appointed=True))
    assert appointed == TOPICS_BY_MODE[Mode.TOURNAMENT] | MONITOR_TOPICS
    assert Topic.HELP not in appointed


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", STATES)
def test_when_nothing_can_be_saved_only_unsure_is_shown(name: str, mode: Mode) -> None:
    """In every phase and mode, because nothing else would be true after a power cut."""
    lost = replace(STATES[name], seen=Perception(outages=Outages(storage_up=False)))
    assert select_signs(lost, table_in(mode), 5) == (LightSign(Meaning.UNSURE, BOTH_RIMS),)


class TestTurn:
    def test_the_thrower_s_home_rim_pulses_in_his_colour(self) -> None:
        """White's home is B7..B12 when he sits at the bottom, Black's is T7..T12."""
        assert shown(at(Phase.AWAIT_ROLL)) == {Meaning.THROW_LIGHT: names(LOWER_ROW[6:])}
        black = at(Phase.AWAIT_ROLL, on_turn=BLACK)
        assert shown(black) == {Meaning.THROW_DARK: names(UPPER_ROW[6:])}

    def test_it_follows_the_seating(self) -> None:
        """White plays dark, sits at the top, and the board is mirrored."""
        seating = Seating(Checkers.DARK, PictureEdge.TOP, mirrored=True)
        found = shown(at(Phase.AWAIT_ROLL, seating=seating))
        assert found == {Meaning.THROW_DARK: names(UPPER_ROW[6:])}

    def test_nothing_is_shown_before_the_seating_is_known(self) -> None:
        assert shown(at(Phase.OPENING, seating=None, on_turn=None)) == {}
        assert shown(playing(START, (6, 5), seating=None)) == {}


class TestThrow:
    def test_it_blinks_in_the_half_of_its_dice_while_they_lie_there(self) -> None:
        """For any length of time; when the dice are lifted, the player throws again."""
        seen = Perception(view=View(dice=(die(1, BoardHalf.LEFT),)))
        state = at(Phase.AWAIT_ROLL, throw_refused=REFUSED_THROW, seen=seen)
        assert shown(state, now_ms=999_999) == {Meaning.THROW_VOID: names(LEFT_HALF)}
        assert set(shown(replace(state, seen=Perception()), now_ms=999_999)) == {Meaning.THROW_LIGHT}

    def test_split_dice_blink_in_both_halves(self) -> None:
        dice = (die(1, BoardHalf.LEFT), die(2, BoardHalf.RIGHT))
        state = at(Phase.AWAIT_ROLL, throw_refused=REFUSED_THROW, seen=Perception(view=View(dice=dice)))
        assert shown(state) == {Meaning.THROW_VOID: names(BOTH_RIMS)}

    def test_dice_beside_the_board_blink_on_both_rims_for_a_while(self) -> None:
        """For `VOID_SHOWN_MS`, because no die on the board ends it."""
        state = at(Phase.AWAIT_ROLL, throw_refused=REFUSED_THROW, seen=Perception(view=View(dice=(die(1, None),))))
        assert shown(state, now_ms=103_999) == {Meaning.THROW_VOID: names(BOTH_RIMS)}
        assert set(shown(state, now_ms=104_000)) == {Meaning.THROW_LIGHT}

    def test_an_early_throw_that_does_not_count_blinks_beside_the_hints(self) -> None:
        """In the half of the opponent's dice, not of the player's own; the player's own bad throw is not shown."""
        dice = (die(1, BoardHalf.RIGHT), die(2, BoardHalf.RIGHT), die(3, BoardHalf.LEFT), die(4, BoardHalf.LEFT))
        early = replace(REFUSED_THROW, player=BLACK, reasons=(BadThrow.TOO_EARLY,))
        state = playing(
            START, (6, 5), throw_refused=early, seen=Perception(view=View(dice=dice), dice=DiceLedger(own=(1, 2)))
        )
        assert shown(state)[Meaning.THROW_VOID] == names(LEFT_HALF)
        assert Meaning.LEGAL_SOURCE in shown(state)
        assert Meaning.THROW_VOID not in shown(state, now_ms=200_000)
        assert Meaning.THROW_VOID not in shown(changed_state(state, throw_refused=REFUSED_THROW))

    def test_a_doubtful_throw_is_unsure_in_its_half(self) -> None:
        state = replace(STATES["doubtful throw"], seen=Perception(view=View(dice=(die(1, BoardHalf.RIGHT),))))
        assert shown(state) == {Meaning.UNSURE: names(RIGHT_HALF)}


class TestHelp:
    def test_the_checkers_that_may_move_are_lit(self) -> None:
        """6-5 from the start: 24, 13 and 8."""
        assert shown(playing(START, (6, 5))) == {Meaning.LEGAL_SOURCE: {"T12", "T1", "B5"}}

    def test_black_s_checkers_are_lit_on_the_other_side(self) -> None:
        assert shown(playing(START, (6, 5), BLACK)) == {Meaning.LEGAL_SOURCE: {"B12", "B1", "T5"}}

    @pytest.mark.parametrize(
        ("white", "source", "destination"),
        [
            pytest.param("e0000000000000000000100000", "T8", "B4", id="the last checker on 20 plays 6-5 to 9"),
            pytest.param("e0010000000000000000000000", "B10", "tray", id="the last checker on 3 is borne off"),
        ],
    )
    def test_the_only_play_is_shown_as_such(self, white: str, source: str, destination: str) -> None:
        found = shown(playing(f"{white}/00000050300005000000000020", (6, 5)))
        assert found == {Meaning.ONLY_SOURCE: {source}, Meaning.ONLY_DESTINATION: {destination}}

    def test_the_entry_points_from_the_bar_are_shown_at_once(self) -> None:
        """A checker on the bar needs no lifting: 3-1 enters on 24 and 22."""
        text = "00000050300005000000000011/00000050300005000000000020"
        found = shown(playing(text, (3, 1)))
        assert found == {Meaning.LEGAL_SOURCE: {"bar"}, Meaning.LEGAL_DESTINATION: {"T12", "T10"}}

    def test_numbers_handed_over_are_shown_to_the_player_who_plays_them(self) -> None:
        table = replace(TABLE, game="gul_bara", rules=get_ruleset("gul_bara"))
        start = table.start_text
        state = playing(start, (5, 5), BLACK, kind=ThrowKind.TRANSFER)
        black_head = Seating().place_of(24, BLACK, table.dice_rules.direction).value
        found = shown(state, table)
        assert set().union(*found.values()) >= {black_head}
        assert set(found) <= AIDS
        assert shown(state, replace(table, mode=Mode.REFEREE)) == {}

    def test_a_forced_pass_sweeps_only_bar_and_rims(self) -> None:
        assert shown(STATES["forced pass"]) == {Meaning.NO_PLAY: names((*POINTS, LedPlace.BAR))}

    def test_grasshopper_begins_by_entering_in_the_first_quadrant(self) -> None:
        """Without dice there are hints from the start; both sides count as White does."""
        table = replace(TABLE, game="grasshopper", rules=STANDARD)
        state = at(Phase.PLAYING, position=grasshopper_text(GRASSHOPPER_START))
        assert shown(state, table) == {Meaning.LEGAL_DESTINATION: names(LOWER_ROW[6:])}


class TestIllegal:
    def test_what_is_to_be_undone(self) -> None:
        assert shown(STATES["illegal"]) == {Meaning.TAKE_BACK: {"T5", "bar"}, Meaning.BELONGS_HERE: {"T1"}}

    def test_where_too_little_was_played_the_light_refers_to_the_page(self) -> None:
        """No checker stands wrong then."""
        nothing = replace(REFUSED_PLAY, take_back=(), belongs=())
        assert shown(at(Phase.ILLEGAL, refused=nothing)) == {Meaning.UNSURE: names(LOWER_ROW[6:])}


class TestLastPlay:
    LEGAL = Perception(timing=TurnTiming(accepted=PlayerTimestamp(BLACK, 99_000)))
    PASSED = Perception(timing=TurnTiming(passed=PlayerTimestamp(BLACK, 99_000)))

    def test_a_legal_play_sweeps_once_along_the_player_s_rim(self) -> None:
        """While the opponent is asked to throw; Black sits at the upper edge."""
        state = at(Phase.AWAIT_ROLL, seen=self.LEGAL)
        signs = select_signs(state, TABLE, 100_000)
        assert signs[0] == LightSign(Meaning.PLAY_LEGAL, UPPER_ROW, 99_000)
        assert Meaning.THROW_LIGHT in shown(state)
        assert Meaning.PLAY_LEGAL not in shown(state, now_ms=100_801)

    def test_a_tournament_does_not_acknowledge_legal_plays(self) -> None:
        """Otherwise a missing acknowledgement would reveal an illegal play."""
        state = at(Phase.AWAIT_ROLL, seen=self.LEGAL)
        assert Meaning.PLAY_LEGAL in shown(state, table_in(Mode.REFEREE))
        assert Meaning.PLAY_LEGAL not in shown(state, table_in(Mode.TOURNAMENT))

    def test_a_pass_without_dice_is_shown_in_the_next_phase(self) -> None:
        for phase in (Phase.AWAIT_ROLL, Phase.PLAYING):
            state = at(phase, seen=self.PASSED)
            assert Meaning.NO_PLAY in shown(state)
            assert Meaning.NO_PLAY not in shown(state, now_ms=103_000)


def test_a_wrong_colour_is_shown_as_what_must_go_first() -> None:
    """EXTRA covers MISSING at the same place."""
    frame = render_state(STATES["set-up"], LAYOUT, 0, table=TABLE)
    extra, missing = LIGHT_STYLES[Meaning.EXTRA].rgb, LIGHT_STYLES[Meaning.MISSING].rgb
    lit = {LAYOUT.place_of[led]: rgb for led, rgb in enumerate(frame.leds) if rgb != DARK_LED}
    assert lit == {LedPlace.T3: extra, LedPlace.T1: missing}


BLANK = View(glimpse=nothing_seen(taken_ms=50_000))


class TestBlind:
    def test_the_corners_glow_for_ten_seconds_since_the_last_frame(self) -> None:

        state = at(Phase.BLIND, seen=Perception(view=BLANK, outages=Outages(camera_up=False)))
        assert select_signs(state, TABLE, 53_000) == (LightSign(Meaning.CAMERA_LOST, CORNERS, since_ms=50_000),)
        assert render_state(state, LAYOUT, 59_999, table=TABLE) != LedFrame.dark(24)
        assert render_state(state, LAYOUT, 60_000, table=TABLE) == LedFrame.dark(24)

    def test_after_a_restart_without_a_frame_it_is_dark(self) -> None:
        """The age of the last frame is unknown."""
        assert render_state(at(Phase.BLIND), LAYOUT, 60_000, table=TABLE) == LedFrame.dark(24)

    def test_while_the_camera_works_the_board_has_moved(self) -> None:
        """A camera with a low frame rate is not called lost."""
        state = at(Phase.BLIND, seen=Perception(view=BLANK))
        for now_ms in (50_500, 53_000):
            assert shown(state, now_ms=now_ms) == {Meaning.UNSURE: names(BOTH_RIMS)}


def test_the_picture_is_always_the_whole_strip() -> None:
    for state in STATES.values():
        for now_ms in (0, 1, 99_123, 10**9):
            assert len(render_state(state, LAYOUT, now_ms, table=TABLE).leds) == LAYOUT.led_count


def test_a_clock_or_a_score_changes_no_light() -> None:
    for state in STATES.values():
        with_clock = changed_state(state, clock=begin_turn(new_clock(US, 5), WHITE, 0), number=7)
        assert select_signs(with_clock, TABLE, 100_000) == select_signs(state, TABLE, 100_000)
