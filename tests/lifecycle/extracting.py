"""Utterances, replies of a model, and what is kept of them: for the tests of extraction."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pagefile.lifecycle.facts import Claim, Utterance

ZONE = ZoneInfo("Asia/Shanghai")
#: A Sunday.
SAID_AT = datetime(2026, 5, 24, 10, tzinfo=ZONE)


def said(text: str, number: int = 1, **fields: Any) -> Utterance:
    """What the user said in the message of this number; any field can be given."""
    defaults: dict[str, Any] = {"message": f"m{number}", "said_at": SAID_AT, "zone": ZONE, "session": "s"}
    return Utterance(text=text, **(defaults | fields))


def assistant(text: str, number: int = 1, **fields: Any) -> Utterance:
    return said(text, number, role="assistant", subject="assistant", **fields)


def fact(quote: str, attribute: str, value: str, *, line: int = 1, subject: str = "user", **fields: Any) -> dict[str, Any]:
    """A fact as a model writes it."""
    return {"line": line, "quote": quote, "subject": subject, "attribute": attribute, "value": value, **fields}


def reply(*facts: dict[str, Any]) -> str:
    return json.dumps({"facts": facts}, ensure_ascii=False)


def core(claim: Claim) -> tuple[str, str, str, str]:
    return claim.subject, claim.attribute, claim.value, claim.polarity
