"""The header of match text: what is known of a match besides its play, in the order other programs expect."""

from collections.abc import Iterator
from datetime import datetime

from controller.formats.match_model import Match
from controller.formats.safe_text import safe_names
from controller.formats.variations import Variation
from controller.match.events import Occasion


def played_at(match: Match) -> tuple[str, str]:
    """The day (2026-11-21) and the time (20:15), empty where they are not known. A log that was played tells both, in UTC."""
    if match.occasion.date or match.occasion.time:
        return match.occasion.date, match.occasion.time
    try:
        begun = datetime.fromisoformat(match.created_utc)
    except ValueError:
        return "", ""
    return begun.strftime("%Y-%m-%d"), begun.strftime("%H:%M")


def header_tags(match: Match, variation: Variation, remarks: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Keys and values; a value of nothing is not written."""
    occasion = match.occasion
    date, time = played_at(match)
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
        ("Crawford", _crawford(match, occasion)),
        ("Jacoby", _jacoby(match)),
        ("Transcriber", occasion.transcriber),
        *(("Remark", remark) for remark in remarks),
    )
    return ((key, value) for key, value in tags if value)


def holds_jacoby(match: Match) -> bool:
    """Whether Jacoby was agreed; it is a rule of money games."""
    return not match.length and (match.occasion.jacoby or (match.rules is not None and match.rules.jacoby))


def holds_crawford(match: Match) -> bool:
    """Whether the match has a Crawford game; one of a single point cannot have one."""
    return match.occasion.crawford and (match.length or 0) > 1


def _crawford(match: Match, occasion: Occasion) -> str:
    return "" if not match.length else "On" if occasion.crawford else "Off"


def _jacoby(match: Match) -> str:
    return "" if match.length else "On" if holds_jacoby(match) else "Off"
