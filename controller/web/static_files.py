"""The files of the page: read once, and served from memory by their exact names. No name from outside becomes a path."""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.web.bodies import problem

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """`tag` (the HTTP ETag) changes with the content."""

    content: bytes
    gzipped: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """The files by their path below `static/`, for example `texts/en.json`."""
    return dict(_collect_files(files("controller.web") / "static", ""))


def _collect_files(folder: Traversable, prefix: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found += _collect_files(entry, f"{name}/")
        elif media_type := _TYPES.get(name.rpartition(".")[2]):
            content = entry.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            found.append((name, StaticFile(content, gzip.compress(content, 6, mtime=0), media_type, tag)))
    return found


def respond_static(request: Request, name: str) -> Response:
    """The file; 304 without content where the browser has it already, 404 where there is none."""
    file = static_files().get(name)
    if file is None:
        raise problem(404, "There is no such file.")
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzipped, media_type=file.media_type, headers=headers | {"Content-Encoding": "gzip"})
    return Response(file.content, media_type=file.media_type, headers=headers)


def page_route(path: str, name: str) -> Route:
    """The route of one HTML file."""

    async def respond(request: Request) -> Response:
        return respond_static(request, name)

    return Route(path, respond, methods=["GET"])


async def _respond_by_name(request: Request) -> Response:
    return respond_static(request, str(request.path_params["name"]))


STATIC_ROUTE = Route("/static/{name:path}", _respond_by_name, methods=["GET"])
