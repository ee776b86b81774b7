"""What the players at the simulated table hear: the referee, and the operator whose orders they follow."""

from dataclasses import dataclass

from controller.refereeing.state import RefereeState


@dataclass(slots=True)
class Hearing:
    """The referee's newest state. `is_disturbed`: an order of the operator took effect that the players have not followed
    yet; `is_operated`: one ever did, and since then the players play on only from the board and the turn of the referee.
    """

    state: RefereeState | None = None
    is_disturbed: bool = False
    is_operated: bool = False

    def take_order(self) -> None:
        """An order of the operator took effect."""
        self.is_disturbed = self.is_operated = True
