"""Two dice thrown for a turn."""

from dataclasses import dataclass

from controller.rules.errors import NumbersError


@dataclass(frozen=True, slots=True)
class Roll:
    """Two numbers 1..6, the higher one first, however the dice lay."""

    high: int
    low: int

    def __post_init__(self) -> None:
        for number in (self.high, self.low):
            if not 1 <= number <= 6:
                raise NumbersError(f"{number} is no die; a roll has two numbers from 1 to 6")
        if self.high < self.low:
            raise NumbersError(
                f"roll {self.high}-{self.low} has its lower number first; use Roll.of for dice as they lie"
            )

    @classmethod
    def of(cls, first: int, second: int) -> "Roll":
        """The roll of two dice in any order."""
        return cls(max(first, second), min(first, second))

    @property
    def is_double(self) -> bool:
        return self.high == self.low


ALL_ROLLS = tuple(Roll(high, low) for high in range(6, 0, -1) for low in range(high, 0, -1))
