"""What the referee has found out about boards: which board agreed with the log, was refused, asked about, overruled."""

from dataclasses import dataclass, replace

from controller.observing import BoardEvidence
from controller.refereeing.known_misreadings import ReferenceBoard

PlaceNames = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardFindings:
    """Conclusions from settled boards. Positions are position text, "" where there is none.

    `reference`: the last board whose true position was found out. `asked`: the board that somebody was asked about.
    `overruled`: places with checkers too many, and missing, that the camera sees and people deny. `agreed_ms`: when the
    board was last seen as the log has it, between two turns; -1: never. `known_ms`: when the position of the log was last known to stand on the board; -1: never.
    `inspected_ms`: when a board was last judged
    that nothing urgent waits for. `refused_in_doubt`: the refused board is illegal, but another board is nearly as
    likely. `corrected_position`: the legal board last seen while a refused play was corrected. `action_position`: in a
    game without dice, the legal board last seen in this turn.
    """

    reference: ReferenceBoard | None = None
    asked: BoardEvidence | None = None
    overruled: tuple[PlaceNames, PlaceNames] | None = None
    agreed_ms: int = -1
    known_ms: int = -1
    inspected_ms: int = 0
    refused_in_doubt: bool = False
    corrected_position: str = ""
    action_position: str = ""

    def agree(self, at_ms: int) -> "BoardFindings":
        return replace(self, agreed_ms=at_ms)

    def know(self, at_ms: int) -> "BoardFindings":
        """The position of the log stands on the board: no earlier turn is missing in it."""
        return replace(self, known_ms=at_ms)

    def inspect(self, at_ms: int) -> "BoardFindings":
        return replace(self, inspected_ms=at_ms)

    def refer_to(self, reference: ReferenceBoard | None) -> "BoardFindings":
        return replace(self, reference=reference)

    def ask_about(self, board: BoardEvidence | None) -> "BoardFindings":
        return replace(self, asked=board)

    def overrule(self, places: tuple[PlaceNames, PlaceNames] | None) -> "BoardFindings":
        return replace(self, overruled=places)

    def refuse(self, *, is_in_doubt: bool) -> "BoardFindings":
        """A play is refused, and its correction has not been seen yet."""
        return replace(self, corrected_position="", refused_in_doubt=is_in_doubt)

    def correct(self, position: str) -> "BoardFindings":
        return replace(self, corrected_position=position)

    def act(self, position: str) -> "BoardFindings":
        return replace(self, action_position=position)

    def continue_game(self) -> "BoardFindings":
        return replace(self, asked=None, action_position="")
