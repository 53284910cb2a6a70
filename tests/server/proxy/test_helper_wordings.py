"""Many wordings of what front ends ask for themselves, and what people say that resembles them, in English and Chinese."""

from __future__ import annotations

from typing import Any

import pytest

from pagefile.server.proxy.helpers import is_helper_call
from tests.server.proxy.conftest import assistant, user

TALK = [user("My parrot Coco eats figs."), assistant("Good."), user("We live in Bern."), assistant("Nice.")]
TALK_IN_CHINESE = [user("我的鹦鹉叫可可，住在成都"), assistant("好的"), user("它三岁了"), assistant("真好")]

#: One message that holds the order and the conversation.
IN_ONE = (
    'Summarize in a 6-word title. Give the title only. Here is the message: "My parrot Coco eats figs"',
    "Given the following conversation, reply with a title of 3-4 words, no additional text.\n\nMy parrot Coco eats figs.",
    "Given the following conversation and a follow up question, rephrase it as a standalone question.\n\nHuman: my parrot is Coco\n"
    "Follow Up Input: what does he eat?",
    "Here is a chat between Human and Assistant. Rewrite the last follow-up as a stand-alone query.\n<chat_history>\nuser: I have a "
    "parrot\n</chat_history>",
    "Extract a short topic for this chat, at most 4 words. Respond with the topic only.\n```\nUser: my parrot is Coco\n```",
    "Create a 3-5 word title for the previous query. Avoid quotation marks.\n-----\nMy parrot Coco eats figs\n-----\n"
    "Reply with the title only.",
    "Suggest 3 follow-up questions for this conversation. Return only a JSON array.\nUser: I have a parrot\nAssistant: Good.",
    "Write tags for the conversation in <chat>. Output JSON format only.\n<chat>\nI bought a parrot with my aunt.\n</chat>",
    'Generate a title, no more than 40 characters, for a chat that starts with: "I moved to Bern with my parrot"',
    "请根据以下对话生成4个标签，以 JSON 格式返回，不要输出其他内容。\n对话：\n用户：我的鹦鹉叫可可\n助手：好的",
    "给下面的会话打标签，最多5个字，只输出标签：\n用户：我家在成都\n助手：好的",
    "基于以下聊天记录，为这个对话起一个名字，最多8个字，不要引号。\n```\n用户：我的鹦鹉叫可可\n```",
    "### 任务:\n为聊天记录生成一个简洁的标题\n### 输出:\nJSON 格式\n### 聊天记录:\n<chat_history>\nUSER: 我的鹦鹉叫可可\n</chat_history>",
    "根据聊天记录，把追问改写为一个独立的问题。\n用户：我的鹦鹉叫可可\n追问：它吃什么？",
    '結合歷史記錄，生成3個不同版本的檢索詞。\n使用者的提問：\n"""\n我的鸚鵡幾歲了\n"""',
    "請根據以下對話產生標題，生成一個標題，不超過十個字，只輸出標題。\n\n我的鸚鵡叫可可",
    "()里面是用户问题,根据上下文回答揣测用户问题(我的鹦鹉几岁了) 要求: 输出一个补全问题",
    "请提取下面对话的主题，只返回主题，不要解释。\n用户：我和妻子住在成都",
)
#: An order behind the whole conversation.
BEHIND = (
    "Generate a detailed summary of this conversation. Include:\n1. What was discussed\n2. Next steps",
    "Your task is to create a detailed summary of the conversation so far. Respond with plain text only.",
    "Write a short title for this chat, not more than 6 words. Reply with the title only.",
    "Summarise this chat as a title of max 5 words. No quotes.",
    "Generate search queries for this conversation. Return only JSON.",
    "Predict three questions the user might ask next in this chat. Return only a JSON array.",
    "Provide a concise description of this session in 4 words or less.\nGive this session a name, reply only with the name.",
    "请为以上对话生成一个不超过8个字的标题，直接返回标题。",
    "請為以上對話生成一個不超過8個字的標題，只輸出標題，不要任何解釋。",
    "请总结以上对话的内容，控制在 150 字以内，用作后续的上下文。",
    "根据上面的对话，预测三个用户可能追问的问题，只返回 JSON 数组。",
    "請列出以上對話的標籤，最多3個詞，只輸出標籤。",
    "为本次会话起一个名称，最多6个字，只回复名称。",
    "提取上述对话的主题，不超过五个字，不要标点。",
)
#: Instructions beside one message of a person.
BESIDE = (
    "You will write a short title from the first message of a conversation. Not more than 80 characters. Do not use quotes.",
    "Analyze whether this message is a new topic. If it is, extract a 2-3 word title. No other text.",
    "Based on the conversation, provide a description of this session in 4 words or less, reply with the description only.",
    "Predict the questions that human would ask; the output is an array in JSON format.",
    "Your task is to choose and return the correct tool(s) from the list of available tools based on the query.",
    "根据历史记录和用户的最新问题生成一条搜索查询，只输出查询，不要解释。",
    "請為本次會話生成一個簡短的標題，不超過10個字，不要標點。",
    "总结用户的会话，给出 10 个字以内的标题，只返回标题。",
)
#: A person's own words.
PEOPLE = (
    "I run a chat group for beekeepers; suggest a title for it, at most 4 words, no quotes.",
    "My brother and I had a discussion: give only a name for our boat, 6 words or less.",
    "Return only JSON: the topics of the exchange I join in Lyon in June are bread and wine.",
    "We had a session on pottery; suggest a name for the next, in 5 words, nothing else.",
    "Summarize our conversation in 20 words, nothing else: I decided to leave Graz.",
    "Generate a title for this conversation with my boss, no quotes. He gave me a raise.",
    "Create tags for my chat show, return only a JSON array.",
    "Give this dialogue of mine a title in 3 words, no explanation: two owls meet in Bern.",
    "Write a search query for messages in our shop, return only the query.",
    "Please name the chat room of my class, 10 characters max, just provide the name.",
    "Suggest a title for the following message, at most 6 words, no quotes.\n\nI'm moving to Graz and want to tell Anna.",
    "Rewrite this as a standalone question for the conversation with my doctor: can I eat nuts?",
    "Suggest follow-up questions for the discussion I lead on Friday, only return three.",
    "Extract the topic of this message from my aunt, reply with the topic only: she sold the farm.",
    "The session was good. I would name it hope, in 1 word.",
    "Our dog barked through the session. Provide a title for that chat, in 4 words, no quotes.",
    "Output only a summary of the transcript: I told the court that the car was red.",
    "Give us three topics for the chat tonight, no explanation, Ben visits from Rome.",
    "Reply only with a name for the podcast: chat with bakers, the host is Tom.",
    "Does the title of the chat matter? Kim lives in Oslo.",
    "我和妹妹的对话总是很短。请给我们建议三个话题，只输出话题。",
    "请为我的聊天节目起三个标题，不超过10个字，不要标点。",
    "我主持村里的聊天群，请写一个标题，只返回标题。",
    "帮我给会话课起一个名称，最多6个字，不要解释，我在大理教书。",
    "请总结这段话，只输出摘要：我下个月搬去昆明。",
    "請為我的聊天群起一個名稱，最多6個字，只輸出名稱。",
    "我們家的對話很有趣，請生成一個標題，不超過8個字。",
    "根据我和医生的对话，列出三个问题，只返回问题：我对青霉素过敏。",
    "给我们的聊天室取名称，不要标点，大家都住在杭州。",
    "请生成标签，只返回 JSON：我的聊天应用下周上线。",
    "提取对话的主题，只回复主题。我刚和老板谈了加薪。",
    "我想为下次会话写一个标题，四到五个字，内容是茶。",
    "我老婆说聊天要有主题，你建议一个，只需一个。",
    "把我的问题改写为完整的问题，别管聊天记录：能吃花生吗？",
    "请给出这段话的标题，不超过10个字：我儿子今天会走路了。",
    "帮我写对话练习的题目，只要十个字以内。",
    "请给我们的聊天组取名称，不要标点，成员都在苏州。",
    "Give our chat group a name, at most 3 words, no quotes; Ben joins from Rome.",
    "咱们的聊天群该叫什么名字？给出一个名称，不要解释。",
    "推荐话题，只输出话题，我今晚和同学聊天。",
    "总结会话的内容，控制在 50 字：我决定辞职了。",
    "我們班的討論會話，請列出標籤，最多3個詞。",
    "标题和聊天都不重要，小王住在西安。",
)


