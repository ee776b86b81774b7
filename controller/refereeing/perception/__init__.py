"""What the referee perceives, as typed values with their own transitions; none of it is in the log."""

from controller.refereeing.perception.board_findings import BoardFindings
from controller.refereeing.perception.dice_ledger import DiceLedger
from controller.refereeing.perception.outages import LEAST_TURN_MS, REPORTED_WITHIN_MS, Outages
from controller.refereeing.perception.pending_throws import LooseDice, PendingThrow, PendingThrows
from controller.refereeing.perception.perception import PendingCondition, Perception
from controller.refereeing.perception.turn_timing import PlayerTimestamp, TurnTiming
from controller.refereeing.perception.view import View

__all__ = [
    "LEAST_TURN_MS", "REPORTED_WITHIN_MS", "BoardFindings", "DiceLedger", "LooseDice", "Outages", "PendingCondition", "PendingThrow",
    "PendingThrows", "Perception", "PlayerTimestamp", "TurnTiming", "View",
]  # fmt: skip
