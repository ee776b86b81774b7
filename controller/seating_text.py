"""Who sits where, as people write it: `white=light|dark,edge=bottom|top,mirrored=yes|no,head=12|24`, any part left out.

What is not given is found from the start position or the plays, so a text stands for every seating that fits it.
"""

from controller.seating import ALL_SEATINGS, Checkers, Edge, Seating

FORM = "white=light|dark,edge=bottom|top,mirrored=yes|no"
_VALUES: dict[str, dict[str, object]] = {
    "white": {checkers.value: checkers for checkers in Checkers},
    "edge": {edge.value: edge for edge in Edge},
    "mirrored": {"yes": True, "no": False},
    "head": {"12": 12, "24": 24},
}
_ATTRIBUTES = {"white": "white_plays", "edge": "edge", "mirrored": "mirrored", "head": "white_head"}


class SeatingTextError(ValueError):
    """A text that is no seating; one sentence without a full stop, for it is put into others."""


def seatings_of(text: str) -> tuple[Seating, ...]:
    """All seatings that the text leaves open; of an empty one, all there are. SeatingTextError."""
    asked: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (half.strip().lower() for half in part.partition("="))
        if key not in _VALUES:
            raise SeatingTextError(f"{part!r} is no part of a seating; write {FORM}")
        if value not in _VALUES[key]:
            raise SeatingTextError(f"{key} is {' or '.join(_VALUES[key])}, not {value!r}")
        if key in asked and asked[key] != _VALUES[key][value]:
            raise SeatingTextError(f"{key} is given twice; write it once")
        asked[key] = _VALUES[key][value]
    return tuple(seating for seating in ALL_SEATINGS if all(_has(seating, key, asked[key]) for key in asked))


def seating_text(seating: Seating) -> str:
    """As `seatings_of` reads it; without the head, which most games do not use."""
    mirrored = "yes" if seating.mirrored else "no"
    return f"white={seating.white_plays.value},edge={seating.edge.value},mirrored={mirrored}"


def _has(seating: Seating, key: str, value: object) -> bool:
    return bool(getattr(seating, _ATTRIBUTES[key]) == value)
