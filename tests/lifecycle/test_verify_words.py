"""What the words around a fact of a model make of it: foods one cannot eat, quotations, frames that deny, openings that mean nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from extracting import SAID_AT, core, fact, said

from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.verify import Batch, Refusal, claim_of


def read(text: str, written: dict[str, Any]) -> Claim:
    """The claim that a fact about a line comes to."""
    return claim_of(written, Batch(lines={1: said(text)}, extractor="model:test", now=SAID_AT + timedelta(days=1)))


def refusal(text: str, written: dict[str, Any]) -> str:
    with pytest.raises(Refusal) as caught:
        read(text, written)
    return str(caught.value)


# --- what cannot be eaten -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("told", ["positive", "negative"])
@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Peanuts make my throat swell", "avoids", "Peanuts"),
        ("Peanuts make my throat swell", "dietary restriction", "Peanuts"),
        ("Peanuts make my throat swell", "cannot eat", "Peanuts"),
        ("Shellfish gives me hives", "food restrictions", "Shellfish"),
        ("I stay away from gluten", "avoids", "gluten"),
        ("I avoid dairy", "foods to avoid", "dairy"),
        ("I get sick when I eat oysters", "doesn't eat", "oysters"),
        ("I don't eat pork", "dietary_restrictions", "pork"),
        ("I can't have alcohol", "cannot drink", "alcohol"),
        ("Milk upsets my stomach", "diet", "Milk"),
        ("我一吃花生喉咙就肿", "忌口", "花生"),
        ("我吃了虾就起疹子", "饮食禁忌", "虾"),
        ("牛奶喝了我就拉肚子", "饮食限制", "牛奶"),
        ("我不碰酒精", "不喝", "酒精"),
        ("我要忌海鲜", "忌口", "海鲜"),
        ("我不能吃辣", "忌口食物", "辣"),
        ("我一吃芒果嘴就肿", "diet", "芒果"),
        ("I drink milk and get cramps", "diet", "milk"),
        ("I stopped eating meat", "diet", "meat"),
        ("I avoid sugar", "diet", "sugar"),
        ("我戒糖了", "饮食", "糖"),
        ("我要忌无花果", "忌口", "无花果"),
        ("我避开香菜", "避免", "香菜"),
    ],
)
def test_what_somebody_cannot_eat_is_negative_whatever_the_model_says(text: str, attribute: str, value: str, told: str) -> None:
    claim = read(text, fact(text, attribute, value, polarity=told))
    assert (claim.attribute, claim.value, claim.polarity) == ("diet", value, "negative")


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm lactose intolerant", "dietary restriction", "lactose intolerant"),
        ("I'm vegetarian", "dietary restriction", "vegetarian"),
        ("I eat gluten-free food", "dietary restrictions", "gluten-free"),
        ("I only eat halal food", "food restriction", "halal food"),
        ("I'm a vegan and I feel less sick", "diet", "vegan"),
        ("I eat oats, my stomach likes them", "diet", "oats"),
        ("I eat soup when I'm sick", "diet", "soup"),
        ("我吃姜缓解胃痛", "diet", "姜"),
        ("我吃素", "忌口", "素"),
        ("我只吃清真食品", "饮食禁忌", "清真食品"),
        ("我爱吃辣", "饮食", "辣"),
    ],
)
def test_a_way_of_eating_and_what_is_eaten_stay_positive(text: str, attribute: str, value: str) -> None:
    assert core(read(text, fact(text, attribute, value)))[1:] == ("diet", value, "positive")


@pytest.mark.parametrize(
    ("text", "attribute", "value", "why"),
    [
        ("I avoid my boss, we never eat together", "avoids", "my boss", "its words speak of something else"),
        ("I eat meat", "dietary restriction", "meat", "its words say otherwise"),
        ("I love spicy food", "avoids", "spicy food", "its words say otherwise"),
        ("我爱吃花生", "忌口", "花生", "its words say otherwise"),
        ("I don't hate jazz", "dislikes", "jazz", "its words deny it"),
        ("我不讨厌香菜", "讨厌", "香菜", "its words deny it"),
    ],
)
def test_a_restriction_that_the_words_belie_is_refused(text: str, attribute: str, value: str, why: str) -> None:
    assert refusal(text, fact(text, attribute, value)) == why


@pytest.mark.parametrize("told", ["positive", "negative"])
@pytest.mark.parametrize(
    ("text", "name", "value"),
    [("I hate jazz", "dislikes", "jazz"), ("橄榄我真吃不惯", "讨厌", "橄榄"), ("Olives are yuck for me", "dislikes", "Olives")],
)
def test_a_name_that_denies_is_not_turned_round_by_a_negative_polarity(text: str, name: str, value: str, told: str) -> None:
    assert core(read(text, fact(text, name, value, polarity=told)))[1:] == ("likes", value, "negative")


# --- quoted speech, frames, and words that only open a sentence ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "quote", "attribute", "value"),
    [
        ('Jack wrote "I live in Rome" on the wall.', "I live in Rome", "residence", "Rome"),
        ('Jack wrote "I live in Rome" on the wall.', 'Jack wrote "I live in Rome"', "residence", "Rome"),
        ("The sign says “I love jazz and tea”.", "I love jazz", "likes", "jazz"),
        ("He told me 'I work at Acme, it's great' yesterday", "I work at Acme", "employer", "Acme"),
        ('The lyrics go "My name is Luka. I live in Rome."', "I live in Rome", "residence", "Rome"),
        ('Her note: "I am allergic to nuts', "I am allergic to nuts", "allergy", "nuts"),
        ("墙上写着“我住在罗马”", "我住在罗马", "residence", "罗马"),
        ("小王说：「我对花生过敏」", "我对花生过敏", "allergy", "花生"),
        ('歌词是"我叫小明，我喜欢猫"', "我喜欢猫", "likes", "猫"),
        ("书里有一句‘我在华为上班’", "我在华为上班", "employer", "华为"),
    ],
)
def test_words_in_quotation_marks_are_not_the_speakers(text: str, quote: str, attribute: str, value: str) -> None:
    assert refusal(text, fact(quote, attribute, value)) == "it quotes what others said"


def test_who_is_quoted_by_name_may_have_said_it() -> None:
    text = 'Jack wrote "I live in Rome" on the wall.'
    claim = read(text, fact("I live in Rome", "residence", "Rome", subject="Jack"))
    assert (claim.subject, claim.certainty) == ("Jack", "passing")
    assert refusal(text, fact("I live in Rome", "residence", "Rome", subject="Anna")) == "it quotes what others said"


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ('I love "The Matrix"', "likes", "Matrix"),
        ("My dogs' names aren't 'Rex', and I live in Rome, that's it", "residence", "Rome"),
        ('He said "hello" and I live in Rome', "residence", "Rome"),
        ("我喜欢《三体》和“流浪地球”", "likes", "流浪地球"),
        ('她说"你好"，我住在罗马', "residence", "罗马"),
    ],
)
def test_titles_and_what_stands_beside_a_quotation_are_kept(text: str, attribute: str, value: str) -> None:
    assert core(read(text, fact(text, attribute, value)))[:3] == ("user", attribute, value)


@pytest.mark.parametrize(
    ("text", "quote", "value"),
    [
        ("It would be wrong to say that I like jazz.", "I like jazz", "jazz"),
        ("It's a myth that I like jazz.", "I like jazz", "jazz"),
        ("I doubt that I like jazz.", "I like jazz", "jazz"),
        ("Who says I like jazz.", "I like jazz", "jazz"),
        ("Anna mistakenly thought that I like jazz.", "I like jazz", "jazz"),
        ("Nobody ever said that I like jazz.", "I like jazz", "jazz"),
        ("That I like jazz is a complete lie.", "I like jazz", "jazz"),
        ("I like jazz, said no one ever.", "I like jazz", "jazz"),
        ("I like jazz, just kidding.", "I like jazz", "jazz"),
        ("It is false that I like jazz.", "I like jazz", "jazz"),
        ("In a parallel universe I like jazz.", "I like jazz", "jazz"),
        ("谁说我喜欢爵士乐。", "我喜欢爵士乐", "爵士乐"),
        ("别以为我喜欢爵士乐。", "我喜欢爵士乐", "爵士乐"),
        ("说我喜欢爵士乐是不对的。", "我喜欢爵士乐", "爵士乐"),
        ("我喜欢爵士乐这种说法是谣言。", "我喜欢爵士乐", "爵士乐"),
        ("我喜欢爵士乐才怪。", "我喜欢爵士乐", "爵士乐"),
        ("我喜欢爵士乐，开玩笑的。", "我喜欢爵士乐", "爵士乐"),
        ("他误以为我喜欢爵士乐。", "我喜欢爵士乐", "爵士乐"),
        ("并不是说我喜欢爵士乐。", "我喜欢爵士乐", "爵士乐"),
        ("平行宇宙里我喜欢爵士乐。", "我喜欢爵士乐", "爵士乐"),
    ],
)
def test_a_statement_inside_a_frame_that_denies_or_supposes_it_is_refused(text: str, quote: str, value: str) -> None:
    assert refusal(text, fact(quote, "likes", value)) in (
        "its words deny it",
        "it was supposed",
        "it was asked",
        "it is about somebody else",
    )


@pytest.mark.parametrize("text", ["I'd live in Rome", "I could live in Rome", "I would live in Rome"])
def test_where_somebody_would_live_is_no_home(text: str) -> None:
    assert refusal(text, fact(text, "residence", "Rome")) == "it was supposed"


@pytest.mark.parametrize(
    ("text", "quote", "value"),
    [
        ("It would be wrong to say that, but I like jazz", "I like jazz", "jazz"),
        ("There is no doubt, I like jazz", "I like jazz", "jazz"),
        ("My sister is wrong, I like jazz", "I like jazz", "jazz"),
        ("I like jazz and the rumour is old", "I like jazz", "jazz"),
        ("这是误会，我喜欢爵士乐", "我喜欢爵士乐", "爵士乐"),
        ("我喜欢爵士乐，是从小的爱好", "我喜欢爵士乐", "爵士乐"),
    ],
)
def test_a_frame_of_another_clause_takes_nothing(text: str, quote: str, value: str) -> None:
    assert core(read(text, fact(quote, "likes", value))) == ("user", "likes", value, "positive")


@pytest.mark.parametrize("written", ["user", "Fact", "it"])
@pytest.mark.parametrize(
    "opening", ["Fact is", "The truth is that", "Thing is", "My point is", "Problem is", "Turns out", "The funny thing is", "Guess what"]
)
def test_words_that_only_open_a_sentence_are_no_subject(opening: str, written: str) -> None:
    assert read(f"{opening} I own a Volvo", fact("I own a Volvo", "owns", "Volvo", subject=written)).subject == "user"


@pytest.mark.parametrize("opening", ["事实是", "其实问题是", "关键是", "老实说", "说实话", "真相是", "重点是"])
@pytest.mark.parametrize("written", ["用户", "事实"])
def test_chinese_words_that_only_open_a_sentence_are_no_subject(opening: str, written: str) -> None:
    assert read(f"{opening}我有一辆沃尔沃", fact("我有一辆沃尔沃", "owns", "沃尔沃", subject=written)).subject == "user"


def test_what_a_brother_owns_stays_his_after_an_opening() -> None:
    assert read("Fact is my brother owns a Volvo", fact("my brother owns a Volvo", "owns", "Volvo")).subject == "user's brother"
    assert read("Thing is Jack owns a Volvo", fact("Jack owns a Volvo", "owns", "Volvo")).subject == "Jack"
