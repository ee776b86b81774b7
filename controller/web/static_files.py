"""The files of the page: read once, and served from memory by their exact names. No name from outside becomes a path."""

import gzip
import hashlib
import re
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
    "png": "image/png",
    "ico": "image/vnd.microsoft.icon",
    "webmanifest": "application/manifest+json",
}
_SCRIPT = re.compile(rb'<script type="module" src="/static/([\w.]+)">')
_IMPORT = re.compile(r'from "\./([\w.]+)"')


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
            content = _with_preloads(entry.read_bytes(), folder)
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            found.append((name, StaticFile(content, gzip.compress(content, 6, mtime=0), media_type, tag)))
    return found


def _with_preloads(content: bytes, folder: Traversable) -> bytes:
    """A page with links to all modules that its script imports, so that the browser requests them at once."""
    script = _SCRIPT.search(content)
    waiting, found = [script[1].decode()] if script else [], set[str]()
    while waiting:
        imported = set(_IMPORT.findall((folder / waiting.pop()).read_text(encoding="utf-8"))) - found
        found |= imported
        waiting += imported
    links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in sorted(found))
    return content.replace(script[0], links.encode() + script[0]) if script else content


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
    """The route of one file with an address of its own."""

    async def respond(request: Request) -> Response:
        return respond_static(request, name)

    return Route(path, respond, methods=["GET"])


async def _respond_by_name(request: Request) -> Response:
    return respond_static(request, str(request.path_params["name"]))


STATIC_ROUTE = Route("/static/{name:path}", _respond_by_name, methods=["GET"])
