"""What makes a table a device of Home Assistant: MQTT discovery, with the topics and templates of its documentation."""

import hashlib
import json
from collections.abc import Iterator

from controller.refereeing.state import Phase

_PREFIX = "homeassistant"
NEEDS_A_PERSON = (Phase.UNSURE, Phase.DISPUTE, Phase.BLIND, Phase.RESTORE, Phase.ILLEGAL)
"""The phases in which play waits for a person."""


def discovery_messages(topic: str, title: str) -> Iterator[tuple[str, str]]:
    """(topic, text) of each part: score, phase, and whether the table needs a person."""
    # An id may hold ASCII letters only, and two names must not give one.
    table = hashlib.sha256(topic.encode()).hexdigest()[:12]
    phases = ", ".join(f"'{phase.value}'" for phase in NEEDS_A_PERSON)
    state = "value_json.state"
    parts = {
        ("sensor", "score"): {"name": "Score", "value_template": f"{{{{ {state}.match.score | join('-') }}}}"},
        ("sensor", "phase"): {"name": "Phase", "value_template": f"{{{{ {state}.phase }}}}"},
        ("binary_sensor", "attention"): {
            "name": "Needs attention",
            "device_class": "problem",
            "value_template": (
                "{{ 'ON' if value_json.is_playing and "
                f"({state}.phase in [{phases}] or {state}.lost or {state}.waits or not {state}.is_saved "
                f"or ({state}.question and {state}.question.is_open)) else 'OFF' }}}}"
            ),
        },
    }
    for (component, part), own in parts.items():
        text = {
            **own,
            "unique_id": f"zarbiter-{table}-{part}",
            "state_topic": f"{topic}/state",
            "availability_topic": f"{topic}/available",
            "device": {"identifiers": [f"zarbiter-{table}"], "name": title, "manufacturer": "Zarbiter"},
        }
        yield f"{_PREFIX}/{component}/zarbiter-{table}/{part}/config", json.dumps(text)
