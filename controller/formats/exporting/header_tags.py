"""The header tags of match text, in the order that other programs expect."""

from collections.abc import Iterator
from datetime import datetime

from controller.formats.match_model import MatchHistory
from controller.formats.safe_text import safe_names
from controller.formats.variations import Variation
from controller.match import Occasion


def find_date_and_time(match: MatchHistory) -> tuple[str, str]:
    """Date (2026-11-21) and time (20:15), empty if unknown. Without an agreed occasion, the creation time of the log, UTC."""
    if match.occasion.date or match.occasion.time:
        return match.occasion.date, match.occasion.time
    try:
        begun = datetime.fromisoformat(match.created_utc)
    except ValueError:
        return "", ""
    return begun.strftime("%Y-%m-%d"), begun.strftime("%H:%M")


def make_header_tags(match: MatchHistory, variation: Variation, remarks: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Keys and values, without empty values."""
    occasion = match.occasion
    date, time = find_date_and_time(match)
    white, black = safe_names(match)
    tags = (
        ("Site", occasion.site),
        ("Match ID", match.match_id),
        ("Player 1", white),
        ("Player 2", black),
        ("EventDate", date.replace("-", ".")),
        ("EventTime", time.replace(":", ".")),
        ("Event", occasion.event),
        ("Round", occasion.round),
        ("Variation", variation.value.tag or "Backgammon"),
        ("Crawford", _format_crawford(match, occasion)),
        ("Jacoby", _format_jacoby(match)),
        ("Transcriber", occasion.transcriber),
        *(("Remark", remark) for remark in remarks),
    )
    return ((key, value) for key, value in tags if value)


def uses_jacoby(match: MatchHistory) -> bool:
    """Whether the Jacoby rule, which exists only in money games, was agreed."""
    return not match.length and (match.occasion.jacoby or (match.rules is not None and match.rules.jacoby))


def has_crawford_game(match: MatchHistory) -> bool:
    """Whether the match has a Crawford game; a match to one point cannot have one."""
    return match.occasion.crawford and (match.length or 0) > 1


def _format_crawford(match: MatchHistory, occasion: Occasion) -> str:
    return "" if not match.length else "On" if occasion.crawford else "Off"


def _format_jacoby(match: MatchHistory) -> str:
    return "" if match.length else "On" if uses_jacoby(match) else "Off"
