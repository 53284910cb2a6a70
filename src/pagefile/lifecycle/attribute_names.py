"""Names that people and small models give to attributes, in English and Chinese, and what they stand for. Data."""

from __future__ import annotations

from collections.abc import Mapping

#: Canonical name → other names for it, separated by "|". Written as they are compared: lower case, simplified, blanks for joints.
_NAMES: Mapping[str, str] = {
    "name": "full name|first name|last name|surname|real name|is called|called|named|名字|姓名|全名|名|叫|叫做|姓|本名",
    "nickname": "preferred name|goes by|nick name|nick|how to address|form of address|昵称|称呼|小名|外号|绰号|网名|艺名",
    "age": "years old|how old|年龄|岁数|年纪|几岁|岁",
    "birthday": "birth date|birthdate|date of birth|dob|born on|born|birth day|生日|出生日期|出生年月|出生",
    "gender": "sex|性别",
    "occupation": "job|job title|profession|career|role|work|works as|position|works in|title|job role|professional role"
    "|line of work|does for a living"
    "|职业|工作|职位|岗位|职务|身份|从事|从事职业|工作岗位|行业|是做什么的",
    "employer": "works at|works for|work at|work for|workplace|company|employed by|employed at|organization|organisation|firm"
    "|place of work|work place|company name|joined|公司|单位|工作单位|雇主|就职于|任职于|在职公司|工作地点|就职公司|所在公司"
    "|工作于|供职于|任职公司",
    "school": "university|college|studies at|study at|attends|alma mater|education|goes to school at|enrolled at|student at|degree from"
    "|学校|大学|就读于|就读学校|毕业院校|母校|毕业于|教育背景|学历|所在学校",
    "weight": "weighs|body weight|体重",
    "height": "body height|身高",
    "salary": "income|wage|wages|pay|工资|薪水|月薪|年薪|收入",
    "residence": "lives in|live in|living in|lives at|location|city|place of residence|home|home city|based in|resides in"
    "|resides at|moved to"
    "|residency|residing in|lives|where lives|living place|town|country of residence|relocated to"
    "|居住地|住处|住在|居住|居住城市|所在地|所在城市|城市|现居|现居地|现居城市|常住地|居住于|定居|定居于|搬到|搬家到|住|位置|居所",
    "hometown": "home town|birthplace|place of birth|born in|from|comes from|origin|grew up in|native of|is from|hails from"
    "|家乡|老家|籍贯|出生地|来自|祖籍|故乡|哪里人",
    "nationality": "citizenship|citizen of|passport country|国籍",
    "marital status": "relationship status|married|civil status|marriage|single|婚姻状况|婚姻|婚否|感情状况|婚姻状态|婚况",
    "partner": "spouse|wife|husband|boyfriend|girlfriend|fiance|fiancee|married to|significant other|partner name|dating|engaged to"
    "|配偶|妻子|丈夫|老婆|老公|伴侣|男朋友|女朋友|男友|女友|对象|爱人|太太|先生|未婚妻|未婚夫|媳妇|另一半",
    "phone": "phone number|mobile|mobile number|telephone|cell|cell phone|contact number|tel|电话|手机|手机号|手机号码|电话号码"
    "|联系电话|联系方式",
    "email": "e mail|email address|mail|mail address|e mail address|邮箱|电子邮箱|邮件|电子邮件|邮箱地址|邮件地址",
    "address": "home address|street address|postal address|mailing address|delivery address|住址|地址|家庭住址|家庭地址|通讯地址"
    "|收货地址|详细地址",
    "id card": "id number|identity card|national id|passport|passport number|ssn|social security number|身份证|身份证号"
    "|身份证号码|护照|护照号",
    "bank card": "bank account|card number|credit card|account number|银行卡|银行卡号|卡号|银行账号|信用卡|银行账户",
    "preferred language": "language preference|answer language|reply language|response language|preferred language of answers"
    "|首选语言|偏好语言|回答语言|回复语言|语言偏好",
    "timezone": "time zone|tz|时区",
    "wake time": "wake up time|wakes up at|wakes at|gets up at|getting up|wakeup time|起床时间|起床|几点起床",
    "bedtime": "bed time|sleep time|goes to bed at|sleeps at|睡觉时间|就寝时间|入睡时间|睡觉|睡眠时间|几点睡",
    "child": "children|son|daughter|kids|kid|has child|has children|sons|daughters|孩子|儿子|女儿|子女|小孩|闺女|娃",
    "parent": "parents|mother|father|mom|mum|dad|父母|爸爸|妈妈|父亲|母亲|爸|妈|家长",
    "sibling": "siblings|brother|sister|brothers|sisters|older brother|younger brother|older sister|younger sister|twin|twin brother"
    "|twin sister|兄弟姐妹|兄弟|姐妹|哥哥|弟弟|姐姐|妹妹|哥|弟|姐|妹",
    "relative": "relatives|family|family member|family members|grandmother|grandfather|grandma|grandpa|uncle|aunt|cousin|nephew"
    "|niece|in law"
    "|亲戚|家人|家庭成员|亲人|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表哥|表弟|表姐|表妹|堂哥|堂弟|侄子|侄女|外甥",
    "friend": "friends|best friend|is friends with|friend of|buddy|朋友|好友|好朋友|闺蜜|兄弟朋友|死党|室友|roommate|flatmate|housemate",
    "colleague": "colleagues|coworker|co worker|coworkers|teammate|boss|manager|works with person|同事|老板|上司|领导|搭档|经理",
    "pet": "pets|has pet|dog|cat|pet name|has pets|owns pet|dogs|cats|宠物|养|狗|猫|养宠物|宠物名|养了",
    "allergy": "allergies|allergic to|is allergic to|food allergy|allergic|allergen|allergens|food allergies"
    "|intolerance|intolerances|food intolerance|food intolerances|intolerant to|food sensitivity|food sensitivities"
    "|不耐受|食物不耐受|过敏|过敏原|过敏史"
    "|对过敏|食物过敏|过敏源",
    "diet": "dietary preference|dietary preferences|eating habits|dietary requirement|dietary requirements|dietary needs|eats|diet type"
    "|饮食|饮食习惯|饮食偏好|饮食要求",
    "health": "health condition|medical condition|illness|condition|disease|diagnosis|medical history|medication|takes medication|injury"
    "|健康|健康状况|疾病|病史|病情|身体状况|症状|用药|患有",
    "habit": "habits|routine|daily routine|regularly|usually|exercise|workout|daily habit|hobby routine|习惯|日常|作息|日常习惯"
    "|生活习惯|经常|运动习惯|锻炼",
    "plan": "plans|planned|intends to|upcoming event|appointment|trip|schedule|upcoming trip|future plan|planning|event planned"
    "|meeting|upcoming"
    "|travel plan|travel plans|is planning|will do|计划|安排|打算|行程|日程|预约|出行计划|旅行计划|约会|会议|准备",
    "deadline": "due date|due|deadlines|due on|截止|截止日期|截止时间|到期|期限|最后期限|交付日期",
    "goal": "goals|aim|objective|ambition|dream|wants to|aspiration|target|目标|梦想|愿望|理想|志向|想要|想做",
    "constraint": "constraints|restriction|limitation|rule|boundary|unavailable|must not|never|availability|limit|do not|don t"
    "|约束|限制|禁止|不能|不可|不能用|规则|不方便|要求|底线",
    "answer style": "response style|reply style|communication style|communication preference|communication preferences|how to answer|tone"
    "|response preference|response preferences|answer format|response format|output format|writing style|answer preference|instruction"
    "|instructions|回答方式|回复方式|回答风格|沟通方式|沟通风格|语气|回复风格|表达方式|回答偏好|输出格式|回答要求|回复要求|格式",
    "style": "personal style|fashion style|clothing style|dress style|风格|个人风格|穿衣风格|穿搭风格|着装风格",
    "owns": "has|possession|possessions|owned|bought|drives|car|vehicle|device|owner of|have|拥有|有|车|车辆|座驾|开车|买了|设备|房产|财产",
    "skill": "skills|ability|can|can do|good at|expertise|knows|plays|able to|proficient in|talent|instrument|技能|特长|擅长|会"
    "|能力|专长|本领",
    "language": "languages|speaks|native language|mother tongue|language spoken|languages spoken|speaks language|fluent in|语言"
    "|会说|母语|会讲|掌握语言|讲",
    "experience": "experiences|event|past event|did|activity|achievement|accomplishment|happened|life event|经历|事件|做过|经验"
    "|往事|成就|参加|活动|发生",
    "visited": "has visited|been to|traveled to|travelled to|travel|trips taken|went to|visit|places visited|has been to|去过"
    "|到过|旅行|旅游|去了|到访",
    "note": "notes|other|misc|miscellaneous|fact|statement|information|info|detail|details|general|remark|memory"
    "|备注|其他|信息|其它|笔记|说明|事实|记录|杂项|内容",
    "likes": "like|loves|love|enjoys|enjoy|prefers|preference|preferences|interest|interests|hobby|hobbies|is fond of|fond of"
    "|interested in"
    "|adores|fan of|is a fan of|passion|likes to|into|food preference|food preferences|music preference|taste|liked"
    "|喜欢|爱好|兴趣|喜好|偏好|爱|热爱|喜爱|偏爱|兴趣爱好|感兴趣|爱吃|爱喝|喜欢吃|喜欢喝|喜欢看|喜欢听|喜欢玩|爱看|爱听|口味",
}

