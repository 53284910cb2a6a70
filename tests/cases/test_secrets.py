"""A key, a token or a password that somebody pastes is taken out on the way in, on every way in, and is nowhere afterwards."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from pagefile.cli import app
from pagefile.embedders.hashing import HashingEmbedder
from pagefile.errors import ConflictError, InputError, PagefileError
from pagefile.intake import fingerprint, former_fingerprint
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.ports import Vectors
from pagefile.records import Add, Cause, Record, Scope, Source
from pagefile.retrieval.indexing import message_indexing
from pagefile.scoped import AsyncScopedMemory
from pagefile.stores.memory import MemoryStore
from pagefile.testing.fakes import make_draft

from .homes import STORES, call, opened, shown
from .talks import EVERY_STATUS, Reader, Talk, fact, reply, talking

_JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
_PEM = "MIIEpAIBAAKCAQEAy8Dbv8prpJ/0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy\nvGZlGJpmn65+A4xHXInJYiPuKzrKUnApeLZ+vw1HocOAZtWK0z3r26uA8kQYOKX9"
#: What somebody pastes, and the part of it that must be nowhere.
SECRETS = {
    "OpenAI": ("my key is sk-proj-Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg0HhJjKk", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg0HhJjKk"),
    "Anthropic": ("use sk-ant-api03-Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg0HhJjKkMmNnPpQqRr please", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg"),
    "GitHub": ("ghp_Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg0HhJjK", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg0HhJjK"),
    "AWS": ("AKIAZX9KQ2LMN8VB4TRW and aws_secret_access_key=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9Kq2LmN8vB",
            "wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9Kq2LmN8vB"),
    "Slack": ("xoxb-123456789012-1234567890123-Zx9Kq2LmN8vB4tRw7YpAa1Cc", "Zx9Kq2LmN8vB4tRw7YpAa1Cc"),
    "JWT": (f"the token is {_JWT}", "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"),
    "PEM": (f"-----BEGIN RSA PRIVATE KEY-----\n{_PEM}\n-----END RSA PRIVATE KEY-----",
            "MIIEpAIBAAKCAQEAy8Dbv8prpJ/0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy"),
    "a bearer": ("curl -H 'Authorization: Bearer Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg'", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg"),
    "an export": ("export DATABASE_PASSWORD=hunter2Quokka!77", "hunter2Quokka!77"),
    "an address": ("postgresql://alice:hunter2Quokka77@db.example.com:5432/x", "hunter2Quokka77"),
    "a password": ("my password is hunter2Quokka!77", "hunter2Quokka!77"),
    "an assignment": ("api_key = 'Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg'", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg"),
    "密码": ("我的密码是hunter2Quokka77", "hunter2Quokka77"),
    "密钥": ("API密钥：Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg", "Zx9Kq2LmN8vB4tRw7YpAa1Cc3Ee5Gg"),
    "口令": ("数据库口令：hunter2Quokka77，别告诉别人", "hunter2Quokka77"),
}  # fmt: skip

Way = Callable[[AsyncScopedMemory, str], Awaitable[Any]]


async def _edited(user: AsyncScopedMemory, text: str, **fields: Any) -> None:
    record = await user.remember("the note on the door")
    await user.edit(record.id, **({"text": text} | fields))


async def _corrected(user: AsyncScopedMemory, text: str) -> None:
    record = await user.remember("the note on the door")
    await user.correct(text, id=record.id)


async def _reasoned(user: AsyncScopedMemory, text: str) -> None:
    record = await user.remember("the note on the door", reason=text)
    await user.edit(record.id, tags=["seen"], reason=text)
    await user.forget(record.id, reason=text)
    await user.restore(record.id, reason=text)


def _line(text: str) -> str:
    return text.replace("\n", " ")


#: Every way by which a text comes into a memory.
WAYS: dict[str, Way] = {
    "a message": lambda user, text: user.add(text),
    "a message under a key": lambda user, text: user.add([text], key="once"),
    "of the assistant": lambda user, text: user.add({"role": "assistant", "content": text}),
    "of a tool": lambda user, text: user.add({"role": "tool", "content": text, "tool_call_id": "c"}),
    "of the system": lambda user, text: user.add({"role": "system", "content": text}),
    "a file": lambda user, text: user.add(text, origin="file"),
    "parts": lambda user, text: user.add(
        {"role": "user", "content": [{"type": "text", "text": text}, {"type": "x", "data": {"deep": [text]}}]}
    ),
    "arguments of a call": lambda user, text: user.add(
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "run", "arguments": json.dumps({"command": text})}}]}
    ),
    "a turn": lambda user, text: user.chat(session="t").turn(text),
    "a record": lambda user, text: user.remember(text),
    "a record with consent": lambda user, text: user.remember(text, consent="explicit"),
    "a value": lambda user, text: user.remember("the note on the door", subject="user", attribute="note", value=text),
    "a tag": lambda user, text: user.remember("the note on the door", tags=[_line(text)]),
    "an entity": lambda user, text: user.remember("the note on the door", entities=[_line(text)]),
    "a subject": lambda user, text: user.remember("the note on the door", subject=text, attribute=text, value="x"),
    "an edit": _edited,
    "an edited tag": lambda user, text: _edited(user, "the note on the wall", tags=[_line(text)]),
    "a correction": _corrected,
    "a correction of nothing": lambda user, text: user.correct(text),
    "a reason": _reasoned,
    "a block": lambda user, text: user.write_block("notes", text),
    "what a block is for": lambda user, text: user.write_block("notes", "x", description=text),
    "a query": lambda user, text: user.search(f"the note on the door {text}", floor=0.0),
    "a query to forget": lambda user, text: user.forget(query=text),
    "a speaker": lambda user, text: user.add({"role": "user", "content": "hello", "name": _line(text)}),
    "a session": lambda user, text: user.add("hello", session=_line(text)),
    "a session of a turn": lambda user, text: user.chat(session=_line(text)).turn("hello"),
    "a session of a question": lambda user, text: user.context("the note on the door?", session=_line(text)),
    "a session of a record": lambda user, text: user.remember("the note on the wall", session=_line(text)),
    "an agent": lambda user, text: user.add("hello", agent=_line(text)),
    "an agent of a turn": lambda user, text: user.chat(session="t", agent=_line(text)).turn("hello"),
    "an agent of a record": lambda user, text: user.remember("the note on the wall", agent=_line(text)),
    "an id": lambda user, text: user.add({"role": "user", "content": "hello", "id": _line(text)}),
    "a key": lambda user, text: user.add("hello", key=_line(text)),
    "an id of a call": lambda user, text: user.add(
        [
            {"role": "assistant", "tool_calls": [{"id": _line(text), "function": {"name": "run", "arguments": "{}"}}]},
            {"role": "tool", "content": "done", "tool_call_id": _line(text)},
        ]
    ),
    "a label": lambda user, text: user.write_block(_line(text), "hello"),
    "an agent of a block": lambda user, text: user.write_block("notes", "hello", agent=_line(text)),
}


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file())


class Listening(HashingEmbedder):
    """Keeps what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.heard += texts if not query else []
        return np.asarray(await super().embed(texts, query=query))


