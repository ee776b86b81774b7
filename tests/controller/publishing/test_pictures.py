"""The picture of the last ruling at a real broker."""

import base64
import json
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.match import Mode
from controller.match.events import CommandRefused, DisputeOpened, PlayMade, PlayRefused
from controller.match_log import EvidencePicture, PictureKind
from controller.publishing import pictures
from controller.publishing.pictures import LONGEST_PX, MOST_BYTES
from controller.rules import Player, Rule
from tests.controller.match_log.match_files import MADE, START
from tests.controller.publishing.broker import Mosquitto, Subscriber, needs_mosquitto, wait_for
from tests.controller.publishing.conftest import Begin
from tests.controller.publishing.published_match import CONFIG, TOPIC, PublishedMatch
from vision.pixels.picture_header import read_picture_header

pytest.importorskip("paho.mqtt.client", reason="the extra mqtt is not installed")
pytestmark = [pytest.mark.broad, needs_mosquitto]


def at(broker: Mosquitto, *, with_pictures: bool = True) -> str:
    return f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\npictures = {str(with_pictures).lower()}\n'


def wooden(shade: int) -> NDArray[np.uint8]:
    """(height, width, 3), of the size of a crop, with some noise of a camera."""
    noise = np.random.default_rng(shade).integers(0, 20, (720, 960, 3), np.uint8)
    return (noise + shade).astype(np.uint8)


def rule(match: PublishedMatch, event: PlayMade | PlayRefused = MADE, shade: int = 90) -> None:
    match.happen(event, pictures=(EvidencePicture(PictureKind.AFTER, wooden(shade)),))


def found(listener: Subscriber) -> list[dict[str, Any]]:
    return [json.loads(text) for text in listener.texts(f"{TOPIC}/picture")]


def test_a_ruling_comes_with_a_small_picture(broker: Mosquitto, listener: Subscriber, begin: Begin) -> None:
    """And no broker keeps it."""
    match = begin(at(broker))
    rule(match)
    wait_for(lambda: found(listener))
    (message,) = found(listener)
    assert (message["table"], message["match"], message["number"]) == (
        "Table 3",
        match.log.path.stem,
        match.log.n_events,
    )
    jpeg = base64.b64decode(message["jpeg"])
    header = read_picture_header(jpeg)
    assert header is not None
    assert (header.kind, header.width_px, header.height_px) == ("JPEG", LONGEST_PX, 360)
    assert len(jpeg) <= MOST_BYTES
    late = Subscriber(broker.port, is_lasting=False).start()
    wait_for(lambda: late.texts(f"{TOPIC}/state"))
    late.stop()
    assert late.texts(f"{TOPIC}/picture") == []


def test_none_is_sent_unless_the_settings_say_so(broker: Mosquitto, listener: Subscriber, begin: Begin) -> None:
    """Nor of a ruling that the mode withholds."""
    refused = PlayRefused(0, Player.WHITE, (3, 1), START, START, (next(iter(Rule)),), ())
    silent = begin(at(broker, with_pictures=False))
    rule(silent)
    wait_for(lambda: len(listener.texts(f"{TOPIC}/events")) == silent.log.n_events)
    silent.close()
    quiet = begin(at(broker), silent.log.path.parents[1] / "other", config=replace(CONFIG, mode=Mode.SILENT))
    rule(quiet, refused)
    wait_for(lambda: len(listener.texts(f"{TOPIC}/events")) == silent.log.n_events + quiet.log.n_events)
    time.sleep(0.05)
    assert found(listener) == []


def test_of_rulings_that_follow_each_other_the_last_one_counts(
    broker: Mosquitto, listener: Subscriber, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dispute shows the board that is disputed; what came long before is not shown with it."""
    monkeypatch.setattr(pictures, "PICTURE_INTERVAL_S", 0.3)
    match = begin(at(broker))
    rule(match)
    wait_for(lambda: found(listener))
    begun_s = time.monotonic()
    for shade in (100, 120, 140):
        rule(match, shade=shade)
    match.happen(DisputeOpened(1))
    wait_for(lambda: len(found(listener)) == 2)
    assert time.monotonic() - begun_s > 0.2
    assert found(listener)[1]["number"] == match.log.n_events
    for number in range(8):
        match.happen(CommandRefused(number, "EndTurn", "There is no turn."))
    match.happen(DisputeOpened(2))
    wait_for(lambda: len(listener.texts(f"{TOPIC}/events")) == match.log.n_events)
    time.sleep(0.35)
    assert len(found(listener)) == 2


def test_a_picture_that_is_damaged_holds_up_nothing(
    broker: Mosquitto, listener: Subscriber, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "read_near_picture", lambda *_: b"\xff\xd8\xff")
    match = begin(at(broker))
    rule(match)
    match.refuse(2)
    wait_for(lambda: len(listener.texts(f"{TOPIC}/events")) == match.log.n_events)
    assert found(listener) == []
