"""What can be answered by whoever has no memory: work on the text at hand, sums, code, knowledge of the world, something made up.

Everything is looked for in the plain form of a text (``plain.plain``).
"""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.retrieval.needs import named

#: What comes after the order is the text that it is about.
_BODY = late_pattern(r"[:：\n\"“「『]")
_LANGUAGES = (
    "english|french|german|spanish|italian|chinese|japanese|korean|russian|portuguese|arabic|hindi|latin|mandarin|cantonese|greek"
    "|turkish|dutch|polish|swedish|thai|vietnamese"
)
_THAT = (
    "(?:it|(?:this|that)(?! (?:last )?(?:week|weekend|month|quarter|year|morning|afternoon|evening|day|project|meeting|trip)s?)|these"
    "|those|them"
    "|the (?:above|below|following|text|paragraph|sentence|article|essay|email|message|answer|code|list|table|story|poem|last|first"
    "|second|third|previous|whole|typos?|grammar|tone|title|intro(?:duction)?|ending|opening|conclusion|bullets?|wording|headings?"
    r"|lines?|sentences?|words?|points?)\b)"
)
#: 这 and 那, but for times and what is somebody's own.
_THIS_CHINESE = "[这那](?!周|天|年|次|阵|几|段时间|些天|个?(?:月|星期|礼拜|季度|学期|项目|会|周末))"
_WORK = (
    "translate|shorten|rewrite|rephrase|reword|paraphrase|proofread|polish|summari[sz]e|condense|expand|elaborate|simplify|format"
    "|reformat|correct|fix|edit|improve|extend|continue|repeat|say|put|turn|make|cut|trim|remove|delete|drop|add|replace|convert"
    "|change|use|explain|clarify|revise|keep|split|merge|number|sort|write|highlight|bold|capitali[sz]e|quote|read"
    "|(?:double[- ]?)?check|verify|review|list|count|compare|move|start|end|rank|group|describe|break"
)
#: An order on what stands before both: verb and "it", or a way in which it shall be.
AT_HAND = late_pattern(
    r"^\W*(?:and |now |then |ok |but |please |just "
    rf"|(?:can|could|would|will) (?:you|u) (?:please )?)*(?:(?:{_WORK})(?: (?:out|up|down|on|me|us))*\W+(?:all (?:of )?)?{_THAT}"
    r"|(?:translate|say it|rewrite|write it|again|now)\b.{0,12}\b(?:in|in ?to|to)\W+(?:plain |simple |simplified "
    rf"|traditional )?(?:{_LANGUAGES})|(?:in|into) (?:{_LANGUAGES})\W*$"
    "|(?:translate|proofread|rephrase|reword|paraphrase|summari[sz]e|shorten|continue|go on|keep going|carry on|elaborate|next|stop"
    r"|repeat|retry|redo|undo|regenerate)\W*$|(?:expand|elaborate) on (?:the|that|this|point)"
    r"|use (?:simpler|shorter|fewer|more|less|easier|plainer|bigger|other|different)\b|try (?:it )?(?:again|once more|harder)"
    "|(?:a (?:bit|little) )?(?:too )?(?:short|long|formal|simpl|detail|concis|brief|casual|polite|friendl|funn|clear|specific"
    r"|technical)(?:er|ed|e|ly|y|ier|e?r)?(?: (?:please|version))?\W*(?:$|, )"
    "|(?:(?:give|show|tell) me )?(?:(?:one|some|a few|any|two|three) )?(?:more|another"
    r"|other)(?: (?:one|ones|details?|examples?|options?|ideas?|time|versions?|info|information))?\W*$"
    "|(?:can|could) you (?:explain|elaborate|clarify|repeat|rephrase|expand|continue|shorten"
    r"|simplify)(?: (?:that|it|this))?(?: (?:again|please|further|more))*\W*$|make (?:it|that|this)\b"
    r"|(?:a )?(?:more|less) [a-z]+(?: (?:tone|style|version|wording|words?|language))?(?: please)?\W*$"
    r"|(?:give (?:me|us) )?the same\b.{0,12}\b(?:in|as|with|for)\b"
    r"|(?:such as|like what|for example|e\.?g\.?|meaning|how so|how come|why(?: not| is that| that)?|really|what|huh|so what|and)\W*$"
    r"|what (?:do|did) (?:you|that) mean\b.{0,12}$|what does (?:that|this|it) mean\b.{0,12}$"
    r"|(?:i )?(?:don't|do not|dont|didn't) (?:understand|get)(?: (?:it|that|this))?\W*$"
    "|(?:and |what about |what was |which (?:is|was) )*(?:the|your) (?:first|second|third|fourth|last|next|previous"
    r"|other)(?: (?:one|point|option|item|step|sentence|part|example|paragraph))?(?: again)?\W*$"
    r"|(?:rewrite|rephrase|reword|paraphrase|proofread|shorten|condense|reformat|simplify)\b(?! (?:the|my|our)\b)"
    r"|is (?:that|this|it) (?:correct|right|true|ok(?:ay)?|enough|possible|clear|all)\W*$"
    r"|what(?:'s| is) another (?:word|term|name|way)\b|which (?:one|of (?:them|these|those))\W*$"
    r"|what(?:'s| is| would be) (?:it|this|that) (?:in|called)\b"
    r"|(?:continue|carry on|go on|proceed) (?:with|to|from) (?:the )?(?:step|part|point|section|chapter|next|number)\b"
    r"|(?:\d+|one|two|three|four|five|ten) (?:words?|sentences?|lines?|paragraphs?)(?: max(?:imum)?| at most| please| only)?\W*$"
    "|(?:(?:as|in|with|use|using) )?(?:an? )?(?:bullet points?|table|numbered list|list|markdown|json|csv|plain text"
    r"|caps)(?: (?:form|format))?\W*$"
    r"|(?:give|show|send|write|make|draft)(?: me| us)? an? (?:\w+er|more \w+|less \w+|\w+) (?:version|summary|wording|draft"
    r"|translation|rewrite|variant)\b|(?:are )?you sure\b.{0,14}$|(?:in )?(?:the )?(?:first|second|third) person\b"
    r"|(?:in )?(?:the )?(?:past|present|future|passive|active) (?:tense|voice)\b"
    r"|(?:is there )?(?:a|any) (?:\w+er|more \w+|better|other|different) (?:way|word|version|term|phrase)\b.{0,20}$"
    r"|(?:in )?(?:under|at most|about|around|exactly|only|max|less than) \d+ (?:words?|sentences?|lines?|characters?|paragraphs?)\b"
    "|(?:i (?:don't|do not|dont|didn't) (?:understand|get)|add|drop|remove|change|fix|shorten|write|check|improve|what about|number"
    r"|bold|list|swap|move|start|end)\b(?: (?:a|an|the|your|some|more|with|by|at|out|each|every|all))* (?:\w+ )?(?:titles?|headings?"
    "|headlines?|paragraphs?|sentences?|points?|words?|lines?|bullets?|emojis?|comments?|examples?|introduction|intro|conclusion"
    "|ending|opening|captions?|punctuation|commas?|tone|wording|grammar|typos?|tables?|columns?|rows?|steps?|citations?|verbs?"
    r"|adjectives?)\W*$)"
)
AT_HAND_CHINESE = late_pattern(
    r"^\W*(?:那|请|再|麻烦|帮我|帮忙|给我|你|现在|接着|然后|就|能不能|能|可以|也"
    rf"|都)*(?:(?:把|将)(?:{_THIS_CHINESE}|它|上面|上述|以上|下面|以下|刚才|最后|第[一二三四五六七八九十\d]+|全文|整个|标题|原文|语气"
    f"|前面)|(?:翻译|译|翻)(?:成|为|到|一下|{_THIS_CHINESE}|下面|以下|:|$)"
    r"|(?:translate|polish|rewrite|summari[sz]e|shorten|proofread|check)\s*(?:成|一下|这|:|$)"
    "|(?:总结|概括|概述|归纳|提炼|缩写|扩写|续写|改写|重写|润色|校对|修改|简化|精简|解释|复述|整理|翻译|改)(?:一?下"
    f"|下)?(?:{_THIS_CHINESE}|上面|上述|以上|下面|以下|它|全文|刚才|成|得|为|病句|语法|错别字|:|$)"
    "|换(?:一)?(?:个|种|成|为).{0,3}(?:说法|写法|讲法|角度|词|语气|风格|方式|话题|例子|标题|格式|思路|人称|繁体?|简体?|英文|中文"
    r"|日文|[语文]|表格|列表|tone|style|word)|改(?:成|得|为|短|长|写)|用(?:一|两|三|几|[\d])+(?:句|段|个)?话"
    r"|用.{1,6}(?:概括|总结|重写|改写|再说)|(?:继续|接着)(?:写|说|讲|往下)?(?:吧|啊)?\W*$"
    "|再?(?:说|讲|来|写|读|念|试|解释|重复)(?:一|两)?(?:遍|次)"
    r"|(?:再|重新)(?:说|讲|来|写|给|试|出)(?:一|两|几)?(?:个|段|条|点|些|下)?\W*$|再?举(?:一|两|几)?个?例"
    r"|(?:再|更|稍微?|太|有点|不够)?\s*(?:短|长|活泼|生动|温和|严肃|专业|幽默|正式|简单|详细|简洁|具体|口语|通俗|礼貌|委婉|啰嗦|复杂"
    r"|short|long|formal|simple)(?:一?点|些|化|了)?\s*(?:点|的|儿)?(?:\W|$)"
    "|(?:用|以|按)(?:表格|列表|要点|条目|清单|图表|分点|markdown|json)|分(?:点|段|条|行|步骤)(?:列|写|说|讲|描述)?"
    r"|(?:再|你|重新|仔细|好好)*(?:检查|核对|确认|验证|审核)(?:一?下|一遍)?\W*$"
    "|(?:检查|看看?|改)(?:一?下)?(?:语法|错别字|拼写|标点|病句)"
    f"|.{{0,8}}(?:总结|概括|翻译|解释|分析|评价|修改|润色|缩写)(?:一?下)?(?:{_THIS_CHINESE}|以下|上面)"
    r"|(?:这样|这么写|这)?(?:对|行|可以|通顺)(?:吗|么|不)\W*$|对不对\W*$|继续第|用.{1,3}[语文](?:写|说|讲|回答|表达)"
    r"|转(?:换)?(?:成|为)|(?:要|换)?另一?个\W*$"
    r"|(?:最多|不超过|限)?[一二两三四五六七八九十百\d]+(?:句话?|个?字|段)(?:以内|之内|左右)?\W*$|重(?:写|做|来|新)\W*$"
    r"|.{1,4}(?:一点|点儿|一些)\W*$|说人话|说(?:得|的)?.{1,4}一?点\W*$"
    r"|(?:展开|详细|具体)(?:地)?(?:说|讲|点|一|下|些|解释|写|谈)*(?:第.{1,4}|这.{0,3}|上面|刚才|\W)*$|删(?:掉|除|去|减)|去掉|加上"
    "|补充|(?:加|换|改|写|起|取|来)(?:一)?个?(?:小?标题|题目|开头|结尾|例子|表情|注释|总结|段落|结论|引言)"
    "|(?:压缩|缩短|扩展|扩写|精简|控制|限制)(?:到|在|成|为)|(?:写|说|讲|改|翻译?|弄|整)得"
    r"|第[一二三四五六七八九十\d]+(?:点|条|句|段|步).{0,8}$|(?:这|那)(?:句|段)话?|你?确定\W{0,2}(?:吗|么)?\W*$"
    "|(?:有没有|有)?(?:更|别的|其他).{0,4}(?:说法|写法|表达|方式)|用?第[一二三]人称|(?:语气|口吻|措辞|用词|结尾|开头|标题)"
    r"|(?:英文|英语|中文|日语|法语)(?:是|该|要)?怎么[说写读]|然后呢|还有呢|比如呢?|例如|为(?:什么|啥|何)(?:呢|啊)?\W*$"
    r"|真的(?:吗|假的)?\W*$|(?:这|那)?(?:是)?(?:什么|啥)意思\W*$|(?:没|不)(?:看|听|太)?(?:懂|明白)"
    r"|(?:第[一二三四五六七八九十\d]+|最后|下一?|上一?|前|后|另)一?(?:个|点|条|句|段|步|种)(?:呢|是(?:什么|啥))?\W*$|哪(?:一)?个\W*$"
    r"|怎么说\W*$|重新(?:写|来|生成))"
)
#: Said a moment ago, in this very conversation.
JUST_NOW = late_pattern(
    r"\b(?:i|you|we) just (?:said|say|told|asked|wrote|mentioned|sent|gave)\b|\bdid (?:i|you|we) just (?:say|tell|ask|write|mention)\b"
    r"|\b(?:your|my) (?:last|previous) (?:message|answer|reply|sentence|question)\b|刚刚?才?(?:说|问|讲|提|写|发|聊|告诉)|刚才"
)

