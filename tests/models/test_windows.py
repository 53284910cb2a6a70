from __future__ import annotations

import pytest

from pagefile.models.openai import OpenAIModel
from pagefile.models.windows import SAFE_WINDOW, known_window


@pytest.mark.parametrize(
    ("name", "tokens"),
    [("gpt-4o-mini", 128_000), ("openai/gpt-4.1-mini", 1_047_576), ("gpt-4-0613", 8_192), ("deepseek-chat", 128_000), ("o3-mini", 200_000),
     ("GPT-4o", 128_000), ("deepseek-r1:8b", SAFE_WINDOW), ("gpt-4o:local", SAFE_WINDOW), ("my-own", SAFE_WINDOW), ("", SAFE_WINDOW)],
)  # fmt: skip
def test_hosted_models_are_known_and_the_rest_gets_a_safe_window(name: str, tokens: int) -> None:
    assert known_window(name) == tokens


def test_a_given_window_wins() -> None:
    assert OpenAIModel("gpt-4o", context_window=4_000).context_window == 4_000
