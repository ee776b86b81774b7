"""The secret that makes somebody the operator: printed where the match is played, kept so that links outlive a restart."""

import hmac
import os
import re
import secrets
from pathlib import Path

FILE = "operator-token"
_BYTES = 12
_FORM = re.compile(r"[A-Za-z0-9_-]{16,64}")


def load_or_create_token(data: Path) -> str:
    """That of the data folder, made when there is none. A folder that cannot be written to gives a new one each time."""
    file = data / FILE
    try:
        found = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        found = ""
    if _FORM.fullmatch(found):
        return found
    token = secrets.token_urlsafe(_BYTES)
    try:
        data.mkdir(parents=True, exist_ok=True)
        _write(file, token)
    except OSError:
        pass  # it holds as long as the program runs
    return token


def _write(file: Path, token: str) -> None:
    """For nobody else to read."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as opened:
        opened.write(f"{token}\n")


def is_token(given: str, token: str) -> bool:
    """In the same time whatever is given."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("ascii"))
