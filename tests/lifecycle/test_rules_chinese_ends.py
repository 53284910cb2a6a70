"""What Chinese messages say is over, or otherwise than before: the old value must not stay."""

from __future__ import annotations

import pytest
from rules_chinese_help import over, read, shown, table

#: A value that is the attribute's name means whatever value there was. "/" stands between messages; the claims are those of the last one.
ENDS = """
我被裁了 → employer=!employer; experience=被裁
我在腾讯上班。 / 我离职了。 → employer=!腾讯
我在腾讯上班。 / 我上周被裁了 → employer=!腾讯
我在腾讯上班。 / 我把工作辞了 → employer=!腾讯
我在腾讯上班。 / 我失业了 → occupation=失业; employer=!腾讯
我刚被公司辞退了 → employer=!employer
上个月我被炒了 → employer=!employer; experience=被炒
我上周办完离职手续了 → employer=!employer
昨天我正式离职了 → employer=!employer; experience=离职
我现在没工作了 → employer=!employer
我已经从银行辞职了 → employer=!银行
我跳槽了 → employer=!employer
我老婆被裁了 → 用户的老婆.employer=!employer; 用户的老婆.experience=被裁
我换工作了，去了小米。 → employer=小米
换了工作，去美团了 → employer=美团
我换工作了，现在在美团 → employer=美团
我从小米离职，加入了百度。 → employer=百度
我从华为辞职去了小米 → employer=小米
我离开腾讯了，去了快手 → employer=!腾讯; employer=快手
我加入了百度 → employer=百度
我离职了，加入了云帆科技 → experience=离职; employer=云帆科技
我被裁了，在投简历 → employer=!employer; experience=被裁
我现在定居广州了。 → residence=广州
我们全家定居上海了 → residence=上海
我去年落户深圳了 → residence=深圳
我扎根厦门了 → residence=厦门
我已经定居在昆明了 → residence=昆明
我们一家三口安家成都了 → residence=成都
我以前定居过云南 → residence=!云南
我同学定居加拿大了 → 用户的同学.residence=加拿大
我离开北京了，现在在深圳 → residence=!北京; residence=深圳
我和李娜离婚了。 → marital status=离婚; partner=!李娜
我已经离婚了 → marital status=离婚; partner=!partner
我老婆跟我离婚了 → marital status=离婚; partner=!老婆
我女朋友叫小美 / 我们分手了 → marital status=分手; partner=!partner
我又单身了 → marital status=单身; partner=!partner
我恢复单身 → marital status=单身; partner=!partner
我被女朋友甩了 → partner=!女朋友
我女朋友把我甩了 → partner=!女朋友
我妻子去世了 → partner=!妻子
我闺蜜离婚了 → 用户的闺蜜.marital status=离婚
咪咪上周走了。 → pet=!咪咪
豆豆昨天去世了 → pet=!豆豆
皮蛋去喵星了 → pet=!皮蛋
我家狗来福老死了 → pet=!来福
我的狗旺财上个月去世了 → pet=!旺财
我的仓鼠昨天死了 → pet=!仓鼠
我养了只狗叫阿福 / 阿福走丢了 → pet=!阿福
我养了只狗叫阿福 / 我把阿福送人了 → pet=!阿福
我的猫叫小七 / 小七没了 → pet=!小七
我又开始吃肉了。 → diet=!素食; diet=肉
我现在吃肉了 → diet=!素食; diet=肉
我破戒吃肉了 → diet=!素食; diet=肉
我重新吃肉了 → diet=!素食; diet=肉
我又可以吃海鲜了 → diet=海鲜
我芒果过敏治好了 → allergy=!芒果
我对虾的过敏已经好了 → allergy=!虾
香菜我现在也能接受了。 → likes=香菜
我现在能接受香菜了 → likes=香菜
我开始喜欢跑步了 → likes=跑步
我把奶茶戒了 → diet=!奶茶
我从咖啡换成茶了 → diet=!咖啡
我现在改成早上游泳了 → habit=早上游泳
我每天早上跑步 / 现在改成晚上跑步了 → habit=!每天早上跑步; habit=晚上跑步
回答别用表情。 / 可以用表情了。 → answer style=!别用表情
回复可以用英文了 → answer style=!别用英文
你可以推荐海鲜了 → constraint=!别给我推荐海鲜
别给我推荐猪肉。 / 可以推荐猪肉了。 → constraint=!别给我推荐猪肉
我昨天满30岁了 → age=30岁
我上周过了30岁生日 → age=30岁
我6月12日结婚。 → plan=结婚
"""

