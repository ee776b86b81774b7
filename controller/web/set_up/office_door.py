"""Who may come to the operator's office, and how the program is asked to do something there."""

import asyncio
import time
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.match_log.event_json import JsonValue
from controller.settings.store import SettingsKeeper
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, object_sent, problem
from controller.web.guard import client_of
from controller.web.match.seen_by import Viewer
from controller.web.set_up.office import Job, NotDoneError
from controller.web.show import Show
from controller.web.visitors import request_viewer

MOST_FORM_BYTES = 32_768
DONE_WITHIN_S = 90.0
"""To begin a match, networks are loaded and a light board is looked for at up to 8 s a port."""

Told = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Visit:
    """What the operator sent to whom; nothing where he only asks."""

    keeper: SettingsKeeper
    sent: Told


def asking(request: Request, show: Show) -> Visit | Response:
    """The operator, who wants to see something; or what to answer instead."""
    if request_viewer(request, show) is not Viewer.OPERATOR:
        return problem(401, WRONG_TOKEN)
    keeper = show.office.keeper
    if keeper is None:
        return problem(409, "Nothing is set up from this page.")
    return Visit(keeper, {})


async def changing(request: Request, show: Show) -> Visit | Response:
    """The operator, who wants something changed; the body is read only then."""
    visit = asking(request, show)
    if isinstance(visit, Response):
        return visit
    if not show.order_rate.take(client_of(request.scope), time.monotonic()):
        return problem(429, "Too many orders; wait a moment.")
    sent = await object_sent(request, MOST_FORM_BYTES)
    return sent if isinstance(sent, Response) else Visit(visit.keeper, sent)


async def done(job: Job, show: Show) -> Response:
    """Asks the program and waits for what comes of it."""
    answer = show.office.ask(job)
    if answer is None:
        return problem(503, "Orders wait already; the program does not go on just now.")
    try:
        async with asyncio.timeout(DONE_WITHIN_S):
            await asyncio.wrap_future(answer)
    except NotDoneError as error:
        return problem(409, str(error))
    except TimeoutError:
        return problem(503, "The program does not answer.")
    return told({"done": True})


def told(record: Told, status: int = 200) -> Response:
    return JSONResponse(record, status, headers=NOT_STORED)


def unread(error: OSError) -> Response:
    """Of the settings file."""
    return problem(503, f"The settings cannot be read or written: {error.strerror or 'unknown reason'}.")
