"""Names of attributes and subjects as people and small models write them, and what they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.chinese_forms import simplified
from pagefile.lifecycle.attribute_names import FAVOURITE_THINGS, NEGATIVE, SYNONYMS
from pagefile.lifecycle.attributes import attribute_of, canonical_subject

VOCABULARY = {
    "single": "name, nickname, age, birthday, gender, occupation, employer, school, residence, hometown, nationality, marital status,"
    " partner, phone, email, address, id card, bank card, preferred language, timezone, wake time, bedtime,"
    " weight, height, salary, style",
    "many": "child, parent, sibling, relative, friend, colleague, pet, allergy, diet, health, habit, plan, deadline, goal, constraint,"
    " answer style, owns, skill, language, experience, visited, note",
    "stance": "likes",
}


@pytest.mark.parametrize(("arity", "name"), [(arity, name) for arity, names in VOCABULARY.items() for name in names.split(", ")])
def test_canonical_names_stand_for_themselves(arity: str, name: str) -> None:
    found = attribute_of(name)
    assert (found.name, found.arity, found.negates) == (name, arity, False)
    assert 0 < found.importance <= 1


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("works_at", "employer"),
        ("worksAt", "employer"),
        ("WORKPLACE", "employer"),
        ("company", "employer"),
        ("user's job", "occupation"),
        ("job-title", "occupation"),
        ("is a", "is a"),
        ("lives in", "residence"),
        ("Current City", "residence"),
        ("location", "residence"),
        ("dietary_restriction", "diet"),
        ("allergic to", "allergy"),
        ("date of birth", "birthday"),
        ("hobbies", "likes"),
        ("preference", "likes"),
        ("wife", "partner"),
        ("communication style", "answer style"),
        ("has car", "owns"),
        ("", "note"),
        ("  ", "note"),
        ("职业", "occupation"),
        ("用户的职业", "occupation"),
        ("公司", "employer"),
        ("就职于", "employer"),
        ("住址", "address"),
        ("居住地", "residence"),
        ("現居地", "residence"),
        ("过敏", "allergy"),
        ("過敏", "allergy"),
        ("忌口", "diet"),
        ("饮食限制", "diet"),
        ("爱好", "likes"),
        ("宠物", "pet"),
        ("家乡", "hometown"),
        ("生日", "birthday"),
        ("婚姻状况", "marital status"),
        ("回答方式", "answer style"),
        ("截止日期", "deadline"),
    ],
)
def test_other_names_stand_for_the_canonical_one(written: str, name: str) -> None:
    assert attribute_of(written).name == name


@pytest.mark.parametrize("written", ["hates", "dislikes", "doesn't like", "does_not_enjoy", "讨厌", "討厭", "不喜欢", "受不了"])
def test_names_of_dislike_are_tastes_that_negate(written: str) -> None:
    assert (attribute_of(written).name, attribute_of(written).negates) == ("likes", True)


@pytest.mark.parametrize(
    "written",
    ["cannot eat", "doesn't eat", "avoids", "foodsToAvoid", "dietary restriction", "不吃", "不能吃", "忌口", "饮食禁忌", "避免吃"],
)
def test_what_is_not_eaten_is_a_diet_that_negates(written: str) -> None:
    assert (attribute_of(written).name, attribute_of(written).negates) == ("diet", True)


@pytest.mark.parametrize(
    ("written", "name", "arity"),
    [
        ("favorite color", "favourite colour", "single"),
        ("Favourite_Colour", "favourite colour", "single"),
        ("最喜欢的颜色", "favourite colour", "single"),
        ("最喜歡的顏色", "favourite colour", "single"),
        ("favorite movies", "favourite film", "single"),
        ("最爱吃的水果", "favourite fruit", "single"),
        ("favourite stuffed toys", "favourite stuffed toy", "single"),
        ("最喜欢的盲盒", "favourite 盲盒", "single"),
        ("current project", "current project", "single"),
        ("目前的项目", "current 项目", "single"),
        ("current employer", "employer", "single"),
        ("shoe size", "shoe size", "many"),
        ("血型", "血型", "many"),
    ],
)
def test_unforeseen_names_are_kept_and_have_one_value_only_if_they_say_so(written: str, name: str, arity: str) -> None:
    assert (attribute_of(written).name, attribute_of(written).arity) == (name, arity)


@given(st.text(max_size=30) | st.sampled_from([*SYNONYMS, *(f"favourite {thing}" for thing in FAVOURITE_THINGS)]))
def test_a_canonical_name_is_its_own_and_nothing_raises(written: str) -> None:
    found = attribute_of(written)
    assert attribute_of(found.name) == attribute_of(attribute_of(found.name).name)
    assert found.name


def test_every_synonym_leads_to_the_vocabulary() -> None:
    names = {name for names in VOCABULARY.values() for name in names.split(", ")}
    assert {attribute_of(written).name for written in SYNONYMS} == names
    assert {written for written in SYNONYMS if attribute_of(written).negates} == set(NEGATIVE)


@pytest.mark.parametrize("written", ["I", "me", "My", "user", "the User", "USER", "我", "本人", "俺", "用户", "用戶", "我们", "we", "咱"])
def test_whoever_speaks_for_himself_is_the_user(written: str) -> None:
    assert canonical_subject(written) == "user"


@pytest.mark.parametrize(
    ("written", "subject"),
    [
        ("my brother", "user's brother"),
        ("My Brother", "user's brother"),
        ("user's brother", "user's brother"),
        ("the user’s brother", "user's brother"),
        ("brother of the user", "user's brother"),
        ("a friend of mine", "user's friend"),
        ("my mum", "user's mother"),
        ("my mother-in-law", "user's mother-in-law"),
        ("my brother's wife", "user's brother's wife"),
        ("my team", "user's team"),
        ("my friend Jack", "Jack"),
        ("my wife, Mary Ann", "Mary Ann"),
        ("Jack", "Jack"),
        (" Jack  Smith. ", "Jack Smith"),
        ("user Christophe", "user Christophe"),
        ("user interface", "user interface"),
        ("我哥哥", "用户的哥哥"),
        ("我的哥哥", "用户的哥哥"),
        ("我哥", "用户的哥哥"),
        ("用户的哥哥", "用户的哥哥"),
        ("用戶的哥哥", "用户的哥哥"),
        ("用户哥哥", "用户的哥哥"),
        ("我妈", "用户的妈妈"),
        ("我老婆", "用户的妻子"),
        ("我哥哥的女朋友", "用户的哥哥的女朋友"),
        ("我妈妈的朋友", "用户的妈妈的朋友"),
        ("我们公司", "用户的公司"),
        ("我朋友小杰", "小杰"),
        ("小杰", "小杰"),
        ("用户体验", "用户体验"),
        ("the assistant", "assistant"),
        ("助手", "assistant"),
    ],
)
def test_a_relation_has_one_form_in_each_language_and_a_name_stays(written: str, subject: str) -> None:
    assert canonical_subject(written) == subject


@given(
    st.text(max_size=20) | st.sampled_from(["my ", "我的", "user's ", "用户的"]).flatmap(lambda head: st.text(max_size=8).map(head.__add__))
)
def test_canonical_subjects_are_their_own(written: str) -> None:
    once = canonical_subject(written)
    assert canonical_subject(canonical_subject(once)) == canonical_subject(once)


def test_traditional_characters_become_simplified_ones_at_the_same_places() -> None:
    text = "我對花生過敏,住在臺北,討厭下雨,喜歡貓與電腦遊戲"
    assert simplified(text) == "我对花生过敏,住在台北,讨厌下雨,喜欢猫与电脑游戏"
    assert len(simplified(text)) == len(text)
