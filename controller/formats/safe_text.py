"""Makes names and remarks safe for every format.

In match text a colon in a name makes GNU Backgammon read other names and give the game to the wrong player, so it becomes
a comma. Invisible characters become spaces. Letters of every script stay.
"""

from controller.formats.match_model import MatchHistory
from controller.rules import Player
from controller.visible_text import is_unseen

MOST_NAME_BYTES = 31  # GNU Backgammon truncates longer names
_MOST_TAG = 200


def one_line(text: str, most: int = _MOST_TAG) -> str:
    """Without control characters, lone surrogates and direction marks; with single spaces, trimmed to `most` characters."""
    shown = "".join(" " if is_unseen(letter) else letter for letter in text)
    return " ".join(shown.split())[:most].rstrip()


def display_name(match: MatchHistory, player: Player, most: int = _MOST_TAG) -> str:
    """The name for a report; the colour if the name is empty."""
    return one_line(match.player_name(player), most) or player.name.capitalize()


def safe_name(name: str, player: Player) -> str:
    """The name for match text; the colour if nothing of it is left."""
    text = one_line(name.replace(":", ","))
    kept = text.encode("utf-8")[:MOST_NAME_BYTES].decode("utf-8", errors="ignore").strip()
    return kept or player.name.capitalize()


def safe_names(match: MatchHistory) -> tuple[str, str]:
    return safe_name(match.white, Player.WHITE), safe_name(match.black, Player.BLACK)
