"""What the Chinese rules read out of talk as people type it: several facts in a line, subjects left out, fillers and reasons between."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

TALK = """
我在上海一家互联网公司做运营，平时挺忙的 → employer=互联网公司; occupation=运营
我离开腾讯了，下周入职小红书 → employer=!腾讯; plan=入职小红书
上周末我们搬家了，现在住在望京 → experience=搬家了; residence=望京
我女朋友叫林悦，在广州当小学老师 → partner=林悦; 林悦.occupation=小学老师
我跟我老婆结婚五年了，有个三岁的儿子叫豆豆 → marital status=结婚; child=豆豆
我家两只猫，一只橘猫叫大福，一只英短叫芝麻 → pet=大福; pet=芝麻
我儿子今年上小学二年级 → 用户的儿子.school=小学二年级
我女儿海鲜过敏，千万别推荐海鲜餐厅 → 用户的女儿.allergy=海鲜; constraint=别推荐海鲜餐厅
帮我订个餐厅，注意我老公不吃羊肉 → 用户的老公.diet=-羊肉
我一直都不太能喝酒，一喝就脸红 → diet=-酒
我从小就对牛奶过敏 → allergy=牛奶
我乳糖不耐，喝牛奶会拉肚子 → allergy=乳糖
我是回族，不吃猪肉 → diet=-猪肉
最近在控糖，甜的都不吃了 → diet=!甜
我以前爱喝可乐，现在戒了 → likes=!可乐
我早餐一般吃燕麦 → habit=一般吃燕麦
喜欢听周杰伦和陈奕迅 → likes=听周杰伦; likes=陈奕迅
我超级喜欢村上春树的书 → likes=村上春树的书
最讨厌别人迟到 → likes=-别人迟到
说实话我不太喜欢吃火锅 → likes=-火锅
我现在不喜欢极简风了，更喜欢复古风 → likes=!极简风; likes=复古风
我原来喜欢足球，现在改打羽毛球了 → likes=!足球; habit=改打羽毛球
每周六我都要带孩子上钢琴课 → habit=每周六我都要带孩子上钢琴课
我每天6点就起来跑步，跑5公里 → habit=每天6点就起来跑步
我一般12点以后才睡 → bedtime=12点
我想在年底前把托福考到100分 → goal=把托福考到100分
我准备下半年考驾照 → plan=考驾照
我们打算明年要个孩子 → plan=要个孩子
我下个月15号要去深圳出差三天 → plan=去深圳出差三天
周五下午三点有个牙医预约 → plan=牙医预约
我妈下周二做手术 → 用户的妈妈.plan=做手术
论文初稿得在6月15号之前交给导师 → deadline=论文初稿得在6月15号之前交给导师
签证7月底到期 → deadline=签证7月底到期
去年夏天我一个人去了趟西藏 → visited=西藏
我以前在日本留过学 → experience=在日本留过学
我会说一点西班牙语 → language=西班牙语
我会用Python和SQL → skill=Python; skill=SQL
我刚买了辆比亚迪 → owns=比亚迪
我开的车是本田思域 → owns=本田思域
我对狗毛过敏，但是我很喜欢狗 → allergy=狗毛; likes=狗
我膝盖做过手术，不能跑步 → health=膝盖做过手术; constraint=不能跑步
我爸有高血压，我妈有糖尿病 → 用户的爸爸.health=高血压; 用户的妈妈.health=糖尿病
以后回复我的时候别用emoji → answer style=别用emoji
跟我说话不用那么客气 → answer style=不用那么客气
请一直用简体中文 → preferred language=简体中文
回答尽量详细一点，最好举例子 → answer style=回答尽量详细一点
晚上十点以后别给我发消息 → constraint=晚上十点以后别给我发消息
我周末不上班，别安排会议 → constraint=周末不上班; constraint=别安排会议
更正一下，我女儿是6岁不是5岁 → 用户的女儿.age=6岁; 用户的女儿.age=-5岁
我没有对象 → partner=-对象
我租房住在徐汇 → residence=徐汇
我是江西人，现在在深圳工作 → hometown=江西
我是95年的，属猪 → birthday=95年
我同事小王特别爱吃榴莲，我受不了那个味道 → colleague=小王; 小王.likes=榴莲
我闺蜜下个月结婚，我要当伴娘 → 用户的闺蜜.plan=结婚
我弟在读高三，明年高考 → 用户的弟弟.occupation=高三; 用户的弟弟.plan=高考
我爷爷今年80了，有点耳背 → 用户的爷爷.age=80; 用户的爷爷.health=耳背
室友养了条哈士奇，叫二哈 → 用户的室友.pet=二哈
我老板姓张，人挺好 → 用户的老板.name=张
我最好的朋友叫阿杰，他在新加坡做程序员 → friend=阿杰; 阿杰.occupation=程序员
我姐比我大三岁，在国企上班 → 用户的姐姐.employer=国企
我表妹喜欢Blackpink → 用户的表妹.likes=Blackpink
我不在北京了，上个月搬回老家了 → residence=!北京; residence=老家
我已经不抽烟了 → habit=!抽烟
我把猫送人了 → pet=!猫
我现在不吃素了 → diet=!素食
俺是山东的，在北京打工 → hometown=山东
我系香港人，住喺九龍 → hometown=香港; residence=九龍
我在台北工作，是一名護理師 → occupation=護理師
我對蝦子過敏，也不吃牛肉 → allergy=蝦子; diet=-牛肉
我養了一隻狗，叫做豆漿 → pet=豆漿
我下週要去高雄出差 → plan=去高雄出差
我老公是工程師，在新竹上班 → 用户的老公.occupation=工程師
我最近在減肥，不吃澱粉 → goal=減肥; diet=-澱粉
平常我喜歡看韓劇 → likes=看韓劇
叫我小美就可以了 → nickname=小美
請用繁體中文回答 → preferred language=繁體中文
我讨厌星期一 → likes=-星期一
我好像不太喜欢现在的工作 → likes=-~现在的工作
我是学生，在武汉读大学 → occupation=学生
我是大三学生，学的是金融 → occupation=大三学生; major=金融
我本科是南开的，研究生在北大读的 → school=南开; school=北大
今年刚上高一 → occupation=高一
我妈妈今年六十岁，退休了 → 用户的妈妈.age=六十岁; 用户的妈妈.occupation=退休
我老公叫张强，是消防员，经常值夜班 → partner=张强; 张强.occupation=消防员
我有个双胞胎妹妹 → sibling=双胞胎妹妹
我女儿小米粒今年4岁，对芒果过敏 → child=小米粒; 小米粒.age=4岁; 小米粒.allergy=芒果
我闺女叫朵朵，上幼儿园大班 → child=朵朵; 朵朵.school=幼儿园大班
我男朋友是重庆人，特别能吃辣，我不行 → 用户的男朋友.hometown=重庆; 用户的男朋友.diet=辣
我哥去年移民加拿大了 → 用户的哥哥.residence=加拿大
我养了三只猫：橘子、煤球和雪糕 → pet=橘子; pet=煤球; pet=雪糕
我家狗叫可乐，是只柯基，今年3岁 → pet=可乐; 可乐.age=3岁
我的猫昨天走丢了 → pet=!猫
我不太喜欢吃香菜，但是喜欢吃折耳根 → likes=-香菜; likes=折耳根
我不喜欢下雨天 → likes=-下雨天
我超爱喝奶茶，尤其是喜茶的多肉葡萄 → likes=奶茶
喜欢看悬疑剧，不喜欢看综艺 → likes=看悬疑剧; likes=-看综艺
我最近迷上了烘焙 → likes=烘焙
最喜欢的歌手是林俊杰 → favourite singer=林俊杰
最喜欢的城市是大理 → favourite city=大理
我喜欢的颜色是绿色 → likes=绿色
我最喜欢夏天 → likes=夏天
我对辣的不行，一点辣都吃不了 → diet=-辣
我海鲜过敏 → allergy=海鲜
我吃花生会过敏，要送医院的那种 → allergy=花生
我有哮喘，不能做剧烈运动 → health=哮喘
我痛风，不能吃海鲜和啤酒 → health=痛风; diet=-海鲜; diet=-啤酒
我有点近视 → health=近视
我胃不好，不能吃太辣 → health=胃不好; diet=-辣
医生说我尿酸偏高，不让我吃海鲜 → health=尿酸偏高; diet=-海鲜
我从来不吃动物内脏 → diet=-动物内脏
我习惯睡前喝杯牛奶 → habit=睡前喝杯牛奶
每天下班后我会去健身房 → habit=每天下班后我会去健身房
我每晚十二点睡，早上七点起 → bedtime=十二点; wake time=早上七点
我每周日给爸妈打电话 → habit=每周日给爸妈打电话
我喜欢早起，一般五点半就醒了 → likes=早起; wake time=五点半
我下周一开始放年假 → plan=放年假
我10月要结婚了 → plan=结婚
我明年想去读个MBA → plan=~去读个MBA
我打算年底前换一台车 → plan=换一台车
护照下个月到期，得去换 → deadline=护照下个月到期
我的驾照考试定在6月3号 → plan=驾照考试定在6月3号
项目6月底上线 → deadline=项目6月底上线
我今年想跑一次全马 → plan=~跑一次全马
我的梦想是开一家咖啡店 → goal=开一家咖啡店
我想在三十岁之前买房 → goal=买房
我正在写毕业论文，下个月答辩 → goal=写毕业论文; plan=答辩
我去年拿到了PMP证书 → experience=拿到了PMP证书
我前年去了新疆自驾 → visited=新疆
我小时候在乡下长大 → hometown=乡下
我上周刚从日本回来 → visited=日本
我学了十年钢琴 → experience=学了十年钢琴
我会说粤语和一点日语 → language=粤语; language=日语
我不会骑自行车 → skill=-骑自行车
我英语很好，日语一般 → language=英语
我用的是iPhone 15 → owns=iPhone 15
我有一辆白色的特斯拉Model 3 → owns=白色的特斯拉Model 3
我晕车很厉害 → health=晕车
请叫我Lisa → nickname=Lisa
以后称呼我为李总 → nickname=李总
以后说中文 → preferred language=中文
请不要每次都道歉 → answer style=不要每次都道歉
别老跟我讲大道理 → answer style=别老跟我讲大道理
我希望你的回答简短一些 → answer style=回答简短一些
你回答太长了，以后短一点 → answer style=短一点
我不喜欢长篇大论 → likes=-长篇大论
以后不用给我解释原理，直接给代码 → answer style=直接给代码
不要再给我推荐恐怖片了 → constraint=不要再给我推荐恐怖片
别把我的事告诉我老婆 → constraint=别把我的事告诉我老婆
工作日白天不要打电话给我 → constraint=工作日白天不要打电话给我
我每周三下午不在公司 → constraint=每周三下午不在公司
我最近工作压力好大，天天加班到十点 → habit=天天加班到十点
我想请你帮我规划一下周末，我住在徐汇，喜欢看展，不喜欢人多的地方 → residence=徐汇; likes=看展; likes=-人多的地方
你可以帮我记一下吗，我老婆生日是8月16号 → 用户的老婆.birthday=8月16号
同事推荐我去吃那家火锅，但我不吃牛油 → diet=-牛油
明天我要去看牙医 → plan=去看牙医
小刘喜欢爬山，我喜欢游泳 → 小刘.likes=爬山; likes=游泳
我不是素食主义者 → diet=-素食
我没那么喜欢咖啡 → likes=-咖啡
我想辞职 → plan=~辞职
我一直想去冰岛 → plan=~去冰岛
你叫什么名字？我叫李雷 → name=李雷
你喜欢什么颜色？我喜欢绿色 → likes=绿色
我家在郊区，离公司很远 → residence=郊区
我要搬家了，搬到浦东 → plan=搬到浦东
我每天从通州坐地铁到国贸上班 → habit=每天从通州坐地铁到国贸上班
我是在北京长大的上海人 → hometown=上海
我不是上海人，我是苏州人 → hometown=苏州; hometown=-上海
我虽然在北京，但我是上海人 → hometown=上海
我以前不吃辣，现在无辣不欢 → likes=辣
我跟我弟弟都不吃香菜 → diet=-香菜
我喜欢猫，我弟弟喜欢狗，我妹妹都不喜欢 → likes=猫; 用户的弟弟.likes=狗
王总喜欢喝茶 → 王总.likes=茶
张三是我老板，李四是我同事 → colleague=张三; colleague=李四
我有一个朋友叫小杰，他对花生过敏 → friend=小杰; 小杰.allergy=花生
我有个朋友对花生过敏 → 用户的朋友.allergy=花生
我妈的生日是3月8号 → 用户的妈妈.birthday=3月8号
我儿子的名字叫小宝 → child=小宝
我在字节做了三年算法 → employer=字节; occupation=算法
我先生在医院上班，是骨科医生 → 用户的先生.employer=医院; 用户的先生.occupation=骨科医生
我最近刚跳槽，新公司是小米 → employer=小米
我老家湖南的，现在人在广州 → hometown=湖南; residence=广州
我住在朝阳区，离国贸不远 → residence=朝阳区
我打算9月搬去杭州，工作定了 → plan=搬去杭州
上周我从浦东搬到了闵行 → residence=闵行
我离婚两年了，带着一个女儿 → marital status=离婚
我家娃今年5岁半，在上中班 → 用户的娃.age=5岁半; 用户的娃.school=中班
我家老二对鸡蛋过敏 → 用户的老二.allergy=鸡蛋
我弟弟今年高三 → 用户的弟弟.occupation=高三
我爸妈都退休了，在老家青岛 → 用户的爸妈.occupation=退休; 用户的爸妈.residence=~老家青岛
我对象是湖北人，爱吃热干面 → 用户的对象.hometown=湖北; 用户的对象.likes=热干面
我妹妹叫婷婷，比我小三岁 → sibling=婷婷
我养了个仓鼠叫团子 → pet=团子
我家柯基叫土豆，五岁了 → pet=土豆; 土豆.age=五岁
我还挺喜欢爵士乐的 → likes=爵士乐
我一点也不喜欢吃甜食 → likes=-甜食
火锅我可太爱了 → likes=火锅
我最讨厌吃苦瓜 → likes=-苦瓜
以前特别爱吃烧烤，现在胃不好不怎么吃了 → likes=!烧烤
我不再喝奶茶了 → diet=!奶茶
我吃不了太辣的 → diet=-辣
我虾蟹过敏，一吃就起疹子 → allergy=虾蟹
我有鼻炎，春天花粉一多就犯 → health=鼻炎
我低血糖，不能饿着 → health=低血糖
我视力不太好，戴眼镜 → health=视力不太好
我每周一三五晚上去游泳 → habit=每周一三五晚上去游泳
我一般晚上十一点半睡，早上七点起 → bedtime=晚上十一点半; wake time=早上七点
我周末喜欢睡懒觉 → likes=睡懒觉
我从来不熬夜 → habit=-熬夜
我6月10号要去上海参加婚礼 → plan=去上海参加婚礼
这个月底之前我得把房租交了 → deadline=得把房租交
毕业论文6月1号截止 → deadline=毕业论文6月1号截止
我计划今年存够十万块 → plan=存够十万块
我想转行做数据分析 → goal=转行做数据分析
我在准备雅思考试，目标7分 → goal=准备雅思考试
我今年的目标是读完50本书 → goal=读完50本书
我上个月考过了驾照 → experience=考过了驾照
我去年从阿里离职的 → employer=!阿里
我学法律的 → major=法律
我会说英语和一点点法语 → language=英语; language=法语
我弹钢琴十几年了 → skill=弹钢琴
我的电脑是MacBook Air → owns=MacBook Air
叫我阿May就好 → nickname=阿May
回答我的时候用简体字 → preferred language=简体字
跟我说话随意一点就行 → answer style=说话随意一点
别在早上八点前给我发通知 → constraint=别在早上八点前给我发通知
我不是程序员，我是测试 → occupation=测试; occupation=-程序员
其实我更喜欢茶 → likes=茶
小王不吃辣，小李对海鲜过敏 → 小王.diet=-辣; 小李.allergy=海鲜
我哥喜欢踢球，我姐喜欢唱歌，我都不喜欢 → 用户的哥哥.likes=踢球; 用户的姐姐.likes=唱歌
小明是我弟弟，今年上初二 → sibling=小明; 小明.occupation=初二
"""

ROWS = table(TALK)


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_talk_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