def requests() -> list[list[dict[str, Any]]]:
    beside = [[{"role": "system", "content": order}, user("My parrot Coco lives in Bern. 我的鹦鹉叫可可")] for order in BESIDE]
    behind = [[*(TALK if order.isascii() else TALK_IN_CHINESE), user(order)] for order in BEHIND]
    return [*([user(order)] for order in IN_ONE), *behind, *beside]


@pytest.mark.parametrize("messages", requests(), ids=[*IN_ONE, *BEHIND, *BESIDE])
def test_a_front_ends_request_is_recognised_in_other_words(messages: list[dict[str, Any]]) -> None:
    assert is_helper_call({"messages": messages})


@pytest.mark.parametrize("text", PEOPLE)
def test_what_a_person_says_of_himself_is_never_taken_for_one(text: str) -> None:
    assert not is_helper_call({"messages": [user(text)]})
    assert not is_helper_call({"messages": [*TALK, user(text)]})


def test_instructions_with_a_message_that_says_to_follow_them_are_an_order() -> None:
    order = {"role": "system", "content": "You are a title generator. Generate a brief title for this conversation. Output ONLY the title."}
    assert is_helper_call({"messages": [order, user("Generate a title for this conversation:"), user("My parrot Coco lives in Bern.")]})
    assert is_helper_call({"messages": [order, *TALK, user("Summarize the conversation so far, as described above.")]})
    assert not is_helper_call({"messages": [order, *TALK, user("He likes figs.")]})


@pytest.mark.parametrize(
    "instructions",
    [
        "Answer the user's question. Give a summary first. Do not use markdown. Reply only in English, in 80 words or less.",
        "你是客服助手。请先给出摘要，再回答用户的问题，只输出中文，不要解释。",
    ],
)
def test_instructions_for_answering_are_no_order(instructions: str) -> None:
    assert not is_helper_call({"messages": [{"role": "system", "content": instructions}, user("My parrot Coco lives in Bern.")]})


@pytest.mark.parametrize("piece", ["<abc>", "```", '"""', "user: ", "---\n", "title of the chat ", "生成对话的标题"])
def test_a_long_text_of_one_piece_is_decided(piece: str) -> None:
    assert not is_helper_call({"messages": [user("I moved. " + piece * (200_000 // len(piece)))]})
