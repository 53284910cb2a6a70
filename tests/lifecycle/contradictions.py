"""Pairs of statements: true updates, and pairs that look alike and are both true.

A line is: first statement | its claims | second statement | its claims. A claim is ``attribute=value``, with "subject: " before it unless
it is the user's, "-" for a negative one, "~" for what ended, "!" for a correction, "?" for a mood, "#tag" behind the value, "@from..to" in
days for a period; several are separated by ";".
"""

from __future__ import annotations

ENGLISH_UPDATES = """
I live in Leeds.|residence=Leeds|I moved to York.|residence=York
I live in San Francisco.|residence=San Francisco|I've just moved to Denver.|residence=Denver
I'm based in London.|residence=London|I live in Lisbon now.|residence=Lisbon
We live in Ohio.|residence=Ohio|We relocated to Texas.|residence=Texas
I work at Acme.|employer=Acme|I work for Globex now.|employer=Globex
I work at Google.|employer=Google|I started a new job at Stripe.|employer=Stripe
I work for Oracle.|employer=Oracle|I no longer work for Oracle.|~employer=Oracle
I work at Lidl.|employer=Lidl|I quit my job at Lidl.|~employer=Lidl
I'm a nurse.|occupation=nurse|I'm a teacher now.|occupation=teacher
I work as a waiter.|occupation=waiter|I work as a chef now.|occupation=chef
I'm a student.|occupation=student|I'm no longer a student.|~occupation=student
I'm 29 years old.|age=29|I'm 30 years old.|age=30
I am thirty.|age=thirty|I am 31.|age=31
My name is Jon.|name=Jon|Sorry, my name is John.|!name=John
My birthday is May 4.|birthday=May 4|Sorry, my birthday is May 5, not May 4.|!birthday=May 5
My birthday is on March 3rd.|birthday=March 3rd|Actually, my birthday is on March 13th.|!birthday=March 13th
My favourite colour is blue.|favourite colour=blue|My favourite colour is red now.|favourite colour=red
My favorite movie is Alien.|favourite film=Alien|My favorite movie is Arrival.|favourite film=Arrival
My favourite player is Messi.|favourite player=Messi|My favourite player is Mbappé now.|favourite player=Mbappé
My favorite band is Muse.|favourite band=Muse|My new favorite band is Wilco.|favourite band=Wilco
I love Chinese food.|likes=Chinese food|I hate Chinese food.|-likes=Chinese food
I like coffee.|likes=coffee|I don't like coffee any more.|~likes=coffee
I love running.|likes=running|I can't stand running.|-likes=running
I hate olives.|-likes=olives|I love olives now.|likes=olives
I don't like jazz.|-likes=jazz|I like jazz now.|likes=jazz
I enjoy hiking.|likes=hiking|I no longer enjoy hiking.|~likes=hiking
I'm a big fan of Coldplay.|likes=Coldplay|I don't like Coldplay anymore.|~likes=Coldplay
I love horror films.|likes=horror films|I dislike horror films.|-likes=horror films
I can't stand mushrooms.|-likes=mushrooms|I like mushrooms now.|likes=mushrooms
I like spicy food.|likes=spicy food|I no longer like spicy food.|~likes=spicy food
I'm allergic to peanuts.|allergy=peanuts|I'm no longer allergic to peanuts.|~allergy=peanuts
I'm allergic to cats.|allergy=cats|I'm not allergic to cats.|-allergy=cats
I'm vegetarian.|diet=vegetarian|I'm no longer vegetarian.|~diet=vegetarian
I'm vegan.|diet=vegan|I'm not vegan anymore.|~diet=vegan
I don't eat meat.|-diet=meat|I eat meat now.|diet=meat
I don't drink alcohol.|-diet=alcohol|I drink alcohol now.|diet=alcohol
I have a cat.|pet=cat|I don't have a cat any more.|~pet=cat
I have a dog called Rex.|pet=Rex#dog|I no longer have a dog.|~pet=dog
I run every morning.|habit=run every morning|I no longer run every morning.|~habit=run every morning
I smoke.|habit=smoke|I no longer smoke.|~habit=smoke
I'm single.|marital status=single|I'm married now.|marital status=married
I'm married.|marital status=married|I'm divorced.|marital status=divorced
My wife's name is Anna.|partner=Anna#wife|Sorry, my wife's name is Hannah.|!partner=Hannah#wife
I have a girlfriend.|partner=girlfriend|I no longer have a girlfriend.|~partner=girlfriend
My brother lives in Rome.|user's brother: residence=Rome|My brother moved to Milan.|user's brother: residence=Milan
My friend Jack hates football.|Jack: -likes=football|Jack loves football now.|Jack: likes=football
My sister works at IBM.|user's sister: employer=IBM|My sister works for Dell now.|user's sister: employer=Dell
I study at Leeds University.|school=Leeds University|I study at York University now.|school=York University
My email is a@here.org.|email=a@here.org|My email is b@here.org now.|email=b@here.org
I get up at 6.|wake time=6|I get up at 8 now.|wake time=8
I go to bed at 10pm.|bedtime=10pm|I go to bed at midnight now.|bedtime=midnight
The report is due on May 20, 2026.|deadline=report@130..131|The report is due on May 27, 2026.|deadline=report@137..138
Please answer in English.|preferred language=English|Please answer in Spanish.|preferred language=Spanish
I own a Honda.|owns=Honda|I no longer own a Honda.|~owns=Honda
I play the piano.|skill=piano|I don't play the piano anymore.|~skill=piano
I am from Texas.|hometown=Texas|No, I'm from Kansas.|!hometown=Kansas
I'm allergic to shellfish.|allergy=shellfish|Sorry, I meant I'm allergic to nuts, not shellfish.|!allergy=nuts;!-allergy=shellfish
My daughter is called Mia.|child=Mia#daughter|No, my daughter is called Maya, not Mia.|!child=Maya#daughter;!-child=Mia
My favourite food is sushi.|favourite food=sushi|Actually, my favourite food is ramen.|!favourite food=ramen
My favourite season is winter.|favourite season=winter|These days my favourite season is spring.|favourite season=spring
"""

