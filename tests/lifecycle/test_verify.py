"""A fact of a model is kept if it stands in the message, in its words and about the one it is about; else it is refused with a reason."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from extracting import SAID_AT, assistant, core, fact, said
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile.lifecycle.facts import Claim, Utterance
from pagefile.lifecycle.verify import Batch, Refusal, claim_of
from pagefile.records import Trust


def read(text: str | Utterance, written: dict[str, Any], *others: Utterance) -> Claim:
    """The claim that a fact about the first line comes to."""
    first = said(text) if isinstance(text, str) else text
    lines = dict(enumerate([first, *others], start=1))
    return claim_of(written, Batch(lines=lines, extractor="model:test", now=SAID_AT + timedelta(days=1)))


def refusal(text: str | Utterance, written: dict[str, Any], *others: Utterance) -> str:
    with pytest.raises(Refusal) as caught:
        read(text, written, *others)
    return str(caught.value)


# --- where it stands -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote", "span"),
    [
        ("Well, I live in Rome.", "I live in Rome", "I live in Rome"),
        ("Well, i  LIVE in\nRome!", "I live in Rome.", "i  LIVE in\nRome"),
        ("I dont live in Rome, I live in Róme", "“I live in Rome”", "I live in Róme"),
        ("我住在“罗马”。", "我住在罗马", "我住在“罗马"),
        ("我住在羅馬", "我住在罗马", "我住在羅馬"),
        ("Ｉ ｌｉｖｅ in Rome", "I live in Rome", "Ｉ ｌｉｖｅ in Rome"),
    ],
)
def test_the_quote_is_found_whatever_its_blanks_case_width_and_marks(text: str, quote: str, span: str) -> None:
    value = "罗马" if "罗马" in quote else "Rome"
    (source,) = read(text, fact(quote, "residence", value)).sources
    assert source.span is not None
    assert text[slice(*source.span)].strip("“”") == span.strip("“”")


@pytest.mark.parametrize(
    ("quote", "why"),
    [
        ("I live in Roma", "its quote does not stand in that line"),
        ("I live near Rome", "its quote does not stand in that line"),
        ("live in Rom", "its quote does not stand in that line"),
        ("The user lives in Rome", "its quote does not stand in that line"),
        ("我住在罗马", "its quote does not stand in that line"),
        ("…", "it quotes nothing"),
        ("", "it quotes nothing"),
    ],
)
def test_a_quote_in_other_words_is_refused(quote: str, why: str) -> None:
    assert refusal("I live in Rome.", fact(quote, "residence", "Rome")) == why


def test_a_quote_across_what_was_blanked_out_is_refused() -> None:
    text = "I live in                Rome is nice"
    assert "does not stand" in refusal(text, fact("I live in Rome", "residence", "Rome"))


def test_a_miscounted_line_is_set_right_if_the_words_stand_in_one_line_only() -> None:
    lines = (said("I live in Rome", 2), said("I like tea", 3))
    assert read("Hello", fact("I live in Rome", "residence", "Rome", line=1), *lines).sources[0].message == "m2"
    assert read("Hello", fact("I live in Rome", "residence", "Rome", line=99), *lines).sources[0].message == "m2"
    assert refusal("I like tea", fact("I like tea", "likes", "tea", line=7), *lines) == "there is no such line"


def test_an_earlier_line_gives_no_fact() -> None:
    assert refusal(said("I live in Rome", fresh=False), fact("I live in Rome", "residence", "Rome")) == "it is of an earlier line"


# --- the value -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attribute", "written", "value"),
    [
        ("I work at Acme Ltd.", "works_at", "Acme Ltd", "Acme Ltd"),
        ("I work at Acme.", "employer", "works at Acme", "Acme"),
        ("I live in Rome", "residence", "lives in Rome", "Rome"),
        ("I'm a nurse", "job", "a nurse", "nurse"),
        ("I like spicy food", "likes", "Spicy foods", "spicy food"),
        ("I like long walks on the beach", "likes", "walks on a beach", "walks on the beach"),
        ("My birthday is May 3", "birthday", "May 3", "May 3"),
        ("我在腾讯上班", "公司", "腾讯", "腾讯"),
        ("我叫张三", "姓名", "张三", "张三"),
        ("我喜歡爬山", "爱好", "爬山", "爬山"),
    ],
)
def test_the_value_is_in_the_words_that_were_said(text: str, attribute: str, written: str, value: str) -> None:
    assert read(text, fact(text, attribute, written)).value == value


@pytest.mark.parametrize(
    ("text", "attribute", "written"),
    [
        ("I live in Rome", "residence", "Italy"),
        ("I have 3 cats", "pet", "4 cats"),
        ("I am 34 years old", "age", "35"),
        ("I work at Acme", "employer", "Acme Corporation"),
        ("我在腾讯上班", "employer", "Tencent"),
        ("我不吃辣", "diet", "spicy food"),
        ("I live in Rome", "residence", "罗马"),
        ("I live in Rome", "residence", ""),
    ],
)
def test_a_value_that_was_not_said_is_refused(text: str, attribute: str, written: str) -> None:
    assert "value" in refusal(text, fact(text, attribute, written))


def test_a_value_of_another_clause_is_refused() -> None:
    text = "I live in Rome and work at Acme"
    assert "value" in refusal(text, fact("I live in Rome", "employer", "Acme"))


# --- whom it is about: a friend's dislike is the friend's -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attribute", "value", "written", "subject"),
    [
        ("My friend Jack doesn't like football", "likes", "football", "user", "Jack"),
        ("My friend Jack doesn't like football", "likes", "football", "Jack", "Jack"),
        ("I think Jack lives in Rome", "residence", "Rome", "user", "Jack"),
        ("My brother's favourite player is Messi", "favourite player", "Messi", "user", "user's brother"),
        ("my brother hates football", "likes", "football", "brother", "user's brother"),
        ("Anna loves tea but Ben prefers coffee", "likes", "coffee", "Anna", "Ben"),
        ("Anna loves tea but I prefer coffee", "likes", "coffee", "Anna", "user"),
        ("I live with Jack in Rome", "residence", "Rome", "user", "user"),
        ("My wife and I moved to York", "residence", "York", "I", "user"),
        ("my favourite player is Messi", "favourite player", "Messi", "me", "user"),
        ("我朋友小杰不喜欢足球", "likes", "足球", "user", "小杰"),
        ("我朋友小杰不喜欢足球", "likes", "足球", "小杰", "小杰"),
        ("我弟弟最喜欢的球员是梅西", "最喜欢的球员", "梅西", "用户", "用户的弟弟"),
        ("小红爱喝茶，小明爱喝咖啡", "likes", "咖啡", "小红", "小明"),
        ("我和老婆搬到杭州", "residence", "杭州", "我", "user"),
        ("对花生过敏", "allergy", "花生", "用户", "user"),
    ],
)
def test_a_fact_is_about_the_one_its_clause_is_about(text: str, attribute: str, value: str, written: str, subject: str) -> None:
    assert read(text, fact(text, attribute, value, subject=written)).subject == subject


@pytest.mark.parametrize(
    ("text", "attribute", "value", "name"),
    [
        ("My brother Tom lives in Leeds", "sibling", "Tom", "Tom"),
        ("My wife is called Anna", "wife", "Anna", "Anna"),
        ("my wife anna says hi", "wife", "anna", "anna"),
        ("我女儿叫小雨", "女儿", "小雨", "小雨"),
        ("我有一只猫叫咪咪", "pet", "咪咪", "咪咪"),
    ],
)
def test_people_and_animals_are_somebodys(text: str, attribute: str, value: str, name: str) -> None:
    claim = read(text, fact(text, attribute, value))
    assert (claim.subject, claim.value) == ("user", name)


@pytest.mark.parametrize(
    ("text", "attribute", "value", "subject", "why"),
    [
        ("She lives in Leeds", "residence", "Leeds", "user", "it is about somebody else"),
        ("她住在上海", "residence", "上海", "user", "it is about somebody else"),
        ("I live in Rome", "residence", "Rome", "", "it has no subject"),
        ("Tell Bob that tea is good", "likes", "tea", "Carol", "nobody of this name is mentioned"),
        ("我老婆是牙医", "partner", "牙医", "user", "its value is nobody"),
    ],
)
def test_a_fact_about_nobody_in_particular_is_refused(text: str, attribute: str, value: str, subject: str, why: str) -> None:
    assert refusal(text, fact(text, attribute, value, subject=subject)) == why


def test_somebody_named_in_another_line_may_be_meant() -> None:
    claim = read("He hates football", fact("He hates football", "likes", "football", subject="Jack"), said("Jack is my friend", 2))
    assert claim.subject == "Jack"


def test_a_speakers_own_name_is_the_speaker() -> None:
    lines = said("I'm Anna.", 2)
    assert read("I like tea", fact("I like tea", "likes", "tea", subject="Anna"), lines).subject == "user"
    assert read("我喜欢喝茶", fact("我喜欢喝茶", "likes", "茶", subject="张三"), said("我叫张三，你好", 2)).subject == "user"


def test_in_a_group_every_speaker_keeps_their_facts() -> None:
    """Another person at the keyboard has an allergy; it is not the owner's."""
    mia = said("I'm allergic to nuts and my brother likes jazz", subject="Mia", speaker="Mia")
    for written in ("user", "I", "Mia"):
        claim = read(mia, fact("I'm allergic to nuts", "allergy", "nuts", subject=written))
        assert (claim.subject, claim.speaker) == ("Mia", "Mia")
    assert read(mia, fact("my brother likes jazz", "likes", "jazz", subject="user's brother")).subject == "Mia's brother"
    assert "did not say" in refusal(said("Nuts are bad", subject="Mia"), fact("Nuts are bad", "likes", "nuts", polarity="negative"))