_UNIT = (
    "(?:miles?|feet|foot|inch(?:es)?|yards?|meters?|metres?|kilomet(?:er|re)s?|km|cm|mm|seconds?|minutes?|hours?|days?|weeks?|grams?"
    "|kilos?|kg|pounds?|lbs?|ounces?|lit(?:er|re)s?|gallons?|cups?|ml|milliliters?|millilitres?|teaspoons?|tablespoons?|celsius"
    "|fahrenheit|degrees?|bytes?|bits?|megabytes?|gigabytes?|dollars?|euros?|usd|eur|yuan|rmb|acres?)"
)
_UNIT_CHINESE = (
    "(?:秒|分钟|小时|天|英里|公里|千米|英尺|英寸|厘米|毫米|平方米|公顷|亩|公斤|千克|克|磅|盎司|升|毫升|杯|勺|加仑|摄氏度|华氏度|美元"
    "|欧元|人民币|日元|英镑|元|斤)"
)
SUM = late_pattern(
    r"^[\d\s().,+*/^×÷=%-]*\d\s*[-+*/^×÷=%][\d\s().,+*/^×÷=%-]*[?？]?$"
    r"|\d\s*(?:[+*^×÷=<>]| [-/] |plus|minus|times|divided by|multiplied by|mod|乘以?|除以?|加上?|减去?|的\d+次方)\s*\(?[\dx一-九]"
    r"|\d\s*% of \d|\d\s*%.{0,12}多少|\bsqrt\b|\b(?:square|cube) root\b|\bsolve\b.*=|解(?:一下)?(?:这个)?方程|鸡兔同笼"
    r"|等于(?:多少|几)|百分之.{1,8}(?:多少|几)|\b(?:half|a third|a quarter|double|twice|square|cube|percent) (?:of )?\d"
    r"|\d+ to the power|\b(?:factorial|prime number|as a (?:decimal|fraction|percentage)|logarithm|derivative|integral|divisible)\b"
    r"|\b\d+ (?:squared|cubed)\b|\b(?:average|mean|sum|product|median) of \d|(?:闰年|一年|一周|一个月|一小时|一天|一世纪)有多少"
    r"|\d的(?:平方|立方)|\d.{0,6}(?:平均|总和|乘积)|平方根|立方根|圆周率|[质素]数|阶乘|小数|分数形式|导数|积分(?!兑)|因数|公倍数"
    rf"|\bhow many {_UNIT} (?:are |is |in )|\bconvert\b.*\d|\d.*\b(?:km/h|mph)\b|\b\d[\d.,]* ?{_UNIT} (?:in|to|into) {_UNIT}\b"
    rf"|一{_UNIT_CHINESE}(?:等于|是|有)多少|(?:\d|一){_UNIT_CHINESE}.{{0,6}}(?:是|有|等于)多少{_UNIT_CHINESE}"
)
CODE = late_pattern(
    r"`|\b\w+(?:error|exception)\b|\berror:|\b(?:def|const|var|void) \w+|\w\(\w*\)|[{}]|=>|==|!=|\(\)|\^\\|\\d"
    r"|\b(?:select .* from|npm|pip install|for \w+ in range)\b"
    r"|\b(?:python|java(?:script)?|typescript|rust|golang|ruby|php|c\+\+|c#|sql|html|css|json|yaml|xml|regex|bash|git(?:hub)?|docker"
    r"|kubernetes|linux|numpy|pandas|dataframes?|react (?:hooks?|components?)|django|flask|node(?:\.js)?|http|tcp|udp|dns|div|flexbox"
    "|async|closure|recursion|algorithm|complexity|quicksort|mergesort|binary search|unit tests?|null pointer|segfault|localhost"
    "|function|compiler|arrays?|hash ?map|(?:for|while|infinite|this) loop|rebase|git commit|last commit|merge conflict|palindrome"
    r"|quicksort|useeffect|usestate)\b|正则|冒泡|排序|单例|闭包|报错|编译|函数|算法|数组|字符串|变量|接口|数据库|去重|递归|线程|进程"
    "|指针|爬虫|前端|后端|代码|脚本|程序",
    re.ASCII,
)
#: Lines of a program, or what one says when it fails.
_PROGRAM = late_pattern(
    r"```|traceback \(most"
    r"|^\s*(?:def|class|import|from|function|const|let|var|public|private|#include|select|insert|create table)\b.*[:;({*]\s*$"
    r"|^\s*[\w.]+\(.*\);?\s*$|;\s*$\s*^.*;\s*$|^\s*\w+(?:error|exception): ",
    re.MULTILINE,
)
_ASKS_OR_ORDERS = late_pattern(
    "[?？]"
    r"|^\W*(?:what|how|why|which|is|are|does|do|can|could|should|explain|write|fix|debug|implement|show|optimi[sz]e|convert|refactor"
    r"|create|generate|give|tell|difference|make|build|add|code|help|compare|define)\b|什么|怎么|如何|怎样|为何|为什么|区别|干嘛"
    r"|干什么|\b(?:of|vs|versus)\b|吗|写|实现|解释|改|优化|调试|regex for|报错|生成|用"
)
_WORLD_WORDS = (
    "capital|population|president|prime minister|emperor|empire|dynasty|century|war|revolution|treaty|continents?|countr(?:y|ies)"
    "|ocean|planets?|moon|earth|solar system|galaxy|universe|stars?|mountain|river|desert|volcano(?:es)?|species|dinosaurs?|evolution"
    "|atoms?|molecules?|electrons?|gravity|relativity|quantum|entropy|thermodynamics|photosynthesis|dna|cells?|bacteria|virus(?:es)?"
    "|vaccines?|boiling point|melting point|speed of light|symptoms?|inflation|economics|philosophy|theorem|equation|plural|synonyms?"
    "|antonyms?|etymology|pronounced?|meaning|definition|formula|currency|language|flag|religion|anthem|human body|periodic table|sky"
    "|rainbow|lightning|thunder|fruit or|vegetable"
)
_WORLD_CHINESE = (
    "首都|首府|人口|面积|总统|首相|皇帝|朝代|世纪|战争|二战|一战|革命|帝国|大洲|大洋|行星|月球|地球|太阳系?|银河|宇宙|恒星|恐龙|进化"
    "|原子|分子|电子|引力|相对论|量子|光合作用|基因|细胞|细菌|病毒|疫苗|沸点|熔点|光速|症状|通货膨胀|定理|公式|定义|原理|成语|近义词"
    "|反义词|拼音|笔画|部首|意思|区别|差别|历史|天空|彩虹|打雷|闪电|世界上|全世界|唐朝|宋朝|明朝|清朝|汉朝|秦朝|货币|语言|国旗|国歌"
    "|宗教|人体|人类|沸腾|结冰|融化|金属|元素|长城|故宫|长江|黄河|影响|作用|寿命|密度|成分|功效|营养|典故|诗人|作家|科学家|哺乳|海水"
    "|气候|经济学|哲学|心理学|三国|红楼梦|西游记|水浒|论语|唐诗|宋词|水果|蔬菜|black hole|gdp|machine learning|黑洞"
)
WORLD = late_pattern(rf"\b(?:{_WORLD_WORDS})\b|{_WORLD_CHINESE}", re.ASCII)
#: Forms in which people ask how the world is, not how theirs is: bare plurals, "a", definitions.
GENERAL = late_pattern(
    r"^\W*(?:explain|define|describe|what (?:is|are) an?\b"
    r"|what(?:'s| is) the (?:difference|meaning|definition|plural|opposite|origin)\b|difference between|(?:is|are) an? \w+"
    "|what does .{1,30} (?:mean|stand for)"
    r"|how (?:do|can|should|would|could) (?:you|i|people|one) (?!know|feel|think|like|look|take|get|travel|usually)\w+|how to \w+"
    "|(?:how|why|when|where|how long|how often|how fast|how much) (?:do|are|can) (?!you|we|i|they|the|those|these|my|our"
    r"|all)(?:[a-z]+s|people|humans|men|women|children|fish|sheep)\b"
    "|how (?:do|does) (?!the|this|it|he|she|they|we|i|you|my|that)[a-z][a-z -]{1,30} work"
    "|what (?:is|are) (?!the|that|this|these|those|it|my|your|our|his|her|their|on|up|new|next|left|planned|going|happening|in|for"
    r"|due|wrong|there|coming)[a-z]+(?: [a-z]+)?\W*$|what(?:'s| is| are| was| were) the (?:\w+ )?(?:\w+est|most \w+)\b"
    r"|which \w+ (?:is|are|has|have) the (?:\w+est|most)\b|how (?:far|hot|deep|heavy) (?:is|are) the\b|what happens (?:if|when)"
    r"|(?:(?:how|what|why|when|where) (?:\w+ ){0,2})?(?:do|does|can|should|is) an? [a-z]+"
    "|(?:where|how|why|when) (?:do|does) [a-z]+ (?:come from|work|form|happen|grow|fly|float|burn|freeze|melt|boil|rust|spread"
    r"|hibernate|migrate)|is [a-z]+ (?:wet|dry|poisonous|toxic|edible|a \w+|an \w+)"
    "|how (?:is|are) [a-z]+ (?:made|produced|formed|spelled|spelt|pronounced|used|built|measured|calculated|grown|mined)"
    r"|what (?!is|was|does|has|about|s\b)[a-z]+s (?!the|this|that|my|your|it|is|are|do|did|we|i|you)[a-z]+\b(?!.*\bthe\b)"
    r"|are [a-z]+s [a-z]+s|(?:do|can) (?!the|these|those)[a-z]+s (?!come|arrive|know|need|have)[a-z]+\b(?!.*\bthe\b)"
    r"|what(?:'s|s) an?\b|(?:what|which|in what) year did the [a-z]"
    r"|give me (?:an overview|a summary|a definition|\w+ (?:synonyms?|facts|examples))|pros and cons of|history of"
    "|who (?:was|were|is|are) the (?:first|last|inventor|author|founder|president|king|queen|ceo))"
    r"|^\W*(?:什么(?:是|叫)|何为|何谓|解释|介绍一?下?|讲解|科普|说明一下|如何|怎么|怎样)(?!样|说|看|办|回|了|去|到|联系|找|还|又|这|那"
    "|没|不)|(?:什么|啥)意思|[语文]的?.{1,8}怎么(?:说|写|读|念)"
    "|最(?:大|小|高|长|深|快|重|多|古老|冷|热|远)的.{1,6}(?:是|在|叫)(?:哪|什么|谁)|有(?:什么|何|啥)(?:区别|不同|差别)"
    "|的(?:区别|原理|定义|含义)|(?:是|由|被)?谁(?:写|发明|发现|画|创作|提出|建立|作曲|导演|主演)"
    "|(?:一般|通常)(?:能|要|会|可以|有|是|来说)?.{0,6}(?:多|几|什么|怎么)"
    "|是?怎么(?:做的|做成|起作用|形成|产生|运作|工作|来|做成|区分|计算|反转|去重|撤销|合并|实现|用)|为(?:什么|啥|何)(?:会|是|能)"
    "|(?:有|包括)哪些(?:种类|类型|症状|特点|好处|坏处|用途|优点|缺点|成分|品种|国家|行星|朝代)"
    r"|^[^我你他她这那哪的]{2,6}是(?:什么|啥)(?:东西|意思)?\W*$"
)
#: "The value of pi", "what effect does caffeine have": of a thing without "the", which nobody need know.
_OF_A_THING = late_pattern(
    r"^\W*(?:(?:what|which)(?:'s| is| are| was| were) )?(?:the )?(?:\w+ )?(?!name|title|status|date|color|colour|price|cost)\w+ (?:of"
    r"|from) (?:an? )?(?!the|my|our|this|that|these|his|her|their|it|you|us|me|all|today|tomorrow)[a-z]+(?: [a-z]+)?\W*$"
    r"|^\W*(?:what|which|how much) (?:\w+ )?(?:effects?|impact|influence|role|benefits?|vitamins?|ingredients?|kinds?|types?) (?:do"
    r"|does|are|of|is)\b|^\W*when (?:was|were) (?:the |an? )?[a-z ]{3,30} (?:invented|discovered|founded|built|made|introduced)\b"
    r"|^[^这那你他她]{1,10}有多(?:长|高|重|深|远|快|大)\W*$|对(?:人体?|身体|健康|环境|皮肤)有(?:什么|何|啥)"
)
#: "How long is the Great Wall?"
_KNOWN_WORK = late_pattern(
    r"\b(?:how \w+|where|what|who) (?:is|are|was|were|built|made|wrote) the [A-Z]|^\W*[Ww]hen (?:did|was) the [A-Z]\w+ [A-Z]"
    r"|\b(?:how \w+|where) (?:is|are) (?:[A-Z]\w+ )*(?:Mount|Lake|River|Island|Sea|Ocean|Tower|Castle|Bridge|Desert|Canal|Falls)\b"
    r"|^\W*[Ww](?:hat|hich) year did the [A-Z]"
)
_GEOGRAPHY = late_pattern(
    r"\b(?:Mount|Lake|River|Island|Islands|Sea|Ocean|Tower|Wall|Castle|Museum|Bridge|Desert|Bay|Cape|Peninsula|Canal|Falls|Valley"
    r"|Mountains|Strait)\b"
)
_PLACES = late_pattern(
    r"^\W*where (?:is|are) (?:the )?(?:mount|lake|river|island)\b"
    r"|[\u4e00-\u9fff]{1,6}(?:山|河|湖|海|岛|江|洋|洲|峰|沙漠|高原|群岛|海峡)(?:在哪|位于|有多|属于)"
)
WHO_MADE = late_pattern(
    r"^\W*who (?:first )?(?:wrote|painted|invented|discovered|composed|founded|directed|designed|built|created|sang|proved)\b"
    r"|^\W*who (?:is|was|were|are) the (?:first (?:person|man|woman|human)|inventor|author|founder of|president|king|queen"
    r"|prime minister)\b|^谁(?:发明|发现|写|画|创作|提出|建立)"
)
_LONG_LATIN, _LONG_HAN = 90, 28
#: Where a name in a question about the world stands: "the capital of Peru", "in Africa"; any other may be somebody the speaker knows.
_WORLD_NAME = late_pattern(r"\b(?:of|in|on|the|between|and|than|around|across)\W+$")
#: Asks how far one's own work has come.
_DONE = late_pattern(
    r"[了完好](?:吗|没|没有|么)?\W*$|\b(?:done|finished|ready|merged|deployed|released) ?(?:yet|now)?\W*$|^\W*(?:where|when|who)\b"
)
#: Somebody who was spoken of before, or a thing that is pointed at.
_SOMEBODY = late_pattern(r"\b(?:he|she|him|her|his|hers|they|them|their|theirs|that|those)\b|[他她]|[这那](?!么)")
_OWN_TIME = late_pattern(r"了(?:吗|没|没有|么)?\W*$|\b(?:did|was|were)\b.*\b(?:the|this|that)\b")
_HAPPENED = late_pattern(
    r"^\W*(?:what happened|who (?:was|won|became)|what was|发生了什么|有什么(?:大事|事件)).{0,30}?\b((?:1\d|20)\d\d)\b"
    r"|((?:1\d|20)\d\d)年.{0,6}(?:发生|有什么)"
)
#: About the assistant itself.
ITSELF = late_pattern(
    r"^\W*(?:who|what) (?:exactly )?are you\W*$|^\W*what can you do\b.{0,12}$"
    r"|^\W*are you (?:an? |really |just )*(?:ai|robot|bot|human|real|person|machine|there|ok(?:ay)?|busy|conscious)\b"
    r"|^\W*how (?:do|are) you (?:work|made|trained)\b|^\W*(?:which|what) (?:model|version) are you\W*$"
    r"|^\W*(?:can|could) you help(?: me)?(?: with (?:something|this|that))?\W*$"
    r"|^\W*你(?:是谁|是什么(?:模型)?|是(?:不是)?(?:机器人|人工智能|ai|真人|人)|能(?:干|做)(?:什么|啥|些什么)"
    r"|会(?:干|做)?(?:什么|啥|些什么)|有什么功能)[吗呢啊呀]?\W*$|^\W*(?:可以|能)?帮(?:我|忙)(?:一个|个)?忙?[吗呢]?\W*$"
)
#: What the clock and the calendar tell, which a model is given.
CLOCK = late_pattern(
    r"^\W*what(?:'s| is)? (?:the )?(?:(?:day|date|time|month|year)(?: is it| of the week)?|today's date|day is today)(?: today| now"
    r"| right now)?\W*$|^\W*what (?:day|time) is it\b.{0,12}$"
    r"|^\W*(?:今天|现在|今儿)(?:是)?(?:几号|几月几[号日]|星期几|周几|礼拜几|几点|多少号|什么日子)(?:了)?[啊呀呢]?\W*$"
)
MADE_UP = late_pattern(
    r"^\W*(?:please )?(?:write|compose|make up|invent|tell|sing|give|create|come up with|generate"
    r"|draft)\b(?: (?:me|us))?(?:(?!\b(?:the|that|this|our)\b).){0,24}\b(?:haikus?|poems?|limericks?|stor(?:y|ies)|jokes?|riddles?"
    "|songs?|puns?|fun facts?|facts?|trivia|fairy ?tales?|tongue twisters?|sonnets?|synonyms|essay|slogans?|dialogue|rap|ballad"
    r"|fable)\b|^\W*sing\b|^\W*(?:tell me|say|give me|show me) something (?:funny|interesting|random|nice|cool|new)\b"
    r"|^\W*(?:name|list) (?:\d+|two|three|four|five|six|ten|some|a few|any) [a-z]+\W*$|\bflip a coin\b"
    r"|\broll (?:a |the )?(?:dice|die)\b|\b(?:names?|titles?|slogans?|plots?) for an? [a-z]+|\brandom (?:number|word|fact|color)\b"
    "|起(?:一|个|几)*(?:名|标题)|随便(?:说|来|举|编|写|给)|硬币|骰子|随机|(?:说|讲|来)(?:一?个|点|些)(?:好笑|有趣|有意思|好玩|新鲜)"
    r"|^\W*(?:帮我|给我|请|来|再)*(?:写|编|作|创作|讲|说|来|唱|生成|想|造|出)(?:一|几|两|五|十|个|首|篇|段|则|句|条|字|[\d百]+|下|关于"
    "|描写|形容)*.{0,10}(?:诗|绝句|律诗|对子|俳句|脑筋急转弯|顺口溜|说唱|谚语|词(?!汇表)|笑话|故事|谜语|冷知识|童话|绕口令|对联|作文"
    "|散文|歌词|段子|寓言|文字|剧本|标语|歌(?!单|手))"
)
#: Whom something is made for, or whose: then it is about somebody.
FOR_SOMEBODY = late_pattern(
    r"\b(?:for|to) (?:my|our|his|her|the|[A-Z][a-z]+)\b|\b(?:about|with) (?:my|our|his|her|[A-Z][a-z]+)\b|\b[A-Z]\w+'s\b|\bagain\W*$"
    "|(?:给|为|送|关于)(?!我们?(?:写|讲|编|来|说|唱|想|作|生成|造)|大家)[^，。一]{0,6}(?:写|做|编)|给(?:小|老|阿)"
    r"|给(?!我|大家|个|几)[\u4e00-\u9fff]{1,4}\W*$|那个"
)


