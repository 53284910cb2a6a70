"""An application built with LangChain remembers once its base URL is that of the server."""

from __future__ import annotations

from collections.abc import Callable

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import SecretStr

from pagefile.testing.openai_server import call, say
from tests.server.proxy.conftest import Between


def model(on: Between, **options: object) -> ChatOpenAI:
    return ChatOpenAI(model="test-model", base_url=on.url, api_key=SecretStr("none"), max_retries=0, **options)  # type: ignore[arg-type]


def test_a_chain_says_something_and_is_reminded_of_it_in_another_conversation(between: Callable[..., Between]) -> None:
    on = between([say("Nice."), say("In Oslo.")])
    chat = model(on, default_headers={"X-Pagefile-User": "alice"})
    chat.invoke([SystemMessage("Be brief."), HumanMessage("My sister Anna lives in Oslo.")])
    reply = chat.invoke([SystemMessage("Be brief."), HumanMessage("Where does Anna live?")])
    assert reply.text == "In Oslo."
    shown = on.endpoint.chats[1]["messages"]
    assert shown[0]["content"].startswith("Be brief.")
    assert "My sister Anna lives in Oslo." in shown[-2]["content"]
    assert shown[-1] == {"role": "user", "content": "Where does Anna live?"}
    assert len(on.sessions("alice")) == 2


async def test_a_stream_and_the_usage_pass(between: Callable[..., Between]) -> None:
    on = between([say("很高兴认识你。")])
    pieces = [piece async for piece in model(on, stream_usage=True).astream([HumanMessage("我住在杭州。")])]
    assert "".join(piece.text for piece in pieces) == "很高兴认识你。"
    assert any(piece.usage_metadata and piece.usage_metadata["input_tokens"] == 11 for piece in pieces)
    assert on.kept() == [("user", "我住在杭州。"), ("assistant", "很高兴认识你。")]


def test_an_agents_loop_with_a_tool_is_one_conversation(between: Callable[..., Between]) -> None:
    @tool
    def weather(city: str) -> str:
        """The weather in a city."""
        return f"rain in {city}"

    on = between([call("weather", {"city": "Oslo"}, id="call_9"), say("It rains.")])
    chat = model(on).bind_tools([weather])
    messages: list[HumanMessage | AIMessage | ToolMessage] = [HumanMessage("What is the weather in Oslo?")]
    asked = chat.invoke(messages)
    assert isinstance(asked, AIMessage)
    messages += [asked, weather.invoke(asked.tool_calls[0])]
    assert chat.invoke(messages).text == "It rains."
    assert [role for role, _ in on.kept()] == ["user", "assistant", "tool", "assistant"]
    assert len(on.sessions()) == 1


def test_vectors_are_made_for_it(between: Callable[..., Between]) -> None:
    on = between()
    vectors = OpenAIEmbeddings(model="test-model", base_url=on.url, api_key=SecretStr("none"), check_embedding_ctx_length=False)
    assert len(vectors.embed_query("tea")) == 8
