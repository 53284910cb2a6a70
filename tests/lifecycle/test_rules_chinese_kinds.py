"""Kinds of sentences that are easily misread: changes, conditions of work, whom a clause without a subject is about."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

KINDS = """
跟你说我现在不喜欢咖啡了 → likes=!咖啡
宣布一下：我结婚了 → marital status=结婚
我又开始跑步了 → habit=跑步
我现在改骑车上班了 → habit=改骑车上班
最近又开始健身了 → habit=健身
心情不好的时候我喜欢吃甜的 → likes=甜
我还是喜欢咖啡 → likes=咖啡
我喜欢那种细木腿的 → likes=细木腿
我受不了皮的 → likes=-皮
我是程序员，在字节 → occupation=程序员; employer=字节
我老婆是会计，在税务局 → 用户的老婆.occupation=会计; 用户的老婆.employer=税务局
我在宁波教四年级 → occupation=教四年级
我教高中物理 → occupation=教高中物理
我写了12年Python → skill=Python
我玩了十年吉他 → skill=吉他
我爷爷以前是矿工 → 用户的爷爷.occupation=矿工
我奶奶以前是纺织女工 → 用户的奶奶.occupation=纺织女工
我在腾讯上班。上周离职了 → employer=腾讯; employer=!腾讯
我离职了 → employer=!employer; experience=离职
我1988年出生在长沙 → hometown=长沙; birthday=1988年
我儿子5月9号满3岁 → 用户的儿子.birthday=5月9号
在那之前还住槟城 → residence=槟城
我儿子还有哮喘 → 用户的儿子.health=哮喘
我还有两只猫 → pet=两只猫
我和两个朋友开了家小面馆 → experience=开了家小面馆
我们接了只小猫回家，叫小七 → pet=小七
我养了只狗！叫饼干 → pet=狗; pet=饼干
我有个女儿。叫小美，今年5岁 → child=女儿; child=小美; 用户的女儿.age=5岁
我有个女儿叫小美。今年5岁，喜欢画画 → child=小美; 小美.age=5岁; 小美.likes=画画
我养了只猫，今年3岁 → pet=猫; 用户的猫.age=3岁
我有一只柯基，叫豆豆，2岁了，对鸡肉过敏 → pet=豆豆; 豆豆.age=2岁; 豆豆.allergy=鸡肉
猫咪叫奶茶，狗狗叫可乐 → pet=奶茶; pet=可乐
给小美送什么生日礼物好？她喜欢兰花，讨厌惊喜，5月9号满30 → 小美.likes=兰花; 小美.likes=-惊喜; 小美.birthday=5月9号
我约了老李吃饭，他不吃辣 → 老李.diet=-辣
给王芳买什么好？她对坚果过敏 → 王芳.allergy=坚果
我朋友的老婆是医生 → 用户的朋友的老婆.occupation=医生
我妈的同事住在苏州 → 用户的妈妈的同事.residence=苏州
我男朋友他妈不吃猪肉 → 用户的男朋友的妈妈.diet=-猪肉
这个项目不能用阿里云，全部要部署在内网 → constraint=这个项目不能用阿里云; constraint=全部要部署在内网
我们公司不让用ChatGPT → constraint=我们公司不让用ChatGPT
公司规定不能带手机进车间 → constraint=公司规定不能带手机进车间
数据库必须用PostgreSQL → constraint=数据库必须用PostgreSQL
后端统一用Go → constraint=后端统一用Go
以后例子都用Python写 → answer style=以后例子都用Python写
温度请用摄氏度 → answer style=温度请用摄氏度
价格统一用人民币 → answer style=价格统一用人民币
别用bullet points → answer style=别用bullet points
每次都别超过300字 → answer style=别超过300字
叫张伟，28岁 → name=张伟; age=28岁
我是大学生，叫李明 → occupation=大学生; name=李明
大家都叫我老王 → nickname=老王
湖南人一枚，在长沙 → hometown=湖南; residence=~长沙
有个双胞胎姐姐，在北京当律师 → sibling=双胞胎姐姐; 用户的双胞胎姐姐.occupation=律师
今天我好讨厌跑步 → likes=-~跑步
我唔鍾意飲咖啡 → likes=-咖啡
晚上好呀，今天加班到九点…对了我对乳胶过敏，买手套的时候帮我留意 → allergy=乳胶
推荐个周末去处吧，我带我女儿，她六岁，怕狗 → 用户的女儿.age=六岁; 用户的女儿.likes=-狗
我喜欢靠窗的座位，飞机火车都是 → likes=靠窗的座位
我不喜欢打电话，有事发微信 → likes=-打电话
下个月搬去鹭岛，厦门啦 → plan=搬去鹭岛
我在一家律所当助理，老板是个工作狂 → employer=律所; occupation=助理
我是自由插画师，在家工作 → occupation=自由插画师
辞职了，上周五是最后一天 → employer=!employer; experience=辞职
我老板叫Frank，德国人，不吃猪肉 → colleague=Frank; Frank.nationality=德国; Frank.diet=-猪肉
我表妹在墨尔本读硕士，学会计 → 用户的表妹.major=会计
我有甲减，每天吃优甲乐 → health=甲减; habit=每天吃优甲乐
我左耳听不见，打电话用右耳 → health=左耳听不见
我周日晚上飞广州，周三回 → plan=飞广州
3月底前要把税报了 → deadline=3月底前要把税报
我拿到驾照了！！科三挂了两次 → experience=拿到驾照了
回答别太长，三句话以内 → answer style=别太长; answer style=三句话以内
叫我阿叔得啦 → nickname=阿叔
我咖啡因不耐受，喝茶都睡不着 → allergy=咖啡因
我最爱的季节是秋天 → favourite season=秋天
我偏好看纸质书 → likes=看纸质书
我特烦别人迟到 → likes=-别人迟到
弟弟在当兵，后年退伍 → 用户的弟弟.occupation=当兵
我和先生都是潮汕人，家里天天喝工夫茶 → hometown=潮汕
我刚从日本回来，去了大阪和京都 → visited=日本; visited=大阪; visited=京都
我女朋友比我大三岁，今年31 → 用户的女朋友.age=31
我想在40岁前财务自由 → goal=财务自由
我每周二四六健身，雷打不动 → habit=每周二四六健身
校长今天说我下学期改教五年级 → plan=改教五年级
老板让我下周三去上海出差 → plan=去上海出差
我以前在银行 → employer=!银行
跟女朋友分手两个月了 → partner=!女朋友
我哥自闭症 → 用户的哥哥.health=自闭症
我刚满18 → age=18
我是八三年的 → birthday=八三年
"""

ROWS = table(KINDS)


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_each_kind_of_sentence_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