async def _everything(talk: Talk) -> str:
    """All that can be read of a memory."""
    user = talk.user
    records = await talk.records(*EVERY_STATUS)
    return repr([
        records, (await user.messages(statuses=EVERY_STATUS)).items, await user.blocks(), (await user.changes(limit=1_000)).items,
        (await user.operations()).items, (await talk.memory.jobs()).items, [await user.why(record.id) for record in records],
        (await user.context("note on the door?", session="new")).messages,
    ])  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_secret_is_nowhere_whichever_way_it_came_in(way: str, secret: str, tmp_path: Path) -> None:
    text, core = SECRETS[secret]
    embedder, model = Listening(), Reader(reply(fact(text, "note", core)))
    async with talking(tmp_path, "file", embedder=embedder, model=model, learn="model") as talk:
        await talk.user.add("the note on the door", session="before")
        try:
            await WAYS[way](talk.user, text)
        except PagefileError as error:
            assert isinstance(error, InputError)
            assert core not in str(error)
        await talk.memory.flush()
        seen = await _everything(talk)
        pieces = core.split("\n")
        assert not [piece for piece in pieces if piece in seen]
        assert not [piece for piece in pieces if any(piece in heard for heard in embedder.heard)]
        assert not [piece for piece in pieces if any(piece in shown(request.messages) for request in model.requests)]
        assert await talk.memory.occurrences(pieces) == (0,) * len(pieces)
    assert not [piece for piece in pieces if piece.encode() in bytes_of(tmp_path)]


