"""Stretches of a message that are not the speaker's own statements: quotations, texts to work on, role play, scripts, jokes. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern, rare_pattern

#: A quotation of several words. Marks of one word stand for emphasis, or for a name.
_QUOTED = rare_pattern(
    r"“[^”\n]{1,2000}”|「[^」\n]{1,2000}」|『[^』\n]{1,2000}』|«[^»\n]{1,2000}»|(?<!\w)\"(?=\S)[^\"\n]{1,2000}\"(?!\w)"
    r"|(?<!\w)[‘'](?=(?:[Ii]|[Mm]y)\b)(?:[^'‘’\n]|['’](?=\w)){1,500}['’](?!\w)|`[^`\n]{1,500}`"
    # A shorter one in single marks, with nothing of the sentence left out: 'keep answers short'.
    r"|(?<=[\s(])[‘'](?!(?:cause|til|till|em|n|tis|twas|bout|round)\b)(?=[A-Za-z]+\s)(?:[^'‘’\n.,;]"
    r"|['’](?=\w)){6,80}[.,!?]?['’](?=[\s.,;:!?)]|$)"
)
_MAKES = (
    r"write|rewrite|compose|draft|translate|paraphrase|rephrase|proofread|summari[sz]e|correct|edit|fix|improve"
    r"|polish|reword|transcribe|spell-?check"
    r"|classify|analy[sz]e|review|check|explain|complete|continue|generate|create|make|turn|convert|parse|respond to"
    r"|reply to|answer|grade|rate|critique|shorten"
)
#: A task with its text behind a colon or on the next lines: all that follows is the text.
_WITH_TEXT = rare_pattern(
    rf"(?:^|[.!?\n][ \t]{{0,20}})(?:(?:please|pls|can you|could you|would you|hey|hi|now|ok|okay|help me|i want you to"
    rf"|i need you to|i'd like you to),?\s+){{0,3}}(?:{_MAKES})\b[^.!?\n]{{0,200}}(?::\s|\n)"
    r"|(?:^|[.!?\n][ \t]{0,20})(?:(?:please|pls|can you|could you|help me)\s+){0,2}(?:make|rewrite|rephrase|reword|fix|correct|translate"
    r"|proofread|improve|edit|polish|paraphrase|shorten) (?:this|that|it|the following|these)\b[^.!?\n:]{0,60}?\s[-–—]+\s"
    r"|\b(?:here(?:'s| is| are) (?:the|my|a|an|what) (?:\w+ ){0,4}(?:text|email|essay|letter|draft|paragraph|bio|profile|caption|tweet"
    r"|intro|introduction|pitch|blurb|headline|toast|vows|summary|abstract|statement|post"
    r"|message|story|script|poem|lyrics|dialogue|transcript|conversation|code|post|article|example|cv|resume|passage"
    r"|review|speech|prompt|sentence|sentences|statement)"
    r"|(?:the|this|following) (?:text|email|essay|letter|draft|paragraph|message|story|script|poem|lyrics|dialogue"
    r"|transcript|conversation|passage|prompt|sentence|sentences|example|review)(?: \w+){0,3})\s*:",
    re.IGNORECASE,
)
#: A text under its name: "Bio: …", "Cover letter draft: …", "the caption says: …". All that follows is the text.
_KINDS_OF_TEXT = (
    r"(?:bio|caption|tag ?line|slogan|headline|letter|draft|essay|tweet|blurb|pitch|speech|toast|vows|abstract|poem|lyrics|chorus|verse"
    r"|script|dialogue|monologue|quote|prompt|sentence|phrase|translation|motto|paragraph|advert|testimonial|review|obituary|eulogy"
    r"|press release|post|logline)"
)
_NAMED_TEXT = late_pattern(
    rf"(?:^|[.!?\n][ \t]{{0,20}})(?:[\w'’-]+ ){{0,3}}{_KINDS_OF_TEXT}(?: (?:draft|idea|text|so far|version \w+|v?\d|for \w+|\w+))?\s?:\s"
    r"|(?<!\bi )\b(?:says|said|reads|goes|begins|starts|states|went|wrote|written|replied|shouted|sang|titled"
    r"|captioned|guidelines? (?:is|are)|(?:guide|handbook|manual|readme|policy|syllabus|brief)(?: \w+){0,2})\s?:\s"
    r"|\bi (?:always |once )?(?:told|tell|asked|ask|texted|wrote|emailed|messaged|said to) (?!you\b)[\w' ]{2,30}?\s?:\s",
    re.IGNORECASE,
)
#: Somebody's line, or a field of a form, that begins the message: "Mia: I don't eat fish", "Subject: I'm moving".
_SPOKEN_BY = late_pattern(
    r"\s*(?!(?:me|user|myself|about (?:me|us)|ps|p\.s|edit|tl;?dr|note|nb|fyi|btw|update|news|reminder|correction"
    r"|confession|disclaimer|warning"
    r"|background|context|info|fact|fun fact|truth|thing is|problem|issue|situation|request|question|answer|goal"
    r"|goals|diet|job|hobbies|hint"
    r"|spoiler|important|urgent|honestly|anyway|seriously|basically|personally|ok|okay|well|so|hey|hi|hello|today|yesterday|first|second"
    r"|third|lastly|finally|also|plot twist|bottom line|long story|short version|quick|big|good|bad|my|our|remember|allerg\w+|food|health"
    r"|family|work|home|pets|preferences|profile|introduction|intro|backstory|story|why|because|thanks|sorry|no|yes|now|then|right|wait"
    r"|actually|oh|and|but|just|status|reason|point|result|conclusion|summary|likes|dislikes|location|budget|plan|plans)\b)"
    r"[A-Z][\w'’-]*(?: [\w'’-]+){0,2}:\s+(?=(?-i:I|We|My)\b)",
    re.IGNORECASE,
)
_PLAYS = rare_pattern(
    r"\b(?:role-?play|mock interview|let'?s (?:pretend|play|imagine|(?:do|have|run|practi[cs]e|simulate)"
    r" (?:a|an|some) (?:\w+ )?(?:interview|scene|dialogue|simulation|exercise|improv))"
    r"|pretend (?:that|to be|you|you're|i'm|i am|i)\b|act as\b"
    r"|you are now\b|from now on you are\b|in this (?:scenario|story|game)|my character|imagine (?:that|you|i|a"
    r"|we)\b|suppose (?:that|i|you|we)\b"
    r"|hypothetically|write (?:me )?(?:a|an|the|some) (?:\w+ ){0,3}(?:story|poem|song|dialogue|script|monologue"
    r"|diary|scene|rap|haiku|fanfic)\b[^.\n]{0,80}(?:from the (?:perspective|point of view)|in (?:the )?first person"
    r"|as if|told by))",
    re.IGNORECASE,
)
#: "Anna: I live in Leeds", at least twice: somebody's conversation.
_LINE = rare_pattern(r"^[ \t]*(?:[-*•] )?[A-Z][\w .]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_FORM = late_pattern(
    r"\s*(?:[-*•] )?(?:name|age|location|occupation|job|diet|allergies|hobbies|likes|dislikes|update|note|ps|p\.s"
    r"|edit|tldr|tl;dr|question|goal|goals|budget)\s*:",
    re.IGNORECASE,
)
_EXAMPLE = rare_pattern(r"\b(?:e\.g\.|for example|for instance|example|examples)\s*[,:]\s*[^.!?\n]*", re.IGNORECASE)
_JOKE = rare_pattern(
    r"\b(?:just kidding|just joking|jk|i'm kidding|i'm joking|only joking|kidding)\b|(?<!\S)/s(?!\S)"
    r"|(?<=[.!?…]\s)not[.!]+(?=\s|$)|(?<![没不别非])开玩笑",
    re.IGNORECASE,
)
_SENTENCE_END = late_pattern(r"[.!?\n]\s*")
#: How far a joke reaches back.
_JOKE_REACH = 200


def foreign_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text is not what its speaker says of himself, as half-open ranges in order of their beginning."""
    found = [match.span() for match in _QUOTED.finditer(text) if " " in match[0] or match[0][0] == "`" or len(match[0]) > 12]
    if match := _WITH_TEXT.search(text):
        found.append((match.end(), len(text)))
    # Both have a colon, which most messages have not.
    if ":" in text and (match := _SPOKEN_BY.match(text) or _NAMED_TEXT.search(text)):
        found.append((match.end(), len(text)))
    if match := _PLAYS.search(text):
        found.append((match.start(), len(text)))
    lines = [match for match in _LINE.finditer(text) if not _FORM.match(match[0])]
    if len(lines) > 1:
        found += [match.span() for match in lines]
    found += [match.span() for match in _EXAMPLE.finditer(text)]
    for match in _JOKE.finditer(text):
        found.append((_begin_of_joke(text, match.start()), match.end()))
    return tuple(sorted(found))


def _begin_of_joke(text: str, end: int) -> int:
    """Where the sentence before the remark began."""
    before = text[max(0, end - _JOKE_REACH) : end].rstrip(" .!?,\n-–—")
    last = 0
    for match in _SENTENCE_END.finditer(before):
        last = match.end()
    return max(0, end - _JOKE_REACH) + last
