"""A page that explains the API: made of the OpenAPI document, complete in itself, with nothing from elsewhere and no script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)

_METHODS = ("get", "post", "put", "patch", "delete")
_OTHER = "other"
STYLE = """
:root { color-scheme: light dark; --line: #8884; --dim: #808080; --mark: #3b82f6; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
code, pre { font: 14px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: #8881; border-radius: 6px; overflow-x: auto; padding: .75rem; white-space: pre-wrap; }
nav a { margin-right: .75rem; white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; }
summary b { color: var(--mark); display: inline-block; min-width: 4rem; text-transform: uppercase; }
summary span, .dim { color: var(--dim); }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid var(--line); padding: .25rem .5rem .25rem 0; text-align: left; vertical-align: top; }
"""


class Explained:
    """The document and the page of an app, each made once: to make them takes half a second, and anybody may ask for them."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._lock = asyncio.Lock()
        self._made: tuple[bytes, bytes] | None = None

    async def document(self) -> bytes:
        """The OpenAPI document, as JSON."""
        return (await self._both())[0]

    async def page(self) -> bytes:
        """The page, as HTML."""
        return (await self._both())[1]

    async def _both(self) -> tuple[bytes, bytes]:
        async with self._lock:
            if self._made is None:
                self._made = await asyncio.to_thread(self._make)
            return self._made

    def _make(self) -> tuple[bytes, bytes]:
        document = self._app.openapi()
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(), render(document).encode()


def _explained(request: Request) -> Explained:
    found = request.app.state.explained
    assert isinstance(found, Explained)
    return found


Page: TypeAlias = Annotated[Explained, Depends(_explained)]


@router.get("/docs")
async def docs(explained: Page) -> HTMLResponse:
    """The page."""
    return HTMLResponse(await explained.page())


@router.get("/openapi.json")
async def openapi(explained: Page) -> Response:
    """The same for programs."""
    return Response(await explained.document(), media_type="application/json")


@router.get("/docs/style.css")
async def style() -> Response:
    """How the page looks."""
    return Response(STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


def render(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document."""
    return "".join(_page(document))


def _page(document: Mapping[str, Any]) -> Iterator[str]:
    info = document.get("info", {})
    title = escape(f"{info.get('title', 'API')} {info.get('version', '')}")
    groups: dict[str, list[tuple[str, str, Mapping[str, Any]]]] = {}
    for path, item in document.get("paths", {}).items():
        for method in _METHODS:
            if operation := item.get(method):
                groups.setdefault((operation.get("tags") or [_OTHER])[0], []).append((method, path, operation))
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
    yield f'<title>{title}</title>\n<link rel="stylesheet" href="docs/style.css">\n</head>\n<body>\n<h1>{title}</h1>\n'
    yield f"<p>{escape(info.get('summary', ''))} The same for programs: <a href='openapi.json'>openapi.json</a>.</p>\n"
    yield from (
        f"<p>{escape(one.get('description', ''))}</p>\n" for one in document.get("components", {}).get("securitySchemes", {}).values()
    )
    yield "<nav>"
    yield from (f'<a href="#{escape(name)}">{escape(name)}</a>' for name in (*groups, "schemas"))
    yield "</nav>\n"
    for name, operations in groups.items():
        yield f'<h2 id="{escape(name)}">{escape(name)}</h2>\n'
        for method, path, operation in operations:
            yield from _operation(method, path, operation, document)
    yield '<h2 id="schemas">schemas</h2>\n'
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        yield f'<details id="schema-{escape(name)}"><summary><code>{escape(name)}</code> '
        yield f"<span>{escape(_line(schema.get('description', '')))}</span></summary>{_json(schema)}</details>\n"
    yield "</body>\n</html>\n"


def _operation(method: str, path: str, operation: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[str]:
    yield f"<details><summary><b>{method}</b> <code>{escape(path)}</code> <span>{escape(operation.get('summary', ''))}</span></summary>\n"
    yield f"<p>{escape(operation.get('description', ''))}</p>\n"
    parameters = operation.get("parameters", [])
    if parameters:
        yield "<table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>\n"
        for one in parameters:
            needed = " (needed)" if one.get("required") else ""
            yield f"<tr><td><code>{escape(one['name'])}</code>{needed}</td><td>{escape(one['in'])}</td>"
            yield f"<td>{_type(one.get('schema', {}))}</td><td>{escape(one.get('description', ''))}</td></tr>\n"
        yield "</table>\n"
    for kind, media in operation.get("requestBody", {}).get("content", {}).items():
        schema = media.get("schema", {})
        yield f"<p>Send <code>{escape(kind)}</code>: {_type(schema)}</p>\n"
        for example in _examples(media, schema, document):
            yield _json(example)
    for status, reply in operation.get("responses", {}).items():
        yield f"<p><code>{escape(status)}</code> {escape(reply.get('description', ''))} "
        yield ", ".join(f"<code>{escape(kind)}</code> {_type(media.get('schema', {}))}" for kind, media in reply.get("content", {}).items())
        yield "</p>\n"
    yield "</details>\n"


def _examples(media: Mapping[str, Any], schema: Mapping[str, Any], document: Mapping[str, Any]) -> list[Any]:
    if "example" in media:
        return [media["example"]]
    name = schema.get("$ref", "").rpartition("/")[2]
    found: list[Any] = document.get("components", {}).get("schemas", {}).get(name, schema).get("examples", [])
    return found


def _type(schema: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#schema-{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(one))}</code>" for one in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return escape(str(schema.get("type", "anything")))


def _line(text: str) -> str:
    return text.partition("\n")[0]


def _json(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return f"<pre>{escape(text)}</pre>\n"
