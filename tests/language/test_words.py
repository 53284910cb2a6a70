from __future__ import annotations

import base64
import random
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language import stopwords
from pagefile.language.words import date_terms, mentions, query_terms, terms

anything = st.text(st.characters(exclude_categories=[]))
#: Chinese, Japanese and Korean letters that stand for themselves in every normal form.
east_asian = st.one_of(
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
    st.characters(min_codepoint=0x3400, max_codepoint=0x4DBF),
    st.characters(min_codepoint=0x20000, max_codepoint=0x2A6DF),
    st.characters(min_codepoint=0x3041, max_codepoint=0x3096),
    st.characters(min_codepoint=0x30A1, max_codepoint=0x30FA),
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
    st.sampled_from("的了我不没年月日号五十一二三々〇"),
)


def found(query: str, text: str) -> bool:
    return bool(query_terms(query).keys() & terms(text).keys())


def weight(query: str, text: str) -> float:
    indexed = terms(text)
    return sum(value for term, value in query_terms(query).items() if term in indexed)


@given(anything)
def test_any_text_gives_terms_that_an_index_can_hold(text: str) -> None:
    for term, times in terms(text).items():
        assert term
        assert len(term) <= 64
        assert times >= 1
        term.encode("utf-8")
    assert all(value > 0 for value in query_terms(text).values())


@given(anything)
def test_a_text_finds_itself(text: str) -> None:
    assert bool(terms(text)) == bool(query_terms(text))
    assert not terms(text) or found(text, text)


@given(st.text(east_asian, min_size=1, max_size=2), anything, anything)
def test_a_query_of_one_or_two_east_asian_characters_is_found_in_any_text_that_has_them(query: str, before: str, after: str) -> None:
    # The neighbours may be anything but marks that would change the query's own characters.
    assert found(query, f"{before} {query}。{after}")
    assert found(query, f"重跑{query}后")
    assert found(query, f"abc{query}xyz")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("早", "今天的早报说要下雨"),
        ("早报", "今天的早报说要下雨"),
        ("C盘", "电脑的C盘满了"),
        ("c盘", "电脑的Ｃ盘满了"),
        ("itgc", "重跑gen-itgc后发给我"),
        ("gen-itgc", "重跑gen-itgc后发给我"),
        ("腾讯云", "用户服务器部署在腾讯云国内节点"),
        ("東京", "今日は東京に行きます"),
        ("학교", "학교에서 만나요"),
        ("cafe", "the Café on the corner"),
        ("running", "he runs every day"),
        ("v2.3.1", "we shipped v2.3.1 today"),
        ("2.3", "we shipped v2.3.1 today"),
        ("bob@example.org", "write to bob@example.org."),
        ("report_final.docx", "see report_final.docx"),
        ("report", "see report_final.docx"),
        ("email", "send me an e-mail"),
        ("order context", "the OrderContext schema"),
        ("1000", "it cost $1,000"),
        ("C++", "I write C++ and C#"),
        ("USA", "born in the U.S.A."),
        ("8 May", "on May 8th"),
        ("😀", "great 😀!"),
        ("👍", "ok 👍🏽"),
        ("❤", "love ❤️"),
        ("🇨🇳", "去🇨🇳旅行"),
        ("สวนสาธารณะ", "ฉันไปเดินเล่นที่สวนสาธารณะ"),
        ("हिन्दी", "मैं हिन्दी बोलता हूँ"),
        ("погода", "Хорошая погода"),
    ],
)
def test_it_is_found(query: str, text: str) -> None:
    assert found(query, text)


def test_a_compound_is_worth_more_whole_than_in_parts() -> None:
    assert weight("gen-itgc", "run gen-itgc") > weight("gen-itgc", "run itgc")


def test_letters_that_touch_chinese_rank_the_pair_above_its_halves() -> None:
    assert weight("C盘", "C盘满了") > weight("C盘", "C和硬盘") > 0


@pytest.mark.parametrize("negated", ["I can't swim", "I cannot swim", "I don't swim", "I dont swim", "I won’t swim", "not swimming"])
def test_every_english_way_to_say_no_is_one_term(negated: str) -> None:
    assert "not" in terms(negated)
    assert "not" in query_terms(negated)


@pytest.mark.parametrize("word", sorted(stopwords.NEGATIONS))
def test_negations_are_never_dropped_from_a_query(word: str) -> None:
    chinese = not word.isascii()
    assert found(f"我{word}喜欢喝茶" if chinese else f"what do they {word} like", f"他{word}说" if chinese else f"{word} so")


def test_stop_words_are_dropped_from_queries_and_kept_in_the_index() -> None:
    assert set(query_terms("What is the name of the cat?")) == {"name", "cat"}
    assert "the" in terms("the cat")
    assert "什么" not in query_terms("你喜欢吃什么水果")


@pytest.mark.parametrize("query", ["who are you", "什么", "的", "我们", "to be or so"])
def test_a_query_of_stop_words_alone_keeps_them(query: str) -> None:
    assert found(query, query)


def test_may_and_will_are_names_when_they_look_like_it() -> None:
    assert "may" in query_terms("what happened in May")
    assert "will" in query_terms("where does Will live")
    assert "may" not in query_terms("May I ask where she may be")
    assert "will" not in query_terms("Will she come back home")