ENGLISH_COMPATIBLE = """
My favourite player is Messi.|favourite player=Messi|My brother's favourite player is Pelé.|user's brother: favourite player=Pelé
My favourite colour is blue.|favourite colour=blue|My favourite food is sushi.|favourite food=sushi
My favourite tea is Assam.|favourite tea=Assam|My favourite coffee is mocha.|favourite coffee=mocha
I like tea.|likes=tea|I like coffee.|likes=coffee
I like tea.|likes=tea|I don't like coffee.|-likes=coffee
I like tea.|likes=tea|I hate green tea.|-likes=green tea
I love dogs.|likes=dogs|I hate hot dogs.|-likes=hot dogs
I hate Mondays.|-likes=Mondays|I love Monday.com.|likes=Monday.com
I like peanuts.|likes=peanuts|I hate peanut butter.|-likes=peanut butter
I love swimming.|likes=swimming|I don't like swimming pools.|-likes=swimming pools
I like apples.|likes=apples|I dislike Apple computers.|-likes=Apple computers
I love football.|likes=football|My friend Jack hates football.|Jack: -likes=football
I hate olives.|-likes=olives|My wife loves olives.|user's wife: likes=olives
I live in York.|residence=York|I work in Leeds.|occupation=work in Leeds
I live in Rome.|residence=Rome|I was in Paris last week.|visited=Paris@-7..0
I live in Rome.|residence=Rome|I went to Tokyo in 2019.|visited=Tokyo@-2560..-2195
I live in Rome.|residence=Rome|I'm from Naples.|hometown=Naples
I live in Rome.|residence=Rome|My parents live in Naples.|user's parents: residence=Naples
I live in Rome.|residence=Rome|I'm moving to Berlin next year.|plan=moving to Berlin@360..725
I live in Rome.|residence=Rome|I love Berlin.|likes=Berlin
I work at Acme.|employer=Acme|My sister works at Globex.|user's sister: employer=Globex
I work at Acme.|employer=Acme|I'm an engineer.|occupation=engineer
I work at Acme.|employer=Acme|I worked at Globex from 2015 to 2018.|employer=Globex@-4000..-2560
I work at Acme.|employer=Acme|I like Globex.|likes=Globex
I work at Acme.|employer=Acme|I'm not a manager.|-occupation=manager
I'm a nurse.|occupation=nurse|I'm not a doctor.|-occupation=doctor
I'm a nurse.|occupation=nurse|My mother was a nurse.|user's mother: occupation=nurse
I'm a nurse.|occupation=nurse|I'm a runner.|likes=running
I have a cat.|pet=cat|I have a dog.|pet=dog
I have a dog called Rex.|pet=Rex#dog|I have a cat called Tom.|pet=Tom#cat
I have a dog called Rex.|pet=Rex#dog|I don't have a cat.|-pet=cat
I have a dog called Rex.|pet=Rex#dog|My neighbour's dog is called Max.|user's neighbour: pet=Max#dog
I have a son called Tim.|child=Tim#son|I have a daughter called Mia.|child=Mia#daughter
My brother is called Tim.|sibling=Tim#brother|My sister is called Mia.|sibling=Mia#sister
I'm allergic to nuts.|allergy=nuts|I like nut-free cake.|likes=nut-free cake
I'm allergic to nuts.|allergy=nuts|I'm allergic to shellfish.|allergy=shellfish
I'm allergic to cats.|allergy=cats|I love cats.|likes=cats
I'm allergic to peanuts.|allergy=peanuts|My son isn't allergic to peanuts.|user's son: -allergy=peanuts
I don't eat meat.|-diet=meat|I eat fish.|diet=fish
I'm vegetarian.|diet=vegetarian|My wife is not vegetarian.|user's wife: -diet=vegetarian
I don't drink alcohol.|-diet=alcohol|I drink tea.|diet=tea
I speak French.|language=French|I speak German.|language=German
I speak French.|language=French|I don't speak German.|-language=German
I speak French.|language=French|Please answer in English.|preferred language=English
I play the piano.|skill=piano|I play the guitar.|skill=guitar
I run every morning.|habit=run every morning|I swim every Sunday.|habit=swim every Sunday
I run every morning.|habit=run every morning|My husband runs every evening.|user's husband: habit=runs every evening
I own a Honda.|owns=Honda|I own a boat.|owns=boat
I'm married.|marital status=married|My brother is single.|user's brother: marital status=single
My wife is called Anna.|partner=Anna#wife|My friend's wife is called Beth.|user's friend: partner=Beth#wife
My birthday is May 5.|birthday=May 5|My wife's birthday is June 6.|user's wife: birthday=June 6
My birthday is May 5.|birthday=May 5|My exam is on May 6, 2026.|plan=exam@121..122
The report is due on May 20, 2026.|deadline=report@130..131|The slides are due on May 27, 2026.|deadline=slides@137..138
I want to run a marathon.|goal=run a marathon|I want to learn Spanish.|goal=learn Spanish
I climbed Kilimanjaro in 2019.|experience=climbed Kilimanjaro@-2560..-2195|I climbed Etna in 2021.|experience=climbed Etna@-1830..-1465
I went to Paris in 2019.|visited=Paris@-2560..-2195|I went to Paris in 2023.|visited=Paris@-1100..-735
I'm 30 years old.|age=30|My daughter is 3 years old.|user's daughter: age=3
My name is Anna.|name=Anna|My sister's name is Beth.|user's sister: name=Beth
Keep your answers short.|answer style=short answers|Don't use jargon.|-answer style=jargon
Don't call me after 9.|-constraint=call after 9|Don't email me on Sundays.|-constraint=email on Sundays
I like running.|likes=running|I hate running today.|?-likes=running
"""

