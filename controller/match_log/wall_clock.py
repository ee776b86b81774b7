"""The time at which something was written. It orders nothing: a Pi without a network may be wrong by years."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)


def utc_text(moment: datetime) -> str:
    """ISO 8601 in UTC to the millisecond: 2026-03-05T14:22:33.123Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
