"""One page over all tables of a hall, from what they publish at an MQTT broker (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.club.listener import Listener
    from controller.club.page import ClubServer
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
