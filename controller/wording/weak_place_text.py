"""Weak places of a board in words, and as the records that commands print."""

from collections.abc import Iterator

from vision.board.weak_places import BoardAppraisal, Content, Weakness, WeakPlace
from vision.places import MOST_NAMED, Colour

_CAUSES = {
    Weakness.HIDDEN: "something covers it",
    Weakness.OUTSIDE: "{amount:.0%} of it is outside the picture",
    Weakness.DICE: "dice or the cube lie there",
    Weakness.GLARE: "glare on {amount:.0%} of it",
    Weakness.DARK: "it is too dark there",
    Weakness.COLOUR: "the colours are close, {amount:.0f} apart in CIELAB",
    Weakness.PATTERN: "its pattern is {amount:.1f} times as strong as that of other empty points",
    Weakness.LAYERS: "a second layer shows little from above",
    Weakness.FACES: "only {amount:.0f} of its upper faces stand out",
}


def appraisal_lines(appraisal: BoardAppraisal) -> Iterator[str]:
    """A line for each weak place, then for each place that is sure by what was learned; the worst, then their number."""
    for title, places in (("weak", appraisal.weak), ("sure by learning", appraisal.learned)):
        for one in places[:MOST_NAMED]:
            yield f"{title}: {describe_weak_place(one, is_past=places is appraisal.learned)}"
        if len(places) > MOST_NAMED:
            yield f"{title}: {len(places) - MOST_NAMED} more"


def describe_weak_place(weak: WeakPlace, *, is_past: bool = False) -> str:
    """A clause like `T8 (empty) resembles 1 light, 12% likely: glare on 6% of it`; with `is_past`, before learning."""
    present, past = ("is read as", "was read as") if weak.is_misread else ("resembles", "resembled")
    cause = _CAUSES.get(weak.weakness)
    reason = "" if cause is None else ": " + cause.format(amount=weak.amount)
    likely = f"{describe_content(weak.resembles)}, {weak.chance:.0%} likely"
    return f"{weak.place.value} ({describe_content(weak.stands)}) {past if is_past else present} {likely}{reason}"


def describe_content(content: Content) -> str:
    """`empty`, `3 light`, or `2 of both colours`."""
    colour, count = content
    if colour is Colour.NONE:
        return "empty"
    return f"{count} of both colours" if colour is Colour.BOTH else f"{count} {colour.value}"


def appraisal_record(appraisal: BoardAppraisal) -> dict[str, object]:
    """The keys `weak` and `sure_by_learning` of JSON."""
    return {
        "weak": [_weak_place_record(one) for one in appraisal.weak],
        "sure_by_learning": [_weak_place_record(one) for one in appraisal.learned],
    }


def _weak_place_record(weak: WeakPlace) -> dict[str, object]:
    return {
        "place": weak.place.value,
        "stands": _content_record(weak.stands),
        "certainty": round(weak.certainty, 4),
        "resembles": _content_record(weak.resembles),
        "chance": round(weak.chance, 4),
        "weakness": weak.weakness.value,
        "amount": None if weak.amount is None else round(weak.amount, 3),
    }


def _content_record(content: Content) -> dict[str, object]:
    return {"colour": content[0].value, "count": content[1]}
