"""Names and remarks that no format takes for something else.

A colon in a name makes GNU Backgammon read another player and give him the game, so it becomes a comma; what no
terminal shows becomes a space. Letters of every script stay.
"""

import unicodedata

from controller.formats.match_model import MatchHistory
from controller.rules import Player

MOST_NAME_BYTES = 31  # GNU Backgammon cuts off what is longer
_MOST_TAG = 200
_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")


def one_line(text: str, most: int = _MOST_TAG) -> str:
    """Without control characters, lone surrogates and marks that turn the reading direction; single spaces, trimmed."""
    shown = "".join(" " if _is_invisible(letter) else letter for letter in text)
    return " ".join(shown.split())[:most].rstrip()


def _is_invisible(letter: str) -> bool:
    return letter in _DIRECTION_MARKS or unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp")


def safe_name(name: str, player: Player) -> str:
    """Never empty: then the colour stands in."""
    text = one_line(name.replace(":", ","))
    kept = text.encode("utf-8")[:MOST_NAME_BYTES].decode("utf-8", errors="ignore").strip()
    return kept or player.name.capitalize()


def safe_names(match: MatchHistory) -> tuple[str, str]:
    """White's and Black's."""
    return safe_name(match.white, Player.WHITE), safe_name(match.black, Player.BLACK)