CHINESE_UPDATES = """
我住在上海。|residence=上海|我搬到深圳了。|residence=深圳
我住在北京朝阳。|residence=北京朝阳|我现在住在杭州。|residence=杭州
我家在成都。|residence=成都|我上个月搬到重庆了。|residence=重庆
我住在臺北。|residence=臺北|我搬到高雄了。|residence=高雄
我在腾讯上班。|employer=腾讯|我现在在字节跳动上班。|employer=字节跳动
我在阿里工作。|employer=阿里|我已经不在阿里工作了。|~employer=阿里
我在百度上班。|employer=百度|我从百度离职了。|~employer=百度
我在谷歌工作。|employer=谷歌|我跳槽到微软了。|employer=微软
我是护士。|occupation=护士|我现在是老师。|occupation=老师
我是程序员。|occupation=程序员|我现在做产品经理。|occupation=产品经理
我是学生。|occupation=学生|我已经不是学生了。|~occupation=学生
我今年29岁。|age=29|我今年三十岁。|age=三十
我叫张珊。|name=张珊|我说错了，我叫张姗。|!name=张姗
我的生日是五月四号。|birthday=五月四号|不对，我的生日是五月五号。|!birthday=五月五号
我最喜欢的颜色是蓝色。|favourite colour=蓝色|我现在最喜欢的颜色是红色。|favourite colour=红色
我最喜欢的电影是《霸王别姬》。|favourite film=霸王别姬|我最喜欢的电影是《活着》。|favourite film=活着
我最喜欢的球员是梅西。|favourite player=梅西|我现在最喜欢的球员是姆巴佩。|favourite player=姆巴佩
我最喜欢的歌手是周杰伦。|favourite singer=周杰伦|我最喜欢的歌手是陈奕迅。|favourite singer=陈奕迅
我不喜欢周杰伦的歌。|-likes=周杰伦的歌|我喜欢周杰伦的歌。|likes=周杰伦的歌
我喜欢咖啡。|likes=咖啡|我不再喜欢咖啡了。|~likes=咖啡
我很喜欢跑步。|likes=跑步|我讨厌跑步。|-likes=跑步
我爱喝奶茶。|likes=奶茶|我不爱喝奶茶了。|~likes=奶茶
我讨厌榴莲。|-likes=榴莲|我现在喜欢榴莲了。|likes=榴莲
我喜歡爵士樂。|likes=爵士樂|我不喜欢爵士乐了。|~likes=爵士乐
我喜欢恐怖片。|likes=恐怖片|我现在受不了恐怖片。|-likes=恐怖片
我爱吃火锅。|likes=火锅|我不喜欢吃火锅了。|~likes=火锅
我不喜欢下雨天。|-likes=下雨天|我喜欢下雨天。|likes=下雨天
我对花生过敏。|allergy=花生|我对花生不过敏了。|~allergy=花生
我對海鮮過敏。|allergy=海鮮|我对海鲜不过敏。|-allergy=海鲜
我吃素。|diet=素食|我不吃素了。|~diet=素食
我不吃辣。|-diet=辣|我现在能吃辣了。|diet=辣
我不吃香菜。|-diet=香菜|我现在吃香菜了。|diet=香菜
我有一只猫。|pet=猫|我没有猫了。|~pet=猫
我养了一只狗叫豆豆。|pet=豆豆#狗|我已经不养狗了。|~pet=狗
我有一只猫叫咪咪。|pet=咪咪#猫|我没有宠物了。|~pet=宠物
我每天早上跑步。|habit=每天早上跑步|我不再每天早上跑步了。|~habit=每天早上跑步
我抽烟。|habit=抽烟|我戒烟了。|~habit=抽烟
我是单身。|marital status=单身|我结婚了。|marital status=结婚
我结婚了。|marital status=结婚|我离婚了。|marital status=离婚
我女朋友叫小丽。|partner=小丽#女朋友|我和女朋友分手了。|~partner=女朋友
我老婆叫李梅。|partner=李梅#妻子|不对，我老婆叫李玫。|!partner=李玫#妻子
我弟弟住在南京。|用户的弟弟: residence=南京|我弟弟搬到苏州了。|用户的弟弟: residence=苏州
我朋友小杰不喜欢足球。|小杰: -likes=足球|小杰现在喜欢足球了。|小杰: likes=足球
我姐姐在华为上班。|用户的姐姐: employer=华为|我姐姐现在在小米上班。|用户的姐姐: employer=小米
我在复旦大学读书。|school=复旦大学|我现在在浙江大学读书。|school=浙江大学
我的邮箱是a@here.org。|email=a@here.org|我的邮箱改成b@here.org了。|email=b@here.org
我每天六点起床。|wake time=六点|我现在每天八点起床。|wake time=八点
我晚上十点睡觉。|bedtime=晚上十点|我现在晚上十二点睡觉。|bedtime=晚上十二点
报告2026年5月20日交。|deadline=报告@130..131|报告2026年5月27日交。|deadline=报告@137..138
以后用英文回答我。|preferred language=英文|以后用中文回答我。|preferred language=中文
我有一辆本田。|owns=本田|我的本田卖了。|~owns=本田
我会弹钢琴。|skill=弹钢琴|我已经不会弹钢琴了。|~skill=弹钢琴
我老家在湖南。|hometown=湖南|说错了，我老家在湖北。|!hometown=湖北
我对芒果过敏。|allergy=芒果|我说错了，我不是对芒果过敏，是对菠萝过敏。|!-allergy=芒果;!allergy=菠萝
我女儿叫小雨。|child=小雨#女儿|不对，我女儿叫小宇，不叫小雨。|!child=小宇#女儿;!-child=小雨
我最喜欢的菜是宫保鸡丁。|favourite food=宫保鸡丁|其实我最喜欢的菜是鱼香肉丝。|!favourite food=鱼香肉丝
我最喜欢的季节是冬天。|favourite season=冬天|我现在最喜欢的季节是春天。|favourite season=春天
我是上海人。|hometown=上海|其实我是苏州人。|!hometown=苏州
我想学法语。|goal=学法语|我不想学法语了。|~goal=学法语
我喜欢打篮球。|likes=打篮球|我早就不喜欢打篮球了。|~likes=打篮球
"""

