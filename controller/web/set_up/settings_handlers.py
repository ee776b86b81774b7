"""The API for settings and the LED map. Every request needs the operator's token."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.settings.form_fields import setting_fields
from controller.settings.settings import SettingsError
from controller.settings.store import FileChangedError, SettingsStore, make_known_names
from controller.web.bodies import Record, parse_number, problem, respond_json
from controller.web.page_context import PageContext
from controller.web.set_up.forms import (
    make_sentence_record,
    mistakes_record,
    parse_changes,
    parse_text,
    settings_record,
)
from controller.web.set_up.led_map_store import LedMapError, LedMapStore, default_places, parse_led_places
from controller.web.set_up.operator_requests import (
    authorise_change,
    authorise_read,
    refusing_invalid_settings,
    run_job,
)
from controller.web.set_up.program_control import PointAt
from firmware_bridge.errors import LayoutFileError
from firmware_bridge.layout import MAX_LEDS, LedLayout, LedPlace


class SettingsHandlers:
    """The handlers. A save is refused where the file has changed since the form was read (`seal`)."""

    def __init__(self, context: PageContext) -> None:
        self._context = context

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/settings", self.get_form, methods=["GET"]),
            Route("/api/settings", self.save_form, methods=["POST"]),
            Route("/api/leds", self.get_leds, methods=["GET"]),
            Route("/api/leds", self.save_leds, methods=["POST"]),
            Route("/api/leds/point", self.point_at_led, methods=["POST"]),
        ]

    async def get_form(self, request: Request) -> Response:
        """Every setting with its value in the file."""
        permitted = authorise_read(request, self._context)
        with refusing_invalid_settings():
            return respond_json(await asyncio.to_thread(_make_form, permitted.store))

    async def save_form(self, request: Request) -> Response:
        """Saves changed settings if all of them are valid; the response is the form after the change."""
        permitted = await authorise_change(request, self._context)
        try:
            with refusing_invalid_settings():
                return await asyncio.to_thread(_save_settings, permitted.store, permitted.sent)
        except FileChangedError:
            sentence = "The settings file was changed by somebody else meanwhile; look at it again."
            raise problem(409, sentence) from None

    async def get_leds(self, request: Request) -> Response:
        """The LED map; with `count` the usual arrangement of that number of LEDs."""
        authorise_read(request, self._context)
        text = request.query_params.get("count")
        if text is None:
            with refusing_invalid_settings():
                return respond_json(await asyncio.to_thread(_make_led_form, self._context.control.led_map))
        count = parse_number(text, 3)
        if count is None or not 1 <= count <= MAX_LEDS:
            raise problem(400, f"count is the number of LEDs, 1 to {MAX_LEDS}.")
        return respond_json({"places": _place_names(default_places(count)), "is_kept": False, "problem": ""})

    async def save_leds(self, request: Request) -> Response:
        """Saves the whole map, if it is valid."""
        permitted = await authorise_change(request, self._context)
        led_map = self._context.control.led_map
        if led_map is None:
            raise problem(409, "There is no light board to map here.")
        try:
            with refusing_invalid_settings():
                layout = parse_led_places(permitted.sent.get("places"))
                seal = parse_text(permitted.sent, "seal")
                return respond_json(await asyncio.to_thread(_save_led_map, led_map, layout, seal))
        except LedMapError as error:
            mistakes = [{"led": one.led, **make_sentence_record(one.sentence)} for one in error.mistakes]
            return respond_json({"mistakes": [*mistakes]}, 422)
        except LayoutFileError as error:
            raise problem(409, str(error)) from None
        except FileChangedError:
            raise problem(409, "The LED map was changed by somebody else meanwhile; look at it again.") from None

    async def point_at_led(self, request: Request) -> Response:
        """Lights one LED alone for a moment."""
        permitted = await authorise_change(request, self._context)
        led = permitted.sent.get("led")
        if led is not None and (type(led) is not int or not 0 <= led < MAX_LEDS):
            raise problem(422, f"led is a number from 0 to {MAX_LEDS - 1}, or null.")
        return await run_job(PointAt(led), self._context)


def _make_form(store: SettingsStore) -> Record:
    read = store.read()
    fields = setting_fields(make_known_names(store.load_house_variant(read.text)))
    wrong: Record = {"mistakes": []}
    try:
        store.check(read.text)
    except SettingsError as error:
        wrong = mistakes_record(error.mistakes)
    record = settings_record(fields, read.values, store.option_values)
    return {"file": store.file.name, "seal": read.seal, "problem": read.problem, "fields": record, **wrong}


def _save_settings(store: SettingsStore, sent: Record) -> Response:
    seal = parse_text(sent, "seal")
    changes, mistakes = parse_changes(sent, setting_fields(make_known_names(None)))
    store.save(changes, seal, mistakes)
    return respond_json(_make_form(store))


def _make_led_form(led_map: LedMapStore | None) -> Record:
    if led_map is None:
        return {"places": [], "is_kept": False, "problem": "", "seal": ""}
    read = led_map.read()
    return {"places": _place_names(read.place_of), "is_kept": read.is_kept, "problem": read.problem, "seal": read.seal}


def _save_led_map(led_map: LedMapStore, layout: LedLayout, seal: str) -> Record:
    led_map.save(layout, seal)
    return _make_led_form(led_map)


def _place_names(places: tuple[LedPlace | None, ...]) -> list[JsonValue]:
    return [None if place is None else place.value for place in places]
