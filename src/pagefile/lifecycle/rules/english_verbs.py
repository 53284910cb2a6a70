"""Which rules read what the verb of an English clause says, by the kind of verb. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_abilities as abilities
from pagefile.lifecycle.rules import english_doing as doing
from pagefile.lifecycle.rules import english_endings as endings
from pagefile.lifecycle.rules import english_goals as goals
from pagefile.lifecycle.rules import english_jobs as jobs
from pagefile.lifecycle.rules import english_orders as orders
from pagefile.lifecycle.rules import english_past as past
from pagefile.lifecycle.rules import english_people as people
from pagefile.lifecycle.rules import english_plans as plans
from pagefile.lifecycle.rules import english_turns as turns
from pagefile.lifecycle.rules.english_being import complements
from pagefile.lifecycle.rules.english_origins import place_born
from pagefile.lifecycle.rules.english_reading import Reading

_LIKE_BEING = late_pattern(
    r"(?:(?!bring|sing|spring|ring|during|nothing|something|everything)[a-z]+ing|(?:severely|deathly|highly|mildly)"
    r"|first|second|third|fourth|final|in|at (?=[a-z])|off|back on|over|from|on|fluent|diagnosed|terrified|scared"
    r"|afraid|obsessed|hooked|retired|not"
    r"|allergic|based|vegan|vegetarian|fan|a|an|into (?=[a-z])|native|keen on|big|huge|really|married|single|diabetic"
    r"|pregnant|lactose|coeliac"
    r"|celiac|pescatarian|dyslexic|deaf|blind|autistic|sober|teetotal|gluten|dairy|expecting|getting|asthmatic"
    r"|epileptic)\b"
)


def without_subject(reading: Reading | None) -> Reading | None:
    """Without "I am" the words that follow it still tell: "allergic to nuts", "working as a chef", "born in Leeds"."""
    if reading is not None and reading.mode == "do":
        if reading.plain.startswith("born ", reading.at):
            reading.mode = "was"
        elif reading.plain.startswith("been ", reading.at):
            reading.mode, reading.at = "been", reading.at + 5
        elif reading.plain.startswith(("diagnosed ", "promoted "), reading.at):
            reading.mode = "was"
        elif _LIKE_BEING.match(reading.plain, reading.at, reading.end):
            reading.mode = "be"
    return reading


def understand(reading: Reading | None) -> list[Claim]:
    """All that the verb of a clause says, by its kind. The first rule that understands it has the word."""
    if reading is None or reading.at >= reading.end:
        return []
    if reading.mode in ("be", "was", "been"):
        return _being(reading)
    if reading.mode == "perfect" and reading.plain.startswith("had ", reading.at):
        reading.mode, reading.at = "have", reading.at + 4
    if reading.mode == "have":
        for rule in (people.has_health, people.has_someone, plans.has_event, people.has_thing):
            if found := list(rule(reading)):
                return found
        return list(goals.habit(reading))
    if reading.mode == "wish":
        return list(goals.goal_claims(reading, reading.at))
    if reading.mode == "used":
        return doing.read_used_to(reading)
    if reading.mode == "can":
        found = list(turns.of_it(reading)) or list(abilities.able(reading))
        return [*found, *endings.also_over(reading, found)]
    if reading.mode == "must":
        return list(plans.must(reading))
    if reading.mode == "will":
        return list(plans.plan(reading))
    return _doing(reading)


def _being(reading: Reading) -> list[Claim]:
    if reading.mode == "was":
        return list(place_born(reading)) or list(jobs.was_at_work(reading)) or list(past.was_there(reading))
    if reading.mode == "been" and (found := list(past.been(reading)) or list(jobs.been_at(reading)) or list(place_born(reading))):
        return found
    at, end, negative = reading.at, reading.end, reading.negative
    for rule in (
        orders.not_allowed,
        turns.turning,
        abilities.availability,
        goals.striving,
        plans.plan,
        plans.being_planned,
        turns.turned_state,
        complements,
        doing.being_doing,
        turns.turned,
    ):
        reading.at, reading.end, reading.negative = at, end, negative
        if found := list(rule(reading)):
            return [*found, *endings.also_over(reading, found)]
    return list(endings.also_over(reading, ()))


def _doing(reading: Reading) -> list[Claim]:
    rest = reading.plain[reading.at : reading.end]
    if reading.mode == "do" and re.match(r"(?:have|has|had)\s", rest) and reading.negative:
        reading.at += rest.index(" ") + 1
        reading.mode = "have"
        return understand(reading)
    found = list(turns.of_it(reading)) or list(turns.turned(reading)) or doing.read_verb(reading)
    if (
        found
        and doing.is_past(reading)
        and any(each.attribute in ("residence", "employer", "occupation", "likes", "major", "school") for each in found)
    ):
        return doing.past_claims(reading, found)
    rules = iter((plans.call_off, goals.habit, plans.planning, goals.wanting, doing.got, past.experience))
    while not found and (rule := next(rules, None)):
        found = list(rule(reading))
    return [*found, *endings.also_over(reading, found)]
