"""What the Chinese rules read about likes, food, allergies and health."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

LIKES = """
我喜欢爬山 → likes=爬山
我喜欢跑步、游泳和看书 → likes=跑步; likes=游泳; likes=看书
我很喜欢喝咖啡 → likes=咖啡
我爱吃辣 → likes=辣
我特别喜欢周杰伦的歌 → likes=周杰伦的歌
我超爱看科幻电影 → likes=看科幻电影
我喜欢和朋友一起打羽毛球 → likes=和朋友一起打羽毛球
我热爱摄影 → likes=摄影
喜欢爬山，讨厌下雨天 → likes=爬山; likes=-下雨天
喜歡喝珍珠奶茶 → likes=珍珠奶茶
我对天文很感兴趣 → likes=天文
我的爱好是下棋和钓鱼 → likes=下棋; likes=钓鱼
我是皇马球迷 → likes=皇马
我是个猫控 → likes=猫
我最喜欢的颜色是蓝色 → favourite colour=蓝色
我最喜欢的电影是《霸王别姬》 → favourite film=霸王别姬
我最喜欢爬山 → likes=爬山
我最爱吃的水果是芒果 → favourite fruit=芒果
我更喜欢茶而不是咖啡 → likes=茶
比起咖啡我更喜欢茶 → likes=茶
我偏爱极简风格 → likes=极简风格
我无辣不欢 → likes=辣
我迷上了滑雪 → likes=滑雪
我宁愿喝茶也不喝咖啡 → likes=茶
我喜欢三体这本书 → likes=三体这本书
我不喜欢足球 → likes=-足球
我不太喜欢甜食 → likes=-甜食
我讨厌香菜 → likes=-香菜
我最讨厌排队 → likes=-排队
我受不了烟味 → likes=-烟味
我不爱吃胡萝卜 → likes=-胡萝卜
我对足球没兴趣 → likes=-足球
我怕狗 → likes=-狗
我很反感加班文化 → likes=-加班文化
我不再喜欢足球了 → likes=!足球
不再喜欢足球了 → likes=!足球
我不喜欢喝咖啡了 → likes=!咖啡
我对游戏失去了兴趣 → likes=!游戏
我以前很喜欢吃甜的 → likes=!甜
其实我不喜欢爬山 → likes=-爬山
我既喜欢猫也喜欢狗 →
我妹妹喜欢追剧 → 用户的妹妹.likes=追剧
我可能喜欢上滑雪了 → likes=~滑雪
"""

DIET = """
我不吃香菜 → diet=-香菜
我不吃香菜和葱 → diet=-香菜; diet=-葱
不吃辣 → diet=-辣
我不能吃辣 → diet=-辣
我吃不了辣 → diet=-辣
我喝不了酒 → diet=-酒
我不喝酒 → diet=-酒
我从不喝碳酸饮料 → diet=-碳酸饮料
香菜我不吃 → diet=-香菜
海鲜不能碰 → diet=-海鲜
我不能吃海鲜 → diet=-海鲜
我忌口牛羊肉 → diet=-牛羊肉
我吃素 → diet=素食
我是素食主义者 → diet=素食
我吃全素 → diet=素食
我在吃生酮饮食 →
我只吃清真 → diet=只吃清真
我早就不喝咖啡了 → diet=!咖啡
我不再吃肉了 → diet=!肉
我不吃素了 → diet=!素食
我戒酒了 → diet=!酒
戒烟了 → habit=!烟
我戒糖三个月了 → diet=!糖
我不吃早餐 → habit=不吃早餐
我很能吃辣 → diet=辣
医生让我少吃盐 → diet=少吃盐
医生说我不能喝酒 → diet=-酒
医生不让我喝酒 → diet=-酒
我不太能吃辣 → diet=-辣
我不吃任何海鲜 → diet=-海鲜
不吃辣，对海鲜过敏 → diet=-辣; allergy=海鲜
帮我推荐一家餐厅，我不吃辣 → diet=-辣
推荐几个菜，不吃香菜 → diet=-香菜
我住在成都，不吃辣 → residence=成都; diet=-辣
我乳糖不耐受 → allergy=乳糖
"""

HEALTH = """
我对花生过敏 → allergy=花生
我對花生過敏 → allergy=花生
我对花生、虾和芒果过敏 → allergy=花生; allergy=虾; allergy=芒果
我花粉过敏 → allergy=花粉
我青霉素过敏 → allergy=青霉素
我吃芒果会过敏 → allergy=芒果
我对猫毛有点过敏 → allergy=猫毛
我对花生不过敏 → allergy=-花生
我好像对花生过敏 → allergy=~花生
我对青霉素过敏，能吃这个药吗？ → allergy=青霉素
我女儿对鸡蛋过敏 → 用户的女儿.allergy=鸡蛋
记住我对花生过敏 → allergy=花生
我有高血压 → health=高血压
我有糖尿病和高血压 → health=糖尿病; health=高血压
我膝盖不好 → health=膝盖不好
我腰椎间盘突出 → health=腰椎间盘突出
我有过敏性鼻炎 → health=过敏性鼻炎
我恐高 → health=恐高
我近视500度 → health=近视500度
我怀孕五个月了 → health=怀孕
我经常失眠 → health=失眠
我做过心脏手术 → health=做过心脏手术
我是O型血 → health=O型血
我身高175cm → health=身高175cm
医生说我有脂肪肝 → health=脂肪肝
我没有糖尿病 → health=-糖尿病
我爸有痛风 → 用户的爸爸.health=痛风
我去年确诊了甲亢 → health=甲亢
我在吃降压药 → health=吃降压药
"""

ROWS = [*table(LIKES), *table(DIET), *table(HEALTH)]


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_a_plain_statement_about_taste_or_body_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
