"""What the dice benchmark counts: dice that meet, throws that count, strays. No picture is read here."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import BadThrow
from tests.benchmarks.dice_labels import A_HAND, NO_HAND, CubeLabel, DiceLabel, DieLabel, throw_of
from tests.benchmarks.dice_scores import SAME_PLACE, Stray, paired, picture_score
from tests.benchmarks.dice_tables import STATE_COLUMNS, asked_of, state_rows, stray_rows, throw_rows, value_row
from vision.dice.detect import DiceInView
from vision.dice.readings import BoardHalf, Contact, DieReading, DieState

SIZE_PX = 20.0
TILTED, NO_HAND_IN_VIEW = "tilt > 10 degrees", "  no hand in view"  # rows
RIGHT = STATE_COLUMNS.index("right")
SURE, DOUBTFUL = 12.0, 1.0  # between the likeliest face and the others

FLAT = DieLabel(5, DieState.FLAT, ((100.0, 100.0), (104.0, 100.0)), SIZE_PX, half=BoardHalf.LEFT)
OTHER = replace(FLAT, face=2, places_px=((200.0, 100.0),))
COCKED = replace(OTHER, state=DieState.COCKED, tilt_deg=30.0)
BORDERLINE = replace(COCKED, tilt_deg=4.0)


def as_read(die: DieLabel, *, value: int | None = None, by: float = SURE) -> DieReading:
    """The reading of a perfect reader, or with another value or less confidence."""
    faces = [-by] * 6
    faces[(value or die.face or 1) - 1] = 0.0
    return DieReading(
        face_log_likelihood=tuple(faces),
        lies=die.state,
        lie_confidence=0.99,
        centre_px=die.places_px[0],
        size_px=die.size_px,
        base_mm=(0.0, 0.0),
        half=die.half,
        touches=Contact.NOTHING,
        tilt_deg=die.tilt_deg,
        tilt_sigma_deg=1.0,
    )


def label_of(*dice: DieLabel, cube: CubeLabel | None = None) -> DiceLabel:
    return DiceLabel(Path("0000.jpg"), None, dice, cube, throw_of(dice))


@pytest.mark.parametrize(
    ("dice", "reason"),
    [
        ((FLAT, OTHER), None),
        ((FLAT,), BadThrow.MISSING_DIE),
        ((FLAT, OTHER, OTHER), BadThrow.EXTRA_DIE),
        ((FLAT, COCKED), BadThrow.COCKED),
        ((COCKED, replace(FLAT, state=DieState.OFF_BOARD)), BadThrow.OFF_BOARD),
        ((FLAT, replace(OTHER, half=BoardHalf.RIGHT)), BadThrow.SPLIT),
        ((replace(FLAT, half=BoardHalf.RIGHT), BORDERLINE), BadThrow.SPLIT),
        ((replace(FLAT, state=DieState.ON_BAR), BORDERLINE), BadThrow.ON_BAR),
    ],
)
def test_the_labels_of_dice_decide_the_throw(dice: tuple[DieLabel, ...], reason: BadThrow | None) -> None:
    """The first reason decides, and a borderline die adds none."""
    throw = throw_of(dice)
    assert throw is not None
    assert throw.reason is reason
    assert throw.values == (() if reason else (5, 2))


def test_a_borderline_die_alone_decides_nothing() -> None:
    """A throw with a die that leans by 4 degrees is neither valid nor invalid."""
    assert throw_of((FLAT, BORDERLINE)) is None


@given(st.floats(-1.2, 1.2), st.floats(-1.2, 1.2))
def test_a_die_is_met_within_half_an_edge(x_edges: float, y_edges: float) -> None:
    read = replace(as_read(FLAT), centre_px=(100.0 + x_edges * SIZE_PX, 100.0 + y_edges * SIZE_PX))
    away = min((x_edges**2 + y_edges**2) ** 0.5, ((x_edges - 0.2) ** 2 + y_edges**2) ** 0.5)
    if abs(away - SAME_PLACE) > 1e-6:
        assert paired([FLAT.places_px], [SIZE_PX], [read]) == ({0: 0} if away < SAME_PLACE else {})


@pytest.mark.parametrize(("tilt_deg", "is_met"), [(0.0, False), (50.0, True)])
def test_a_die_that_leans_is_as_large_as_before(tilt_deg: float, *, is_met: bool) -> None:
    leaning = replace(FLAT, tilt_deg=tilt_deg)
    beside = replace(as_read(FLAT), centre_px=(100.0 - 0.58 * SIZE_PX, 100.0))
    score = picture_score(label_of(leaning), DiceInView((beside,)), (640, 480))
    assert (score.dice[0].read is beside) is is_met
    assert (score.strays == ()) is is_met


def test_the_nearest_reading_is_the_dies_own() -> None:
    """A second reading at the same die counts as that die read twice."""
    near, beside = as_read(FLAT), replace(as_read(FLAT), centre_px=(93.0, 100.0))
    score = picture_score(label_of(FLAT), DiceInView((beside, near)), (640, 480))
    assert score.dice[0].read is near
    assert [stray.kind for stray in score.strays] == [Stray.TWICE]


def test_dice_where_none_are() -> None:
    """The cube read as a die and a reading of nothing are counted apart; together they are held to the bar."""
    cube = CubeLabel(8, ((300.0, 300.0),), 40.0)
    on_cube, nowhere = (
        replace(as_read(FLAT), centre_px=centre_px, lies=DieState.COCKED)
        for centre_px in ((315.0, 300.0), (400.0, 50.0))
    )
    score = picture_score(label_of(FLAT, cube=cube), DiceInView((as_read(FLAT), on_cube, nowhere)), (640, 480))
    assert {stray.kind for stray in score.strays} == {Stray.CUBE, Stray.NOTHING}
    assert stray_rows([score])["where no die is"][:5] == ["2", "1", "100.00 %", "0", "0"]


def test_a_stray_beside_a_whole_throw_that_may_be_no_die_is_doubted() -> None:
    nowhere = replace(as_read(FLAT), centre_px=(400.0, 50.0), die_chance=0.95)
    for label, doubted in ((label_of(FLAT, OTHER), "1"), (label_of(FLAT), "0")):
        score = picture_score(label, DiceInView((*map(as_read, label.dice), nowhere)), (640, 480))
        assert stray_rows([score])["where no die is"][:5] == ["1", "1", "100.00 %", "1", doubted]


def test_a_doubtful_value_is_no_answer() -> None:
    seen = DiceInView((as_read(FLAT, by=DOUBTFUL), as_read(OTHER, value=3)))
    third = replace(FLAT, places_px=((300.0, 100.0),))
    dice = asked_of([picture_score(label_of(FLAT, OTHER, third), seen, (640, 480))])
    assert value_row(dice)[:5] == ["3", "0", "1", "2", "1"]


def test_how_dice_lie_is_distinguished_where_a_hand_is_in_view() -> None:
    seen, size_px = DiceInView((as_read(COCKED),)), (640, 480)
    found, lost = (replace(label_of(COCKED), groups=(hand,)) for hand in (NO_HAND, A_HAND))
    with_hand = picture_score(lost, DiceInView(), size_px).asked
    without = picture_score(found, seen, size_px).asked
    rows = state_rows([*without, *with_hand])
    assert [rows[name][0] for name in (TILTED, NO_HAND_IN_VIEW)] == ["2", "1"]
    assert [rows[name][RIGHT] for name in (TILTED, NO_HAND_IN_VIEW)] == ["50.0 %", "100.0 %"]
    assert NO_HAND_IN_VIEW not in state_rows(without)


def test_a_hidden_die_is_not_asked_for() -> None:
    """Missing a hidden die costs nothing, and a reading of it is no stray."""
    hidden = replace(OTHER, is_asked=False)
    score = picture_score(label_of(FLAT, hidden), DiceInView((as_read(FLAT), as_read(OTHER))), (640, 480))
    assert [die.label for die in score.asked] == [FLAT]
    assert score.strays == ()


@pytest.mark.parametrize(
    ("labels", "seen", "row"),
    [
        ((FLAT, OTHER), (as_read(FLAT), as_read(OTHER)), ["1", "1", "0", "0", "0"]),
        ((FLAT, OTHER), (as_read(FLAT), as_read(OTHER, value=3)), ["1", "1", "1", "0", "0"]),
        ((FLAT, OTHER), (as_read(FLAT), as_read(OTHER, by=DOUBTFUL)), ["1", "0", "0", "0", "1"]),
        ((FLAT, OTHER), (as_read(FLAT),), ["1", "0", "0", "1", "0"]),
        ((FLAT, COCKED), (as_read(FLAT), as_read(COCKED)), ["1", "0", "0", "1", "0"]),
        ((FLAT, COCKED), (as_read(FLAT), as_read(OTHER)), ["1", "1", "0", "0", "0"]),
    ],
)
def test_throws_are_counted(labels: tuple[DieLabel, ...], seen: tuple[DieReading, ...], row: list[str]) -> None:
    """Throws, accepted, of these with wrong values, refused, unsure; a cocked one that is accepted is wrong."""
    throw = picture_score(label_of(*labels), DiceInView(seen), (640, 480)).throw
    assert throw is not None
    assert next(iter(throw_rows([throw]).values()))[:5] == row
    assert throw.is_wrong is (throw.valid is True and (throw.values != (5, 2) or COCKED in labels))


@pytest.mark.parametrize(
    ("away_edges", "times", "names"),
    [
        (1.4, 1.0, ["dice touch", "dice can be read"]),
        (1.6, 1.0, ["dice lie apart", "dice can be read"]),
        (1.6, 17.5 / SIZE_PX, ["dice lie apart", "a die below 18 px"]),
    ],
)
def test_valid_throws_are_distinguished(away_edges: float, times: float, names: list[str]) -> None:
    x, y = FLAT.places_px[0]
    other = replace(OTHER, places_px=((x + away_edges * SIZE_PX, y),), size_px=times * OTHER.size_px)
    throw = picture_score(label_of(FLAT, other), DiceInView((as_read(FLAT), as_read(other))), (640, 480)).throw
    assert throw is not None
    assert [name.strip() for name in throw_rows([throw])] == ["valid", *names]
