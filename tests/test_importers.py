"""Conversations kept elsewhere come in whole, once, and with their own times and names."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import InputError
from pagefile.importers import Conversation, read_conversations


def read(tmp_path: Path, name: str, text: str) -> list[Conversation]:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return list(read_conversations(file))


def test_lines_that_are_messages_become_one_session_named_after_the_file(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "monday.jsonl", '{"role": "user", "content": "hi", "id": "m1"}\n\n{"role": "assistant", "content": "hello"}\n')
    assert one.session == "monday"
    assert [message["id"].partition("-")[0] for message in one.messages] == ["m1", "monday#2"]


def test_lines_of_fine_tuning_form_become_a_session_each(tmp_path: Path) -> None:
    line = json.dumps({"messages": [{"role": "user", "content": "你好"}]}, ensure_ascii=False)
    first, second = read(tmp_path, "chats.jsonl", f"{line}\n{line}\n")
    assert (first.session, second.session) == ("chats-1", "chats-2")
    assert first.messages[0]["content"] == "你好"


def test_messages_are_kept_apart_by_their_session(tmp_path: Path) -> None:
    lines = [{"role": "user", "content": str(n), "session": "ab"[n % 2]} for n in range(4)]
    a, b = read(tmp_path, "x.jsonl", "\n".join(map(json.dumps, lines)))
    assert [message["content"] for message in a.messages] == ["0", "2"]
    assert b.session == "b"


def test_a_json_list_of_messages_is_one_conversation(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "chat.json", json.dumps([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]))
    assert len(one.messages) == 2


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2"):
        read(tmp_path, "x.jsonl", '{"role": "user", "content": "a"}\n{"role": \n')


def test_plain_text_has_speakers_times_and_lines_that_go_on(tmp_path: Path) -> None:
    text = "[2024-05-01 10:00] Alice: hello\nand more\n小明：你好\nAssistant: hi, see https://example.org/x\nme: fine\n"
    (one,) = read(tmp_path, "talk.txt", text)
    assert [(m["role"], m.get("name"), m["content"]) for m in one.messages] == [
        ("user", "Alice", "hello\nand more"),
        ("user", "小明", "你好"),
        ("assistant", None, "hi, see https://example.org/x"),
        ("user", None, "fine"),
    ]
    assert one.messages[0]["said_at"] == "2024-05-01 10:00"


def test_a_link_at_the_start_of_a_line_is_no_speaker(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "talk.txt", "Bob: look\nhttps://example.org\n")
    assert one.messages[0]["content"] == "look\nhttps://example.org"


def chatgpt_node(id: str, parent: str | None, role: str, text: str, **message: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {
        "id": id,
        "parent": parent,
        "message": {"id": id, "author": {"role": role}, "content": content, "create_time": 1.7e9, **message},
    }


def chatgpt_export() -> list[dict[str, Any]]:
    hidden = {"metadata": {"is_visually_hidden_from_conversation": True}}
    nodes = [
        chatgpt_node("0", None, "system", ""),
        chatgpt_node("1", "0", "user", "first try"),
        chatgpt_node("2", "0", "user", "我喜欢喝茶"),
        chatgpt_node("3", "2", "user", "profile", **hidden),
        chatgpt_node("4", "3", "assistant", "好的"),
    ]
    return [{"title": "Tea", "conversation_id": "c1", "current_node": "4", "mapping": {node["id"]: node for node in nodes}}]


def test_a_chatgpt_export_gives_the_branch_that_was_shown(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "conversations.json", json.dumps(chatgpt_export()))
    assert one.session == "c1"
    assert [(m["id"], m["role"], m["content"]) for m in one.messages] == [("2", "user", "我喜欢喝茶"), ("4", "assistant", "好的")]
    assert one.messages[0]["said_at"] == 1.7e9


def test_the_archive_of_an_export_can_be_given_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chatgpt_export()))
    assert len(list(read_conversations(file))) == 1


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "")
    with pytest.raises(InputError, match=r"conversations\.json"):
        list(read_conversations(file))


def test_text_that_is_not_utf8_is_refused_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "gbk.txt"
    file.write_bytes("我: 你好".encode("gb18030"))
    with pytest.raises(InputError, match="iconv"):
        list(read_conversations(file))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        list(read_conversations(tmp_path / "nowhere.txt"))


def test_a_time_in_a_line_is_no_speaker(tmp_path: Path) -> None:
    (one,) = read(tmp_path, "talk.txt", "Bob: hello\nsee you at 5:30 tomorrow\n")
    assert [message["content"] for message in one.messages] == ["hello\nsee you at 5:30 tomorrow"]


def test_two_files_of_one_name_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    first = read(tmp_path, "talk.txt", "Bob: hello\n")[0].messages[0]["id"]
    assert read(tmp_path, "talk.txt", "Bob: goodbye\n")[0].messages[0]["id"] != first
    assert read(tmp_path, "talk.txt", "Bob: hello\n")[0].messages[0]["id"] == first


def test_an_export_that_leads_in_a_circle_ends(tmp_path: Path) -> None:
    export = chatgpt_export()
    export[0]["mapping"]["0"]["parent"] = "4"
    (one,) = read(tmp_path, "conversations.json", json.dumps(export))
    assert len(one.messages) == 2


def test_an_export_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    file.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(InputError, match="conversation 1"):
        list(read_conversations(file, "chatgpt"))


def refused(tmp_path: Path, name: str, content: str | bytes) -> str:
    file = tmp_path / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError, match=name) as caught:
        list(read_conversations(file))
    return str(caught.value)


def test_lines_that_are_lists_of_messages_become_a_conversation_each(tmp_path: Path) -> None:
    line = json.dumps([{"role": "user", "content": "我喜欢茶"}, {"role": "assistant", "content": "好的"}])
    first, second = read(tmp_path, "x.jsonl", f"{line}\n{line}\n")
    assert (first.session, second.session) == ("x-1", "x-2")
    assert [message["content"] for message in second.messages] == ["我喜欢茶", "好的"]


@pytest.mark.parametrize("line", ["5", '"hello"', "[1, 2]", '{"messages": [3]}', "not JSON", "null"])
def test_json_lines_that_are_no_messages_are_refused_with_their_line(tmp_path: Path, line: str) -> None:
    assert "line 1" in refused(tmp_path, "x.jsonl", line)
    assert "line 2" in refused(tmp_path, "x.jsonl", f'{{"role": "user", "content": "a"}}\n{line}')


@pytest.mark.parametrize("text", ["5", '"hello"', "[1, 2]"])
def test_json_of_something_else_is_never_kept_as_text(tmp_path: Path, text: str) -> None:
    refused(tmp_path, "x.json", text)


def zipped(file: Path, conversations: object) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", conversations if isinstance(conversations, str) else json.dumps(conversations))
    return file


def test_an_export_with_nothing_in_it_gives_nothing(tmp_path: Path) -> None:
    assert not list(read_conversations(zipped(tmp_path / "a.zip", [])))
    assert not list(read_conversations(zipped(tmp_path / "b.zip", [{"title": "empty", "mapping": {}}]), "text"))
    assert not read(tmp_path, "conversations.json", "[]")


def spoilt(*path: str | int, value: object) -> str:
    export: Any = chatgpt_export()
    place = export
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(export)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((0, "mapping"), ["x"]),
        ((0, "mapping", "4"), "x"),
        ((0, "current_node"), ["4"]),
        ((0, "mapping", "4", "parent"), ["3"]),
        ((0, "mapping", "4", "message"), "x"),
        ((0, "mapping", "4", "message", "author"), "x"),
        ((0, "mapping", "4", "message", "author", "role"), ["user"]),
        ((0, "mapping", "4", "message", "metadata"), "x"),
        ((0, "mapping", "4", "message", "content"), "x"),
        ((0, "mapping", "4", "message", "content", "parts"), 7),
        ((0, "mapping", "4", "message", "content", "content_type"), ["text"]),
    ],
)
def test_an_export_with_a_wrong_field_is_refused_with_its_conversation(tmp_path: Path, path: tuple[str | int, ...], value: object) -> None:
    (tmp_path / "export.json").write_text(spoilt(*path, value=value), encoding="utf-8")
    with pytest.raises(InputError, match=r"export\.json, conversation 1"):
        list(read_conversations(tmp_path / "export.json", "chatgpt"))


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_json_nested_without_end_or_with_an_endless_number_is_refused(tmp_path: Path, name: str) -> None:
    assert "too deep" in refused(tmp_path, name, "[" * 100_000)
    assert "too long" in refused(tmp_path, name, f"[{'9' * 10_000}]")


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "whole.zip", chatgpt_export()).read_bytes()
    assert "unpacked" in refused(tmp_path, "cut.zip", whole[:-30])
    assert "unpacked" in refused(tmp_path, "spoilt.zip", whole[:60] + b"spoilt" + whole[66:])
    assert "unpacked" in refused(tmp_path, "text.zip", "Bob: hello")


def test_an_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped(tmp_path / "whole.zip", chatgpt_export()).read_bytes())
    # The bit that says "encrypted", in the header of the file and in the directory at the end.
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "password" in refused(tmp_path, "locked.zip", bytes(content))


def test_an_archive_that_would_fill_the_memory_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    content = bytearray(zipped(tmp_path / "small.zip", "[]").read_bytes())
    directory = content.index(b"PK\x01\x02")
    for size in (150_000_000, 3_000_000_000):
        content[directory + 24 : directory + 28] = size.to_bytes(4, "little")
        assert f"{size:,} bytes" in refused(tmp_path, "bomb.zip", bytes(content))