def instruction(plain: str) -> str:
    """Of an order and the text it is about, the order."""
    body = _BODY.search(plain)
    return plain[: body.start()] if body and body.start() > 3 else plain


def is_work_at_hand(plain: str) -> bool:
    """Whether an order or a short question is about the text that stands before both."""
    return AT_HAND.match(plain) is not None or AT_HAND_CHINESE.match(plain) is not None


def of_long_ago(plain: str, year: int) -> bool:
    """Whether it is asked what happened in a year that lies longer back than most who speak now remember."""
    asked = _HAPPENED.search(plain)
    return asked is not None and int(asked[1] or asked[2]) < year - 50


def asks_the_world(plain: str, text: str) -> bool:
    """Whether a question is put as people ask how the world is, or is short and about a thing of it; ``text`` has its capitals.

    A name in it that is no place or work, as far as can be told, may be somebody the speaker knows.
    """
    if _SOMEBODY.search(plain):
        return False
    if _PLACES.search(plain):
        return True
    if any(
        not _WORLD_NAME.search(text[:place]) and not WORLD.search(name.lower()) and not _GEOGRAPHY.search(name)
        for place, name in named(text)
    ):
        return False
    if _KNOWN_WORK.search(text) or (not named(text) and is_short(plain) and _OF_A_THING.search(plain)):
        return True
    if GENERAL.search(plain) and not _OWN_TIME.search(plain):
        return True
    return is_short(plain) and WORLD.search(plain) is not None and not _DONE.search(plain)


def is_short(plain: str) -> bool:
    """Whether a text is one question or order, and no message with more in it."""
    return len(plain) <= (_LONG_LATIN if plain.isascii() else _LONG_HAN)


def is_about_code(plain: str) -> bool:
    """Whether a text asks about programs or for one, or holds a piece of one. News of a program are of the speaker's own work."""
    if _PROGRAM.search(plain):
        return True
    if _DONE.search(plain):
        return False
    return is_short(plain) and CODE.search(plain) is not None and _ASKS_OR_ORDERS.search(plain) is not None
