"""The application's own tools: functions as they are, described by their signatures, and never the end of a turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import anyio
import pytest
from pydantic import BaseModel, Field

from pagefile.errors import InputError
from pagefile.tools import Tool
from pagefile.window import ChatSettings

from .callers import ask_of, caller


def weather(city: str, days: int = 3, unit: Literal["C", "F"] = "C") -> dict[str, Any]:
    """Look up the weather. Use it when the person asks what to wear.

    Args:
        city: where to look, such as Lyon
        days (int): how many days

    Returns:
        what is to come
    """
    return {"city": city, "days": days, "unit": unit, "天气": "晴"}


async def test_a_function_says_by_its_signature_and_docstring_what_it_takes() -> None:
    spec = Tool.of(weather).spec("en")
    assert spec.name == "weather"
    assert spec.description == "Look up the weather. Use it when the person asks what to wear."
    assert spec.parameters["required"] == ["city"]
    assert spec.parameters["properties"]["city"] == {"type": "string", "description": "where to look, such as Lyon"}
    assert spec.parameters["properties"]["days"] == {"type": "integer", "description": "how many days", "default": 3}
    assert spec.parameters["properties"]["unit"]["enum"] == ["C", "F"]
    assert spec.parameters["additionalProperties"] is False


async def test_what_it_returns_is_shown_as_text_or_json() -> None:
    assert (await ask_of([Tool.of(weather)], caller(), "weather", city="Lyon")).text == '{"city":"Lyon","days":3,"unit":"C","天气":"晴"}'

    @dataclass
    class Place:
        name: str

    for value, text in (
        ("plain", "plain"),
        (None, ""),
        ([1, Place("Lyon")], '[1,{"name":"Lyon"}]'),
        (3.5, "3.5"),
        (object, "<class 'object'>"),
    ):
        result = await ask_of([Tool.of(lambda value=value: value, name="give")], caller(), "give")
        assert result.ok
        assert result.text.strip('"') == text


async def test_arguments_come_as_their_types_and_wrong_ones_are_a_result() -> None:
    class Route(BaseModel):
        start: str
        stops: list[str] = []

    seen: list[object] = []

    def drive(route: Route, speed: Annotated[float, Field(gt=0)], *, fast: bool = False) -> str:
        seen.append((route, speed, fast))
        return "ok"

    tools = [Tool.of(drive)]
    assert (await ask_of(tools, caller(), "drive", route={"start": "A", "stops": ["B"]}, speed=3, fast=True)).ok
    assert seen == [(Route(start="A", stops=["B"]), 3.0, True)]
    for wrong in (
        {"speed": 3},
        {"route": {"start": "A"}, "speed": -1},
        {"route": "A", "speed": 1},
        {"route": {"start": "A"}, "speed": 1, "x": 1},
    ):
        result = await ask_of(tools, caller(), "drive", **wrong)
        assert not result.ok
        assert "Its fields are: route, speed, fast" in result.text
    assert len(seen) == 1


async def test_a_sync_function_runs_in_a_thread_and_an_async_one_in_the_loop() -> None:
    async def where() -> bool:
        return threading.current_thread() is threading.main_thread()

    assert (await ask_of([Tool.of(where)], caller(), "where")).text == "true"
    sync = Tool.of(lambda: threading.current_thread() is threading.main_thread(), name="where")
    assert (await ask_of([sync], caller(), "where")).text == "false"


class Shop:
    def buy(self, thing: str) -> str:
        """Buy something."""
        return f"bought {thing}"

    async def __call__(self, thing: str) -> str:
        """Sell something."""
        return f"sold {thing}"


async def test_methods_and_callable_objects_are_functions_too() -> None:
    shop = Shop()
    assert (await ask_of([Tool.of(shop.buy)], caller(), "buy", thing="tea")).text == "bought tea"
    assert (await ask_of([Tool.of(shop, name="sell")], caller(), "sell", thing="tea")).text == "sold tea"


@pytest.mark.parametrize("error", [ValueError("no such city"), KeyError("x"), SystemExit(3), StopIteration("end")])
async def test_what_it_raises_is_told_to_the_model(error: BaseException) -> None:
    def fail() -> None:
        raise error

    result = await ask_of([Tool.of(fail)], caller(), "fail")
    assert not result.ok
    assert "fail failed" in result.text
    assert type(error).__name__ in result.text


async def test_one_that_takes_too_long_is_given_up() -> None:
    stop = threading.Event()
    tools = [Tool.of(lambda: stop.wait(30), name="sync", seconds=0.05), Tool.of(anyio.sleep, name="loop", seconds=0.05)]
    for name, arguments in (("sync", {}), ("loop", {"delay": 30})):
        result = await ask_of(tools, caller(), name, **arguments)
        assert not result.ok
        assert "within 0.05 seconds" in result.text
    stop.set()


async def test_cancelling_goes_through() -> None:
    async def hang() -> None:
        await asyncio.sleep(30)

    with anyio.move_on_after(0.05) as scope:
        await ask_of([Tool.of(hang)], caller(), "hang")
    assert scope.cancelled_caught


def anything(*parts: str) -> str:
    return "".join(parts)


def named(**parts: str) -> str:
    return "".join(parts.values())


def no_json(lock: threading.Event) -> str:
    return str(lock)


@pytest.mark.parametrize("function", [anything, named, no_json, lambda: 1, print])
def test_what_no_model_could_call_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(InputError):
        Tool.of(function)
    with pytest.raises(InputError):
        Tool.of(weather, name="has blanks")


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="memory_search"):
        ChatSettings(tools=(Tool.of(weather, name="memory_search"),))
    ChatSettings(tools=(Tool.of(weather, name="memory_search"),), toolset="memgpt")