# --- who says it ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("You live in Rome.", "residence", "Rome"),
        ("I solved the problem with a binary search.", "skill", "binary search"),
        ("I recommend the pasta.", "note", "pasta"),
        ("你住在罗马", "residence", "罗马"),
    ],
)
def test_what_the_assistant_says_is_no_fact_about_the_user(text: str, attribute: str, value: str) -> None:
    assert refusal(assistant(text), fact(text, attribute, value)) == "it is about the user, who did not say it"
    assert read(assistant(text), fact(text, attribute, value, subject="assistant")).subject == "assistant"


def test_nobody_is_i_on_a_web_page() -> None:
    page = said("I live in Rome. Jack lives in Leeds.", role="user", subject="web", trust=Trust.TOOL_OUTPUT, quarantined=True)
    assert refusal(page, fact("I live in Rome", "residence", "Rome", subject="I")) == "nobody that is known says it"
    claim = read(page, fact("Jack lives in Leeds", "residence", "Leeds", subject="Jack"))
    assert (claim.quarantined, claim.trust) == (True, Trust.TOOL_OUTPUT)


# --- what states nothing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "attribute", "value", "why"),
    [
        ("Do I live in Rome?", "residence", "Rome", "it was asked"),
        ("who is Marie Curie", "likes", "Marie Curie", "it was asked"),
        ("我是不是对花生过敏？", "allergy", "花生", "it was asked"),
        ("If I lived in Rome I would be happy", "residence", "Rome", "it was supposed"),
        ("如果我住在北京就好了", "residence", "北京", "it was supposed"),
        ("Write a poem in which I live on Mars", "residence", "Mars", "it was a request"),
        ("show KPIs for user Christophe", "name", "Christophe", "it was a request"),
        ("KPIs for user Christophe please", "name", "Christophe", "nobody tells a name there"),
        ("帮我写一首我住在火星的诗", "residence", "火星", "it was a request"),
        ("I'm not a doctor", "occupation", "doctor", "its words deny it"),
        ("Thanks a lot!", "thanks", "thanks", "it says nothing"),
        ("my boss prefers email over Slack", "occupation", "Slack", "its words speak of something else"),
    ],
)
def test_what_was_asked_supposed_ordered_or_denied_is_no_fact(text: str, attribute: str, value: str, why: str) -> None:
    subject = "user's boss" if "boss" in text else "user"
    assert refusal(text, fact(text, attribute, value, subject=subject)) == why


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm so tired today", "health", "tired"),
        ("I hate everything right now", "likes", "everything"),
        ("maybe I'm allergic to nuts", "allergy", "nuts"),
        ("he said I am lazy", "note", "lazy"),
        ("今天好累啊", "health", "累"),
        ("我好像对花生过敏", "allergy", "花生"),
        ("他说我懒", "note", "懒"),
    ],
)
def test_moods_guesses_and_what_others_say_are_passing(text: str, attribute: str, value: str) -> None:
    assert read(text, fact(text, attribute, value)).certainty == "passing"
    assert read("I live in Rome", fact("I live in Rome", "residence", "Rome", certainty="passing")).certainty == "passing"


