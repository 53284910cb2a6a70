"""Reads Chinese messages by rules, and writes down what they state in one line each."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from pagefile.lifecycle.facts import USER, Claim, Utterance
from pagefile.lifecycle.rules import find_claims

SHANGHAI = ZoneInfo("Asia/Shanghai")
#: A Wednesday.
SAID_AT = datetime(2023, 5, 24, 10, 0, tzinfo=SHANGHAI)


def read(*messages: str, subject: str = USER, consent: bool = False) -> list[Claim]:
    """The claims of the last message. The messages before are the same speaker's, or the assistant's if they begin with "助手："."""
    utterances = [
        Utterance(
            message=f"m{number}",
            text=text.removeprefix("助手："),
            said_at=SAID_AT + timedelta(minutes=number),
            zone=SHANGHAI,
            role="assistant" if text.startswith("助手：") else "user",
            subject="assistant" if text.startswith("助手：") else subject,
            session="s1",
            consent=consent,
            fresh=number == len(messages) - 1,
        )
        for number, text in enumerate(messages)
    ]
    return find_claims(utterances)


def shown(claims: list[Claim]) -> list[str]:
    """Claims as the tables write them: "diet=-辣", "小杰.likes=茶"; "-" is a negative value, "!" an ended one, "~" a passing remark. What
    only ends what was said before is left out."""
    return [_shown(claim) for claim in claims if not claim.only_ends]


def over(claims: list[Claim]) -> list[str]:
    """What the claims only end, and tell nothing of: "habit=喝酒"."""
    return [f"{claim.attribute}={claim.value}" for claim in claims if claim.only_ends]


def _shown(claim: Claim) -> str:
    subject = "" if claim.subject == USER else f"{claim.subject}."
    mark = "!" if claim.ended else "-" if claim.polarity == "negative" else ""
    return f"{subject}{claim.attribute}={mark}{'~' if claim.certainty == 'passing' else ''}{claim.value}"


def table(text: str) -> list[tuple[str, list[str]]]:
    """Rows of "sentence → claim; claim"."""
    rows = (line.split("→") for line in text.splitlines() if "→" in line)
    return [(said.strip(), [each.strip() for each in expected.split(";") if each.strip()]) for said, expected in rows]
