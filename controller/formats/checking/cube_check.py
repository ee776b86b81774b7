"""Checks the cube actions of one game of a file against the cube rules."""

from collections.abc import Iterator
from dataclasses import replace

from controller.formats.match_model import CubeAction
from controller.formats.transcript import CubeEntry
from controller.match import CubeAct
from controller.rules import (
    CubeEvent,
    CubePhase,
    CubeRules,
    CubeState,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Player,
    apply_cube_event,
)


class CubeCheck:
    """The cube of one game. An illegal action is reported, and applied if possible, because it was done at the table."""

    def __init__(self, *, is_crawford: bool) -> None:
        # Players agree on beavers, and a file does not say whether they did.
        self._rules = CubeRules(beaver=True)
        self._crawford = replace(self._rules, crawford_game=is_crawford)
        self._state = CubeState(phase=CubePhase.TO_ROLL)
        self.dropped_by: Player | None = None

    @property
    def value(self) -> int:
        """The value of the cube; after a drop the stake that was lost."""
        return self._state.over.points if self._state.over is not None else self._state.value

    @property
    def is_turned(self) -> bool:
        return self._state.turned

    def check_action(self, entry: CubeEntry, *, may_offer: bool) -> tuple[CubeAction | None, str]:
        """The action to keep (None if it is impossible) and the complaint (empty if it is legal)."""
        pending = self._state.offer_by
        act = entry.act
        if act is CubeAct.OFFERED and pending is not None and pending is not entry.player:
            act = CubeAct.BEAVERED  # a second double instead of an answer
        event = _make_event(act, entry.player)
        state = replace(self._state, on_turn=entry.player) if act is CubeAct.OFFERED else self._state
        ruled = apply_cube_event(state, event, self._crawford)
        complaint = "" if ruled.refusal is None else ruled.refusal.sentence
        if ruled.refusal is not None:
            ruled = apply_cube_event(replace(state, owner=None), event, self._rules)
        if ruled.refusal is not None:
            return None, complaint
        if act is CubeAct.OFFERED and not may_offer and not complaint:
            complaint = "a double is offered by the player on turn, before his throw"
        self._state = ruled.state
        if act is CubeAct.DROPPED:
            self.dropped_by = entry.player
        action = CubeAction(entry.player, act, self._compute_shown_value(act))
        if entry.value is not None and act in (CubeAct.OFFERED, CubeAct.BEAVERED) and entry.value != action.value:
            complaint = complaint or f"the cube is turned to {action.value}, not to {entry.value}"
        return action, complaint

    def infer_acceptance(self, player: Player) -> Iterator[CubeAction]:
        """A player who throws has accepted the pending offer; match text never writes the take after a beaver."""
        offered_by = self._state.offer_by
        if offered_by is None:
            return
        taker = offered_by if self._state.beavered else offered_by.opponent
        self._state = apply_cube_event(self._state, DoubleTaken(taker), self._rules).state
        yield CubeAction(taker, CubeAct.TAKEN, self._state.value)

    def _compute_shown_value(self, act: CubeAct) -> int:
        raised = self._rules.raise_by.raise_value
        if act is CubeAct.OFFERED:
            return raised(self._state.value)
        return raised(raised(self._state.value)) if act is CubeAct.BEAVERED else self.value


def _make_event(act: CubeAct, player: Player) -> CubeEvent:
    match act:
        case CubeAct.TAKEN:
            return DoubleTaken(player)
        case CubeAct.DROPPED:
            return DoubleDropped(player)
        case CubeAct.BEAVERED:
            return DoubleBeavered(player)
        case _:
            return DoubleOffered(player)
