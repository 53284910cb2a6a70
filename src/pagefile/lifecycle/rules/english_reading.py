"""One English clause with its subject and verb, and how claims are made of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_clauses import Clause
from pagefile.lifecycle.rules.english_phrases import items, trimmed, value_end
from pagefile.lifecycle.rules.reading import Context, claim, times_in

#: What kind of verb follows the subject: "be" (am, is), "was", "been", "have" (got), "perfect" (have moved), "will", "can", "must",
#: "used" (to), "wish" (would love to), "do" (any other).
Mode: TypeAlias = Literal["be", "was", "been", "have", "perfect", "will", "can", "must", "do", "used", "wish"]

_ADVERB = (
    r"(?:really|absolutely|totally|just|also|actually|still|currently|now|truly|personally|honestly|kinda|kind of"
    r"|sort of|sorta|pretty much|quite|particularly|especially|simply|definitely|basically|literally"
    r"|genuinely|secretly|certainly|recently|already|finally|originally|both|all|only|mostly|mainly|so|very much"
    r"|rather|fucking|freaking|bloody|very|deeply|strongly|extremely|happily|officially|even|too|myself|thoroughly"
    r"|proudly|as of now|since then|then|ever|obviously|sadly|unfortunately|immediately|eventually|lately|first|once"
    r"|pretty|super|severely|deathly|highly|badly|mildly|slightly|a bit|a little|completely|fully|partly|partially"
    r"|naturally|technically|generally speaking|tbh|ngl|lowkey|highkey|hella|mega|nowadays|presently"
    r"|do(?=\s+(?:really |actually |still |now )?(?:like|love|enjoy|eat|drink|have|live|work|hate|prefer|want|speak|play|own)\b))"
)
_OFTEN = (
    r"(?:always|usually|often|typically|normally|generally|regularly|sometimes|rarely|hardly ever|seldom|occasionally"
    r"|frequently|tend to|almost always|almost never|never ever|never)"
)
_SKIP = late_pattern(rf"\s*(?:(?:{_ADVERB}|(?P<often>{_OFTEN})|(?P<ended>no longer|not any ?more)|(?P<not>not))\b[,\s]*)*")

_VERBS: tuple[tuple[Mode, re.Pattern[str]], ...] = (
    ("used", late_pattern(r"(?P<no>)\s+(?:used|use) to\b")),
    (
        "been",
        late_pattern(
            r"(?:'ve|ve|\s+have|'s|\s+has|\s+had)(?P<no>n'?t| not)?(?:\s+(?:always|also|just|only|recently|never"
            r"|actually|since|now|already|long))*\s+been\b(?!\s+to\b)"
        ),
    ),
    (
        "have",
        late_pattern(
            r"(?:'ve|ve|\s+have|'s|\s+has)(?P<no>n'?t| not)?(?:\s+(?:always|also|just|still|already|actually|only"
            r"|now|recently|currently))*\s+got\b(?!\s+(?:married|engaged|divorced|promoted|fired|laid|to)\b)"
        ),
    ),
    ("have", late_pattern(r"(?P<no>)(?:'ve|ve)(?=\s+(?:a|an|two|three|no)\s)")),
    ("be", late_pattern(r"(?:'m|m\b|\s+am|'re|\s+are|'s|\s+is|\s+ain't)(?P<no>n'?t|\s+not\b)?(?=[\s,]|$)")),
    ("was", late_pattern(r"\s+(?:was|were)(?P<no>n'?t| not)?\b")),
    (
        "perfect",
        late_pattern(
            r"(?:'ve|ve\b|\s+have|\s+has)(?P<no>n'?t| not)?(?=\s+(?:\w+ly\s+|just\s+|also\s+|always\s+|already\s+"
            r"|never\s+|once\s+|not\s+|since\s+|even\s+)*(?:been|handed|resigned|booked|fallen|warmed|discovered|converted"
            r"|reserved|scheduled|arranged|moved|lived|worked|had|visited|started|stopped|quit|given"
            r"|become|gone|finished|bought|lost|won|decided|loved|hated|liked|played|studied|known|made|seen|read"
            r"|taken|got|gotten|joined|left|broken|switched|changed|sold|signed|booked|tried|eaten|run|written|owned"
            r"|learned|learnt|adopted|met|graduated|retired|relocated|wanted|dreamed|dreamt|hiked|climbed|travelled"
            r"|traveled|developed|cut|turned|outgrown|grown|accepted|enrolled|passed|completed)\b)"
        ),
    ),
    (
        "have",
        late_pattern(
            r"\s+(?:(?:have|has)(?P<no>n'?t)?|(?P<dont>do(?:es)?\s*(?:n'?t|not)\s+(?:actually |really |even "
            r"|currently )?have))\b(?=\s)(?!\s+to\b)"
        ),
    ),
    ("will", late_pattern(r"(?:'ll\b|\s+will|\s+shall|\s+won'?t)(?P<no>(?<=t)|(?<=t)| not)?\b")),
    ("can", late_pattern(r"\s+can(?P<no>'?t|not| not)?\b")),
    ("must", late_pattern(r"\s+(?:must|have to|has to|need to|needs to|gotta|got to|should|ought to)(?P<no>\s*n'?t| not)?\b")),
    ("do", late_pattern(r"\s+(?P<no>do(?:es)?\s*(?:n'?t|not)|didn'?t|did not|never)\b")),
)
_FORBIDDEN = late_pattern(r"(?:'d|\s+(?:would|wouldn't|could|couldn't|might|may|should|wish|wished))\b")
_WISHED = late_pattern(r"(?:'d|\s+would)\s+(?:really |absolutely )?(?:love|like)\s+to\s+")
_GROWING = late_pattern(
    r"(?:learn (?!more|about|how (?:this|it|you))|become an? |get (?:better at|fit|in shape|healthier)|lose (?:\d"
    r"|weight|some weight)|run a (?:half )?marathon|quit smoking|stop smoking|retire|write a (?:book|novel)"
    r"|start my own)\b"
)
_SOME_DAY = late_pattern(r"\b(?:some ?day|one day|eventually|in my life(?:time)?|before i die|at some point)\b")
_ANYMORE = late_pattern(r"\s*,?\s*\b(?:any ?more|any longer|no more)\b")
_FREQUENT = late_pattern(
    r"\b(?:every (?:single |other |second |third |fourth )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|afternoon"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|few days|two weeks|hour)s?|everyday|daily"
    r"|weekly|(?:once|twice|\w+ times|\d+ ?x) (?:a|per|every) (?:day|week|month|year)"
    r"|on (?:weekends|weekdays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|(?:in"
    r"|at) the (?:mornings?|evenings?|afternoons?|weekends?)|each (?:day|morning|week|night|evening|year)"
    r"|most (?:days|mornings|evenings|weekends|nights|(?:mon|tues|wednes|thurs|fri|satur|sun)days)"
    r"|\w+ (?:days|nights|mornings|evenings|shifts) (?:a|per) week|at weekends|after (?:work|school|dinner|lunch)|before (?:bed"
    r"|work|breakfast|school))\b"
)

#: Where what somebody does or plans is over, and the speaker goes on to why.
_REMARK = late_pattern(
    r"\s*(?:[;(]|,(?!\s*(?:at )?\d{1,2}(?:[:.]\d\d|\s?[ap]m\b)))|\s+[-–—]\s|\s+(?:because|since (?:i|we|it)"
    r"|so(?! (?:much|many|far|well|long|often|hard)\b)|but|and (?:i|we|would|need"
    r"|then|it|my)|which|if|though|although|wish me luck|fingers crossed|can't wait|so excited|to (?:see if"
    r"|make sure)|when i|as (?:i|it|my))\b"
)

_SINCE = late_pattern(
    r"\s+(?:since|last|next|in (?:\d{4}|(?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december)\b)|yesterday|(?:two|three|four|five|six|a few|\d+|a) \w+ ago|any ?more)\b",
    re.IGNORECASE,
)


@dataclass(slots=True, kw_only=True)
class Reading:
    """A clause, whom it is about, and what kind of verb it has. Rules read from ``at``."""

    clause: Clause
    context: Context
    subject: str
    mode: Mode
    #: Where the words after the auxiliary and adverbs begin.
    at: int
    end: int
    negative: bool = False
    ended: bool = False
    often: str = ""
    #: The subject is the speaker.
    own: bool = True
    #: What the text of a clause that goes on with the subject of the one before must begin with.
    prefix: str = ""

    @property
    def plain(self) -> str:
        """The sentence in small letters."""
        return self.clause.plain

    def rest(self) -> str:
        """What stands after the verb, in small letters."""
        return self.plain[self.at : self.end]

    def is_frequent(self) -> bool:
        """Whether it says that something happens again and again."""
        return bool(self.often) or bool(_FREQUENT.search(self.plain, self.clause.begin, self.clause.end))

    def is_scheduled(self) -> bool:
        """Whether it says how often or on which days."""
        return bool(_FREQUENT.search(self.plain, self.clause.begin, self.clause.end))

    def is_timed(self, *, plan: bool = False) -> bool:
        """Whether it names a time; with ``plan``, one that is not over."""
        times = times_in(self.clause.meant, self.clause.sentence, "plan" if plan else "event")
        said_at = self.clause.sentence.utterance.said_at
        return any(not plan or (time.end or time.start or said_at) > said_at for time in times)

    def values(self, begin: int, *, end: int | None = None) -> Iterator[tuple[int, int]]:
        """The values of the list that begins there."""
        stop = value_end(self.plain, begin, self.end) if end is None else end
        return items(self.plain, begin, stop)

    def value(self, begin: int, *, end: int | None = None, keep_article: bool = False) -> tuple[int, int]:
        """The one value that begins there."""
        stop = value_end(self.plain, begin, self.end) if end is None else end
        return trimmed(self.plain, begin, stop, keep_article=keep_article)

    def whole(self, begin: int) -> tuple[int, int]:
        """The rest of the clause from there on, with its time, up to a reason or a remark."""
        stop = _REMARK.search(self.plain, begin, self.end)
        return trimmed(self.plain, begin, stop.start() if stop else self.end, keep_article=True)

    def claim(self, attribute: str, value: tuple[int, int] | str, *, among: Iterable[tuple[int, int]] = (), **fields: Any) -> Claim:
        """Make a claim. ``value`` is a place in the sentence, or words; ``among`` are all values of its list: the text has it alone."""
        clause = self.clause
        words = clause.written(*value) if isinstance(value, tuple) else value
        text = self._text(value if isinstance(value, tuple) else None, list(among))
        ended = bool(fields.pop("ended", self.ended))
        polarity = fields.pop("polarity", "negative" if self.negative or ended else "positive")
        certainty = fields.pop("certainty", "passing" if clause.passing else "plain")
        return claim(
            clause.sentence,
            subject=fields.pop("subject", self.subject),
            attribute=attribute,
            value=" ".join(words.split()),
            span=(clause.begin, clause.end),
            polarity=polarity,
            certainty=certainty,
            text=text,
            ended=ended,
            correction=fields.pop(
                "correction", clause.correction or (clause.contrast is not None and attribute_of(attribute).arity == "single")
            ),
            **fields,
        )

    def ending(self, attribute: str, value: tuple[int, int] | str, **fields: Any) -> Claim:
        """A claim that ends what is known of it, and otherwise tells nothing."""
        return self.claim(attribute, value, ended=True, only_ends=True, importance=0.0, **fields)

    def _text(self, value: tuple[int, int] | None, among: list[tuple[int, int]]) -> str:
        clause = self.clause
        if value is None or len(among) < 2:
            said = clause.text
        else:
            # What follows a list mostly speaks of all of it, or of its last: only a time must not be lost.
            behind = clause.written(among[-1][1], clause.end)
            said = clause.written(clause.begin, among[0][0]) + clause.written(*value) + (behind if _SINCE.match(behind) else "")
        said = " ".join(said.split())
        return f"{self.prefix} {said}" if self.prefix else said


Rule: TypeAlias = Callable[[Reading, "re.Match[str]"], Iterable[Claim]]


def _end_of(pattern: re.Pattern[str], said: str, begin: int, end: int) -> int:
    match = pattern.match(said, begin, end)
    return match.end() if match else begin


def verb_of(clause: Clause, context: Context, *, subject: str, after: int, own: bool, prefix: str = "") -> Reading | None:
    """Read the verb that stands after the subject, which ends at ``after``. None: it is none that states something."""
    said, end = clause.plain, clause.end
    if _WISHED.match(said, after, end) and (
        _SOME_DAY.search(said, after, end) or _GROWING.match(said, _end_of(_WISHED, said, after, end), end)
    ):
        return Reading(
            clause=clause, context=context, subject=subject, mode="wish", at=_end_of(_WISHED, said, after, end), end=end, own=own
        )
    if _FORBIDDEN.match(said, after, end):
        return None
    skipped = _SKIP.match(said, after, end)
    assert skipped is not None  # it matches nothing, too
    start, often = after, skipped["often"] or ""
    # Adverbs stand before the auxiliary too: "I really can't".
    if skipped.end() > after and said[skipped.end() - 1 : skipped.end()].isspace():
        start = skipped.end() - 1
    negative = often in ("never", "almost never", "never ever") or bool(skipped["not"])
    ended = bool(skipped["ended"])
    mode: Mode = "do"
    at = start
    for mode_of, pattern in _VERBS:
        if match := pattern.match(said, start, end):
            mode, at = mode_of, match.end()
            negative = negative or bool(match["no"]) or bool(match.groupdict().get("dont")) or match[0].endswith(("won't", "wont"))
            negative = negative or " never" in match[0]
            break
    if _FORBIDDEN.match(said, at, end) and mode == "do":
        return None
    skipped = _SKIP.match(said, at, end)
    assert skipped is not None
    at = skipped.end()
    often = often or skipped["often"] or ""
    negative = negative or bool(skipped["not"]) or skipped["often"] in ("never", "almost never", "never ever")
    ended = ended or bool(skipped["ended"])
    if anymore := _ANYMORE.search(said, at, end):
        ended = ended or negative
        end = anymore.start() if not said[anymore.end() : end].strip(" .,!") else end
    return Reading(
        clause=clause,
        context=context,
        subject=subject,
        mode=mode,
        at=at,
        end=end,
        negative=negative or ended,
        ended=ended,
        often=often,
        own=own,
        prefix=prefix,
    )
