"""Everyday Chinese talk, as people type it: what is told of themselves and theirs, and what tells nothing."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

#: "/" stands between messages; the claims are those of the last one.
EVERYDAY = """
我有哮喘，不能闻烟味 → health=哮喘; constraint=不能闻烟味
旅行我偏好小众路线 → likes=小众路线
月底有场半马 → plan=半马
8月底之前要把论文改完 → deadline=8月底之前要把论文改完
我在上海虹桥附近租了个单间 → residence=上海虹桥附近
明天下午我还约了美玲喝咖啡 → plan=约了美玲喝咖啡
我和家人约了下周三去体检 → plan=去体检
我爸62，我妈60 → 用户的爸爸.age=62; 用户的妈妈.age=60
我是在电力公司做机械安装的 → employer=电力公司; occupation=机械安装
我既是店主，又是妈妈 → occupation=店主
我是厦门一家服饰店的店主 → occupation=店主; employer=服饰店
助手：叫什么名字呀 / 林深 → name=林深
助手：你家狗狗叫什么名字？ / 叫豆包 → pet=豆包
海鲜我碰都不能碰，会起疹子 → diet=-海鲜
我们组规定不许用eval → constraint=我们组规定不许用eval
我下班后兼职做平面设计 → occupation=平面设计
我去年跑完了厦门马拉松 → experience=跑完了厦门马拉松
我预算就三千块 → constraint=预算就三千块
我姓欧阳 单名一个静字 → name=欧阳
我不在阿里干了 → employer=!阿里
我最近老失眠 → health=失眠
过年准备带爸妈去三亚 → plan=带爸妈去三亚
普通话我说不好，我讲客家话的 → language=客家话
十月要去杭州看亚运会 → plan=去杭州看亚运会
我手机是华为Mate60 → owns=华为Mate60
我打算年底把婚结了 → plan=把婚结
我已经怀孕20周了 → health=怀孕
我比较偏爱纪录片，尤其是讲美食的 → likes=纪录片
我高中同学张伟在硅谷做程序员 → friend=张伟; 张伟.occupation=程序员
代码里的注释请都写英文 → answer style=代码里的注释请都写英文
我在德国留过学 → experience=在德国留过学
我身高一米八二 → health=身高一米八二
我喜欢吃辣，但老婆一点辣都不能碰 → likes=辣; 用户的老婆.diet=-辣
助手：您在哪里高就？ / 招商银行 → employer=招商银行
我有高血压 医生让我少吃盐 → health=高血压; diet=少吃盐
我有轻微哮喘，随身带着喷雾 → health=哮喘
最近搬家了，新家在余杭区那边 → residence=余杭区那边
后天我飞广州 → plan=飞广州
助手：您怎么称呼？ / 我姓马 → name=马
周末别安排工作给我 → constraint=周末别安排工作给我
我原来教体育，现在改教数学了 → occupation=!教体育; occupation=教数学
膝盖做过手术 不能跑步 → health=膝盖做过手术; constraint=不能跑步
我有记账的习惯 → habit=记账
下周三到周五我在北京出差 → plan=在北京出差
别给我推荐带坚果的东西 → constraint=别给我推荐带坚果的东西
上个月刚从日本玩回来 → visited=日本
6月底我要去参加表妹的婚礼 → plan=去参加表妹的婚礼
我想攒够首付 → goal=攒够首付
我最喜欢的歌手一直是陈奕迅 → favourite singer=陈奕迅
我爷爷今年九十了，身体硬朗着呢 → 用户的爷爷.age=九十
我喜欢喝拿铁 / 现在不爱喝拿铁了，改喝美式 → likes=!拿铁; habit=改喝美式
以后别推荐需要翻墙的网站 → constraint=别推荐需要翻墙的网站
前两天捡了只小奶狗，取名叫可乐 → pet=可乐
我家老大五年级，老二才上幼儿园 → 用户的老大.school=五年级; 用户的老二.school=幼儿园
我在读博三，方向是计算机视觉 → occupation=博三
我儿子有多动症，注意力不集中 → 用户的儿子.health=多动症
我每周gym三次 → habit=每周gym三次
我不爱运动，能躺着绝不坐着 → likes=-运动
我是湖人球迷 → likes=湖人
我现在能吃辣了 → diet=辣
12月我要考四级 → plan=考四级
我不爱看综艺，觉得吵 → likes=-看综艺
我太太是中学英语老师，我们有一对双胞胎女儿 → 用户的太太.occupation=中学英语老师; child=双胞胎女儿
我每天早上六点半起床 → wake time=早上六点半
我左耳听力不太好 → health=左耳听力不太好
以前天天喝可乐，现在戒了 → diet=!可乐
搬到新区以后我每天骑车上班 → habit=每天骑车上班
我晕车，长途大巴坐不了 → health=晕车
我有点洁癖 → health=洁癖
我有一台二手的索尼A7 → owns=索尼A7
以后你就用东北话跟我唠 → preferred language=东北话
我擅长做表格和写公文 → skill=做表格; skill=写公文
做完近视手术一个月了 → health=做完近视手术
最近在学Rust，之前写了五年Go → goal=学Rust; skill=Go
助手：需要我记住什么吗？ / 记住我对酒精过敏 → allergy=酒精
90后 处女座 目前单身 → marital status=单身
我哥开修车铺，我给他帮忙 → 用户的哥哥.occupation=开修车铺
十月一号我结婚，在青岛办 → plan=结婚
从小在部队大院长大，后来定居在石家庄 → residence=石家庄
我学了八年舞蹈 → experience=学了八年舞蹈
我男友是消防員 → 用户的男友.occupation=消防員
以后回答都简短一些，别长篇大论 → answer style=回答都简短一些; answer style=别长篇大论
香蕉、苹果我都爱吃，就是不喜欢火龙果 → likes=香蕉; likes=苹果; likes=-火龙果
以后请叫我阿May → nickname=阿May
我男朋友是程序员，天天加班 → 用户的男朋友.occupation=程序员; 用户的男朋友.habit=天天加班
我每周做三次瑜伽 → habit=每周做三次瑜伽
回答尽量控制在一百字以内 → answer style=控制在一百字以内
跟我用文言文对话吧 → preferred language=文言文
对青霉素和头孢都过敏 → allergy=青霉素; allergy=头孢
我是土生土长的西安娃 → hometown=西安
我这辈子最讨厌的菜就是苦瓜 → likes=-苦瓜
会议在周四 / 改到周五上午了 → plan=会议在周五上午
助手：你在哪里上大学？ / 中国美术学院 → school=中国美术学院
我是科幻迷，三体看了五遍 → likes=科幻
我想明年去考个潜水证 → goal=考个潜水证
我每天遛狗两次 → habit=每天遛狗两次
我特别喜欢周杰伦的歌 → likes=周杰伦的歌
我的相机是富士XT4 → owns=富士XT4
我對帶殼海鮮過敏 → allergy=帶殼海鮮
我有先天性心脏病，不能剧烈运动 → health=心脏病; constraint=不能剧烈运动
助手：平时几点起床？ / 七点左右吧 → wake time=七点左右
这周五之前得把年终总结交上去 → deadline=这周五之前得把年终总结交上去
我闺蜜小雅下个月要结婚了 → friend=小雅; 小雅.plan=结婚
我平时十一点睡，六点起 → bedtime=十一点; wake time=六点
体检说我尿酸高 → health=尿酸高
我正在学手语 → goal=学手语
我儿子对鸡蛋过敏 你帮我想想早餐吃啥 → 用户的儿子.allergy=鸡蛋
我这人口味重 无辣不欢 → likes=辣
助手：你喜欢什么类型的音乐？ / 摇滚和爵士 → likes=摇滚; likes=爵士
我老家湖北襄阳，大学毕业就留武汉了 → hometown=湖北襄阳
我每次问你，你先给个结论 → answer style=先给个结论
我早就不住回龙观了，搬到通州了 → residence=!回龙观; residence=通州
我下个月订婚 → plan=订婚
我对猫毛不过敏，是对狗毛过敏 → allergy=-猫毛; allergy=狗毛
回我消息的时候别用那么多感叹号 → answer style=别用那么多感叹号
项目下周五上线，这几天要加班 → deadline=项目下周五上线
不吃内脏 不吃羊肉 其他都行 → diet=-内脏; diet=-羊肉
不太喜欢人多的地方，商场都很少去 → likes=-人多的地方
我女儿5岁 / 说错了 6岁 → 用户的女儿.age=6岁
前年去过一次冰岛 → visited=冰岛
我租房住在五道口那边 → residence=五道口那边
我有个双胞胎妹妹在墨尔本读研 → sibling=双胞胎妹妹
我在读研，导师让做遥感方向 → occupation=读研
奶茶一口都不碰 → diet=-奶茶
我最喜欢的电影是霸王别姬 → favourite film=霸王别姬
我是985毕业的，学的机械 → major=机械
我血糖偏高，在控制饮食 → health=血糖偏高
我们家住在济南历下区，离千佛山很近 → residence=济南历下区
我7月15号要做手术 → plan=做手术
我考过了注会 → experience=考过了注会
我儿子乐乐今年三年级，特别爱恐龙 → child=乐乐; 乐乐.school=三年级; 乐乐.likes=恐龙
请用繁体中文回复我 → preferred language=繁体中文
这周六我要搬家 → plan=搬家
跟我说话不用太客气 → answer style=不用太客气
我拿过省里的书法金奖 → experience=拿过省里的书法金奖
我家猫去年冬天走的 → pet=!猫
我超爱看悬疑小说，东野圭吾的都看过 → likes=看悬疑小说
我有一辆山地车 → owns=山地车
原来住浦东 现在搬到松江了 → residence=!浦东; residence=松江
我是O型血 → health=O型血
我还有个弟弟在当兵 → sibling=弟弟; 用户的弟弟.occupation=当兵
我超愛吃滷肉飯 → likes=滷肉飯
我嗓子做过声带息肉手术 → health=做过声带息肉手术
咖啡我只喝美式 → diet=只喝美式
我不会开车 → skill=-开车
我叫Kevin，from Singapore，现在base上海 → name=Kevin; residence=上海
没事就喜欢窝在家里打游戏 → likes=窝在家里打游戏
去年查出甲状腺结节 → health=甲状腺结节
水果里我最爱山竹 → likes=山竹
我每天坐地铁上班，要一个半小时 → habit=每天坐地铁上班
我堂妹萌萌下周从英国回来 → relative=萌萌
助手：你养宠物吗？ / 养了一只乌龟 → pet=乌龟
工作日晚上我都没空的 → constraint=工作日晚上我都没空的
我正在考驾照，科二挂了两次 → goal=考驾照
我血型是AB型 → health=AB型
我爸是退伍老兵，脾气倔 → 用户的爸爸.occupation=退伍老兵
我岳母有老寒腿，一变天就疼 → 用户的岳母.health=老寒腿
助手：你喜欢喝咖啡还是茶？ / 茶 → likes=茶
你记错了，我是素食者不是纯素 → diet=素食; diet=-纯素
我爸有糖尿病，每天打胰岛素 → 用户的爸爸.health=糖尿病; 用户的爸爸.habit=每天打胰岛素
我改名了，现在叫李沐阳 → name=李沐阳
我姐夫是警察 → 用户的姐夫.occupation=警察
我養了一隻貴賓狗叫Momo → pet=Momo
请以后都用日语跟我对话 → preferred language=日语
女儿叫果果，两岁半 → child=果果; 果果.age=两岁半
我家猫叫包子 是只大橘 → pet=包子
我家娃上幼儿园中班了 → 用户的娃.school=幼儿园中班
我想学会游泳，克服怕水 → goal=学会游泳
我开特斯拉Model 3 → owns=特斯拉Model 3
我同事小陈刚生了二胎 → colleague=小陈; 小陈.child=二胎
我一点都不喜欢吃榴莲 那味道受不了 → likes=-榴莲
我是PM，在ByteDance → occupation=PM; employer=ByteDance
我住在长宁 / 不是长宁，是静安 → residence=静安; residence=-长宁
我有轻度抑郁，在吃药 → health=抑郁
我读的是师范，毕业后当了语文老师 → major=师范; occupation=语文老师
小时候在乡下长大的 → hometown=乡下
我老婆懷孕三個月了 → 用户的老婆.health=懷孕
请不要在晚上十点以后给我发消息 → constraint=不要在晚上十点以后给我发消息
现居墨尔本，留学生一枚 → residence=墨尔本; occupation=留学生
助手：你住在哪个城市？ / 长沙 → residence=长沙
我老公超爱钓鱼的 一到周末人就没影 → 用户的老公.likes=钓鱼
上个月体检查出来脂肪肝 → health=脂肪肝
大家都管我叫阿毛 → nickname=阿毛
我这个月底要交房租 → deadline=这个月底要交房租
以后别用表情包了哈 → answer style=别用表情包
我今年的目标是存够十万 → goal=存够十万
我有一台PS5和一台Switch → owns=PS5; owns=Switch
我身高175体重140 → health=身高175; health=体重140
我每晚睡前都要喝一杯热牛奶 → habit=每晚睡前都要喝一杯热牛奶
我习惯用番茄钟工作 → habit=用番茄钟工作
我一三五去健身房 → habit=一三五去健身房
我戒奶茶一个月了 → diet=!奶茶
我换了台小米14 → owns=小米14
解释概念时用大白话 → answer style=用大白话
本人会计 在税务师事务所上班 → occupation=会计; employer=税务师事务所
我升主管了 → occupation=主管
我生日在腊月二十三 小年那天 → birthday=腊月二十三
"""

#: Moods, boasts, questions back, what others say, what was given up, what is going on just now.
NOTHING = """
我同桌老爱抄我作业
我也不能把所有家庭责任都推给他
本来计划去快走的
我最近做了个财务压力测试
我们那边的客人，更偏爱棉麻
明白了，习惯要一点点培养
我不喜欢这个配色
你说我是不是该换工作了
我看不懂这段代码
我饿了
我家wifi坏了
今天不想吃辣
我什么时候说过我住北京
给我讲个笑话
难道我不想早点下班吗
我曾经想当飞行员
我快饿死了
今天天气真好啊
我们公司有食堂
我是来投诉的
我差点就嫁去东北了
面试官问我为什么离职
要换你你会选哪个
我人傻了
她说她最喜欢吃螺蛳粉
我恨不得把电脑砸了
我的函数返回None
哪个说我属龙的
隔壁王阿姨家儿子考上清华了
我在小红书上看到一个博主 她辞职去了大理
老板画饼说明年给我升职
听我的 别买
搞得好像我是老板一样
我上次跟你说的那个书名叫啥来着
我妈恨不得我明天就结婚
我更喜欢简洁的那版
我现在在星巴克等人
我今天喝了两杯咖啡
我们公司上班时间是九点
我喜欢第二个方案
我觉得红色好看
我讨厌你这样敷衍
我快被老板逼疯了
呵呵 我可太喜欢加班了
我刚吃完火锅
我刚吃了退烧药
视频里那个博主说自己三十岁退休了
我喜欢你刚才的回答
我朋友圈有人卖房
我擦 我忘了存档
我用pandas读了csv
我快冻成冰棍了
我想看看效果
我有个需求 做一个登录页面
我不行了笑死我了
我吃不下了
我叫了个外卖
我妈让我相亲 说对方是医生 在协和上班
我觉得比起北京还是上海好
叫我全名就行
我是在网上看到的
我怎么就成了素食者了
要是我住你隔壁就好了
我社死了今天
把“我不喜欢下雨”改成反问句
本来打算去泰国的 后来没去成
我在公司都快住下了
我去 这么贵
我在犹豫要不要养猫
我心态崩了
我的电脑蓝屏了
我朋友说他要去新疆自驾
我有2000行数据
我是第一次用这个
我是想问怎么退货
我电脑是公司的
我可没说我喜欢他
我有毒吧又买错了
我哪有钱买房啊
我妈要是知道我辞职得气死
我想要一个更简洁的版本
我儿子老师说他上课走神
我该不会得抑郁症了吧
我做了个PPT 你看看
我爱死这个功能了
你看我像会做饭的人吗
我们小区停电了
我还以为你是北京人呢
我都快住公司里了
我信你个鬼
我真的栓Q
我不太喜欢这个开头
我巴不得天天放假
我属于是被拿捏了
我真是欠你的
我是上辈子造了什么孽
我在超市呢
就当我没说
难不成我会飞
我同事老说他要去西藏
我有一张表 里面有姓名和年龄
我喜欢你的建议
我肚子里有只猪吧 这么能吃
我室友梦到自己中了彩票
我讨厌这个bug
你以为我想加班啊
等哪天我不干这行了就去开民宿
我有两个变量 a和b
本来说好周末去爬山 下雨没去成
我中午吃的沙拉
我同桌说他爸是飞行员
我不要这个
最近好累啊 什么都不想干
等我有钱了我就买特斯拉
我都快成老妈子了
我打算过考研 后来放弃了
我这边下雨了
刚打完疫苗 胳膊疼
谁说我不吃辣的
我太喜欢周一早会了呢🙂
要是哪天我失业了怎么办
我试试看
我就是个劳碌命
我有点不舒服
我家楼下有家沙县
我的快递到哪了
"""

ROWS = table(EVERYDAY)


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_everyday_talk_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(*said.split(" / "))) == expected


@pytest.mark.parametrize("said", [line for line in NOTHING.splitlines() if line])
def test_what_tells_nothing_of_anybody_gives_nothing(said: str) -> None:
    assert shown(read(said)) == []