@pytest.mark.parametrize(
    ("text", "attribute", "value", "told", "polarity"),
    [
        ("I don't eat meat", "diet", "meat", "positive", "negative"),
        ("I don't eat meat", "diet", "don't eat meat", "positive", "negative"),
        ("I can't stand jazz", "dislikes", "jazz", "positive", "negative"),
        ("I love jazz", "likes", "jazz", "positive", "positive"),
        ("I can't live without coffee", "likes", "coffee", "positive", "positive"),
        ("I don't like tea but love coffee", "likes", "coffee", "positive", "positive"),
        ("I don't like hiking, jazz or golf", "likes", "jazz", "positive", "negative"),
        ("I'm allergic to peanuts", "allergy", "peanuts", "negative", "positive"),
        ("I don't eat meat and I'm allergic to nuts", "allergy", "nuts", "negative", "positive"),
        ("I broke my leg", "health", "broke my leg", "negative", "positive"),
        ("我不吃辣", "忌口", "不吃辣", "positive", "negative"),
        ("我不吃香菜，对花生过敏", "allergy", "花生", "negative", "positive"),
        ("我讨厌足球", "讨厌", "足球", "positive", "negative"),
        ("我喜欢足球", "likes", "足球", "positive", "positive"),
    ],
)
def test_the_words_decide_what_is_denied(text: str, attribute: str, value: str, told: str, polarity: str) -> None:
    assert read(text, fact(text, attribute, value, polarity=told)).polarity == polarity


