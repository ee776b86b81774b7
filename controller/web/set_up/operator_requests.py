"""Who may come to the operator's office, and how the program is asked to do something there."""

import asyncio
import time
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.match_log.event_json import JsonValue
from controller.settings.store import SettingsStore
from controller.web.access import identify_request_viewer
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, problem, read_object
from controller.web.guard import client_of
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import Job, JobFailedError

MOST_FORM_BYTES = 32_768
DONE_WITHIN_S = 90.0
"""To begin a match, networks are loaded and a light board is looked for at up to 8 s a port."""

Record = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class OperatorRequest:
    """What the operator sent to whom; nothing where he only asks."""

    store: SettingsStore
    sent: Record


def authorise_read(request: Request, context: PageContext) -> OperatorRequest | Response:
    """The operator, who wants to see something; or what to answer instead."""
    if identify_request_viewer(request, context) is not Viewer.OPERATOR:
        return problem(401, WRONG_TOKEN)
    keeper = context.control.settings_store
    if keeper is None:
        return problem(409, "Nothing is set up from this page.")
    return OperatorRequest(keeper, {})


async def authorise_change(request: Request, context: PageContext) -> OperatorRequest | Response:
    """The operator, who wants something changed; the body is read only then."""
    visit = authorise_read(request, context)
    if isinstance(visit, Response):
        return visit
    if not context.order_rate.take(client_of(request.scope), time.monotonic()):
        return problem(429, "Too many orders; wait a moment.")
    sent = await read_object(request, MOST_FORM_BYTES)
    return sent if isinstance(sent, Response) else OperatorRequest(visit.store, sent)


async def run_job(job: Job, context: PageContext) -> Response:
    """Asks the program and waits for what comes of it."""
    answer = context.control.submit(job)
    if answer is None:
        return problem(503, "Orders wait already; the program does not go on just now.")
    try:
        async with asyncio.timeout(DONE_WITHIN_S):
            await asyncio.wrap_future(answer)
    except JobFailedError as error:
        return problem(409, str(error))
    except TimeoutError:
        return problem(503, "The program does not answer.")
    return respond_json({"done": True})


def respond_json(record: Record, status: int = 200) -> Response:
    return JSONResponse(record, status, headers=NOT_STORED)


def respond_file_error(error: OSError) -> Response:
    """Of the settings file."""
    return problem(503, f"The settings cannot be read or written: {error.strerror or 'unknown reason'}.")
