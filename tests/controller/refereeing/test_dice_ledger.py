"""The transitions of `DiceLedger`, one after the other."""

from collections.abc import Callable

import pytest

from controller.refereeing.perception import DiceLedger

OWN = DiceLedger(own=(1, 2))


@pytest.mark.parametrize(
    ("before", "transition", "after"),
    [
        (DiceLedger(ended=(1,), lifted=(2,), early=(5, 6)), lambda dice: dice.take_roll((3, 4)), DiceLedger(own=(3, 4), early=(5, 6))),
        (OWN, DiceLedger.lift_at_turn_end, DiceLedger(own=(1, 2), ended=(1, 2))),
        (DiceLedger(ended=(1, 2)), DiceLedger.end_otherwise, DiceLedger()),
        (OWN, DiceLedger.lift_while_waiting, DiceLedger(lifted=(1, 2))),
        (DiceLedger(lifted=(1, 2)), DiceLedger.find_again, OWN),
        (DiceLedger(own=(1, 2), early=(3, 4)), DiceLedger.play_early_roll, DiceLedger(own=(3, 4))),
        (DiceLedger(own=(1, 2), early=(3, 4), ended=(5,)), DiceLedger.lose_sight, DiceLedger(before_blind=(1, 2))),
        (DiceLedger(before_blind=(1, 2)), DiceLedger.lose_sight, DiceLedger(before_blind=(1, 2))),
        (DiceLedger(before_blind=(1, 2)), DiceLedger.find_untouched, DiceLedger(own=(1, 2), before_blind=(1, 2))),
    ],
)  # fmt: skip
def test_a_transition(before: DiceLedger, transition: Callable[[DiceLedger], DiceLedger], after: DiceLedger) -> None:
    assert transition(before) == after
