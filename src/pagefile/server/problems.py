"""Errors as replies: problem+json (RFC 9457), and the shape of OpenAI's errors under /v1/. Secrets are masked, internals not told."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException

import pagefile.errors as errors
from pagefile.language.secrets import redact

#: The most of an error's text that is told: it may quote what was given.
_MAX_DETAIL = 2_000
_RETRY_SECONDS = 1.0

#: The first one that fits says the status and the name of the kind; what fits none is an internal error.
_KINDS: tuple[tuple[type[Exception], int, str], ...] = (
    (errors.NotFound, 404, "not-found"),
    (errors.SessionBusy, 409, "session-busy"),
    (errors.Erased, 409, "erased"),
    (errors.ConflictError, 409, "conflict"),
    (errors.BlockFull, 409, "block-full"),
    (errors.InvalidIdentifier, 400, "invalid-identifier"),
    (errors.InputError, 400, "invalid-input"),
    (errors.NotAuthenticated, 401, "not-authenticated"),
    (errors.NotAllowed, 403, "not-allowed"),
    (errors.TooMany, 429, "too-many-requests"),
    (errors.StoreUnavailable, 503, "store-unavailable"),
    (errors.ContextExceeded, 400, "context-exceeded"),
    (errors.ModelRefused, 502, "model-refused"),
    (errors.ModelError, 502, "model-unavailable"),
    (errors.EmbedderError, 502, "embedder-failed"),
)
_OPENAI_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}


class FieldProblem(BaseModel):
    """What is wrong with one field of a request."""

    where: str = Field(description="The path of the field, such as body.messages.0.role")
    problem: str


class Problem(BaseModel):
    """An error, in the form of RFC 9457."""

    type: str = Field(description="The kind of error, for programs", examples=["urn:pagefile:error:not-found"])
    title: str = Field(description="The status in words", examples=["Not Found"])
    status: int
    detail: str = Field(description="What was tried, what went wrong and what to do")
    request_id: str = Field(description="Stands in the server's log, too")
    errors: list[FieldProblem] | None = Field(default=None, description="What is wrong with single fields")


#: For the OpenAPI document: the errors that every route may answer with.
RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "An error",
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


def schemas() -> dict[str, Any]:
    """The schemas that ``RESPONSES`` refers to, for the OpenAPI document."""
    whole = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**whole.pop("$defs"), "Problem": whole}


def install(app: FastAPI) -> None:
    """Have the app answer errors so."""
    app.add_exception_handler(errors.PagefileError, _on_error)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_validation)


def problem(
    *,
    status: int,
    kind: str,
    detail: str,
    path: str,
    request_id: str,
    headers: Mapping[str, str] | None = None,
    fields: Sequence[FieldProblem] = (),
) -> JSONResponse:
    """The reply that tells of an error, in the shape that clients of this path read."""
    told = redact(detail[:_MAX_DETAIL]).text
    if path.startswith("/v1/"):
        shape = _OPENAI_TYPES.get(
            status, "rate_limit_error" if status == 429 else "server_error" if status >= 500 else "invalid_request_error"
        )
        told = "; ".join([told, *(f"{field.where}: {field.problem}" for field in fields)])
        return JSONResponse({"error": {"message": told, "type": shape, "param": None, "code": kind.replace("-", "_")}}, status, headers)
    body = Problem(
        type=f"urn:pagefile:error:{kind}",
        title=_title(status),
        status=status,
        detail=told,
        request_id=request_id,
        errors=list(fields) or None,
    )
    return JSONResponse(body.model_dump(exclude_none=True), status, headers, media_type="application/problem+json")


def of_error(error: Exception, *, path: str, request_id: str) -> JSONResponse:
    """The reply that tells of this error; of one that is not ours nothing but that there was one."""
    for kind, status, name in _KINDS:
        if isinstance(error, kind):
            return problem(status=status, kind=name, detail=str(error), path=path, request_id=request_id, headers=_headers(error))
    detail = f"an error of the server; its log has it under the request id {request_id}"
    return problem(status=500, kind="internal", detail=detail, path=path, request_id=request_id)


def shutting_down(*, path: str, request_id: str) -> JSONResponse:
    """The reply to a request that was still being answered when the server could wait no longer."""
    detail = (
        "the server is shutting down and could not wait for the answer any longer; a question that is to be kept is kept; try again "
        "in a moment"
    )
    headers = {"Retry-After": str(math.ceil(_RETRY_SECONDS))}
    return problem(status=503, kind="shutting-down", detail=detail, path=path, request_id=request_id, headers=headers)


def status_of(error: Exception) -> int:
    """The status with which this error is answered."""
    return next((status for kind, status, _ in _KINDS if isinstance(error, kind)), 500)


def request_id_of(request: Request) -> str:
    return str(getattr(request.state, "request_id", "none"))


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, errors.NotAuthenticated):
        return {"WWW-Authenticate": 'Bearer realm="pagefile"'}
    if isinstance(error, errors.TooMany | errors.SessionBusy | errors.StoreUnavailable):
        return {"Retry-After": str(max(1, math.ceil(getattr(error, "retry_after", _RETRY_SECONDS))))}
    return {}


def _title(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    return of_error(error, path=request.url.path, request_id=request_id_of(request))


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    kind = _title(error.status_code).lower().replace(" ", "-")
    headers = dict(Headers(error.headers or {}))
    told = str(error.detail)
    if error.status_code == 404 and told == "Not Found":
        told = "there is nothing at this address; /docs lists what there is"
    return problem(
        status=error.status_code, kind=kind, detail=told, path=request.url.path, request_id=request_id_of(request), headers=headers
    )


async def _on_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # Where and what, but never the value: it may be what somebody said.
    fields = [
        FieldProblem(where=".".join(str(part) for part in one["loc"])[:200], problem=str(one["msg"])[:300]) for one in error.errors()[:50]
    ]
    return problem(
        status=422,
        kind="invalid-input",
        detail="the request cannot be used; see errors for what is wrong with which field",
        path=request.url.path,
        request_id=request_id_of(request),
        fields=fields,
    )
