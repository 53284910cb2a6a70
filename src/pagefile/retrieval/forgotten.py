"""What messages say of what was forgotten since is shown to nobody, whatever else of the past is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pagefile.messages import Message
from pagefile.ports import Store
from pagefile.queries import Item
from pagefile.records import Record, Scope


async def without_forgotten(store: Store, scope: Scope, items: Mapping[int, Item]) -> dict[int, Item]:
    """The items, without the parts of messages that say what was forgotten, and without the messages of which nothing else is left."""
    # Such a message is marked when a record that cites it is retired.
    marked = [item.id for item in items.values() if isinstance(item, Message) and (item.superseded or item.outdated)]
    learnt = await store.citing(scope, marked) if marked else ()
    kept: dict[int, Item] = {}
    for place, item in items.items():
        left = _left(item, learnt) if isinstance(item, Message) and item.id in marked else item
        if left is not None:
            kept[place] = left
    return kept


def _left(message: Message, learnt: Sequence[Record]) -> Message | None:
    forgotten = _cited(message, [record for record in learnt if record.status == "retired"])
    forgotten -= _cited(message, [record for record in learnt if record.status != "retired"])
    if not forgotten:
        return replace(message, outdated=())
    spans: list[tuple[int, int]] = []
    for place in sorted(forgotten):
        begin, end = spans.pop() if spans and spans[-1][1] == place else (place, place)
        spans.append((begin, end + 1))
    letters = {place for place, character in enumerate(message.text) if character.isalnum()}
    # What is left over of a remark, such as "Well, …", says nothing; see ``covered``.
    return replace(message, outdated=tuple(spans)).holding if 2 * len(letters & forgotten) < len(letters) else None


def _cited(message: Message, records: Sequence[Record]) -> set[int]:
    """The places of a message's text that these records rest on."""
    spans = [source.span or (0, len(message.text)) for record in records for source in record.sources if source.message == message.id]
    return {place for begin, end in spans for place in range(begin, end)}
