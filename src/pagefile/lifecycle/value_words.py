"""Words in which two values can differ and still say the same: other language, other spelling, other number. Data."""

from __future__ import annotations

from collections.abc import Mapping

#: One English form, then what else it is called; all in lower case, Chinese ones simplified and without a final 市, 语 or 的.
_CALLED = """
beijing|北京|peking;shanghai|上海;guangzhou|广州;shenzhen|深圳;hangzhou|杭州;nanjing|南京;suzhou|苏州;chengdu|成都;chongqing|重庆
wuhan|武汉;xi an|xian|西安
tianjin|天津;qingdao|青岛;dalian|大连;xiamen|厦门;changsha|长沙;kunming|昆明;harbin|哈尔滨;hong kong|香港;macau|macao|澳门
taipei|台北;taiwan|台湾;ningbo|宁波
tokyo|东京;osaka|大阪;kyoto|京都;seoul|首尔;singapore|新加坡;bangkok|曼谷;london|伦敦;paris|巴黎;berlin|柏林;munich|慕尼黑
rome|罗马;milan|米兰
madrid|马德里;barcelona|巴塞罗那;amsterdam|阿姆斯特丹;vienna|维也纳;zurich|苏黎世;moscow|莫斯科;sydney|悉尼;melbourne|墨尔本
toronto|多伦多
vancouver|温哥华;new york|new york city|nyc|纽约;los angeles|la|洛杉矶;san francisco|sf|旧金山;seattle|西雅图;boston|波士顿
chicago|芝加哥
washington|washington dc|华盛顿;dubai|迪拜;manchester|曼彻斯特;edinburgh|爱丁堡;dublin|都柏林;lisbon|里斯本;prague|布拉格
cambridge|剑桥;oxford|牛津
china|chinese|中国|中国人;japan|japanese|日本|日本人;korea|korean|south korea|韩国|韩国人
usa|us|united states|america|american|美国|美国人
uk|united kingdom|britain|british|英国|英国人;france|french|法国|法国人;germany|german|德国|德国人;italy|italian|意大利|意大利人
spain|spanish|西班牙|西班牙人;canada|canadian|加拿大|加拿大人;australia|australian|澳大利亚|澳洲;india|indian|印度|印度人
russia|russian|俄罗斯|俄罗斯人
thailand|thai|泰国;vietnam|vietnamese|越南;malaysia|malaysian|马来西亚;portugal|portuguese|葡萄牙;iceland|icelandic|冰岛
new zealand|新西兰
monday|周一|星期一|礼拜一;tuesday|周二|星期二|礼拜二;wednesday|周三|星期三|礼拜三;thursday|周四|星期四|礼拜四;friday|周五|星期五|礼拜五
saturday|周六|星期六|礼拜六;sunday|周日|周天|星期日|星期天|礼拜天;weekend|周末;morning|早上|早晨|清晨|清早|上午;evening|晚上|傍晚|夜晚
red|红|红色;blue|蓝|蓝色;green|绿|绿色;yellow|黄|黄色;black|黑|黑色;white|白|白色;purple|violet|紫|紫色;pink|粉|粉色|粉红|粉红色
orange|橙|橙色;gray|grey|灰|灰色
brown|棕|棕色|褐色;gold|golden|金|金色
male|man|m|男|男性|男生|男人|男的;female|woman|f|女|女性|女生|女人|女的;non binary|nonbinary|非二元
married|已婚|结婚|结婚了;single|unmarried|not married|单身|未婚|没结婚|还没结婚;divorced|离婚|离异|离婚了;engaged|订婚|订婚了
widowed|丧偶
coffee|咖啡;tea|茶|茶叶;green tea|绿茶;black tea|红茶;milk|牛奶;beer|啤酒;wine|红酒|葡萄酒;alcohol|酒|酒精;peanut|花生
nut|坚果|nuts;seafood|海鲜
shellfish|贝类|甲壳类;shrimp|prawn|虾;crab|螃蟹;fish|鱼;egg|鸡蛋|蛋;gluten|麸质;lactose|乳糖;dairy|乳制品|奶制品;pollen|花粉
dust|灰尘|尘;dust mite|尘螨
penicillin|青霉素;mango|芒果;beef|牛肉;pork|猪肉;lamb|mutton|羊肉;chicken|鸡肉;meat|肉|肉类;coriander|cilantro|香菜
garlic|大蒜|蒜;onion|洋葱;sugar|糖
spicy|辣|spicy food|hot food;sweet|甜|甜食|甜品|sweets;vegetarian|素食|吃素|素食者|素食主义|素食主义者;vegan|纯素|全素|纯素食
halal|清真;noodles|noodle|面条|面
rice|米饭;tofu|豆腐;chocolate|巧克力;ice cream|冰淇淋|雪糕|冰激凌;hot pot|hotpot|火锅;dumplings|dumpling|饺子;fruit|水果
vegetables|vegetable|蔬菜
football|soccer|足球;basketball|篮球;tennis|网球;badminton|羽毛球;table tennis|ping pong|乒乓球;swimming|swim|游泳
running|run|jogging|跑步;hiking|hike|徒步|爬山|登山
yoga|瑜伽;cycling|biking|骑车|骑行|骑自行车;reading|reading books|看书|读书|阅读;cooking|做饭|烹饪|做菜
travel|travelling|traveling|旅行|旅游;music|音乐;films|film|movies|movie|电影
photography|摄影|拍照;piano|钢琴;guitar|吉他;violin|小提琴;chess|国际象棋;jazz|jazz music|爵士|爵士乐;rock|rock music|摇滚|摇滚乐
classical music|古典音乐
cat|猫|猫咪|小猫|kitty;dog|狗|狗狗|小狗|puppy;rabbit|兔子|兔;hamster|仓鼠;parrot|鹦鹉;fish|金鱼|goldfish;bird|鸟
turtle|tortoise|乌龟;horse|马
doctor|physician|医生|大夫;nurse|护士;teacher|老师|教师;engineer|工程师;software engineer|software developer|软件工程师
programmer|coder|程序员|码农
lawyer|attorney|律师;student|学生;designer|设计师;product manager|pm|产品经理|产品;accountant|会计|会计师;writer|作家
chef|cook|厨师;driver|司机;dentist|牙医
police officer|policeman|policewoman|警察;architect|建筑师;journalist|reporter|记者;data scientist|数据科学家;retired|退休|退休了
unemployed|失业|待业
google|谷歌;microsoft|微软;apple|苹果;amazon|亚马逊;tencent|腾讯;alibaba|阿里巴巴|阿里;baidu|百度;huawei|华为
bytedance|字节跳动|字节;xiaomi|小米;meituan|美团;jd|京东
tesla|特斯拉;meta|facebook|脸书
"""