#: The same for names that say no by themselves: what stands under them is a negative fact.
_NEGATIVE_NAMES: Mapping[str, str] = {
    "likes": "dislikes|dislike|hates|hate|can t stand|cannot stand|detests|loathes|not fond of|aversion|disliked|despises|unlike"
    "|dislikes to|not interested in|讨厌|不喜欢|厌恶|反感|不爱|受不了|不喜|憎恶|恨|嫌弃|不感兴趣|不喜欢看|不喜欢听|不喜欢吃"
    "|不喜欢喝|不爱吃|不爱喝",
    "diet": "cannot eat|can t eat|does not eat|doesn t eat|avoids food|avoids|avoids eating|does not drink|doesn t drink"
    "|avoid|avoiding|avoid eating|avoids foods|avoided food|avoided foods|foods to avoid|food to avoid|food avoidance|food avoidances"
    "|dietary restriction|dietary restrictions|diet restriction|diet restrictions|dietary limitation|dietary limitations"
    "|food restriction|food restrictions|restricted food|restricted foods|forbidden food|forbidden foods|dietary avoidance"
    "|not eat|don t eat|do not eat|cannot drink|can t drink|don t drink|do not drink|cannot have|can t have|cannot consume"
    "|should not eat|shouldn t eat|must not eat|mustn t eat|may not eat|never eats|never eat|never drinks|unable to eat|not allowed to eat"
    "|refuses to eat|won t eat|abstains from|stays away from"
    "|忌口|忌口食物|饮食限制|饮食禁忌|饮食忌口|食物禁忌|禁忌食物|不吃|不能吃|不喝|不能喝|吃不了|喝不了|忌食|忌|禁食|不可以吃|不可吃|不宜吃"
    "|不敢吃|从不吃|从来不吃|不吃的东西|不能吃的|不能吃的东西|不食用|不能食用|避免|避免食用|避免吃|不碰|不沾",
}

