"""What the Chinese rules read out of messy talk, of people of all ages and from all over."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

MAINLAND = """
闺女给我装的这个，我今年七十二了，眼神不好，字打得慢，别见怪 → age=七十二; health=眼神不好
我姓赵，叫我赵大爷就成 → name=赵; nickname=赵大爷
退休前在纺织厂干了三十多年 → employer=!纺织厂
我有高血压，每天早起吃一片络活喜 → health=高血压; habit=每天早起吃一片络活喜
大夫不让我吃咸的，也不让喝酒 → diet=-咸; diet=-酒
孙子今年上初二，学习还行 → 用户的孙子.occupation=初二
每天早上五点半就醒了，去公园打太极 → wake time=早上五点半
膝盖不行了，爬不了楼 → health=膝盖不行
老家河南周口的，跟着闺女住在郑州 → hometown=河南周口; residence=郑州
牙口不好，硬的咬不动 → health=牙口不好
糖尿病十来年了，天天打胰岛素 → health=糖尿病; habit=天天打胰岛素
以前抽烟抽得凶，前年戒了 → habit=!烟
下礼拜三要去医院复查 → plan=去医院复查
手机是闺女淘汰下来的华为 → owns=华为
我属虎的，五零年生人 → birthday=五零年
心脏放过两个支架，不能激动 → health=心脏放过两个支架
我叫李桂芳，木子李 → name=李桂芳
我闺女对青霉素过敏，我倒不过敏 → 用户的闺女.allergy=青霉素
有个孙女在英国念书，学金融的 → relative=孙女; 用户的孙女.major=金融
高二狗一枚，下周月考，救命 → occupation=高二
我叫林小夏你可以叫我夏夏 → name=林小夏; nickname=夏夏
超爱打原神，主玩胡桃 → likes=打原神
数学好难啊我最讨厌数学了 → likes=-数学
我在衡中读书，住校，一个月回一次家 → school=衡中
想考浙大计算机 → plan=~考浙大计算机
爱豆是肖战，谁黑他我跟谁急 → likes=肖战
我16岁，身高178，体重120 → age=16岁; health=身高178; health=体重120
不吃香菜星人在此 → diet=-香菜
我有社恐，一说话就脸红 → health=社恐
每周六上午要补物理 → habit=每周六上午要补物理
我弟才小学三年级就比我高了 → 用户的弟弟.school=小学三年级
生日是10月31，万圣节，酷吧 → birthday=10月31
近视600度，摘了眼镜人畜不分 → health=近视600度
暑假想去学吉他 → plan=~去学吉他
我同桌叫陈一凡，超级学霸 → friend=陈一凡
我不喜欢吃食堂，太油了 → likes=-食堂
我在B站做up主，主要剪鬼畜 → employer=B站; occupation=up主
讲题的时候能不能别直接给答案，引导我一下 → answer style=别直接给答案
用大白话讲，别整那些公式 → answer style=用大白话讲; answer style=别整那些公式
base上海，做ToB产品的，在一家SaaS公司 → residence=上海; occupation=ToB产品; employer=SaaS公司
今年30，已婚未育，老公做审计 → age=30; marital status=已婚; 用户的老公.occupation=审计
刚从字节毕业（被裁了），在看机会 → employer=!字节
周四居家办公，不进公司 → constraint=周四居家办公
中午一般吃轻食，晚上不吃主食 → habit=中午一般吃轻食; habit=晚上不吃主食
腰椎间盘突出，不能久坐 → health=腰椎间盘突出; constraint=不能久坐
PPT周五下班前要交给老板 → deadline=PPT周五下班前要交给老板
下下周要去新加坡团建 → plan=去新加坡团建
年底想跳槽去外企 → plan=~跳槽去外企
电脑是公司发的M2 MacBook Pro → owns=M2 MacBook Pro
邮件落款写Lynn就行，大家都叫我Lynn → nickname=Lynn
有个娃，两岁半，婆婆帮忙带 → child=娃; 用户的娃.age=两岁半
孩子鸡蛋过敏，老公海鲜过敏，我没事 → 用户的孩子.allergy=鸡蛋; 用户的老公.allergy=海鲜
想学法语但一直没时间 → goal=学法语
已经不在望京了，上个月搬到了通州 → residence=!望京; residence=通州
不想要太官方的语气，口语一点 → answer style=不想要太官方的语气
表格给我就行，别写大段文字 → answer style=别写大段文字
我对花粉过敏，春天基本废了 → allergy=花粉
考了PMP，今年打算考个软考 → experience=考了PMP; plan=考个软考
我们家猫主子叫富贵，是只橘猫，8斤了 → pet=富贵
老公不爱吃面食，我顿顿都想吃面 → 用户的老公.likes=-面食
我在竹科當工程師，輪班的那種 → occupation=工程師
我住新北板橋，每天搭捷運上班 → residence=新北板橋; habit=每天搭捷運上班
我是高雄人啦，來台北十年了 → hometown=高雄
我女友在誠品上班 → 用户的女友.employer=誠品
我吃素，蛋奶素那種 → diet=素食
我家有隻柴犬叫麻糬，超黏人 → pet=麻糬
我超怕蟑螂 → likes=-蟑螂
我下禮拜要去沖繩玩五天 → plan=去沖繩玩五天
我媽是國小老師，明年退休 → 用户的妈妈.occupation=國小老師
我不太喝手搖飲，太甜了 → diet=-手搖飲
請用繁體中文回我，不要用大陸用語 → preferred language=繁體中文; answer style=不要用大陸用語
我對芒果過敏，每次吃嘴巴都腫起來 → allergy=芒果
我剛退伍，現在待業中 → experience=退伍; occupation=待業
大學唸政大新聞系 → school=政大
我老公是做房仲的，我自己接案做插畫 → 用户的老公.occupation=房仲
我週末都會去爬山，上週爬了玉山 → habit=週末都會去爬山; experience=爬了玉山
我有輕微氣喘，不能跑太快 → health=氣喘
叫我阿翰就好 → nickname=阿翰
我比較喜歡喝拿鐵，黑咖啡太苦 → likes=拿鐵
我論文月底要交初稿，快瘋了 → deadline=論文月底要交初稿
之前住台中，去年才搬上來台北 → residence=!台中; residence=台北
我係香港人，喺中環返工，做會計嘅 → hometown=香港; occupation=會計
我唔食牛，屋企拜觀音 → diet=-牛
我好鍾意行山，成日去西貢 → likes=行山; habit=成日去西貢
我老婆係日本人，識少少廣東話 → 用户的老婆.nationality=日本
我住沙田，養咗兩隻貓 → residence=沙田; pet=兩隻貓
我唔飲得凍嘢，胃唔好 → health=胃唔好
我聽日要去覆診 → plan=去覆診
唔好用簡體字覆我 → answer style=唔好用簡體字覆我
俺是山东嘞，在青岛打工，搞海鲜批发 → hometown=山东; occupation=海鲜批发
我叫Kevin 98年的 base深圳 做跨境电商 → name=Kevin; birthday=98年; residence=深圳; occupation=跨境电商
我媳妇儿不能吃螃蟹一吃就浑身痒 → 用户的媳妇儿.diet=-螃蟹
我闺女小名糖糖，大名周语桐，马上五岁 → child=糖糖; child=周语桐; 糖糖.age=五岁
失业三个月了，投了200份简历 → occupation=失业; employer=!employer
我考上研了！！中传新闻学！！ → experience=考上研了
最近在学Rust，之前一直写Java → goal=学Rust
别再给我推荐猫了，我对猫毛过敏啊 → constraint=别再给我推荐猫; allergy=猫毛
其实我不爱吃辣，之前是陪女朋友吃的 → likes=-辣
开了家小面馆，在重庆沙坪坝，欢迎来吃 → experience=开了家小面馆
我每天接送孩子，上午九点到下午三点有空 → habit=每天接送孩子
我女朋友下个月过生日，她喜欢蓝色和满天星 → 用户的女朋友.likes=蓝色; 用户的女朋友.likes=满天星
我的车是18年的思域，昨天刚卖 → owns=思域; owns=!思域
有个双胞胎姐姐，在北京当律师，我俩长得一模一样 → sibling=双胞胎姐姐; 用户的双胞胎姐姐.occupation=律师
我不是学生了，去年毕业的，现在做测试 → occupation=!学生; occupation=测试
医生让我少油少盐，我血脂高 → diet=少油少盐; health=血脂高
记住我的狗叫Lucky，三岁，金毛，怕打雷 → pet=Lucky; Lucky.age=三岁; Lucky.likes=-打雷
"""

LATER = """
我老头子今年七十五，血压高，药不断 → 用户的老头子.age=七十五; 用户的老头子.health=血压高
年轻时在供销社上班，后来下岗了 → employer=!供销社
晚上睡得早，八点多就躺下了 → bedtime=八点多
我这耳朵不太好使，你说话声儿大点 → health=耳朵不太好使
外孙女下个月满月酒，得准备红包 → 用户的外孙女.plan=满月酒
我不吃鸡，属鸡的，忌讳 → diet=-鸡
我跟老姐妹每天晚上跳广场舞 → habit=每天晚上跳广场舞
我初三了，明年六月中考 → occupation=初三; plan=中考
我最好的朋友叫糯米，她转学去苏州了 → friend=糯米
体育课跑八百我就想死，我有哮喘来着 → health=哮喘
我想当声优，在自学日语 → goal=当声优; goal=自学日语
我妈是我们学校的教导主任，别告诉别人 → 用户的妈妈.occupation=教导主任; constraint=别告诉别人
我对青椒真的爱不起来 → likes=-青椒
喜欢画画，板绘，用iPad画的 → likes=画画
我是HRBP，在杭州一家电商公司，三年了 → occupation=HRBP; employer=电商公司
我们部门禁止用公网的AI工具 → constraint=我们部门禁止用公网的AI工具
我每周三固定跑五公里，周末打羽毛球 → habit=每周三固定跑五公里; habit=周末打羽毛球
最近在减肥，晚饭戒了碳水 → goal=减肥; diet=!碳水
我不太能喝酒，两杯就倒 → diet=-酒
老婆怀孕五个月了，预产期九月 → 用户的老婆.health=怀孕
我儿子叫顾一诺，今年上一年级，班主任姓何 → child=顾一诺; 顾一诺.school=一年级
我下个月1号离职，交接给老周 → plan=离职
考虑年后回成都发展 → plan=~回成都发展
回复我的时候先说结论再说理由 → answer style=先说结论再说理由
我用的是Windows，公司电脑装不了docker → owns=Windows
我住天通苑，通勤一个半小时 → residence=天通苑
我其实不是产品，是运营 → occupation=运营; occupation=-产品
胃镜约在下周四上午 → plan=胃镜约在下周四上午
不吃内脏，海鲜也一般 → diet=-内脏
我是護理師，在台大醫院，三班輪 → occupation=護理師; employer=台大醫院
我男友是消防員，做一休一 → 用户的男友.occupation=消防員
我家毛小孩叫布丁，米克斯，五歲了 → pet=布丁; 布丁.age=五歲
我不敢吃香菜跟茄子 → diet=-香菜; diet=-茄子
我對塵蟎過敏，早上狂打噴嚏 → allergy=塵蟎
我研究所讀交大資工，碩二 → school=交大; occupation=碩二
我下個月要搬回台南 → plan=搬回台南
我想考公職，正在補習 → goal=考公職
我習慣用注音，拼音我看不懂 → habit=用注音
我以前是素食者，現在會吃海鮮了 → diet=!素食
我屋企養咗隻貓，叫豆豉 → pet=豆豉
我喺銀行做IT嘅，返工好攰 → employer=銀行; occupation=IT
我下個月去日本旅行，好期待 → plan=去日本旅行
我唔鍾意飲珍珠奶茶 → likes=-珍珠奶茶
我阿媽有糖尿 → 用户的阿妈.health=糖尿
本人女，29，INFJ，坐标长沙，单身 → gender=女; age=29; residence=长沙; marital status=单身
我爸修车的，我妈在超市当收银员 → 用户的爸爸.occupation=修车; 用户的妈妈.employer=超市; 用户的妈妈.occupation=收银员
我刚满18，昨天拿的身份证照片巨丑 → age=18
搬家了，从五道口搬到回龙观 → residence=回龙观
别叫我先生，我是女的 → answer style=别叫我先生; gender=女的
我叫周末，对就是那个周末 → name=周末
养过一只仓鼠，后来死了 → pet=!仓鼠
我戒奶茶三个月了，谁懂 → diet=!奶茶
我现在不怎么吃甜食了，怕胖 → diet=!甜食
今年打算考个驾照再去趟新疆 → plan=考个驾照再去趟新疆
在英国留学第二年，学法律，想家 → major=法律
我是左撇子，而且色弱 → health=色弱
我跟我爸一样都喜欢钓鱼 → likes=钓鱼
抱歉刚打错，我女儿是8岁 → 用户的女儿.age=8岁
我在学校食堂打工，一小时12块 → employer=学校食堂
不好意思我不抽烟 → habit=-抽烟
我把猫送回老家给我妈养了 → pet=!猫
我闺女嫁到湖南去了，一年见不着几回 → 用户的闺女.residence=湖南
我叫王秀兰，今年六十八，退休前是小学老师 → name=王秀兰; age=六十八; occupation=!小学老师
我爱喝茉莉花茶，一天一大缸子 → likes=茉莉花茶
我不吃羊肉，膻 → diet=-羊肉
我跟她爸离婚好多年了 → marital status=离婚
我高三理科生，目标是中山大学 → occupation=高三; goal=中山大学
爸妈离婚了，我跟我妈住 → 用户的爸妈.marital status=离婚
我超级讨厌吃胡萝卜！！ → likes=-胡萝卜
我妹才五岁，天天缠着我讲故事 → 用户的妹妹.age=五岁
我想报考北影表演系 → goal=报考北影表演系
我牛奶过敏，别给我推荐奶茶 → allergy=牛奶; constraint=别给我推荐奶茶
寒假要去哈尔滨看冰雪大世界 → plan=去哈尔滨看冰雪大世界
我是走读生，家住学校对面 → residence=学校对面
我在一家外贸公司做单证，朝九晚六 → employer=外贸公司; occupation=单证
我住青浦，公司在静安，单程一个半小时 → residence=青浦
我下周二下午要去体检，别安排会议 → plan=去体检; constraint=别安排会议
上个月刚升了主管，手下六个人 → occupation=主管
老公在国企，稳定，我在创业公司 → 用户的老公.employer=国企; employer=创业公司
我不喝咖啡，心慌 → diet=-咖啡
我在考CPA，还差两门 → goal=考CPA
我有两个娃，大的8岁小的3岁 → child=两个娃
我颈椎病犯了，不能久坐 → health=颈椎病; constraint=不能久坐
我习惯晚上写代码，白天效率低 → habit=晚上写代码
我年底结婚，婚礼在老家办 → plan=结婚
我已經不吃宵夜了，要減肥 → habit=不吃宵夜
我是基隆人，現在在新竹念書 → hometown=基隆
我女朋友對貓過敏，所以我們沒養 → 用户的女朋友.allergy=貓
我家有一隻米克斯，叫皮蛋，十歲了 → pet=皮蛋; 皮蛋.age=十歲
我喜歡吃鹹酥雞，但醫生叫我少吃炸的 → likes=鹹酥雞
我目前在台積電當製程工程師 → employer=台積電; occupation=製程工程師
我不喜歡下雨天，心情會很差 → likes=-下雨天
我屋企喺元朗，返工要個半鐘 → residence=元朗
我女友係空姐，成日飛歐洲 → 用户的女友.occupation=空姐
我唔可以食海鮮，會出疹 → diet=-海鮮
我哋下個月去首爾玩 → plan=去首爾玩
我叫阿杰，东北人，在三亚开民宿 → name=阿杰; hometown=东北; occupation=开民宿
我现在一个人住，养了只英短 → pet=英短
我不是素食主义者，就是不爱吃肉 → diet=-素食; likes=-肉
我近视，开车要戴眼镜 → health=近视
我每天坐地铁上班，单程四十分钟，路上听播客 → habit=每天坐地铁上班
我在准备雅思，目标7分 → goal=准备雅思
我怀二胎了，老大刚上幼儿园 → health=怀二胎; 用户的老大.school=幼儿园
我前男友是程序员，现男友是厨师 → 用户的前男友.occupation=程序员; 用户的现男友.occupation=厨师
你好，我是新来的用户，叫陈默，在厦门做茶叶生意 → name=陈默; occupation=茶叶生意
我对酒精过敏，别给我推荐酒酿的东西 → allergy=酒精; constraint=别给我推荐酒酿的东西
我闺女叫圆圆，三岁半，最喜欢小猪佩奇 → child=圆圆; 圆圆.age=三岁半; 圆圆.likes=小猪佩奇
我老婆不吃辣，我无辣不欢，做饭好难 → 用户的老婆.diet=-辣; likes=辣
不喜欢太甜的，奶油也不行 → likes=-太甜
我搬家了！从龙华搬到了南山 → experience=搬家了; residence=南山
上个月从美团跳到了快手 → employer=快手
我现在不做开发了，转产品了 → occupation=!开发; occupation=产品
我不喜欢被叫姐，叫我阿May就好 → likes=-被叫姐; nickname=阿May
我的航班是15号早上八点 → plan=航班是15号早上八点
我同事老周是素食者 → colleague=老周; 老周.diet=素食
我们领导姓孙，特别喜欢开会 → 用户的领导.name=孙; 用户的领导.likes=开会
我以前在银行，现在自己开公司 → employer=!银行; occupation=开公司
跟女朋友分手两个月了，别再提她 → partner=!女朋友
我妈做了膝盖手术，恢复得挺好 → 用户的妈妈.health=做了膝盖手术
我儿子自闭症，五岁，在做康复 → 用户的儿子.health=自闭症; 用户的儿子.age=五岁
我不要表情符号，谢谢 → answer style=不要表情符号
以后给我的代码都要带注释 → answer style=给我的代码都要带注释
我们仓库只支持Java 8，别用var → constraint=我们仓库只支持Java 8
公司规定代码不能上传到外网 → constraint=公司规定代码不能上传到外网
服务器都在阿里云香港，数据不能出境 → constraint=数据不能出境
我生日6月18，好记吧，京东店庆 → birthday=6月18
我是八三年的，属猪 → birthday=八三年
我身高一米六，穿S码 → health=身高一米六
我会吹口琴，还会一点手语 → skill=吹口琴; language=手语
我的梦想是开一家花店 → goal=开一家花店
打算三年内考下注册会计师 → plan=考下注册会计师
计划国庆自驾去川西，五个人 → plan=自驾去川西
我去年跑了厦门马拉松，三小时五十 → experience=跑了厦门马拉松
我小时候在新疆长大，后来随爸妈去了西安 → hometown=新疆
我是回民，不吃猪肉 → diet=-猪肉
我老公是重庆人，无火锅不欢 → 用户的老公.hometown=重庆; 用户的老公.likes=火锅
我外号叫大熊，因为胖 → nickname=大熊
我早上不吃早饭，中午才吃 → habit=早上不吃早饭
我每天喝两升水，雷打不动 → habit=每天喝两升水
我手机换成安卓了，之前是苹果 → owns=安卓
刚买了台索尼的微单 → owns=索尼的微单
记一下，我护照明年3月过期 → deadline=护照明年3月过期
我跟你讲，我超怕狗 → likes=-狗
我对你说过我不吃牛肉的呀 → diet=-牛肉
我说了八百遍了我不喝奶茶 → diet=-奶茶
我真的很不喜欢别人碰我东西 → likes=-别人碰我东西
"""

ROWS = table(MAINLAND + LATER)


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_messy_talk_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
