"""What all frame sources of tests share: they are named, and nothing is open."""

from typing import Self


class FakeSource:
    """A camera that may be closed at any time."""

    silence_remedy = "check its cable"

    def describe(self) -> str:
        return "The fake camera"

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