NEGATIVE: Mapping[str, str] = {other: name for name, others in _NEGATIVE_NAMES.items() for other in others.split("|")}
#: Any name → the canonical one.
SYNONYMS: Mapping[str, str] = {other: name for name, others in _NAMES.items() for other in (name, *others.split("|"))} | dict(NEGATIVE)

#: What people have favourites of: other spelling, number or language → one name.
FAVOURITE_THINGS: Mapping[str, str] = {
    other: thing
    for thing, others in {
        "colour": "color|colors|colours|颜色|色彩",
        "film": "movie|movies|films|电影|影片|片子",
        "food": "dish|foods|dishes|meal|食物|菜|美食|吃的|食品|一道菜|东西吃",
        "cuisine": "cuisines|菜系",
        "fruit": "fruits|水果",
        "drink": "drinks|beverage|beverages|饮料|饮品|喝的|酒水",
        "book": "books|novel|novels|书|小说|书籍|一本书",
        "author": "writer|authors|作家|作者",
        "song": "songs|track|歌|歌曲|一首歌",
        "singer": "singers|歌手",
        "band": "bands|乐队|乐团",
        "music": "music genre|genre of music|音乐|音乐类型",
        "sport": "sports|运动|体育运动|体育项目",
        "team": "teams|sports team|球队|队伍|队",
        "player": "players|球员|选手|运动员",
        "actor": "actors|actress|演员|影星|明星",
        "city": "cities|城市",
        "country": "countries|国家",
        "place": "places|spot|地方|地点",
        "restaurant": "restaurants|餐厅|饭店|馆子|餐馆",
        "season": "seasons|季节",
        "animal": "animals|动物",
        "flower": "flowers|花",
        "game": "games|video game|video games|游戏",
        "show": "tv show|tv series|series|shows|tv programme|tv program|电视剧|剧|综艺|节目",
        "subject": "school subject|subjects|科目|学科|课",
        "number": "numbers|数字",
        "programming language": "编程语言|coding language",
        "brand": "brands|品牌|牌子",
        "ice cream": "ice cream flavour|ice cream flavor|冰淇淋|雪糕|冰激凌",
        "flavour": "flavor|flavors|flavours|口味|味道",
        "hobby": "hobbies|爱好|pastime",
        "holiday": "holidays|节日",
        "snack": "snacks|零食",
        "cake": "cakes|蛋糕",
        "tea": "teas|茶",
        "coffee": "coffees|咖啡",
        "director": "directors|导演",
        "day": "day of the week|日子",
        "person": "人",
    }.items()
    for other in (thing, *others.split("|"))
}
