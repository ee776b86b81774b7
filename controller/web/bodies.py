"""Request bodies and query values, parsed with care: JSON of limited length that holds only valid text and numbers."""

import json

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from controller.match_log.event_json import JsonValue
from controller.speech.form_sentences import make_phrase_fields

NOT_STORED = {"Cache-Control": "no-store"}
WRONG_TOKEN = "This token is not valid; open the link that zarbiter prints."  # noqa: S105 - a sentence
_MOST_DIGITS = 9

Record = dict[str, JsonValue]


def problem(status: int, sentence: str) -> Response:
    """A refusal: one English sentence with a full stop, and as `said` its text key, for pages in any language."""
    return JSONResponse({"error": sentence, **make_phrase_fields(sentence)}, status, headers=NOT_STORED)


async def read_object(request: Request, most_bytes: int) -> Record | Response:
    """The JSON object of the body, or the response that refuses it."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return problem(415, "Send JSON.")
    body = await _read_body(request, most_bytes)
    if body is None:
        return problem(413, f"This has more than {most_bytes} bytes.")
    try:
        sent: JsonValue = json.loads(body, parse_constant=_refuse_constant)
        json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()  # refuses half a surrogate pair, and 1e999
    except (ValueError, RecursionError):
        return problem(400, "This is no JSON.")
    return sent if isinstance(sent, dict) else problem(422, "Send a JSON object.")


async def _read_body(request: Request, most_bytes: int) -> bytes | None:
    """None when the body is longer, or when its sender has disconnected."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > most_bytes:
                return None
    except ClientDisconnect:
        return None
    return body


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


def parse_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """A whole number written in ASCII digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None
