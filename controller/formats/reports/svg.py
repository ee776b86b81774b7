"""Builds pieces of SVG; all text and attributes are escaped here."""

from html import escape

Attribute = str | int | float


def element(name: str, *, inside: str = "", **attributes: Attribute) -> str:
    """An element; `text_anchor` becomes `text-anchor`, `class_` becomes `class`, floats have six digits."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def text(words: str, **attributes: Attribute) -> str:
    return element("text", inside=escape(words) or " ", **attributes)


def picture(inside: str, width: float, height: float, title: str) -> str:
    """A whole picture, for a file or to be embedded in a page."""
    return element(
        "svg",
        inside=element("title", inside=escape(title) or " ") + inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        font_family="sans-serif",
    )


def _value(value: Attribute) -> str:
    return f"{value:.6g}" if isinstance(value, float) else escape(str(value))
