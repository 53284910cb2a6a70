"""Settings first, then OPENAI_*, then this machine, else offline; and it says which and why."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from pagefile.discover import LocalServer, check_model, find_model
from pagefile.errors import ModelRefused, ModelUnavailable, SettingsError
from pagefile.models.offline import OfflineModel
from pagefile.models.openai import OpenAIModel, Patience
from pagefile.testing.openai_server import OpenAIServer, Raw, Streamed, call, refuse, say

QUICK = Patience(connect=2, silence=5, retries=0)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def local(server: OpenAIServer | None = None, *, prefix: str = "ollama", window: int | None = None) -> LocalServer:
    return LocalServer(prefix=prefix, title=prefix.title(), port=server.port if server else free_port(), window=window)


async def test_offline_is_offline_and_asks_nobody() -> None:
    with OpenAIServer() as server:
        found = await find_model(model="offline", base_url=server.url, openai_api_key="sk", servers=[local(server)])
        assert isinstance(found.model, OfflineModel) and found.sends_to is None
        assert server.requests == []


async def test_without_anything_it_is_offline_and_says_why() -> None:
    found = await find_model(servers=[local(), local(prefix="vllm")])
    assert isinstance(found.model, OfflineModel) and found.sends_to is None
    assert "no Ollama or Vllm runs on this machine" in found.what and "PAGEFILE_MODEL" in found.what


@pytest.mark.parametrize("form", ["qwen3:4b@{url}", "qwen3:4b@{root}", "ollama/qwen3:4b", "qwen3:4b"])
async def test_a_model_can_be_named_in_several_forms(form: str) -> None:
    with OpenAIServer(models=["other", "qwen3:4b"]) as server:
        named = form.format(url=server.url, root=server.url.removesuffix("/v1"))
        found = await find_model(model=named, servers=[local(server, window=4_096)])
        assert isinstance(found.model, OpenAIModel)
        assert (found.model.name, found.model.base_url, found.model.context_window) == ("qwen3:4b", server.url, 4_096)
        assert found.sends_to == f"{server.url} (this machine)" and "qwen3:4b" in found.what


async def test_with_a_base_url_the_name_is_taken_as_it_is() -> None:
    with OpenAIServer(models=["openai/gpt-4o", "Qwen/Qwen3-8B"]) as server:
        for name in ("openai/gpt-4o", "Qwen/Qwen3-8B"):
            found = await find_model(model=name, base_url=server.url, api_key="k", servers=[])
            assert found.model.name == name
        assert server.requests[-1].headers["authorization"] == "Bearer k"


@pytest.mark.parametrize("name", ["ollama/qwen3", "qwen3", "ollama/qwen3:latest"])
async def test_a_name_is_matched_with_what_the_endpoint_calls_it(name: str) -> None:
    with OpenAIServer(models=["qwen3:latest"]) as server:
        assert (await find_model(model=name, base_url=server.url, servers=[])).model.name == "qwen3:latest"


async def test_a_model_that_is_not_listed_is_used_and_said_to_be_so() -> None:
    with OpenAIServer(models=["a", "b"]) as server:
        found = await find_model(model="c", base_url=server.url, servers=[])
        assert found.model.name == "c" and "does not list it, but has a, b" in found.what


async def test_an_endpoint_without_a_list_is_taken_at_its_word() -> None:
    with OpenAIServer(models=refuse(404)) as server:
        assert (await find_model(model="m", base_url=server.url, servers=[])).model.name == "m"
        with pytest.raises(ModelRefused):
            await find_model(base_url=server.url, servers=[])


async def test_the_first_model_that_can_chat_is_taken() -> None:
    names = ["nomic-embed-text:latest", "bge-m3", "text-embedding-3-small", "whisper-1", "gpt-oss:120b-cloud", "qwen3:4b", "llama3"]
    with OpenAIServer(models=names) as server:
        assert (await find_model(base_url=server.url, servers=[])).model.name == "qwen3:4b"
        assert (await find_model(servers=[local(server)])).model.name == "qwen3:4b"
    with OpenAIServer(models=names[:4]) as server:
        with pytest.raises(SettingsError, match="no model to chat with"):
            await find_model(base_url=server.url, servers=[])
        found = await find_model(servers=[local(server)])
        assert isinstance(found.model, OfflineModel) and "Ollama has no chat model" in found.what


async def test_settings_win_over_openai_and_openai_over_this_machine() -> None:
    with OpenAIServer(models=["set"]) as first, OpenAIServer(models=["openai"]) as second, OpenAIServer(models=["local"]) as third:
        options: dict[str, Any] = {"openai_base_url": second.url, "openai_api_key": "sk", "servers": [local(third)]}
        assert (await find_model(base_url=first.url, **options)).model.name == "set"
        assert third.requests == second.requests == []
        assert (await find_model(**options)).model.name == "openai"
        assert third.requests == []
        assert (await find_model(servers=[local(third)])).model.name == "local"


async def test_the_servers_of_this_machine_are_taken_in_order() -> None:
    with OpenAIServer(models=["one"]) as first, OpenAIServer(models=["two"]) as second:
        found = await find_model(servers=[local(prefix="lmstudio"), local(first), local(second, prefix="vllm")])
        assert found.model.name == "one" and "Ollama on this machine" in found.what
        assert (await find_model(model="two", servers=[local(first), local(second, prefix="vllm")])).model.name == "two"
        assert isinstance((await find_model(servers=[local(first)], probe_local=False)).model, OfflineModel)


async def test_something_else_on_the_port_is_passed_over() -> None:
    page = Raw(body="<html>my web site</html>", headers={"Content-Type": "text/html"})
    with OpenAIServer(models=page) as site, OpenAIServer(models=refuse(404)) as other, OpenAIServer(models=["m"]) as server:
        found = await find_model(servers=[local(site), local(other, prefix="vllm"), local(server, prefix="lmstudio")])
        assert found.model.name == "m"
        assert isinstance((await find_model(servers=[local(site)])).model, OfflineModel)


async def test_a_key_goes_only_where_it_was_configured_for() -> None:
    with OpenAIServer(models=["m"]) as mine, OpenAIServer(models=["m"]) as theirs:
        options: dict[str, Any] = {"openai_base_url": theirs.url, "openai_api_key": "sk-openai", "servers": [local(mine)]}
        await find_model(model="m", base_url=mine.url, **options)
        await find_model(model="ollama/m", **options)
        await find_model(model=f"m@{mine.url}", **options)
        assert all("sk-openai" not in request.headers["authorization"] for request in mine.requests)
        await find_model(model="openai/m", **options)
        await find_model(model=f"m@{theirs.url}", **options)
        assert all(request.headers["authorization"] == "Bearer sk-openai" for request in theirs.requests)


async def test_a_configured_endpoint_that_is_not_there_is_an_error_with_a_way_out() -> None:
    port = free_port()
    for options in ({"base_url": f"http://127.0.0.1:{port}/v1"}, {"openai_base_url": f"http://127.0.0.1:{port}"}):
        with OpenAIServer(models=["m"]) as server, pytest.raises(ModelUnavailable) as caught:
            await find_model(**options, servers=[local(server)])  # type: ignore[arg-type]  # two kinds of keywords
        said = str(caught.value)
        assert f"http://127.0.0.1:{port}/v1" in said and "host.docker.internal" in said and "PAGEFILE_MODEL=offline" in said
        assert server.requests == []
    with pytest.raises(ModelUnavailable, match="PAGEFILE_MODEL"):
        await find_model(model="ollama/m", servers=[local()])


async def test_a_wrong_key_is_found_at_once() -> None:
    with OpenAIServer(models=refuse(401, "invalid key")) as server, pytest.raises(ModelRefused, match="Check the API key"):
        await find_model(model="m", base_url=server.url, api_key="sk-x", servers=[])


@pytest.mark.parametrize(
    "options",
    [{"model": " "}, {"model": "unheard-of"}, {"base_url": "localhost:11434"}, {"base_url": "ftp://host"}, {"model": "m@http://"}],
)
async def test_what_cannot_be_meant_is_refused_with_the_forms_there_are(options: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="http://host:port/v1"):
        await find_model(**options, servers=[local()])  # type: ignore[arg-type]  # all keywords of this table are texts


async def test_the_window_is_the_given_then_the_servers_then_the_usual_one() -> None:
    with OpenAIServer(models=[{"id": "a", "max_model_len": 20_000}, "b"]) as server:
        servers = [local(server, window=4_096)]
        windows = [
            (await find_model(model="ollama/a", context_window=1_000, servers=servers)).model.context_window,
            (await find_model(model="ollama/a", servers=servers)).model.context_window,
            (await find_model(model="b", base_url=server.url, servers=servers)).model.context_window,
            (await find_model(model="b", base_url=server.url, servers=[])).model.context_window,
        ]
    assert windows == [1_000, 20_000, 4_096, 8_192]


async def test_a_cloud_model_of_a_local_server_is_said_to_leave_the_machine() -> None:
    with OpenAIServer(models=["gpt-oss:120b-cloud"]) as server:
        found = await find_model(model="ollama/gpt-oss:120b-cloud", servers=[local(server)])
        assert found.sends_to is not None and "cloud" in found.sends_to


async def test_a_good_model_passes_the_check() -> None:
    with OpenAIServer([say("hi", finish="length"), call("report_number", {"number": 7})]) as server:
        model = OpenAIModel("test-model", base_url=server.url, patience=QUICK)
        check = await check_model(model)
        await model.close()
        assert (check.reachable, check.listed, check.answers, check.tools) == (True, True, True, True)
        assert check.seconds > 0 and server.chats[0]["max_tokens"] == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [(say("Sure, 7!"), "answered with text"), (call("report_number", "7"), "no JSON object"), (call("other", {}), "answered with text"),
     (refuse(400, "this model does not support tools"), "it takes none"), (refuse(500, "crashed"), "crashed")],
)  # fmt: skip
async def test_a_model_that_makes_no_tool_calls_is_said_to_make_none(reply: Streamed | Raw, said: str) -> None:
    with OpenAIServer([say("hi"), reply, say("I cannot.")], models=["another"]) as server:
        model = OpenAIModel("test-model", base_url=server.url, patience=QUICK)
        check = await check_model(model)
        await model.close()
        assert (check.reachable, check.listed, check.answers, check.tools) == (True, False, True, False)
        assert said in check.said


async def test_an_endpoint_that_is_gone_or_refuses_fails_the_check() -> None:
    gone = OpenAIModel("m", base_url=f"http://127.0.0.1:{free_port()}/v1", patience=QUICK)
    check = await check_model(gone)
    await gone.close()
    assert not check.reachable and not check.answers and "could not reach" in check.said
    with OpenAIServer([refuse(404, "no such model")], models=refuse(404)) as server:
        model = OpenAIModel("m", base_url=server.url, patience=QUICK)
        check = await check_model(model)
        await model.close()
    assert check.reachable and check.listed is None and not check.answers and "no such model" in check.said


async def test_offline_passes_as_what_it_is() -> None:
    check = await check_model(OfflineModel())
    assert check.answers and not check.tools and check.listed is None
