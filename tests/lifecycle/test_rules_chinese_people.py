"""What the Chinese rules read about who somebody is, where they live and work, and whom they live with."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

IDENTITY = """
我叫张三 → name=张三
你好，我叫李晓明 → name=李晓明
我的名字是欧阳娜娜 → name=欧阳娜娜
大家好，我是王芳 → name=王芳
我叫Tom → name=Tom
我姓王 → name=王
我叫 陈晨 → name=陈晨
叫我小李就行 → nickname=小李
你可以叫我阿强 → nickname=阿强
我今年28岁 → age=28岁
我二十八岁了 → age=二十八岁
我今年三十五了 → age=三十五
28岁，在杭州做前端 → age=28岁; occupation=前端
我生日是5月3号 → birthday=5月3号
我的生日在农历八月十五 → birthday=农历八月十五
我是1992年出生的 → birthday=1992年
我是92年的 → birthday=92年
我6月18日生日 → birthday=6月18日
我是女生 → gender=女生
我是四川人 → hometown=四川
我是湖南长沙人 → hometown=湖南长沙
我老家在安徽阜阳 → hometown=安徽阜阳
我老家是成都的 → hometown=成都
我来自哈尔滨 → hometown=哈尔滨
我从小在大连长大 → hometown=大连
我是美国人 → nationality=美国
我是中国人，会说英语和日语 → nationality=中国; language=英语; language=日语
我国籍是加拿大 → nationality=加拿大
我的母语是粤语 → language=粤语
我不会说法语 → language=-法语
我會講廣東話 → language=廣東話
"""

WORK = """
我是老师 → occupation=老师
我是一名后端工程师 → occupation=后端工程师
我是后端工程师，平时写Go → occupation=后端工程师; habit=平时写Go
我是一个喜欢跑步的程序员 → occupation=程序员
我在腾讯上班 → employer=腾讯
我在Google做PM，base北京 → employer=Google; occupation=PM; residence=北京
我在一家外企做财务 → employer=外企; occupation=财务
我是腾讯的产品经理 → occupation=产品经理; employer=腾讯
我做后端的 → occupation=后端
我当了十年老师 → occupation=老师
我从事教育行业 → occupation=教育
我的职业是摄影师 → occupation=摄影师
我在北京做产品经理 → occupation=产品经理
我在市一医院当护士 → employer=市一医院; occupation=护士
我刚入职字节跳动 → employer=字节跳动
我上个月跳槽到美团了 → employer=美团
我已经不在阿里了 → employer=!阿里
已经不在阿里了 → employer=!阿里
我不在华为上班了 → employer=!华为
我从百度离职了 → employer=!百度
我以前在阿里上班，现在在腾讯做产品经理 → employer=!阿里; employer=腾讯; occupation=产品经理
2015年到2018年在阿里工作 → employer=阿里
我2019年开始在字节上班 → employer=字节
我不是医生 → occupation=-医生
我不再是老师了 → occupation=!老师
我退休了 → occupation=退休; employer=!employer
我爸是医生，我妈是老师 → 用户的爸爸.occupation=医生; 用户的妈妈.occupation=老师
我在台積電上班，是硬體工程師 → employer=台積電; occupation=硬體工程師
我毕业于浙江大学 → school=浙江大学
我在清华读研 → school=清华; occupation=读研
我在北京大学念书 → school=北京大学
我是复旦的学生 → occupation=学生; school=复旦
我从武汉大学毕业 → school=武汉大学
我学的是计算机专业 → major=计算机
我在读大三 → occupation=大三
我今年考上了南京大学 → school=南京大学
"""

HOME = """
我住在上海浦东 → residence=上海浦东
我住上海 → residence=上海
我家在苏州 → residence=苏州
我现在住在杭州西湖区 → residence=杭州西湖区
我住在臺北 → residence=臺北
住在广州天河 → residence=广州天河
坐标深圳 → residence=深圳
我在成都生活 → residence=成都
我在上海住了五年了 → residence=上海
我上个月搬到深圳了 → residence=深圳
刚搬到杭州 → residence=杭州
（我）刚搬到杭州 → residence=杭州
我去年从北京搬到了厦门 → residence=厦门
我们上周搬来苏州了 → residence=苏州
我和老婆上个月搬到苏州了 → residence=苏州
去年，我搬到了西安 → residence=西安
我不住在北京了 → residence=!北京
我已经不在上海住了 → residence=!上海
我以前住在武汉 → residence=!武汉
我人在东京 → residence=~东京
下个月要搬去成都 → plan=搬去成都
我可能住在北京 → residence=~北京
其实我住在苏州 → residence=苏州
"""

FAMILY = """
我有一个弟弟 → sibling=弟弟
我有两个孩子 → child=两个孩子
我有个女儿叫小美，今年5岁，喜欢画画 → child=小美; 小美.age=5岁; 小美.likes=画画
我儿子叫小宝 → child=小宝
我老婆叫李娜 → partner=李娜
我女儿今年上小学了，她不吃胡萝卜 → 用户的女儿.school=小学; 用户的女儿.diet=-胡萝卜
我弟弟叫小明。他喜欢打篮球 → sibling=小明; 小明.likes=打篮球
我朋友小杰不喜欢足球 → friend=小杰; 小杰.likes=-足球
我朋友小杰不喜欢足球，喜欢篮球 → friend=小杰; 小杰.likes=-足球; 小杰.likes=篮球
我弟弟最喜欢的球员是梅西 → 用户的弟弟.favourite player=梅西
我同事老李住在通州 → colleague=老李; 老李.residence=通州
小红爱喝茶，小明爱喝咖啡 → 小红.likes=茶; 小明.likes=咖啡
我爱喝茶，我老婆爱喝咖啡 → likes=茶; 用户的老婆.likes=咖啡
我妈对海鲜过敏 → 用户的妈妈.allergy=海鲜
老婆对海鲜过敏 → 用户的老婆.allergy=海鲜
我女朋友是护士 → 用户的女朋友.occupation=护士
我哥在北京工作，我姐在上海读书 →
小杰是我最好的朋友 → friend=小杰
张伟是我同事 → colleague=张伟
我室友Kevin喜欢弹吉他 → friend=Kevin; Kevin.likes=弹吉他
我结婚了，有两个孩子 → marital status=结婚; child=两个孩子
我还没结婚 → marital status=-结婚
我单身 → marital status=单身
我是单身 → marital status=单身
我离婚了 → marital status=离婚; partner=!partner
没有女朋友 → partner=-女朋友
我有女朋友了 → partner=女朋友
我和女朋友分手了 → partner=!女朋友
我跟小丽分手了 → partner=!小丽
我没有孩子 → child=-孩子
我是独生女 → sibling=独生女
我没有兄弟姐妹 → sibling=-兄弟姐妹
我上周刚生了个女儿 → child=女儿
我有一只猫叫咪咪 → pet=咪咪
我有一只猫，叫咪咪 → pet=咪咪
我家猫叫咪咪 → pet=咪咪
我养了一条狗，名字叫旺财 → pet=旺财
我有两只猫，一只叫大橘，一只叫小白 → pet=大橘; pet=小白
我养了两只猫，叫大橘和小白 → pet=大橘; pet=小白
我养了只柯基 → pet=柯基
家里有两只猫 → pet=两只猫
我没有宠物 → pet=-宠物
我没养猫 → pet=-猫
我的狗上个月去世了 → pet=!狗
我養了一隻貓叫橘子 → pet=橘子
"""

ROWS = [*table(IDENTITY), *table(WORK), *table(HOME), *table(FAMILY)]


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_a_plain_statement_about_a_person_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