# --- its text, its time --------------------------------------------------------------------------------------------------


def test_the_text_is_the_clause_in_the_words_and_the_language_that_were_said() -> None:
    text = "我朋友小杰不喜欢足球，我弟弟喜欢篮球"
    claim = read(text, fact(text, "likes", "篮球", subject="弟弟", text="The user's brother likes basketball"))
    assert claim.text == "我弟弟喜欢篮球"
    claim = read("I live in Rome and I work at Acme", fact("I live in Rome and I work at Acme", "employer", "Acme"))
    assert claim.text == "I work at Acme"
    assert claim.sources[0].span is not None and claim.sources[0].external_id is None


def test_a_mere_name_is_quoted_with_its_clause() -> None:
    text = "We have two cats, Tom and Jerry."
    assert read(text, fact("Tom and Jerry.", "pet", "Jerry")).text == text
    assert read(text, fact("We have two cats,", "pet", "cats")).text == "We have two cats"


def test_the_models_sentence_is_taken_only_if_it_has_no_words_of_its_own() -> None:
    text = "I live in Rome with two cats and work as a nurse"
    assert read(text, fact(text, "occupation", "nurse", text="I work as a nurse")).text == "I work as a nurse"
    assert read(text, fact(text, "occupation", "nurse", text="Anna works as a senior nurse")).text == text


@pytest.mark.parametrize(
    ("text", "attribute", "value", "when", "begins", "shown"),
    [
        ("I moved to York last week", "residence", "York", "last week", date(2026, 5, 11), "last week (2026-05-11 to 2026-05-17)"),
        ("Last week, I moved to York", "residence", "York", None, date(2026, 5, 11), "Last week (2026-05-11 to 2026-05-17)"),
        ("我上周搬到深圳了", "residence", "深圳", "上周", date(2026, 5, 11), "上周（2026-05-11 至 2026-05-17）"),
        ("I live in York", "residence", "York", "2026-06-30", date(2026, 5, 24), "I live in York"),
        ("I went to Paris", "visited", "Paris", "2026-11-30", None, "I went to Paris"),
        ("My flight to Paris is on Friday", "flight", "flight", None, date(2026, 5, 29), "on Friday (2026-05-29)"),
    ],
)
def test_times_are_those_of_the_words_seen_from_the_message(
    text: str, attribute: str, value: str, when: str | None, begins: date | None, shown: str
) -> None:
    """A date that the model writes for an undated episode, such as today's, is none."""
    quote = text.removeprefix("Last week, ")
    claim = read(text, fact(quote, attribute, value, when=when))
    assert (claim.valid_from and claim.valid_from.date()) == begins
    assert shown in claim.text


def test_what_will_be_is_a_plan_and_what_is_wished_a_goal() -> None:
    plan = read("We're moving to Berlin in July", fact("We're moving to Berlin in July", "residence", "Berlin"))
    assert (plan.attribute, plan.value) == ("plan", "moving to Berlin in July")
    assert plan.valid_from and plan.valid_from.date() == date(2026, 7, 1)
    assert read("我打算搬去成都", fact("我打算搬去成都", "residence", "成都")).attribute == "plan"
    assert read("I want to live in Rome", fact("I want to live in Rome", "residence", "Rome")).attribute == "goal"


