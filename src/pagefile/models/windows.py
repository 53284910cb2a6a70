"""How much a hosted model can read, by its name. Local servers say it themselves, or serve less than the model could."""

from __future__ import annotations

#: What is assumed of an unknown model: nearly every server gives at least this. Pass ``context_window`` to say better.
SAFE_WINDOW = 8_192

#: Start of the name → tokens of one request, question and answer together. The longest match wins.
_WINDOWS = {
    "chatgpt-4o": 128_000,
    "claude-": 200_000,
    "deepseek-chat": 128_000,
    "deepseek-reasoner": 128_000,
    "gemini-": 1_048_576,
    "glm-4": 128_000,
    "gpt-3.5-turbo": 16_385,
    "gpt-4": 8_192,
    "gpt-4-turbo": 128_000,
    "gpt-4.1": 1_047_576,
    "gpt-4o": 128_000,
    "gpt-5": 272_000,
    "gpt-5-chat": 128_000,
    "kimi-k2": 131_072,
    "mistral-large": 128_000,
    "moonshot-v1-8k": 8_192,
    "moonshot-v1-32k": 32_768,
    "moonshot-v1-128k": 131_072,
    "o1": 200_000,
    "o1-mini": 128_000,
    "o3": 200_000,
    "o4-mini": 200_000,
    "qwen-flash": 131_072,
    "qwen-max": 32_768,
    "qwen-plus": 131_072,
    "qwen-turbo": 131_072,
    "qwen3-max": 131_072,
}


def known_window(model: str) -> int:
    """Tokens a hosted model can read and write in one request; ``SAFE_WINDOW`` for a name that is not known.

    A name with a tag, as local servers use them ("deepseek-r1:8b"), is never known: what is served depends on the server's settings.
    """
    name = model.rsplit("/", 1)[-1].lower()
    if ":" in name:
        return SAFE_WINDOW
    return max(((len(start), tokens) for start, tokens in _WINDOWS.items() if name.startswith(start)), default=(0, SAFE_WINDOW))[1]
