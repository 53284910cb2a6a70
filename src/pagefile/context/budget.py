"""Shares of a model's window: how many tokens each part may take. Pure arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from pagefile.errors import InputError

#: Of the window.
BLOCKS_SHARE = 0.15
SUMMARY_SHARE = 0.10
#: In large windows a summary takes no more than this: it is to be short, and a model has to write it.
SUMMARY_TOKENS = 2_000
#: Tools that would take more than this are not offered: in so small a window the conversation needs the room.
TOOLS_SHARE = 0.25
#: Recalled notes take no more than this, and in small windows no more than the share.
NOTES_TOKENS = 1_000
NOTES_SHARE = 0.125
#: Kept free for the reply, unless the caller says how much.
REPLY_TOKENS = 4_096
REPLY_SHARE = 0.25
#: One message takes no more than this of the window, and a tool's result no more than that: what is longer is shown in part.
MESSAGE_SHARE = 0.5
RESULT_SHARE = 0.125
#: A window must have room for the fixed parts and at least this much of the user's message: a line or two.
LEAST_USER_TOKENS = 48
#: The message in which notes and today's date stand, without the notes.
TRAILING_TOKENS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Tokens that each part of one window may take. The parts add up to no more than ``window``."""

    #: What the model can read and write in one request.
    window: int
    #: Counted, and there in full: they never change during a conversation.
    instructions: int
    tools: int
    #: Kept free.
    reply: int
    #: Granted: what the part wants, or its share if that is less.
    blocks: int
    summary: int
    #: The current user message.
    user: int
    #: Tool calls of this turn and their results.
    turn: int
    #: A ceiling, with what stands around the notes.
    notes: int
    #: The rest: earlier messages of the conversation.
    recent: int


def plan_budget(
    window: int,
    *,
    instructions: int,
    user: int,
    least_user: int = LEAST_USER_TOKENS,
    tools: int = 0,
    blocks: int = 0,
    summary: int = 0,
    turn: int = 0,
    reply: int | None = None,
) -> Budget:
    """Share out a window of ``window`` tokens among parts that want this many.

    ``reply``: tokens kept free for the answer; default a quarter of the window, at most 4,096. Raises InputError, saying by how much, if
    the fixed parts and ``least_user`` tokens of the user's message do not fit.
    """
    reply = reply if reply is not None else min(REPLY_TOKENS, int(window * REPLY_SHARE))
    least = min(user, least_user)
    room = window - instructions - tools - reply - TRAILING_TOKENS - least
    if room < 0:
        raise InputError(
            f"a window of {window} tokens is {-room} too small: instructions take {instructions}, tools {tools}, date and notes "
            f"{TRAILING_TOKENS}, the reply {reply}, the message {least}; use a model with a larger window (or set the real one: "
            f"context_window), or shorter instructions"
        )

    def grant(wanted: int, share: float) -> int:
        nonlocal room
        granted = max(0, min(wanted, int(window * share), room))
        room -= granted
        return granted

    # In the order of what a turn can least do without.
    granted_blocks = grant(blocks, BLOCKS_SHARE)
    granted_summary = grant(min(summary, SUMMARY_TOKENS), SUMMARY_SHARE)
    granted_user = least + grant(user - least, MESSAGE_SHARE)
    granted_turn = grant(turn, 1.0)
    notes = TRAILING_TOKENS + grant(NOTES_TOKENS, NOTES_SHARE)
    return Budget(
        window=window,
        instructions=instructions,
        tools=tools,
        reply=reply,
        blocks=granted_blocks,
        summary=granted_summary,
        user=granted_user,
        turn=granted_turn,
        notes=notes,
        recent=room,
    )
