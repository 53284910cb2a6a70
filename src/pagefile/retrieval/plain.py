"""The plain form of a text, in which cues are looked for: small letters, half width, simplified characters, each where it was."""

from __future__ import annotations

#: Pairs, traditional first: characters of the words that cues are made of.
_TRADITIONAL = (
    "謝谢記记說说講讲過过還还個个們们幫帮給给譯译這这為为麼么總总結结長长寫写詳详細细換换語语應应該该準准買买訂订薦荐樣样門门"
    "時时間间點点幾几誰谁嗎吗後后來来會会開开關关沒没係系無无號号歲岁愛爱歡欢媽妈爺爷親亲爾尔兒儿孫孙師师經经貓猫電电話话碼码"
    "約约課课場场費费慣惯舊旧規规與与從从對对錯错學学習习國国試试證证質质選选單单類类別别劃划內内變变數数題题圖图實实現现發发"
    "區区獨独當当問问聽听讀读識识認认覺觉觀观妳你嘗尝喫吃飯饭餓饿館馆張张訴诉談谈論论議议決决訊讯鄰邻陣阵裡里裏里帶带鐘钟錢钱"
    "價价護护軟软簡简縮缩潤润續续補补擴扩刪删漢汉體体業业歷历產产節节預预種种處处週周連连裝装請请煩烦討讨厭厌懷怀員员負负責责"
    "團团隊队統统飛飞機机車车線线醫医藥药賓宾鄉乡蘭兰維维網网紅红綠绿藍蓝顏颜獎奖劇剧戲戏聞闻術术藝艺腦脑軍军戰战爭争歐欧亞亚"
    "灣湾島岛東东風风雲云義义並并組组織织標标誤误錄录備备圍围環环練练終终絕绝樂乐億亿萬万"
)
_PLAIN = (
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    | {ord(old): new for old, new in zip(_TRADITIONAL[::2], _TRADITIONAL[1::2], strict=True)}
    | {0x3000: " ", 0x2018: "'", 0x2019: "'", 0x02BC: "'"}
)


def plain(text: str) -> str:
    """The text as it is looked at: small letters, half width, simplified characters. As long as it was, so that places stay."""
    simple = text.translate(_PLAIN)
    low = simple.lower()
    return low if len(low) == len(simple) else simple
