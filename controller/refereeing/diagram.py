"""The referee's table as a state diagram in Mermaid, for the README: phases, and the events between them."""

from collections.abc import Iterator

from controller.refereeing.state import SIDE_TRACKS, Phase
from controller.refereeing.transitions import TABLE

_ANY = "any phase"
# An event that leads from so many phases to the same one is drawn once.
_MANY = 7


def diagram() -> str:
    """The text between the fences."""
    ways = _ways()
    lines = ["stateDiagram-v2", f'    state "{_ANY}" as any']
    for source, target in sorted(ways, key=_order):
        names = ", ".join(sorted(ways[source, target]))
        lines.append(f"    {source} --> {target}: {names}")
    return "\n".join(lines) + "\n"


def _ways() -> dict[tuple[str, str], set[str]]:
    """The names of the events, by the two phases."""
    leads = set(_leads())
    ways: dict[tuple[str, str], set[str]] = {}
    for source, name, target in leads:
        sources = {one for one, other_name, other in leads if (other_name, other) == (name, target)}
        shown = "any" if len(sources) >= _MANY else source
        ways.setdefault((shown, target), set()).add(name)
    return ways


def _leads() -> Iterator[tuple[str, str, str]]:
    for (phase, _), answer in TABLE.items():
        for event, target in answer.leads:
            if target is None and phase in SIDE_TRACKS:
                yield phase.name, event.__name__, "any"
            elif target is not None and target is not phase:
                yield phase.name, event.__name__, target.name


def _order(way: tuple[str, str]) -> tuple[int, int]:
    places = [*(phase.name for phase in Phase), "any"]
    return places.index(way[0]), places.index(way[1])
