"""Debounces buttons: bouncing levels in, presses out, with time as data.

A contact bounces for some milliseconds, and a cable picks up interference. A level therefore counts only after it has
been stable for DEBOUNCE_MS; a press is reported that much late, with the time of its first contact. `step` is pure: it
gets levels and the time, and returns the new state and the events.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

DEBOUNCE_MS = 20
"""Push buttons bounce for up to some 10 ms by their data sheets; a press lasts at least 30 ms."""
HOLD_MS = 1_000
"""A press that lasts this long is also a `Held`."""
DOUBLE_PRESS_MS = 400
"""A second press of the same button within this time belongs to the first."""
TOGETHER_MS = 60
"""Presses of both players within this time are one event, since chance decides which contact closes first."""


class Button(Enum):
    """The buttons. Players are numbered by where they sit, not by their colour."""

    END_TURN_1 = "end of turn, first player"
    END_TURN_2 = "end of turn, second player"
    CUBE = "cube"
    UNDO = "undo"
    PAUSE = "pause"


PLAYERS_BUTTONS = (Button.END_TURN_1, Button.END_TURN_2)


@dataclass(frozen=True, slots=True)
class Level:
    """The level of a pin at a time: contact closed or open."""

    button: Button
    is_down: bool
    at_ms: int


@dataclass(frozen=True, slots=True)
class _ButtonUsed:
    """The button went down at `at_ms`."""

    button: Button
    at_ms: int


@dataclass(frozen=True, slots=True)
class Pressed(_ButtonUsed):
    """The first event of a press, unless that is PressedTogether."""


@dataclass(frozen=True, slots=True)
class PressedAgain(_ButtonUsed):
    """The second press of a double press, after Pressed."""


@dataclass(frozen=True, slots=True)
class PressedTogether(_ButtonUsed):
    """`button` was pressed together with the other player's button, which gave Pressed."""


@dataclass(frozen=True, slots=True)
class Held(_ButtonUsed):
    """A reported press has lasted HOLD_MS since `at_ms`."""


ButtonEvent = Pressed | PressedAgain | PressedTogether | Held


@dataclass(frozen=True, slots=True)
class _Contact:
    """One button: raw level, its time, and the debounced level."""

    button: Button
    raw_is_down: bool = False
    raw_since_ms: int = 0
    is_down: bool = False
    pressed_ms: int | None = None  # the last press
    is_double: bool = False  # the last press was the second of two
    is_hold_reported: bool = False


def _make_open_contacts() -> tuple[_Contact, ...]:
    return tuple(_Contact(button) for button in Button)


@dataclass(frozen=True, slots=True)
class Buttons:
    """The state of all buttons. At the beginning every contact is open."""

    now_ms: int = 0
    contacts: tuple[_Contact, ...] = field(default_factory=_make_open_contacts)

    def is_down(self, button: Button) -> bool:
        """The debounced level."""
        return self.contact(button).is_down

    def contact(self, button: Button) -> _Contact:
        return next(contact for contact in self.contacts if contact.button is button)


def step(buttons: Buttons, levels: Iterable[Level], now_ms: int) -> tuple[Buttons, tuple[ButtonEvent, ...]]:
    """Takes the levels since the last step, in order, and the time; returns the new state and the events.

    A repeated level changes nothing. A level older than the last step counts as of the last step.
    """
    events: list[ButtonEvent] = []
    for level in levels:
        buttons = _advance(buttons, level.at_ms, events)
        contact = buttons.contact(level.button)
        if contact.raw_is_down is not level.is_down:
            changed = replace(contact, raw_is_down=level.is_down, raw_since_ms=buttons.now_ms)
            buttons = _with_contact(buttons, changed)
    return _advance(buttons, now_ms, events), tuple(events)


def _advance(buttons: Buttons, now_ms: int, events: list[ButtonEvent]) -> Buttons:
    """Advances to `now_ms`: accepts stable levels, in the order in which they became stable."""
    buttons = replace(buttons, now_ms=max(now_ms, buttons.now_ms))
    for contact in sorted(buttons.contacts, key=lambda contact: contact.raw_since_ms):
        settled = contact
        if contact.raw_is_down is not contact.is_down and buttons.now_ms - contact.raw_since_ms >= DEBOUNCE_MS:
            settled = _apply_debounced_level(buttons, contact, events)
        buttons = _with_contact(buttons, _report_hold(settled, buttons.now_ms, events))
    return buttons


def _apply_debounced_level(buttons: Buttons, contact: _Contact, events: list[ButtonEvent]) -> _Contact:
    if not contact.raw_is_down:
        return replace(contact, is_down=False)
    at_ms = contact.raw_since_ms
    is_double = (
        contact.pressed_ms is not None and not contact.is_double and at_ms - contact.pressed_ms <= DOUBLE_PRESS_MS
    )
    if is_double:
        events.append(PressedAgain(contact.button, at_ms))
    elif _is_pressed_together(buttons, contact.button, at_ms):
        events.append(PressedTogether(contact.button, at_ms))
    else:
        events.append(Pressed(contact.button, at_ms))
    return replace(contact, is_down=True, pressed_ms=at_ms, is_double=is_double, is_hold_reported=False)


def _is_pressed_together(buttons: Buttons, button: Button, at_ms: int) -> bool:
    """Whether the other player pressed within TOGETHER_MS; False for buttons that belong to no player."""
    if button not in PLAYERS_BUTTONS:
        return False
    others = (other for other in buttons.contacts if other.button in PLAYERS_BUTTONS and other.button is not button)
    return any(other.pressed_ms is not None and abs(at_ms - other.pressed_ms) <= TOGETHER_MS for other in others)


def _report_hold(contact: _Contact, now_ms: int, events: list[ButtonEvent]) -> _Contact:
    if not contact.is_down or contact.is_hold_reported or contact.pressed_ms is None:
        return contact
    if now_ms - contact.pressed_ms < HOLD_MS:
        return contact
    events.append(Held(contact.button, contact.pressed_ms))
    return replace(contact, is_hold_reported=True)


def _with_contact(buttons: Buttons, contact: _Contact) -> Buttons:
    if contact in buttons.contacts:
        return buttons
    contacts = tuple(contact if old.button is contact.button else old for old in buttons.contacts)
    return replace(buttons, contacts=contacts)
