"""What is read out of messages before it is believed: utterances go in, claims come out. Frozen values, no I/O."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal, TypeAlias

from pagefile.messages import Role
from pagefile.records import Kind, Polarity, Privacy, Source, Trust

#: The subject of facts about the person whose memory this is.
USER = "user"
#: The subject of facts about the assistant.
ASSISTANT = "assistant"

#: "plain": stated as lasting. "passing": a mood, a one-off or a guess; believed only when it is said again another time.
Certainty: TypeAlias = Literal["plain", "passing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A message, or what the screen left of it, as extractors read it."""

    #: Id of the message.
    message: str
    #: As long as the message's text: what may not be learnt from is blanked out with spaces, so that positions stay those of the message.
    text: str
    said_at: datetime
    #: The zone of the speaker: "yesterday" ends at its midnight.
    zone: tzinfo
    role: Role = "user"
    #: Who "I" is: USER, ASSISTANT, or the name of another person who spoke.
    subject: str = USER
    speaker: str | None = None
    session: str | None = None
    agent: str | None = None
    external_id: str | None = None
    trust: Trust = Trust.USER_SAID
    #: Nothing of it is believed before somebody confirms it.
    quarantined: bool = False
    #: Personal identifiers in it may be learnt.
    consent: bool = False
    #: False: learnt from before. It is given so that "no, it's Berlin" and short answers can be understood; no claim comes from it.
    fresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One fact that somebody stated, as an extractor read it: not yet believed, not yet stored."""

    #: Who or what it is about: USER, a name as it was said ("Jack"), or a relation ("user's brother", 用户的哥哥).
    subject: str
    #: A canonical name, see ``lifecycle.attributes``.
    attribute: str
    #: In the words that were said, without articles and end marks: "Acme", "spicy food", 辣.
    value: str
    polarity: Polarity = "positive"
    kind: Kind = "fact"
    #: One sentence that stands alone, in the language and words that were said; after a relative date the absolute one in brackets.
    text: str
    #: Each with its span in the message.
    sources: tuple[Source, ...]
    said_at: datetime
    #: When it holds, half-open. A state without a stated beginning holds from when it was said; an event, at its own time.
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    certainty: Certainty = "plain"
    #: It says that what was said before was wrong ("no, it's …", 其实).
    correction: bool = False
    #: It says that something no longer holds ("no longer", 不再), and nothing in its place; ``polarity`` is "negative" then.
    ended: bool = False
    #: It ends what it denies, and tells nothing by itself: "I got a job" denies being out of work; "I no longer hate cats", with the
    #: polarity of a taste for them, denies the dislike.
    only_ends: bool = False
    speaker: str | None = None
    trust: Trust = Trust.USER_SAID
    #: Stored as pending whatever it says: its source may not be believed unconfirmed.
    quarantined: bool = False
    session: str | None = None
    agent: str | None = None
    tags: tuple[str, ...] = ()
    #: Names of people, places and things in it, verbatim.
    entities: tuple[str, ...] = ()
    #: 0..1.
    confidence: float = 0.9
    importance: float = 0.5
    privacy: Privacy = "normal"
    #: "rules", or "model:" and its name.
    extractor: str
