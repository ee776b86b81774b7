"""Where matches and calibrations lie when nobody says otherwise: the XDG data folder."""

from collections.abc import Mapping
from pathlib import Path


def data_folder(asked_for: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder of --data, else the user's; it need not be there yet. `environment` is that of the process."""
    if asked_for is not None:
        return asked_for
    xdg = Path(environment.get("XDG_DATA_HOME", ""))
    # The XDG specification has a relative path ignored.
    return (xdg if xdg.is_absolute() else Path.home() / ".local" / "share") / "zarbiter"
