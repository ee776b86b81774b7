"""What the API answers about settings and the LED map. All of it needs the token."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.match_log.event_json import JsonValue
from controller.settings.form_fields import setting_fields
from controller.settings.settings import SettingsError
from controller.settings.store import FileChangedError, SettingsKeeper, known_with
from controller.web.bodies import problem
from controller.web.set_up.forms_shown import (
    FormError,
    changes_told,
    mistakes_record,
    settings_record,
    text_told,
    told_of,
)
from controller.web.set_up.led_map_kept import LedMapError, LedMapKeeper, layout_told, usual_places
from controller.web.set_up.office import PointAt
from controller.web.set_up.office_door import Told, asking, changing, done, told, unread
from controller.web.show import Show
from firmware_bridge.errors import LayoutFileError
from firmware_bridge.layout import MOST_LEDS, LedLayout, LedPlace

_LONGEST_COUNT = 3


class SettingsAnswers:
    """The handlers."""

    def __init__(self, show: Show) -> None:
        self._show = show

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/api/settings", self.form, methods=["GET"]),
            Route("/api/settings", self.save, methods=["POST"]),
            Route("/api/leds", self.leds, methods=["GET"]),
            Route("/api/leds", self.save_leds, methods=["POST"]),
            Route("/api/leds/point", self.point, methods=["POST"]),
        ]

    async def form(self, request: Request) -> Response:
        """Every setting, with what the file says of it."""
        visit = asking(request, self._show)
        if isinstance(visit, Response):
            return visit
        try:
            return told(await asyncio.to_thread(_form, visit.keeper))
        except OSError as error:
            return unread(error)

    async def save(self, request: Request) -> Response:
        """Some of them, if all can be used; the answer is the form as it is then."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        try:
            return await asyncio.to_thread(_saved, visit.keeper, visit.sent)
        except FormError as error:
            return problem(422, str(error))
        except SettingsError as error:
            return told(mistakes_record(error.mistakes), 422)
        except FileChangedError:
            return problem(409, "The settings file was changed by somebody else meanwhile; look at it again.")
        except OSError as error:
            return unread(error)

    async def leds(self, request: Request) -> Response:
        """Which LED lies where; with `count` what a strip of so many most likely is."""
        visit = asking(request, self._show)
        if isinstance(visit, Response):
            return visit
        text = request.query_params.get("count")
        if text is None:
            try:
                return told(await asyncio.to_thread(_led_form, self._show.office.led_map))
            except OSError as error:
                return unread(error)
        is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST_COUNT
        if not (is_number and 1 <= int(text) <= MOST_LEDS):
            return problem(400, f"count is the number of LEDs, 1 to {MOST_LEDS}.")
        return told({"places": _names(usual_places(int(text))), "is_kept": False, "problem": ""})

    async def save_leds(self, request: Request) -> Response:
        """The whole map, if it is one."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        led_map = self._show.office.led_map
        if led_map is None:
            return problem(409, "There is no light board to map here.")
        try:
            layout = layout_told(visit.sent.get("places"))
            return told(await asyncio.to_thread(_leds_saved, led_map, layout, text_told(visit.sent, "seal")))
        except FormError as error:
            return problem(422, str(error))
        except LedMapError as error:
            mistakes: list[JsonValue] = [{"led": one.led, **told_of(one.sentence)} for one in error.mistakes]
            return told({"mistakes": mistakes}, 422)
        except SettingsError as error:
            return told(mistakes_record(error.mistakes), 422)
        except LayoutFileError as error:
            return problem(409, str(error))
        except FileChangedError:
            return problem(409, "The LED map was changed by somebody else meanwhile; look at it again.")
        except OSError as error:
            return unread(error)

    async def point(self, request: Request) -> Response:
        """One LED alone is lit for a moment."""
        visit = await changing(request, self._show)
        if isinstance(visit, Response):
            return visit
        led = visit.sent.get("led")
        if led is not None and (type(led) is not int or not 0 <= led < MOST_LEDS):
            return problem(422, f"led is a number from 0 to {MOST_LEDS - 1}, or null.")
        return await done(PointAt(led), self._show)


def _form(keeper: SettingsKeeper) -> Told:
    read = keeper.read()
    fields = setting_fields(known_with(keeper.house(read.text)))
    wrong: Told = {"mistakes": []}
    try:
        keeper.checked(read.text)
    except SettingsError as error:
        wrong = mistakes_record(error.mistakes)
    record = settings_record(fields, read.values, keeper.fixed)
    return {"file": keeper.file.name, "seal": read.seal, "problem": read.problem, "fields": record, **wrong}


def _saved(keeper: SettingsKeeper, sent: Told) -> Response:
    seal = text_told(sent, "seal")
    changes, mistakes = changes_told(sent, setting_fields(known_with(None)))
    keeper.save(changes, seal, mistakes)
    return told(_form(keeper))


def _led_form(led_map: LedMapKeeper | None) -> Told:
    if led_map is None:
        return {"places": [], "is_kept": False, "problem": "", "seal": ""}
    read = led_map.read()
    return {"places": _names(read.place_of), "is_kept": read.is_kept, "problem": read.problem, "seal": read.seal}


def _leds_saved(led_map: LedMapKeeper, layout: LedLayout, seal: str) -> Told:
    led_map.save(layout, seal)
    return _led_form(led_map)


def _names(places: tuple[LedPlace | None, ...]) -> list[JsonValue]:
    return [None if place is None else place.value for place in places]