CHINESE_COMPATIBLE = """
我最喜欢的球员是梅西。|favourite player=梅西|我弟弟最喜欢的球员是C罗。|用户的弟弟: favourite player=C罗
我最喜欢的颜色是蓝色。|favourite colour=蓝色|我最喜欢的菜是宫保鸡丁。|favourite food=宫保鸡丁
我喜欢茶。|likes=茶|我喜欢咖啡。|likes=咖啡
我喜欢茶。|likes=茶|我不喜欢咖啡。|-likes=咖啡
我喜欢红茶。|likes=红茶|我讨厌绿茶。|-likes=绿茶
我喜欢狗。|likes=狗|我不喜欢热狗。|-likes=热狗
我喜欢苹果。|likes=苹果|我讨厌苹果派。|-likes=苹果派
我讨厌周一。|-likes=周一|我喜欢周一早上的咖啡。|likes=周一早上的咖啡
我喜欢花生。|likes=花生|我讨厌花生酱。|-likes=花生酱
我喜欢足球。|likes=足球|我朋友小杰不喜欢足球。|小杰: -likes=足球
我讨厌榴莲。|-likes=榴莲|我老婆喜欢榴莲。|用户的妻子: likes=榴莲
小红爱喝茶。|小红: likes=茶|小明不喜欢喝茶。|小明: -likes=茶
我住在上海。|residence=上海|我在苏州上班。|note=在苏州上班
我住在上海。|residence=上海|我上周去了北京。|visited=北京@-7..0
我住在上海。|residence=上海|我去年去过冰岛。|visited=冰岛@-370..-5
我住在上海。|residence=上海|我老家在湖南。|hometown=湖南
我住在上海。|residence=上海|我父母住在湖南。|用户的父母: residence=湖南
我住在上海。|residence=上海|我明年打算搬去成都。|plan=搬去成都@360..725
我住在上海。|residence=上海|我喜欢成都。|likes=成都
我住在南京。|residence=南京|我的朋友小李住在北京。|小李: residence=北京
我在腾讯上班。|employer=腾讯|我姐姐在百度上班。|用户的姐姐: employer=百度
我在腾讯上班。|employer=腾讯|我是程序员。|occupation=程序员
我在腾讯上班。|employer=腾讯|我2015年到2018年在百度工作。|employer=百度@-4000..-2560
我在腾讯上班。|employer=腾讯|我喜欢百度。|likes=百度
我是护士。|occupation=护士|我不是医生。|-occupation=医生
我是护士。|occupation=护士|我妈妈是老师。|用户的妈妈: occupation=老师
我有一只猫。|pet=猫|我有一只狗。|pet=狗
我有一只狗叫豆豆。|pet=豆豆#狗|我有一只猫叫咪咪。|pet=咪咪#猫
我有一只狗叫豆豆。|pet=豆豆#狗|我没有猫。|-pet=猫
我有一个儿子叫小天。|child=小天#儿子|我有一个女儿叫小雨。|child=小雨#女儿
我哥哥叫张强。|sibling=张强#哥哥|我妹妹叫张丽。|sibling=张丽#妹妹
我对花生过敏。|allergy=花生|我喜欢不含花生的蛋糕。|likes=不含花生的蛋糕
我对花生过敏。|allergy=花生|我对海鲜过敏。|allergy=海鲜
我对猫过敏。|allergy=猫|我很喜欢猫。|likes=猫
我对花生过敏。|allergy=花生|我儿子对花生不过敏。|用户的儿子: -allergy=花生
我不吃辣。|-diet=辣|我不吃香菜。|-diet=香菜
我不吃辣。|-diet=辣|我老公能吃辣。|用户的丈夫: diet=辣
我吃素。|diet=素食|我老婆不吃素。|用户的妻子: -diet=素食
我不喝酒。|-diet=酒|我喜欢喝茶。|likes=茶
我会说法语。|language=法语|我会说德语。|language=德语
我会说法语。|language=法语|我不会说德语。|-language=德语
我会说法语。|language=法语|以后用中文回答我。|preferred language=中文
我会弹钢琴。|skill=弹钢琴|我会弹吉他。|skill=弹吉他
我每天早上跑步。|habit=每天早上跑步|我每周日游泳。|habit=每周日游泳
我每天早上跑步。|habit=每天早上跑步|我老公每天晚上跑步。|用户的丈夫: habit=每天晚上跑步
我有一辆本田。|owns=本田|我有一辆摩托车。|owns=摩托车
我结婚了。|marital status=结婚|我弟弟还是单身。|用户的弟弟: marital status=单身
我老婆叫李梅。|partner=李梅#妻子|我朋友的老婆叫王芳。|用户的朋友: partner=王芳#妻子
我的生日是五月五号。|birthday=五月五号|我老婆的生日是六月六号。|用户的妻子: birthday=六月六号
我的生日是五月五号。|birthday=五月五号|我2026年5月6日考试。|plan=考试@121..122
报告2026年5月20日交。|deadline=报告@130..131|幻灯片2026年5月27日交。|deadline=幻灯片@137..138
我想学法语。|goal=学法语|我想跑马拉松。|goal=跑马拉松
我2019年爬过泰山。|experience=爬泰山@-2560..-2195|我2021年爬过黄山。|experience=爬黄山@-1830..-1465
我2019年去过巴黎。|visited=巴黎@-2560..-2195|我2023年去过巴黎。|visited=巴黎@-1100..-735
我今年三十岁。|age=三十|我女儿今年三岁。|用户的女儿: age=三岁
我叫张强。|name=张强|我弟弟叫张勇。|用户的弟弟: name=张勇
回答简短一点。|answer style=简短|以后不要用专业术语。|-answer style=专业术语
别在晚上九点后给我打电话。|-constraint=晚上九点后打电话|周日不要给我发邮件。|-constraint=周日发邮件
我喜欢跑步。|likes=跑步|今天我好讨厌跑步。|?-likes=跑步
我最喜欢的城市是南京。|favourite city=南京|我最喜欢的大学是南京大学。|favourite 大学=南京大学
"""
