"""The tools as data: the form of their arguments and of what they answer. Light: a host asks for them before the memory is open."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Kind: TypeAlias = Literal["fact", "event", "procedure", "passage", "summary"]
Status: TypeAlias = Literal["current", "pending", "superseded", "retired"]

#: Characters of what a model may write, ask for, and give as an id or a cursor.
MOST_TEXT, MOST_QUERY, MOST_ID, MOST_CURSOR = 4_000, 2_000, 256, 2_000
#: Memories on one page.
PAGE, MOST_ON_PAGE = 10, 50

Id: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_ID)]
Words: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_QUERY)]
Cursor: TypeAlias = Annotated[str, Field(min_length=1, max_length=MOST_CURSOR)]
Limit: TypeAlias = Annotated[int, Field(ge=1, le=MOST_ON_PAGE)]
Time: TypeAlias = Annotated[str, Field(min_length=1, max_length=100)]


class Form(BaseModel):
    """Arguments of a tool. What is not known is refused: a model that names a user must not believe that it reached him."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Remember(Form):
    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    kind: Literal["fact", "event", "procedure"] = "fact"
    tags: Annotated[list[Id], Field(max_length=20)] | None = None


class Recall(Form):
    query: Words
    limit: Limit = PAGE
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = None
    history: bool = False
    cursor: Cursor | None = None


class Forget(Form):
    id: Id | None = None
    text: Words | None = None
    dry_run: bool = False


class Update(Form):
    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    id: Id | None = None
    old_text: Words | None = None


class ListMemories(Form):
    kind: Kind | None = None
    tag: Id | None = None
    waiting: bool = False
    limit: Limit = 20
    cursor: Cursor | None = None


class AskWhy(Form):
    id: Id
    cursor: Cursor | None = None


# --- what comes back -----------------------------------------------------------------------------------------------------


class Answer(BaseModel):
    """What a tool answers. What is None is left out."""

    model_config = ConfigDict(frozen=True)


class Entry(Answer):
    """One memory, or one message of an earlier conversation."""

    id: str
    kind: Literal["message", "fact", "event", "procedure", "passage", "summary"]
    text: str
    #: "pending": nobody confirmed it yet.
    status: Status | None = None
    #: When it was said, or since when it holds; ISO 8601.
    time: str | None = None
    #: Who said it.
    said_by: str | None = None
    #: How far it is believed: "user_confirmed", "user_said", "assistant_said", "tool_output" or "imported".
    trust: str | None = None
    tags: list[str] | None = None
    session: str | None = None
    #: 0..1, of a search.
    score: float | None = None
    #: The text goes on.
    shortened: bool | None = None


class Kept(Answer):
    """What ``remember`` and ``update`` answer."""

    outcome: Literal["kept", "waiting", "known", "replaced"]
    memory: Entry
    replaced: list[Entry]
    message: str


class Gone(Answer):
    """What ``forget`` answers."""

    outcome: Literal["forgotten", "would_forget"]
    forgotten: list[Entry]
    message: str


class Found(Answer):
    """What ``recall`` answers, best first."""

    found: list[Entry]
    message: str
    #: There is more: give it to get the next page.
    cursor: str | None = None
    #: What could not be done as usual, for the person.
    warnings: list[str] | None = None


class Listed(Answer):
    """What ``list_memories`` answers, oldest first."""

    memories: list[Entry]
    total: int
    message: str
    cursor: str | None = None


class Quote(Answer):
    """Words that a memory rests on."""

    message: str
    text: str
    time: str
    said_by: str
    session: str
    shortened: bool | None = None


class Changed(Answer):
    """One change of a memory."""

    id: str
    change: str
    time: str
    by: str
    reason: str
    #: What it said before and after, where that changed.
    before: str | None = None
    after: str | None = None


class Account(Answer):
    """What ``why`` answers."""

    memory: Entry
    quotes: list[Quote]
    changes: list[Changed]
    #: Ids of messages that it rests on and that were erased since.
    erased: list[str] | None = None
    message: str
    cursor: str | None = None


FORMS: dict[str, type[Form]] = {
    "remember": Remember,
    "recall": Recall,
    "forget": Forget,
    "update": Update,
    "list_memories": ListMemories,
    "why": AskWhy,
}
ANSWERS: dict[str, type[Answer]] = {
    "remember": Kept,
    "recall": Found,
    "forget": Gone,
    "update": Kept,
    "list_memories": Listed,
    "why": Account,
}


def plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A JSON schema as small models and strict hosts read it best: no titles, no choice between a type and null, no references."""
    definitions = schema.get("$defs", {})

    def simple(node: Any) -> Any:
        if isinstance(node, list):
            return [simple(each) for each in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return simple(definitions[node["$ref"].rsplit("/", 1)[1]])
        choices = [each for each in node.get("anyOf", ()) if each != {"type": "null"}]
        if len(choices) == 1:
            rest = {key: value for key, value in node.items() if key not in {"anyOf", "title", "default"}}
            return {**simple(choices[0]), **rest}
        # Notes for readers of the source are no descriptions for a model.
        dropped = {"title", "$defs", "description"}
        kept = {key: simple(value) for key, value in node.items() if key not in dropped and not (key == "default" and value is None)}
        if "properties" in node:
            kept["properties"] = {name: simple(each) for name, each in node["properties"].items()}
        return kept

    found: dict[str, Any] = simple(schema)
    return found
