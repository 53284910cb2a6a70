"""Personal identifiers are found where they stand; numbers of other things are not taken for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagefile.language.personal import find_personal

FOUND = [
    ("my number is 13812345678", "phone", "13812345678"),
    ("手机号13812345678", "phone", "13812345678"),
    ("我的电话是 138 1234 5678，晚上打", "phone", "138 1234 5678"),
    ("手机１３８１２３４５６７８", "phone", "１３８１２３４５６７８"),
    ("打我+86 138-1234-5678", "phone", "+86 138-1234-5678"),
    ("+8613812345678", "phone", "+8613812345678"),
    ("打我010-62345678", "phone", "010-62345678"),
    ("座机 (021)62345678", "phone", "(021)62345678"),
    ("办公室电话：0512-66668888转801", "phone", "0512-66668888转801"),
    ("电话62345678", "phone", "62345678"),
    ("call me at +1 (555) 123-4567", "phone", "+1 (555) 123-4567"),
    ("reach me on 555-234-5678.", "phone", "555-234-5678"),
    ("(415) 555-2671", "phone", "(415) 555-2671"),
    ("my phone is 07911 123456", "phone", "07911 123456"),
    ("+44 20 7946 0958", "phone", "+44 20 7946 0958"),
    ("+49 151 23456789", "phone", "+49 151 23456789"),
    ("text me on 4155552671", "phone", "4155552671"),
    ("my mobile: 0412 345 678", "phone", "0412 345 678"),
    ("call me 5551234", "phone", "5551234"),
    ("身份证号 11010519491231002X", "id card", "11010519491231002X"),
    ("11010519491231002x", "id card", "11010519491231002x"),
    ("我的身份证是440308199001011234", "id card", "440308199001011234"),
    ("父亲身份证号：宋明 350512196005123456", "id card", "350512196005123456"),
    ("身分證 A123456789", "id card", "A123456789"),
    ("HKID A123456(7)", "id card", "A123456(7)"),
    ("card 4111 1111 1111 1111", "bank card", "4111 1111 1111 1111"),
    ("银行卡6222021234567890128", "bank card", "6222021234567890128"),
    ("信用卡号是 5500 0000 0000 0004", "bank card", "5500 0000 0000 0004"),
    ("4242-4242-4242-4242", "bank card", "4242-4242-4242-4242"),
    ("378282246310005", "bank card", "378282246310005"),
    ("我的卡号：6217001234567890123", "bank card", "6217001234567890123"),
    ("mail me: bob.smith+x@example.co.uk", "email", "bob.smith+x@example.co.uk"),
    ("邮箱abc@qq.com，谢谢", "email", "abc@qq.com"),
    ("a@b.io.", "email", "a@b.io"),
    ("SSN 123-45-6789", "ssn", "123-45-6789"),
    ("my ssn is 123456789", "ssn", "123456789"),
    ("passport number is E12345678", "passport", "E12345678"),
    ("护照号：EA1234567", "passport", "EA1234567"),
    ("My passport no. 123456789", "passport", "123456789"),
]

NOT_PERSONAL = [
    *("order number 13812345678", "订单号13812345678", "单号：6222021234567890128", "order #4111111111111111", "快递单号 SF1234567890123"),
    *("in 2023 2024 and 2025", "it costs 1299.00 dollars", "version 1.2.3.4", "timestamp 1684927020", "1684927020000", "20240524123456"),
    *(
        "2024-05-24 10:00:00",
        "2024年5月24日",
        "价格 12345678 元",
        "+20000000 points",
        "1+23456789",
        "ISBN 978-3-16-148410-0",
        "ISBN 9787111128069",
    ),
    *(
        "uuid 123e4567-e89b-12d3-a456-426614174000",
        "192.168.100.200",
        "10.0.0.1:8080",
        "id 1234567890123456",
        "snowflake 1234567890123456789",
    ),
    *(
        "phone cost 1299",
        "my phone is 3 years old",
        "call me in 2024",
        "call me at 9",
        "contact 20240524",
        "电话会议2024-05-24",
        "手机13 Pro Max 256",
    ),
    *("3.14159265358979", "0.13812345678", "A13812345678", "commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "population 1400000000"),
    *(
        "user@localhost",
        "@bob hello",
        "git@github",
        "npm i foo@1.2.3",
        "1,400,000,000",
        "room 1204-1205-1206",
        "2020-2021-2022",
        "step 1-2-3-4-5-6-7",
    ),
    *("1 2 3 4 5 6 7 8 9 0 1 2", "110105194912310021", "0000000000000000", "QQ群 123456", "I ran 10000 steps", "1000000 + 2000000"),
    *(
        "tracking number 9400111899223100001234",
        "会议号 123 456 789",
        "2024-05-24-001",
        "9:30-10:30",
        "my number one goal in 2024-2025",
        "138123456789",
    ),
    *("the passport office", "passports 2023", "护照2023年到期", "x = 4111111111111112", "model 555-1234", "part 555-234-5678"),
    *("信用卡支付。订单号#2025040912158890", "尾号8890的账户", "我的工号是 20230815", "密码是123456"),
]


@pytest.mark.parametrize(("text", "kind", "value"), FOUND)
def test_a_personal_identifier_is_found_where_it_stands(text: str, kind: str, value: str) -> None:
    assert [(one.kind, text[one.start : one.end]) for one in find_personal(text)] == [(kind, value)]


@pytest.mark.parametrize("text", NOT_PERSONAL)
def test_numbers_of_other_things_are_not_personal(text: str) -> None:
    assert find_personal(text) == []


def test_several_are_found_in_order() -> None:
    text = "电话13812345678，邮箱a@b.cn，身份证11010519491231002X，卡号6222021234567890128"
    assert [one.kind for one in find_personal(text)] == ["phone", "email", "id card", "bank card"]


@given(st.one_of(st.text(), st.text(alphabet="0123456789 -+().@aX卡号电话身份证是：", max_size=60)))
def test_what_is_found_is_in_order_and_apart(text: str) -> None:
    found = find_personal(text)
    places = [place for one in found for place in (one.start, one.end)]
    assert places == sorted(places)
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@pytest.mark.parametrize("unit", ["a", "-", " ", "7", "1 ", "a@", "phone ", "+1 ", "4111 ", "13812345678 ", "卡号"], ids=repr)
def test_long_texts_are_read_in_one_go(unit: str) -> None:
    """A pattern that goes back over what it read would take hours, and the test would time out."""
    text = unit * (300_000 // len(unit))
    assert all(0 <= one.start < one.end <= len(text) for one in find_personal(text))