def test_a_chinese_word_outweighs_pairs_that_merely_touch() -> None:
    weights = query_terms("他喜欢游泳和图书馆")
    assert weights["游泳"] > weights["书馆"] > weights["欢游"]


def test_repeating_a_word_in_a_question_adds_less_and_less() -> None:
    once, four_times = query_terms("cat")["cat"], query_terms("cat cat cat cat")["cat"]
    assert four_times == pytest.approx(2 * once)


@pytest.mark.parametrize(
    "query",
    ["in May 2023", "8 May", "May 8th, 2023", "2023-05-08", "05/08/2023", "2023年5月8日", "五月", "5月", "5月8号", "八号", "2023年"],
)
def test_a_date_is_found_by_the_words_for_it(query: str) -> None:
    assert query_terms(query).keys() & date_terms(datetime(2023, 5, 8, tzinfo=UTC)).keys()


def test_the_chinese_months_do_not_mix() -> None:
    november = date_terms(datetime(2023, 11, 21, tzinfo=UTC))
    assert "11月" in query_terms("十一月")
    assert not query_terms("一月").keys() & november.keys()
    assert query_terms("二十一号").keys() & november.keys()


def test_date_terms_can_be_of_one_language() -> None:
    when = datetime(2023, 5, 8, tzinfo=UTC)
    assert date_terms(when, languages=("en",)) == {"2023": 1, "may": 1, "8": 1}
    assert date_terms(when, languages=("zh",)) == {"2023": 1, "2023年": 1, "5月": 1, "8日": 1}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("When did Caroline go there?", "Caroline"),
        ("what is caroline's plan", "Caroline Smith"),
        ("ask dr. emily chen", "Dr. Emily Chen"),
        ("José's house", "Jose"),
        ("宋雅静什么时候体检", "宋雅静"),
        ("雅静姐，明天见", "宋雅静"),
        ("Bart的生日是哪天", "Bart"),
        ("user_42 said so", "user_42"),
        ("what did Will say", "Will"),
        ("철수는 어디에 살아요", "김철수"),
    ],
)
def test_a_text_mentions_a_person(text: str, name: str) -> None:
    assert mentions(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Johnson won", "John"),
        ("an announcement", "Ann"),
        ("the user said so", "user_42"),
        ("she will come in may", "Will"),
        ("雅安的天气", "宋雅静"),
        ("ダイヤモンド", "レイモンド"),
        ("マンション", "ジョン"),
        ("Mr Brown", "Mr Smith"),
        ("anything", ""),
        ("anything", "—"),
        ("", "Caroline"),
    ],
)
def test_a_text_does_not_mention_a_person(text: str, name: str) -> None:
    assert not mentions(text, name)


@given(anything, anything)
def test_mentions_takes_any_text_and_any_name(text: str, name: str) -> None:
    assert mentions(text, name) in (True, False)


def test_a_hash_is_one_term_and_not_a_heap_of_numbers() -> None:
    assert terms("d41d8cd98f00b204e9800998ecf8427e") == {"d41d8cd98f00b204e9800998ecf8427e": 1}


@pytest.mark.parametrize(
    "word", ["don'tn't" * 5_000, "x's" + "'s" * 5_000, "a-b_c." * 5_000, "ßHTTPß's's", "1,000" * 5_000, "A𑇡", "0" * 70 + "N'T"]
)
def test_monstrous_words_give_ordinary_terms(word: str) -> None:
    assert found(word, word)
    assert all(0 < len(term) <= 64 for term in terms(word))


def test_two_megabytes_without_a_space_give_bounded_terms() -> None:
    assert terms("a" * 2_000_000) == {"a" * 64: 1}
    assert len(query_terms("一二三四五六七八九" * 200_000)) < 100


def test_of_base64_only_the_beginning_is_indexed_and_the_words_around_it_are() -> None:
    raw = random.Random(5).randbytes(30_000)
    for blob in (base64.b64encode(raw).decode(), base64.encodebytes(raw).decode(), base64.urlsafe_b64encode(raw).decode()):
        for text in (f"Here is the certificate:\n{blob}\nPlease renew it", f"这是证书：{blob} 请续期"):
            indexed = terms(text)
            assert len(indexed) < 60
            assert found("certificate renew", text) or (found("证书", text) and found("续期", text))


def test_long_words_and_lines_of_ordinary_text_are_indexed_whole() -> None:
    url = "https://example.org/a/" + "/".join(f"chapter-{number}" for number in range(30)) + "/the-end"
    assert found("the-end", url)
    lines = "\n".join(f"{'x' * 60} word{number}" for number in range(10))
    assert all(found(f"word{number}", lines) for number in range(10))


@given(st.lists(st.sampled_from(["早报", "gen-itgc", "C盘", "五月八号", "running", "ジョン", "สวน", "👍🏽", " ", "，", "\n"]), max_size=30))
def test_a_text_said_twice_has_every_term_twice(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert terms(f"{text} \n {text}") == {term: 2 * times for term, times in terms(text).items()}


def test_nothing_heavy_is_loaded_for_english_or_by_the_import() -> None:
    code = (
        "import sys; from pagefile.language import words; heavy = {'rjieba', 'Stemmer'}; assert not heavy & set(sys.modules);"
        "words.query_terms('Where is my cat?'); assert 'rjieba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
