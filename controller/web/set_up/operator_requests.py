"""What all requests of the set-up pages share: they need the operator's token, and a job of the program takes time."""

import asyncio
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.settings.store import SettingsStore
from controller.web.access import identify_request_viewer, read_order
from controller.web.bodies import NOT_STORED, WRONG_TOKEN, Record, problem
from controller.web.match.visibility import Viewer
from controller.web.page_context import PageContext
from controller.web.set_up.program_control import Job, JobFailedError

MOST_FORM_BYTES = 32_768
DONE_WITHIN_S = 90.0
"""A bound: the start of a match loads networks and probes each serial port for a light board for up to 8 s."""


@dataclass(frozen=True, slots=True)
class OperatorRequest:
    """A permitted request; `sent` is empty for a read."""

    store: SettingsStore
    sent: Record


def authorise_read(request: Request, context: PageContext) -> OperatorRequest | Response:
    """A request that changes nothing, or the response that refuses it."""
    if identify_request_viewer(request, context.access) is not Viewer.OPERATOR:
        return problem(401, WRONG_TOKEN)
    store = context.control.settings_store
    if store is None:
        return problem(409, "Nothing is set up from this page.")
    return OperatorRequest(store, {})


async def authorise_change(request: Request, context: PageContext) -> OperatorRequest | Response:
    """A request with a body, or the response that refuses it."""
    permitted = authorise_read(request, context)
    if isinstance(permitted, Response):
        return permitted
    sent = await read_order(request, context.access, MOST_FORM_BYTES)
    return sent if isinstance(sent, Response) else OperatorRequest(permitted.store, sent)


async def run_job(job: Job, context: PageContext) -> Response:
    """Submits a job to the program and waits for its result."""
    result = context.control.submit(job)
    if result is None:
        return problem(503, "Orders wait already; the program does not go on just now.")
    try:
        async with asyncio.timeout(DONE_WITHIN_S):
            await asyncio.wrap_future(result)
    except JobFailedError as error:
        return problem(409, str(error))
    except TimeoutError:
        return problem(503, "The program does not answer.")
    return respond_json({"done": True})


def respond_json(record: Record, status: int = 200) -> Response:
    return JSONResponse(record, status, headers=NOT_STORED)


def respond_file_error(error: OSError) -> Response:
    """The response where the settings file cannot be read or written."""
    return problem(503, f"The settings cannot be read or written: {error.strerror or 'unknown reason'}.")
