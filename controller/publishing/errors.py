"""The exceptions of this room."""


class SendingError(Exception):
    """A receiver did not get or confirm what was sent. The text is one sentence without a full stop, with its remedy.

    `is_lasting`: a person has to change something first, so that a quick repetition is of no use.
    """

    def __init__(self, sentence: str, *, is_lasting: bool = False) -> None:
        super().__init__(sentence)
        self.is_lasting = is_lasting


class StateRefusedError(SendingError):
    """The receiver takes others, but not this state; the connection stays, and it is asked again."""
