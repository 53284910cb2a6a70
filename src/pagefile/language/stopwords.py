"""Words that say too little to look for. They are left out of queries only, never of the index, and none of them negates."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Words that say no. They stay in every query: "not" is what tells a dislike from a like.
NEGATIONS = _words(
    """
    not no never none nor neither nobody nothing nowhere without cannot hardly
    不 没 没有 别 未 无 非 勿 莫 甭 不再 不是 不会 不能 不要 不用 不想 不行 不让 不可以 不应该 从不 从未 并非 绝不 并不 没法 无法
    """
)

ENGLISH = (
    _words(
        """
        a an the this that these those some any such same own other each both all every either more most few much many
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
        it its itself they them their theirs themselves one ones who whom whose which what when where why how
        am is are was were be been being do does did doing have has had having can could will would shall should may might must
        and or but if then else than so as because although though unless
        of in on at by for with about between into above below to from up down out off over under upon within among toward towards
        via per again further once here there just only very too also even still yet already really quite rather ever now
        s t d m re ll ve ok okay oh hey hi hello yeah yes please thanks
        """
    )
    - NEGATIONS
)

#: Stop words that are names as well when they are written with a capital: a month, a person.
ALSO_NAMES = _words("may will")

CHINESE = (
    _words(
        """
        的 了 着 过 地 得 是 在 有 和 与 及 或 而 且 但 就 都 也 还 又 再 才 却 则 把 被 让 给 对 向 从 到 于 由 以 为 因 所 其 之
        这 那 哪 此 该 每 各 某 我 你 您 他 她 它 咱 们 我们 你们 您们 他们 她们 它们 咱们 大家 自己 本人 人家
        这个 那个 哪个 这些 那些 哪些 这里 那里 哪里 这儿 那儿 哪儿 这样 那样 这么 那么 这次 那次 每个 各个 某个
        一个 一些 一下 一点 一种 一次 有些 有点 什么 怎么 怎样 怎么样 如何 为什么 为何 为啥 啥 谁 几 多少 多久 何时 何地
        吗 呢 吧 啊 呀 哦 嗯 嘛 啦 哈 哎 唉 喔 噢 哟 哈哈 么 因为 所以 但是 不过 而且 并且 或者 还是 虽然 如果 要是 即使 既然
        然后 于是 以及 并 等 等等 比如 例如 关于 对于 根据 通过 按照 随着 会 能 可以 可能 应该 要 想 将 能够 需要
        已经 曾经 正在 刚 刚刚 现在 当时 时候 之前 之后 以前 以后 其中 之间 同时 很 太 更 非常 真 真的 挺 十分 比较 只 只是
        就是 也是 都是 还有 其实 当然 一直 一起 上 下 里 中 内 外 前 后 个 来 去 说 到底 年 月 日 号 点 次 种 时 那天
        请 请问 告诉 知道 觉得 感觉 好 好的 好像 是否 做 进行 具体 分别 记得 起来 出来 下来 有关 相关
        """
    )
    - NEGATIONS
)
