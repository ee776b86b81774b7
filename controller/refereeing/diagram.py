"""The transition table as a state diagram in Mermaid for the project's README: phases, and the events between them."""

from collections.abc import Iterator

from controller.refereeing.state import INTERRUPTING_PHASES, Phase
from controller.refereeing.transition_table import TRANSITION_TABLE

_ANY_PHASE = "any phase"
# From this many source phases on, an event that leads to one phase is drawn once, from `any`.
_MIN_MERGED_SOURCES = 7


def render_diagram() -> str:
    """The text between the fences."""
    ways = _group_arrows()
    lines = ["stateDiagram-v2", f'    state "{_ANY_PHASE}" as any']
    for source, target in sorted(ways, key=_arrow_sort_key):
        names = ", ".join(sorted(ways[source, target]))
        lines.append(f"    {source} --> {target}: {names}")
    return "\n".join(lines) + "\n"


def _group_arrows() -> dict[tuple[str, str], set[str]]:
    """Event names by (source, target)."""
    leads = set(_list_arrows())
    ways: dict[tuple[str, str], set[str]] = {}
    for source, name, target in leads:
        sources = {one for one, other_name, other in leads if (other_name, other) == (name, target)}
        shown = "any" if len(sources) >= _MIN_MERGED_SOURCES else source
        ways.setdefault((shown, target), set()).add(name)
    return ways


def _list_arrows() -> Iterator[tuple[str, str, str]]:
    for (phase, _), answer in TRANSITION_TABLE.items():
        for event, target in answer.phase_changes:
            if target is None and phase in INTERRUPTING_PHASES:
                yield phase.name, event.__name__, "any"
            elif target is not None and target is not phase:
                yield phase.name, event.__name__, target.name


def _arrow_sort_key(way: tuple[str, str]) -> tuple[int, int]:
    places = [*(phase.name for phase in Phase), "any"]
    return places.index(way[0]), places.index(way[1])