#: The same for languages: as one, "Chinese" is no nationality.
_LANGUAGES = """
english|英语|英文;chinese|mandarin|mandarin chinese|中文|普通话|国语|汉语|华语;cantonese|粤语|广东话|白话;japanese|日语|日文
korean|韩语|韩文;french|法语|法文
german|德语|德文;spanish|西班牙语|西语|西班牙文;russian|俄语|俄文;italian|意大利语;portuguese|葡萄牙语|葡语;arabic|阿拉伯语
thai|泰语;vietnamese|越南语
"""

#: Irregular plurals and other spellings of one word.
_SPELT = (
    "children=child kids=child kid=child people=person men=man women=woman wives=wife mice=mouse geese=goose teeth=tooth"
    " feet=foot leaves=leaf"
    " knives=knife loaves=loaf grey=gray"
    " centre=center theatre=theater"
    " jewellery=jewelry yoghurt=yogurt doughnut=donut doughnuts=donut mum=mom mummy=mom travelling=travel traveling=travel"
    " travelled=travel"
    " went=go goes=go going=go gone=go ran=run ate=eat drank=drink swam=swim drove=drive took=take bought=buy ill=sick organise=organize"
    " cookie=biscuit cookies=biscuit vegetables=vegetable veg=vegetable veggies=vegetable televison=tv television=tv telly=tv"
    " 早晨=早上 清晨=早上 清早=早上 夜里=晚上 夜晚=晚上 礼拜=周 星期=周 周天=周日 每日=每天 天天=每天"
)

NUMBER_WORDS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
            *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        )
    )
} | {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}


def _english_for(table: str) -> Mapping[str, str]:
    # A word with two meanings keeps the first.
    entries = [entry.split("|") for line in table.split("\n") for entry in line.split(";") if entry]
    return {other: forms[0] for forms in reversed(entries) for other in forms}


#: In whatever language → the English form.
ENGLISH_FOR: Mapping[str, str] = _english_for(_CALLED)
LANGUAGE_FOR: Mapping[str, str] = _english_for(_LANGUAGES)
SPELT: Mapping[str, str] = dict(pair.split("=") for pair in _SPELT.split())