async def test_a_call_and_its_result_belong_together_without_the_secret_in_their_id(tmp_path: Path) -> None:
    async with talking(tmp_path, "memory") as talk:
        await WAYS["an id of a call"](talk.user, SECRETS["GitHub"][0])
        asked, answered = (await talk.user.messages()).items
        assert asked.tool_calls[0].id == answered.tool_call_id == "[secret: api key]"


@pytest.mark.parametrize(
    ("attribute", "value"), [("password", "hunter2"), ("密码", "hunter2"), ("PIN", "4821"), ("WiFi password", "quokka77")]
)
async def test_a_value_is_judged_by_the_name_of_its_attribute(attribute: str, value: str, tmp_path: Path) -> None:
    async with talking(tmp_path, "file") as talk:
        record = await talk.user.remember("the note on the door", subject="user", attribute=attribute, value=value)
        assert value not in await _everything(talk)
        assert record.value is not None
        assert record.value.startswith("[secret: ")


#: What the assistant asks, what is answered, and the secret in that.
ASKED = {
    "a word": ("Sure. What is your WiFi password?", "sunshine", "sunshine"),
    "a phrase": ("What's the password?", "correct horse battery staple", "correct horse battery staple"),
    "in a sentence": ("Please enter your password.", "ok, it's Quokka", "Quokka"),
    "a pin": ("And your PIN?", "4821", "4821"),
    "密码": ("你的密码是多少？", "好的，是quokka", "quokka"),
    "验证码": ("请输入验证码", "839201", "839201"),
}


@pytest.mark.parametrize("way", ["one by one", "together", "under a key", "a turn"])
@pytest.mark.parametrize("asked", ASKED)
async def test_a_secret_that_the_assistant_asks_for_is_nowhere(asked: str, way: str, tmp_path: Path) -> None:
    question, answer, core = ASKED[asked]
    talked = [{"role": "user", "content": "Log me in."}, {"role": "assistant", "content": question}]
    model = ScriptedModel([question, "Thanks, you are in."])
    async with talking(tmp_path, "file", model=model) as talk:
        if way == "a turn":
            chat = talk.user.chat(session="s")
            await chat.turn("Log me in.")
            await chat.turn(answer)
            assert core not in shown(model.requests[-1].messages)
        elif way == "one by one":
            for message in (*talked, {"role": "user", "content": answer}):
                receipt = await talk.user.add(message, session="s")
            assert receipt.redacted == 1
        else:
            key = "once" if way == "under a key" else None
            receipt = await talk.user.add([*talked, {"role": "user", "content": answer}], session="s", key=key)
            assert receipt.redacted == 1
        await talk.memory.flush()
        texts = [message.text for message in (await talk.user.messages("s")).items]
        assert texts[2] == answer.replace(core, texts[2][texts[2].index("[") : texts[2].index("]") + 1])
        assert core not in await _everything(talk)
        assert await talk.memory.occurrences([core]) == (0,)
    assert core.encode() not in bytes_of(tmp_path)


@pytest.mark.parametrize("question", ["What is your dog's name?", "Did you change your password?", "你家狗叫什么？"])
async def test_an_answer_to_another_question_is_kept(question: str, tmp_path: Path) -> None:
    async with talking(tmp_path, "memory") as talk:
        await talk.user.add({"role": "assistant", "content": question}, session="s")
        await talk.user.add("Sunshine", session="s")
        assert [message.text for message in (await talk.user.messages("s")).items] == [question, "Sunshine"]


