"""The OpenAPI document is true: whatever it allows is answered as it says, whatever it forbids is refused, and nothing is an error of the
server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from pagefile.models.scripted import ScriptedModel
from pagefile.server.auth import is_open
from pagefile.server.rest.transfer import LINES
from tests.server.conftest import Running

#: Its stream ends only when the client goes.
ENDLESS = "/api/v1/events"
CHECKS = [not_a_server_error, response_schema_conformance, content_type_conformance, status_code_conformance]


@schemathesis.serializer(LINES)
def lines(_: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@pytest.fixture
def server(running_server: Callable[..., Running]) -> Running:
    made = running_server(model=ScriptedModel(["Noted."] * 10_000))
    for text in ("I live in Berlin.", "我对花生过敏。"):
        httpx.post(f"{made.url}/api/v1/messages", json={"messages": [text]}).raise_for_status()
    return made


@pytest.mark.parametrize(("mode", "examples"), [(GenerationMode.POSITIVE, 7), (GenerationMode.NEGATIVE, 4)])
def test_whatever_the_document_allows_or_forbids_is_answered_as_it_says(server: Running, mode: GenerationMode, examples: int) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json").include(path_regex="^/api/v1/").exclude(path=ENDLESS)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 50
    for operation in operations:
        try_out(operation, mode, examples)


def try_out(operation: Any, mode: GenerationMode, examples: int) -> None:
    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def answered(case: schemathesis.Case) -> None:
        case.call_and_validate(checks=CHECKS, timeout=20)

    answered()


def test_every_route_has_a_summary_and_every_body_an_example(server: Running) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    schemas = document["components"]["schemas"]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if not path.startswith("/api/v1/"):
                continue
            assert operation["summary"], path
            assert operation["description"], path
            for media in operation.get("requestBody", {}).get("content", {}).values():
                named = schemas.get(media["schema"].get("$ref", "").rpartition("/")[2], {})
                assert "example" in media or named.get("examples"), f"{method} {path} has no example"


def test_everything_in_the_document_says_what_it_is(server: Running) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    untold = [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, one in schema.get("properties", {}).items()
        if not one.get("description") and "$ref" not in one
    ]
    for path, item in document["paths"].items():
        for method, operation in item.items():
            untold += [f"{method} {path} {one['name']}" for one in operation.get("parameters", ()) if not one.get("description")]
            told = [one["description"] for one in operation["responses"].values()]
            untold += [f"{method} {path} has a reply without words"] * (not all(told) or "Successful Response" in told)
    assert not untold


def test_the_document_says_how_one_shows_who_asks(server: Running) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    schemes = document["components"]["securitySchemes"]
    assert {(one["type"], one.get("scheme"), one.get("name")) for one in schemes.values()} == {
        ("http", "bearer", None),
        ("apiKey", None, "X-API-Key"),
        ("apiKey", None, "api-key"),
    }
    for path, item in document["paths"].items():
        for operation in item.values():
            named = {name for one in operation["security"] for name in one}
            assert named == (set() if is_open(path) else set(schemes)), path
    key = server.key(acts_as="*")
    for headers in ({"Authorization": f"Bearer {key}"}, {"X-API-Key": key}, {"api-key": key}):
        assert httpx.get(f"{server.url}/api/v1/stats", params={"user": "me"}, headers=headers).status_code == 200
    page = httpx.get(f"{server.url}/docs").text
    assert "Authorization: Bearer" in page


def test_fields_are_described_by_the_comments_beside_them(server: Running) -> None:
    schemas = httpx.get(f"{server.url}/openapi.json").json()["components"]["schemas"]
    assert schemas["Record"]["properties"]["evidence_count"]["description"] == "How many independent times it was said."
    assert schemas["Page_Record_"]["properties"]["cursor"]["description"].startswith("Pass it to get the next page")
    assert "trust" in schemas["Hit"]["properties"]


def test_names_of_operations_are_unique_and_can_be_spoken(server: Running) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    ids = [one["operationId"] for path, item in document["paths"].items() for one in item.values() if path.startswith("/api/v1/")]
    assert len(set(ids)) == len(ids)
    assert not [one for one in ids if "api_v1" in one]


def test_the_page_explains_every_route_and_loads_nothing_from_elsewhere(server: Running) -> None:
    document = httpx.get(f"{server.url}/openapi.json").json()
    reply = httpx.get(f"{server.url}/docs")
    assert reply.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in reply.headers["content-security-policy"]
    for path in document["paths"]:
        assert f"<code>{path}</code>" in reply.text
    for elsewhere in ('="http', "='http", '="//', "<script", "<img", "<iframe", "style="):
        assert elsewhere not in reply.text
    assert httpx.get(f"{server.url}/docs/style.css").headers["content-type"].startswith("text/css")
