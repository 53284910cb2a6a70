"""How the tests of the English rules say something."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from pagefile.lifecycle.facts import ASSISTANT, USER, Claim, Utterance
from pagefile.lifecycle.rules import find_claims

LONDON = ZoneInfo("Europe/London")
#: A Wednesday.
SAID_AT = datetime(2023, 5, 24, 10, tzinfo=LONDON)


def utterance(text: str, **fields: Any) -> Utterance:
    given: dict[str, Any] = {"message": "m1", "said_at": SAID_AT, "zone": LONDON, "session": "monday"}
    return Utterance(text=text, **(given | fields))


def told(text: str, **fields: Any) -> list[Claim]:
    """The claims of one message of the user."""
    return stated([utterance(text, **fields)])


def talk(*turns: str, **fields: Any) -> list[Claim]:
    """The claims of a conversation, a minute a turn; those of the assistant begin with "A: "."""
    said = []
    for place, turn in enumerate(turns):
        of_assistant = turn.startswith("A: ")
        said.append(
            utterance(
                turn.removeprefix("A: "),
                message=f"m{place}",
                said_at=SAID_AT + timedelta(minutes=place),
                role="assistant" if of_assistant else "user",
                subject=ASSISTANT if of_assistant else USER,
                **fields,
            )
        )
    return stated(said)


def stated(said: list[Utterance]) -> list[Claim]:
    """The claims that say something by themselves, and do not only end what is known."""
    return [claim for claim in find_claims(said) if not claim.only_ends]
