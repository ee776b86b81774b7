"""What is sent to the API, read with care: JSON of limited length, and nothing in it that is no text."""

import json

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from controller.match_log.event_json import JsonValue
from controller.speech.form_sentences import make_phrase_fields

NOT_STORED = {"Cache-Control": "no-store"}
WRONG_TOKEN = "This token is not valid; open the link that zarbiter prints."  # noqa: S105 - a sentence


def problem(status: int, sentence: str) -> Response:
    """One sentence with a full stop; `said` is the same for pages in any language."""
    return JSONResponse({"error": sentence, **make_phrase_fields(sentence)}, status, headers=NOT_STORED)


async def read_object(request: Request, most_bytes: int) -> dict[str, JsonValue] | Response:
    """The JSON object of the body, or what to answer instead."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return problem(415, "Send JSON.")
    body = await _read_body(request, most_bytes)
    if body is None:
        return problem(413, f"This has more than {most_bytes} bytes.")
    try:
        sent: JsonValue = json.loads(body, parse_constant=_refuse_constant)
        json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()  # half a character is no text, 1e999 no number
    except (ValueError, RecursionError):
        return problem(400, "This is no JSON.")
    return sent if isinstance(sent, dict) else problem(422, "Send a JSON object.")


async def _read_body(request: Request, most_bytes: int) -> bytes | None:
    """None when it is longer, or when whoever sent it has gone."""
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