@pytest.mark.parametrize(
    ("text", "attribute", "value", "kept"),
    [
        ("Never call me after 9pm", "habit", "call me after 9pm", ("constraint", "Never call me after 9pm", "positive")),
        ("晚上九点以后别给我打电话", "habit", "打电话", ("constraint", "晚上九点以后别给我打电话", "positive")),
        ("Please don't use jargon", "language", "jargon", ("answer style", "don't use jargon", "positive")),
        ("以后不要用专业术语", "language", "专业术语", ("answer style", "以后不要用专业术语", "positive")),
        ("以后回答简短点，不要用专业术语", "language", "专业术语", ("answer style", "不要用专业术语", "positive")),
        ("Please keep your answers short", "style", "short", ("answer style", "keep your answers short", "positive")),
    ],
)
def test_what_is_forbidden_and_how_to_answer_is_known_whatever_it_is_called(
    text: str, attribute: str, value: str, kept: tuple[str, str, str]
) -> None:
    quote = text.rpartition("，")[2]
    assert core(read(text, fact(quote, attribute, value, polarity="negative")))[1:] == kept


def test_an_old_message_makes_no_fact_of_today() -> None:
    old = said("I work at Acme", said_at=datetime(2023, 5, 24, tzinfo=UTC))
    claim = read(old, fact("I work at Acme", "employer", "Acme", when="2026-05-24"))
    assert claim.valid_from == claim.said_at == old.said_at


def test_a_message_whose_clock_is_ahead_makes_no_fact_of_the_future() -> None:
    ahead = said("I work at Acme", said_at=SAID_AT + timedelta(days=900))
    claim = read(ahead, fact("I work at Acme", "employer", "Acme"))
    assert claim.valid_from == SAID_AT + timedelta(days=1)


def test_corrections_and_ends_need_their_words() -> None:
    assert read("No wait, it's Berlin", fact("it's Berlin", "residence", "Berlin")).correction
    assert read("不对，我说错了，我住在无锡", fact("我住在无锡", "residence", "无锡")).correction
    assert read("Actually I live in Berlin", fact("I live in Berlin", "residence", "Berlin", correction=True)).correction
    assert not read("I live in Berlin", fact("I live in Berlin", "residence", "Berlin", correction=True)).correction
    assert not read("No, it's Berlin. I love tea.", fact("I love tea", "likes", "tea")).correction
    ended = read("I no longer work at Acme", fact("I no longer work at Acme", "employer", "Acme", ended=True, polarity="negative"))
    assert (ended.ended, ended.polarity) == (True, "negative")
    assert read("我已经不喝咖啡了", fact("我已经不喝咖啡了", "diet", "咖啡", ended=True)).ended
    assert read("I used to live in Rome", fact("I used to live in Rome", "residence", "Rome")).ended
    assert not read("I work at Acme", fact("I work at Acme", "employer", "Acme", ended=True)).ended
    assert refusal("I used to hate running", fact("I used to hate running", "hates", "running")) == "it no longer holds"


def test_a_claim_carries_what_its_message_has() -> None:
    message = said("Jack lives in Leeds", agent="a", speaker="Bob", external_id="x1", trust=Trust.IMPORTED, quarantined=True)
    claim = read(message, fact("Jack lives in Leeds", "lives in", "Leeds", subject="Jack"))
    assert core(claim) == ("Jack", "residence", "Leeds", "positive")
    assert (claim.agent, claim.speaker, claim.session, claim.trust, claim.quarantined) == ("a", "Bob", "s", Trust.IMPORTED, True)
    assert (claim.extractor, claim.sources[0].external_id, claim.entities) == ("model:test", "x1", ("Jack", "Leeds"))


# --- whatever it is given -------------------------------------------------------------------------------------------------

scraps = st.text(alphabet=st.sampled_from("I live in Rome我住在罗马 ,.不'?\n   Jack"), max_size=30)


@settings(deadline=None, max_examples=200)
@given(text=scraps, quote=scraps, value=scraps, subject=scraps, attribute=scraps, when=scraps, own=scraps)
def test_a_claim_is_always_made_of_the_words_of_its_message(
    text: str, quote: str, value: str, subject: str, attribute: str, when: str, own: str
) -> None:
    written = fact(quote, attribute, value, subject=subject, when=when, text=own)
    try:
        claim = read(text, written)
    except Refusal as refused:
        assert str(refused)
        return
    (source,) = claim.sources
    assert source.span is not None and 0 <= source.span[0] < source.span[1] <= len(text)
    assert set(claim.value.casefold()) <= set(text.casefold()) | {" "}
    assert claim.valid_from is None or claim.valid_from <= SAID_AT or claim.attribute in ("plan", "goal", "deadline")