@pytest.mark.parametrize("store", STORES)
async def test_a_call_with_a_secret_is_repeatable_and_no_hash_of_it_is_kept(store: str, tmp_path: Path) -> None:
    question, said = {"role": "assistant", "content": "What is your PIN?"}, {"role": "user", "content": "4821"}
    keyed = {"role": "user", "content": "my password is hunter2"}
    async with talking(tmp_path, store) as talk:
        await talk.user.add(question, session="s")
        first = [await talk.user.add(one, session="s", key=key) for one, key in ((said, "a"), (keyed, "b"))]
        # Meanwhile more was said: nobody asks any more.
        await talk.user.add([{"role": "assistant", "content": f"Thanks {number}."} for number in range(3)], session="s")
        again = [await talk.user.add(one, session="s", key=key) for one, key in ((said, "a"), (keyed, "b"))]
        assert [receipt.messages for receipt in again] == [receipt.messages for receipt in first]
        with pytest.raises(ConflictError):
            await talk.user.add({"role": "user", "content": "I live in Oslo."}, session="s", key="b")
    guesses = [fingerprint("s", [{"role": "user", "content": pin}]) for pin in ("4821", "4822")]
    guesses += [former_fingerprint("s", [one]) for one in (said, keyed)]
    assert store == "memory" or not [guess for guess in guesses if guess.encode() in bytes_of(tmp_path)]


async def test_a_call_that_an_earlier_version_answered_is_still_known(tmp_path: Path) -> None:
    async with talking(tmp_path, "file") as talk:
        message = {"role": "user", "content": "my password is hunter2"}
        made = replace(make_draft("my password is [secret: password]"), id=talk.memory._parts.new_id())
        await talk.memory._parts.store.append(talk.user.scope, "s", [made], key="k", fingerprint=former_fingerprint("s", [message]))
        receipt = await talk.user.add(message, session="s", key="k")
        assert [one.id for one in receipt.messages] == [made.id]


@pytest.mark.parametrize("store", STORES)
async def test_the_receipt_counts_what_was_taken_out_and_the_rest_is_kept_and_learnt_from(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        receipt = await talk.user.add(
            [f"I live in Berlin. {SECRETS['GitHub'][0]}", f"我住在北京。{SECRETS['密码'][0]}", "nothing of the kind"], session="s"
        )
        assert receipt.redacted == 2
        assert "2 secrets taken out" in str(receipt)
        assert "I live in Berlin. [secret: " in receipt.messages[0].text
        await talk.memory.flush()
        assert {record.value for record in await talk.records("current", "superseded")} == {"Berlin", "北京"}
        assert not [record for record in await talk.records(*EVERY_STATUS) if "secret" in record.text]


async def test_what_a_model_says_and_calls_is_cleared_of_secrets_too(tmp_path: Path) -> None:
    text, core = SECRETS["OpenAI"]
    model = ScriptedModel([[call("memory_append", {"label": "human", "content": text})], f"Your key: {text}"])
    async with talking(tmp_path, "file", model=model) as talk:
        await talk.user.chat(session="s").turn("What is my key?")
        assert core not in await _everything(talk)
        assert await talk.memory.occurrences([core]) == (0,)


@pytest.mark.parametrize("way", ["turn", "context"])
async def test_a_secret_in_a_question_is_sent_to_no_model(way: str, tmp_path: Path) -> None:
    text, core = SECRETS["GitHub"]
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model=model) as talk:
        if way == "turn":
            await talk.user.chat(session="s").turn(f"Is this right: {text}?")
            assert core not in shown(model.requests[-1].messages)
        else:
            window = await talk.user.context(f"Is this right: {text}?", session="s")
            assert core not in shown(window.messages)


@pytest.mark.parametrize("kind", ["message", "record"])
async def test_rows_from_before_or_of_other_programs_are_cleared_when_they_are_recalled(kind: str, tmp_path: Path) -> None:
    text, core = SECRETS["GitHub"]
    old, store = f"the quokka key {text}", MemoryStore()
    scope, draft = Scope("default", "alice"), make_draft(old)
    indexing = message_indexing(role="user", speaker=None, text=old, said_at=draft.said_at)
    draft = replace(draft, indexing=indexing)
    await store.append(scope, "old", [draft])
    if kind == "record":
        record = Record(id=draft.id[:-1] + "f", kind="fact", text=old, learned_at=draft.said_at, sources=(Source(message=draft.id),))
        await store.apply(scope, [Add(item=record, cause=Cause(actor="old", reason="old", at=draft.said_at), indexing=indexing)])
    async with await AsyncMemory.open(store=store, embedder="none") as memory:
        alice = memory.scope("alice")
        found = await alice.search("quokka key", floor=0.0)
        assert kind in {"message"} | {hit.kind.replace("fact", "record") for hit in found}
        assert core not in repr(found)
        assert core not in shown((await alice.context("what is the quokka key?", session="new")).messages)


