"""Draws the wiring: an SVG beside each WireViz file.

    python -m hardware.wiring.draw

Needs the extra `hardware` and Graphviz (`dot`) from the system.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from wireviz.wireviz import parse

from hardware.wiring.harness import HARNESSES

_SVG = "{http://www.w3.org/2000/svg}"


def drawn(source: Path) -> str:
    """The SVG without comments, since one of them names the version of Graphviz."""
    svg: str = parse(source, return_types="svg")
    return re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)


def said(svg: str) -> list[tuple[str, ...]]:
    """What the picture says, whatever fonts and Graphviz made of it: the texts of every box, and the ends and colours of
    every wire.
    """
    return sorted(_said(ElementTree.fromstring(svg)))  # noqa: S314  (our own file)


def _said(root: ElementTree.Element) -> Iterator[tuple[str, ...]]:
    for group in root.iter(f"{_SVG}g"):
        if group.get("class") in ("node", "edge"):
            title = group.findtext(f"{_SVG}title") or ""
            texts = sorted(text.text or "" for text in group.iter(f"{_SVG}text"))
            colours = sorted(line.get("stroke", "") for line in group.iter(f"{_SVG}path"))
            yield title, *texts, *colours


if __name__ == "__main__":
    for harness in HARNESSES:
        harness.with_suffix(".svg").write_text(drawn(harness), encoding="utf-8")
