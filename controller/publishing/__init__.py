"""Events and states for other programs: an MQTT broker, a webhook and OBS, fed from the log (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.publishing.connecting import explain_connection_error
    from controller.publishing.errors import SendingError
    from controller.publishing.mqtt import Broker, explain_refusal, make_client
    from controller.publishing.publisher import Publisher, open_publisher
    from controller.publishing.receivers import check_broker, check_obs, check_webhook, make_broker
    from controller.publishing.schema import make_schema
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
