"""From proposals and network outputs to dice and cube."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice import fake_networks as fakes
from tests.vision.dice.hand_made_dice import STRAIGHT_DOWN
from vision.dice.classifier import LIE, LIES, SIZE, ObjectClass
from vision.dice.detect import DiceInView
from vision.dice.readings import BoardHalf, Contact, CubePlace, DieState

Given = Callable[..., None]


class TestWhatIsThere:
    def test_nothing(self, given: Given) -> None:
        given(lambda _: fakes.output(ObjectClass.NOTHING), fakes.LEFT_HALF, fakes.RIGHT_HALF)
        assert fakes.detected() == DiceInView()

    def test_a_flat_die(self, given: Given) -> None:
        given(lambda _: fakes.output(face=3), fakes.LEFT_HALF)
        die = fakes.one_die()
        assert (die.value, die.lies, die.half, die.touches) == (3, DieState.FLAT, BoardHalf.LEFT, Contact.NOTHING)
        assert min(die.value_confidence, die.lie_confidence) > 0.99
        assert die.centre_px == pytest.approx(fakes.LEFT_HALF)
        assert die.base_mm == pytest.approx((129.5, 139.5))
        assert die.edge_mm == pytest.approx(fakes.EDGE_PX)  # a pixel is a millimetre there
        assert die.tilt_deg == pytest.approx(0)

    def test_dice_from_left_to_right(self, given: Given) -> None:
        given(lambda _: fakes.output(), fakes.RIGHT_HALF, fakes.LEFT_HALF)
        assert [die.half for die in fakes.detected().dice] == [BoardHalf.LEFT, BoardHalf.RIGHT]

    @pytest.mark.parametrize(("points", "may_hold_more"), [(0.58, False), (0.62, True)])
    def test_a_large_one_may_be_two_that_touch(self, given: Given, points: float, *, may_hold_more: bool) -> None:
        """Without a board its size is unknown."""
        large = fakes.output()
        large[SIZE] = np.log(points * STRAIGHT_DOWN.field.pitch_mm / fakes.EDGE_PX)  # a pixel is a millimetre there
        given(lambda _: large, fakes.LEFT_HALF)
        assert fakes.detected().may_hold_more is may_hold_more
        assert not fakes.detected(None).may_hold_more

    def test_its_top_and_base(self, given: Given) -> None:
        """Each where the network sees it in its window."""
        given(lambda _: fakes.output(top=(0.05, 0.0), base=(-0.1, 0.0)), fakes.LEFT_HALF)
        die = fakes.one_die()
        assert die.centre_px == pytest.approx((fakes.LEFT_HALF[0] + 1, fakes.LEFT_HALF[1]), abs=0.05)
        assert die.base_mm == pytest.approx((129.5 - 2, 139.5), abs=0.05)
        assert die.base_mm is not None
        assert die.base_px == pytest.approx(STRAIGHT_DOWN.projection.to_picture([die.base_mm])[0].tolist(), abs=0.05)


class TestLie:
    @pytest.mark.parametrize("lies", [DieState.ON_CHECKER, DieState.ON_BAR, DieState.ON_RIM])
    @pytest.mark.parametrize(("tilt_deg", "is_cocked"), [(6.0, True), (4.0, False)])
    def test_what_leans_on_something_is_called_cocked(
        self, given: Given, lies: DieState, tilt_deg: float, *, is_cocked: bool
    ) -> None:
        """Its confidence is that of either lie; a flat die stays flat."""
        normal = (float(np.sin(np.radians(tilt_deg))), 0.0)
        given(lambda _: fakes.output(lies=lies, normal=normal), fakes.LEFT_HALF)
        die = fakes.one_die()
        assert die.lies is (DieState.COCKED if is_cocked else lies)
        assert die.lie_confidence == pytest.approx(1, abs=0.001)
        given(lambda _: fakes.output(normal=normal), fakes.LEFT_HALF)
        assert fakes.one_die().lies is DieState.FLAT

    @pytest.mark.parametrize("likelier", [DieState.FLAT, DieState.ON_CHECKER, DieState.ON_RIM])
    @pytest.mark.parametrize(("cocked_p", "is_cocked"), [(0.3, True), (0.2, False)])
    def test_it_is_called_cocked_from_a_quarter_on(
        self, given: Given, likelier: DieState, cocked_p: float, *, is_cocked: bool
    ) -> None:
        numbers = fakes.output(lies=likelier)
        numbers[LIE.start + LIES.index(DieState.COCKED)] = 12 + np.log(cocked_p / (1 - cocked_p))
        given(lambda _: numbers, fakes.LEFT_HALF)
        die = fakes.one_die()
        assert die.lies is (DieState.COCKED if is_cocked else likelier)
        assert die.lie_confidence == pytest.approx(cocked_p if is_cocked else 1 - cocked_p, abs=0.001)
        assert die.likeliest_lie_p == pytest.approx(1 - cocked_p, abs=0.001)

    def test_a_probable_die(self, given: Given) -> None:
        """No more confident of its lie than of being a die; below the threshold it is rejected."""
        given(lambda _: fakes.output(die_p=0.95), fakes.LEFT_HALF)
        assert fakes.one_die().lie_confidence == pytest.approx(0.95, abs=0.01)
        assert fakes.one_die().die_chance == pytest.approx(0.95)
        given(lambda _: fakes.output(die_p=0.85), fakes.LEFT_HALF)
        assert fakes.detected().dice == ()


class TestWhereItLies:
    @pytest.mark.parametrize(
        ("at_px", "half"),
        [
            (fakes.LEFT_HALF, BoardHalf.LEFT),
            (fakes.RIGHT_HALF, BoardHalf.RIGHT),
            (fakes.ON_THE_BAR, None),
            (fakes.BESIDE, None),
        ],
    )
    def test_its_half(self, given: Given, at_px: tuple[float, float], half: BoardHalf | None) -> None:
        given(lambda _: fakes.output(), at_px)
        assert fakes.one_die().half is half

    def test_the_base_decides(self, given: Given) -> None:
        """A top that shows over the bar, with its base left of it."""
        given(lambda _: fakes.output(base=(-1.0, 0.0)), (310.0, 200.0))
        assert fakes.one_die().half is BoardHalf.LEFT

    def test_without_a_board(self, given: Given) -> None:
        """Flat or not: rims and bars are unknown there."""
        given(lambda _: fakes.output(lies=DieState.ON_RIM), fakes.LEFT_HALF)
        die = fakes.one_die(None)
        assert (die.lies, die.half, die.base_mm) == (DieState.COCKED, None, None)
        assert die.lie_confidence > 0.9

    @pytest.mark.parametrize(("flat_p", "lies"), [(0.55, DieState.FLAT), (0.45, DieState.COCKED)])
    def test_doubtfully_flat_without_a_board(self, given: Given, flat_p: float, lies: DieState) -> None:
        numbers = fakes.output()
        numbers[LIE.start + LIES.index(DieState.ON_BAR)] = 12 + np.log((1 - flat_p) / flat_p)
        given(lambda _: numbers, fakes.LEFT_HALF)
        assert fakes.one_die(None).lies is lies

    @pytest.mark.parametrize(
        ("at_px", "checker", "contact"),
        [
            (fakes.LEFT_HALF, 9.0, Contact.CHECKER),
            (fakes.ON_THE_BAR, -9.0, Contact.BAR),
            ((106.0, 200.0), -9.0, Contact.RIM),
            (fakes.LEFT_HALF, -9.0, Contact.NOTHING),
        ],
    )
    def test_what_it_leans_on(self, given: Given, at_px: tuple[float, float], checker: float, contact: Contact) -> None:
        """A checker where the network sees one, else the wall that is near."""
        given(lambda _: fakes.output(lies=DieState.COCKED, checker=checker), at_px)
        assert fakes.one_die().touches is contact

    @pytest.mark.parametrize(
        ("numbers", "at_px", "away_edges", "contact"),
        [
            (fakes.output(lies=DieState.COCKED), fakes.LEFT_HALF, 1.15, Contact.DIE),
            (fakes.output(lies=DieState.COCKED), fakes.LEFT_HALF, 1.25, Contact.NOTHING),
            (fakes.output(), fakes.LEFT_HALF, 1.15, Contact.NOTHING),
            (fakes.output(lies=DieState.COCKED, checker=9.0), fakes.LEFT_HALF, 1.15, Contact.CHECKER),
            (fakes.output(lies=DieState.COCKED), (320.0, 200.0), 1.15, Contact.BAR),
        ],
        ids=["held by it", "too far off", "flat", "a checker", "a wall"],
    )
    def test_leaning_on_another_die(
        self,
        given: Given,
        numbers: NDArray[np.float32],
        at_px: tuple[float, float],
        away_edges: float,
        contact: Contact,
    ) -> None:
        """Where nothing else is near that could hold it."""
        given(lambda _: numbers.copy(), at_px, (at_px[0], at_px[1] + away_edges * fakes.EDGE_PX))
        assert [die.touches for die in fakes.detected().dice] == [contact, contact]


class TestCube:
    @pytest.mark.parametrize(
        ("at_px", "place"),
        [
            (fakes.ON_THE_BAR, CubePlace.BAR),
            ((320.0, 70.0), CubePlace.TOP),
            ((320.0, 410.0), CubePlace.BOTTOM),
            (fakes.LEFT_HALF, CubePlace.OFFERED),
            ((90.0, 240.0), CubePlace.TABLE),
        ],
    )
    @pytest.mark.parametrize("number", [16, None])
    def test_its_place_and_number(
        self,
        given: Given,
        monkeypatch: pytest.MonkeyPatch,
        at_px: tuple[float, float],
        place: CubePlace,
        number: int | None,
    ) -> None:
        """On the bar by thirds, offered in a half, else on the table; it is no die. An unread one is a cube all the same."""
        given(lambda _: fakes.output(ObjectClass.CUBE), at_px)
        fakes.fake_number(monkeypatch, number)
        found = fakes.detected()
        assert found.dice == ()
        assert found.cube is not None
        assert (found.cube.value, found.cube.place) == (number, place)
