"""Request bodies and query values, parsed with care: JSON of limited length that holds only valid text and numbers.

Whatever a handler refuses becomes a `RequestRefusedError`, which carries the response (`REFUSALS` for starlette).
"""

import json

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from controller.match_log.event_json import JsonValue
from controller.speech.form_sentences import make_phrase_fields

NOT_STORED = {"Cache-Control": "no-store"}
WRONG_TOKEN = "This token is not valid; open the link that zarbiter prints."  # noqa: S105 - a sentence
TOO_MANY_TOKENS = "Too many wrong tokens; wait a moment."
_MOST_DIGITS = 9

Record = dict[str, JsonValue]


class RequestRefusedError(Exception):
    """A request that is not fulfilled, with its response."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status_code)
        self.response = response


async def _respond_refusal(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestRefusedError)  # noqa: S101 - registered for this class alone
    return error.response


REFUSALS = {RequestRefusedError: _respond_refusal}


def problem(status: int, sentence: str, wait_s: int | None = None) -> RequestRefusedError:
    """A refusal: one English sentence with a full stop, and as `said` its text key, for pages in any language.

    `wait_s`: the seconds after which the same request may succeed.
    """
    response = respond_json({"error": sentence, **make_phrase_fields(sentence)}, status)
    if wait_s is not None:
        response.headers["Retry-After"] = str(wait_s)
    return RequestRefusedError(response)


def respond_json(record: Record, status: int = 200) -> Response:
    return JSONResponse(record, status, headers=NOT_STORED)


def respond_json_text(text: str) -> Response:
    return Response(text, media_type="application/json", headers=NOT_STORED)


async def read_object(request: Request, most_bytes: int) -> Record:
    """The JSON object of the body. Raises RequestRefusedError."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise problem(415, "Send JSON.")
    body = await _read_body(request, most_bytes)
    if body is None:
        raise problem(413, f"This has more than {most_bytes} bytes.")
    try:
        sent: JsonValue = json.loads(body, parse_constant=_refuse_constant)
        json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()  # refuses half a surrogate pair, and 1e999
    except (ValueError, RecursionError):
        raise problem(400, "This is no JSON.") from None
    if not isinstance(sent, dict):
        raise problem(422, "Send a JSON object.")
    return sent


async def read_bytes(request: Request, most_bytes: int) -> bytes:
    """The body as it is. Raises RequestRefusedError where it is longer."""
    body = await _read_body(request, most_bytes)
    if body is None:
        raise problem(413, f"This has more than {most_bytes} bytes.")
    return body


async def _read_body(request: Request, most_bytes: int) -> bytes | None:
    """None when the body is longer, or when its sender has disconnected."""
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most_bytes:
                return None
    except ClientDisconnect:
        return None
    return bytes(body)


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def parse_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """A whole number written in ASCII digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None
