"""What all requests of the set-up pages share: they need the operator's token, and a job of the program takes time."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from controller.settings.settings import SettingsError
from controller.settings.store import SettingsStore
from controller.web.access import read_order, require_operator
from controller.web.bodies import Record, RequestRefusedError, problem, respond_json
from controller.web.page_context import PageContext
from controller.web.set_up.forms import FormError, mistakes_record
from controller.web.set_up.program_control import Job, JobFailedError

MOST_FORM_BYTES = 32_768
DONE_WITHIN_S = 90.0
"""A bound: the start of a match loads networks and probes each serial port for a light board for up to 8 s."""


@dataclass(frozen=True, slots=True)
class OperatorRequest:
    """A permitted request; `sent` is empty for a read."""

    store: SettingsStore
    sent: Record


def authorise_read(request: Request, context: PageContext) -> OperatorRequest:
    """A request that changes nothing. Raises RequestRefusedError."""
    require_operator(request, context.access)
    store = context.control.settings_store
    if store is None:
        raise problem(409, "Nothing is set up from this page.")
    return OperatorRequest(store, {})


async def authorise_change(request: Request, context: PageContext) -> OperatorRequest:
    """A request with a body. Raises RequestRefusedError."""
    store = authorise_read(request, context).store
    return OperatorRequest(store, await read_order(request, context.access, MOST_FORM_BYTES))


@contextmanager
def refusing_invalid_settings() -> Iterator[None]:
    """Turns errors of forms and of the settings file into refusals."""
    try:
        yield
    except FormError as error:
        raise problem(422, str(error)) from None
    except SettingsError as error:
        raise RequestRefusedError(respond_json(mistakes_record(error.mistakes), 422)) from None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise problem(503, f"The settings cannot be read or written: {reason}.") from None


async def run_job(job: Job, context: PageContext) -> Response:
    """Submits a job to the program and waits for its result."""
    result = context.control.submit(job)
    if result is None:
        raise problem(503, "Orders wait already; the program does not go on just now.")
    try:
        async with asyncio.timeout(DONE_WITHIN_S):
            await asyncio.wrap_future(result)
    except JobFailedError as error:
        raise problem(409, str(error)) from None
    except TimeoutError:
        raise problem(503, "The program does not answer.") from None
    return respond_json({"done": True})