#: A slip of the tongue, put right in the same sentence: the wrong value is never told.
SLIPS = """
我住在杭州，不对，是苏州。 → residence=苏州
我住在杭州，啊不对，是苏州 → residence=苏州
我住在杭州，哦不，是苏州 → residence=苏州
我在网易上班，说错了，是腾讯 → employer=腾讯
我今年35，哦不，36了 → age=36
我女儿5岁，不对，6岁 → 用户的女儿.age=6岁
我女儿叫朵朵，不对，叫果果 → child=果果
我老婆叫李娜，不对，叫李丽 → partner=李丽
我对花生过敏，不对，是核桃 → allergy=核桃
我生日是5月3号，不，是5月4号 → birthday=5月4号
我喜欢喝茶，不对，是咖啡，还喜欢牛奶 → likes=咖啡; likes=牛奶
我住在杭州，不错 → residence=杭州
我住杭州，你说错了，他住苏州 → residence=杭州
我今年29岁，不对你撒谎 → age=29岁
"""

NOTHING_ENDS = """
我要离职了
我差点离职了
如果我离职了怎么办
我想分手了
我不会离婚了
公司裁员了
班上的同学都离职了
我打算定居大理
我爷爷去世了
王伟去世了
阿福走了
婷婷走了
客人都走了
我先走了
手机没了
钱包送人了
我女儿的同学走丢了
我吃肉了
我现在吃面
我现在也能接受加班了
我现在可以接受现实了
可以吃饭了
手机可以用了
系统可以推荐商品了
我去年满30岁了
我过了30岁就不熬夜了
"""

#: What is over though nothing is told in its place; it matters only where it was known.
ONLY_ENDS = """
我不再讨厌猫了 → likes=猫
我不讨厌坐飞机了 → likes=坐飞机
我现在不怕狗了 → likes=狗
我不喝酒了 → habit=喝酒
我不练琴了 → habit=练琴; goal=练琴
我每天早上喝一杯咖啡 / 我不喝咖啡了 → habit=喝咖啡; habit=每天早上喝一杯咖啡
我不学西班牙语了 → habit=学西班牙语; goal=学西班牙语
我放弃学钢琴了 → goal=学钢琴
我毕业了 → occupation=学生; occupation=研究生; occupation=大四; occupation=研三; occupation=高三
我找到工作了 → occupation=失业; occupation=待业; occupation=无业
我生了个女儿 → health=怀孕; health=怀了二胎; health=怀二胎
我脱单了 → marital status=单身
我胃炎好了 → health=胃炎
"""

ENDS_NOTHING = """
我不讨厌猫
我今天不喝酒了
下午不跑步了
我要毕业了吗
我女儿叫小雨
我不看了
我不用了
我不说了
"""

#: The same property as was spoken of, with another value from now on.
UPDATES = """
我最喜欢的球员是梅西 / 现在是C罗 → favourite player=C罗
我最喜欢的颜色是蓝色 / 现在变成绿色了 → favourite colour=绿色
我住在北京 / 现在是上海了 → residence=上海
我在腾讯上班 / 现在是阿里 → employer=阿里
我28岁 / 现在29了 → age=29
比起茶我更喜欢咖啡 / 比起咖啡我更喜欢茶 → likes=!咖啡; likes=茶
我周三要开会 / 会议改到周五了 → plan=开会
我生日不是10月1号，是10月11号 → birthday=10月11号
我老家不是湖南，是湖北 → hometown=湖北
我住在北京 / 现在是冬天了 →
我住在北京 / 现在是下午 →
我叫小明 / 现在是凌晨两点 →
我最喜欢的球员是梅西 / 现在是什么时候 →
"""

ROWS = table(ENDS + SLIPS + UPDATES)


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_what_is_over_or_put_right_gives_way_to_what_holds(said: str, expected: list[str]) -> None:
    assert shown(read(*said.split(" / "))) == expected


@pytest.mark.parametrize(("said", "expected"), table(ONLY_ENDS))
def test_what_is_over_ends_what_was_known_of_it_and_tells_nothing(said: str, expected: list[str]) -> None:
    assert over(read(*said.split(" / "))) == expected


@pytest.mark.parametrize("said", ENDS_NOTHING.split())
def test_what_is_not_over_for_good_ends_nothing(said: str) -> None:
    assert over(read(said)) == []


@pytest.mark.parametrize("said", NOTHING_ENDS.split())
def test_what_only_sounds_like_an_end_gives_nothing(said: str) -> None:
    assert shown(read(said)) == []


def test_a_plan_put_to_another_time_corrects_the_earlier_one_in_whatever_session() -> None:
    assert [(claim.attribute, claim.correction) for claim in read("航班改到6月5号了。")] == [("plan", True)]


def test_a_slip_corrects_nothing_that_was_said_before() -> None:
    (claim,) = read("我对花生过敏，不对，是核桃")
    assert (claim.value, claim.text, claim.correction) == ("核桃", "我对核桃过敏", False)