def test_the_command_line_takes_secrets_out_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"DATA": tmp_path / "m.db", "EMBEDDER": "none", "MODEL": "offline", "USER": "alice"}.items():
        monkeypatch.setenv(f"PAGEFILE_{name}", str(value))
    file, cores = tmp_path / "old.txt", []
    for name in ("GitHub", "an export", "密码"):
        text, core = SECRETS[name]
        cores.append(core)
        file.write_text(f"Alice: {text}\n小明：{text}\n", encoding="utf-8")
        for command in (["add", text], ["add", "-"], ["remember", f"note: {text}"], ["import", str(file)], ["search", text], ["chat"]):
            done = CliRunner().invoke(app, command, input=text)
            assert core not in done.output or command == ["chat"]
    file.unlink()
    listing = CliRunner().invoke(app, ["list", "--messages", "--json"]).output
    assert len(json.loads(listing)["items"]) >= 9
    assert not [core for core in cores if core in listing or core.encode() in bytes_of(tmp_path)]


#: Texts that only look like secrets.
HARMLESS = [
    "my password manager is great", "I forgot my password", "the token count is 4096", "the key to happiness is tea",
    "commit 3f2a9c1d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39",
    "id 550e8400-e29b-41d4-a716-446655440000", "我忘记密码了", "密码学很有意思", "关键是要早睡", "my secret is that I like jazz",
    "the api_key setting is required",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS)
async def test_what_is_no_secret_is_kept_as_it_is(text: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        receipt = await talk.user.add(text)
        assert (receipt.redacted, receipt.messages[0].text) == (0, text)


# --- personal identifiers ----------------------------------------------------------------------------------------------

PERSONAL = {
    "phone": ("My phone number is +49 151 23456789", "23456789"), "手机": ("我的手机号是13812345678", "13812345678"),
    "身份证": ("我的身份证号是11010519491231002X", "11010519491231002X"), "bank card": ("my card is 4111 1111 1111 1111", "4111"),
    "银行卡": ("我的银行卡号是6222021234567890128", "6222021234567890128"),
}  # fmt: skip


@pytest.mark.parametrize("way", ["add", "chat", "import", "model"])
@pytest.mark.parametrize("kind", PERSONAL)
async def test_a_personal_identifier_is_learnt_only_with_consent(kind: str, way: str, tmp_path: Path) -> None:
    text, core = PERSONAL[kind]
    model = Reader(reply(fact(text, "phone", core), fact(text, "note", text)))
    async with talking(tmp_path, model=model, learn="model" if way == "model" else "rules") as talk:
        await talk.tell(text, by="add" if way == "model" else way)
        assert not [record for record in await talk.records(*EVERY_STATUS) if core in record.text or core in (record.value or "")]


@pytest.mark.parametrize("way", ["add", "remember"])
@pytest.mark.parametrize("kind", ["phone", "手机"])
async def test_with_consent_it_is_learnt_and_marked_as_sensitive(kind: str, way: str, tmp_path: Path) -> None:
    text, core = PERSONAL[kind]
    async with talking(tmp_path) as talk:
        await talk.tell(text, by=way, consent="explicit")
        assert [(record.attribute, record.privacy) for record in await talk.records() if core in record.text] == [("phone", "sensitive")]


@pytest.mark.parametrize("verb", ["remember", "correct", "edit"])
@pytest.mark.parametrize("kind", PERSONAL)
async def test_a_personal_identifier_is_written_down_only_with_consent(verb: str, kind: str, tmp_path: Path) -> None:
    text, core = PERSONAL[kind]
    async with talking(tmp_path) as talk:
        note = await talk.user.remember("the note on the door")
        with pytest.raises(InputError, match="consent"):
            await (talk.user.edit(note.id, text=text) if verb == "edit" else getattr(talk.user, verb)(text))
        assert not [record for record in await talk.records(*EVERY_STATUS) if core in record.text]
        with pytest.raises(InputError):
            await talk.user.remember(text, consent="yes")


async def test_two_memories_share_no_secret(tmp_path: Path) -> None:
    text, core = SECRETS["JWT"]
    async with await opened("file", tmp_path) as one, await opened("file", tmp_path) as other:
        await one.scope("alice").add(text)
        await one.flush()
        assert core not in repr((await other.scope("alice").messages()).items)
