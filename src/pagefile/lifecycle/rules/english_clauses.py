"""English sentences cut into clauses: which of them state something, and where each begins and ends. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pagefile.language.patterns import late_pattern, may_find, rare_pattern
from pagefile.lifecycle.rules.english_words import words as set_of_words
from pagefile.lifecycle.rules.reading import Context
from pagefile.lifecycle.rules.sentences import Sentence

_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")

#: The sentence says what is not so, or not seriously.
_UNREAL = rare_pattern(
    r"\bif i (?:were|was|had|could|lived|worked|won|ever)\b|\b(?:suppose|supposing|imagine|imagining|pretend(?:ing)?"
    r"|hypothetically|what if|as if)\b"
    r"|\blet'?s (?:say|assume|suppose|imagine)\b|(?:^|[,;]\s)(?:(?:so|now|and|ok),? )?(?:assum(?:e|ing)"
    r"|say)\b,? (?:that )?(?:i|i'm|im|my|we)\b|\b(?:i|we|you) wish\b|\bin (?:a|my|another) (?:dream|parallel|story|novel|past life"
    r"|previous life)\b|\bi dream(?:t|ed)\b"
    r"|\byeah,? right\b|(?:^|\s)/s\b|\bnot!\s*$|\b(?:just )?kidding\b|\bjk\b|\bsarcas|\bsure,? (?:because|cause)\b"
    r"|^\W*(?:oh,? )?(?:sure|great|joy|yeah|wonderful|fantastic|perfect|lovely|brilliant|right),? (?:(?:sure"
    r"|right),? )?(?:i (?:just|absolutely|totally)"
    r"|because i|cause i)\b|\b(?:or|at least) so it (?:feels|seems)\b"
    r"|\bin (?:real life|the game)\b,? i\b"
    r"|\bmy character\b|\bas a joke\b|\b(?:says?|said) (?:no one|nobody)\b|\bthe (?:song|lyrics?|book|film|movie"
    r"|title|quote|phrase|line) (?:goes|says|is called)\b"
    r"|\b(?:for example|e\.g\.),? i\b|\bwould (?:have|i|love me)\b|\bwhat a joy\b|\bjust what i needed\b|\bexactly what i need"
)
#: How a question begins, with its mark or without.
_ASKS = late_pattern(
    r"(?:so |and |but |or |ok(?:ay)?,? |hey,? |well,? |also,? |then,? )*"
    r"(?:(?:what|where|who|whose|whom|which|why|how|when)(?:'s|'re| is| are| was| were| do| does| did| can| could"
    r"| would| should| will| has| have| about"
    r"| come| many| much| long| far| often| else| if| would|s)\b|(?:what|who|which|where|how) (?:\w+ ){1,3}(?:should"
    r"|do|does|is|are|can|could|would|will|did)\b"
    r"|(?:do|does|did|is|are|am|was|were|can|could|would|should|will|shall|may|have|has|had|isn't|aren't|don't"
    r"|doesn't|didn't|won't|can't|couldn't"
    r"|wouldn't|shouldn't|haven't|hasn't) (?:i|you|we|they|he|she|it|there|this|that|my|your|our|the|a|an|any|anyone"
    r"|anybody|someone|somebody|these|those)\b"
    r"|(?:is|are|does|was) [a-z]+ (?:and|a|an|the|my|still|really|allergic|able|going|like|know|have)\b)"
)
#: What is made to order: its words are not the speaker's own, and nor is the rest of the sentence.
_MAKES = (
    r"(?:write(?! (?:to me|in (?:larger?|short|small|big|simple|plain|clear|complete|full|bullet|british|american"
    r"|easy|proper)|more|shorter|simply|back|code in)\b)|rewrite|compose|draft|translate|generate|paraphrase"
    r"|rephrase|proofread|summari[sz]e|create|pretend"
    r"|imagine|act as|role-?play|continue"
    r"|complete|sing|narrate|script|correct(?! (?:me|my (?:mistakes|grammar|english|spelling|german|french|spanish"
    r"|pronunciation))\b)|edit|fix|improve|polish|reword|transcribe|spell-?check|parse|classify"
    r"|analy[sz]e|respond as|say)"
)
_POLITE = (
    r"(?:(?:please|pls|plz|kindly|now|then|first|next|also|ok(?:ay)?|hey|hi|so|and|just|can you|could you|would you"
    r"|will you|help me|i(?:'d like| would like| want| need) you to|i need (?:help|to)|you (?:should|must|need to"
    r"|have to)),? )*"
)
_FROM_NOW_ON = late_pattern(r"\b(?:from now on|going forward|in (?:the )?future|always)\b")
_ORDERS_TEXT = late_pattern(rf"{_POLITE}{_MAKES}\b")
#: Somebody else is speaking.
_REPORTS = late_pattern(
    r"(?:(?:he|she|they|you|people|everyone|everybody|someone|somebody|some|it|(?:the|a|one|some|another) [a-z]+"
    r"|my [a-z -]{2,30}?|[a-z]+) (?:always |often |just |also |once |keeps? |even )*"
    r"(?:said|says|say|saying|told|tells|thinks?|thought|believes?|claims?|claimed|insists?|insisted|asked|asks"
    r"|wrote|texted|shouted|yelled|joked|swears?|reckons?|assumes?|assumed|complains?|complained|argues?|argued)\b"
    r"|according to|apparently(?! i\b)|i (?:(?:heard|read|saw) (?:that|somewhere|about|on|online|in|an?|some|people)"
    r"|was told|overheard)|rumou?r has it|they're saying)"
)
#: "Ticket 5512: customer says …".
_LABEL = late_pattern(r"[^.:!?,]{1,40}:\s+")
_REPORTED_BY_ME = late_pattern(r"i (?:always |often |just |also |already )?(?:said|say|told|tell|think|thought|believe)\b")

_SPLIT = late_pattern(
    r"(?P<mark>\s*[,;]\s*|\s+[-–—]+\s+|\s*—\s*|\s*\(\s*|\s*\)\s*|\s*:\s+|\s*\.\s+|\s+)"
    r"(?P<word>(?:(?:and|but|so|because|'?cause|cuz|coz|although|though|while|whereas|plus|since|however|yet|also"
    r"|then|as|or|therefore|even though|anyway|actually|please|besides|now|currently|recently|these days|maybe"
    r"|i think|honestly|sadly|luckily)\b,?\s+)*)"
    r"(?P<begins>(?=(?:(?:maybe |perhaps )?(?:i|we)(?:'|\s|m\b|ve\b)|(?:my|our)\s+[a-z]|(?:he|she|they|it)(?:'"
    r"|\s)(?!and\b|or\b)|(?:everyone|everybody|people|most people|my friends)\s+calls?\s+me\b|(?:his"
    r"|her|its|their) name\b|there's\b|there\s+(?:is|are)\b|you\b|this\s+is\b|that's\b"
    r"|(?:what|where|how|why|who|when|which|can|could|do|does|would|should|will|is|are|any)\s+(?:i|you|we|is|are|do"
    r"|does|can|should|would|could|will|it|there|about|that|my|tips|ideas|suggestions|recommendations)\b"
    r"|(?:never|don't|dont|do not|keep|please|no)\s|get (?:straight )?to the point|skip\s"
    r"|(?:max(?:imum)?|at most|no more than|one|two|three|\d+)\s+(?:page|word|sentence|paragraph|line|bullet)s?\b"
    r"|(?:(?<=so\s)|(?<=,\s))(?:explain|use|answer|reply|respond|call me|give me|talk to me|speak|stop|avoid|skip|write|be)\s"
    r"|(?:not\s|no longer\s)|used\s+to\b)))",
)
#: How somebody who uses no marks begins anew.
_ANEW = late_pattern(
    r"(?:he|she)'s\s+(?:\d|called|named|allergic|an?\b|so\b|really\b|my\b|from\b|the\b|vegan|vegetarian|like\b|in\b|not\b|always\b)"
    r"|i'?m\s+(?:\d|allergic|an?\b|from\b|vegan|vegetarian|not an?\b|lactose|diabetic|in (?:year|high|college|uni"
    r"|sales|it)\b|so\b|really\b|more\b|just\b|on\b)"
    r"|i(?:'?ve| have) (?:got )?(?:an?|two|three|no|\d)\b|i (?:live|work) (?:in|at|as|for|with)\b"
    r"|my (?:name|sister|brother|mum|mom|dad|wife|husband|son|daughter|dog|cat|birthday|boyfriend|girlfriend|best friend|parents"
    r"|favou?rite [a-z]+)(?:'s| is| are| has| was| lives?| works?| loves?| hates?)\b"
    r"|i (?:don't|can't|hate|play|study|speak)\s+[a-z]|i (?:adore|love|like|prefer|enjoy)\s+(?!most|so\b|too\b|best"
    r"|more|is\b|are\b|was\b|and\b|to\b)[a-z]|please\s|don't\s(?:call|text|email|use|tell|ask)|(?:his|her"
    r"|its) name\b"
)
#: A name has ended: "my bestie's name is aaliyah we've been friends for ages".
_NAMED = late_pattern(r"(?:\bnames?(?:'s)? (?:is|are)|\bcalled|\bnamed) [a-z]{2,12}$")
_PRONOUN = late_pattern(r"(?:he|she|we|they|i|it)(?:'|\s)")
#: Before these words nothing has ended.
_LEADS_ON = set_of_words(
    "that|when|if|what|because|than|since|the|a|an|my|your|his|her|our|their|this|these|those|and|or|but|so|as"
    "|while|where|who|which|whose|why|how|like|whenever|before|after|until|till|unless|though|although|even|think"
    "|thinks|thought|know|knows|knew|say|says|said|feel|feels|guess|believe|hope|hopes|wish|hear|heard|see|sure"
    "|told|tell|tells|mean|means|swear|suppose|bet|admit|realize|realise|remember|forgot|swear|glad|sorry|afraid"
    "|in|on|at|of|for|to|with|by|from|about|i|you|he|she|it|we|they|is|are|am|was|were|be|been|do|does|did|have"
    "|has|had|can|could|will|would|should|all|everything|things|stuff|people|songs|foods|places|reasons|reason"
    "|time|times|way|day|days|place|thing|one|ones|cause|cuz|yes|no|not|just|only|also|really|maybe|tbh|honestly"
    "|kinda|sometimes|something|anything|nothing|someone|everyone|much|more|most|less|least|soon|once|every|each"
    "|any|some"
)
#: And not after these shortly before: "I told my mum I'm vegan".
_SUBORDINATES = set_of_words(
    "told|tell|tells|asked|said|says|think|thinks|know|if|when|whenever|that|who|because|while|unless|until|hope|whether|why"
)
#: "The music I love": nouns that somebody likes, and the verbs for it.
_LIKED = set_of_words("music|food|movies|films|books|shows|games|artists|bands|teams|sports|cities|colours|colors|flavours|flavors|brands")
_OF_WHAT = ("i love", "i like", "i adore", "i prefer", "i enjoy", "i hate", "i play", "i can't", "i don't")
_DETERMINERS = set_of_words("the|a|an|that|this|these|those|what|which|any|some|every|each|all|only|first|last|no")
#: After a comma or a joining word, the verb alone may go on with the same subject.
_GOES_ON = late_pattern(
    r"(?P<mark>\s*[,;]\s*|\s+)(?P<word>(?:(?:and|but|also|then|plus|yet|or)\b,?\s+)+|(?<=,\s))"
    r"(?P<begins>(?=(?:also |only |now |currently |really |still |just |actually |usually |always |never |recently |absolutely |even |i )*"
    r"(?:(?:work|works|working|worked)\s+(?:as|at|for|in|from|remotely|part|full)\b|(?:live|lives|living"
    r"|lived)\s+(?:in|with|at|near|on|alone)\b|(?:love|loves|hate|hates|like|likes|enjoy|enjoys|dislike|dislikes"
    r"|prefer|prefers|adore|adores)\s+(?!songs?\b|letters?\b|stor|everywhere|for\b|from\b|in\b|between|is\b|of\b"
    r"|and\b|that\b|brings|makes|it\b)[a-z]|(?:have|has|own|owns)\s+(?:a|an|two|three"
    r"|four|no|been|my|one|got)\b|(?:am|is|are|was|were)\s+[a-z]|(?:moved|relocated|went|got|bought|adopted|started"
    r"|quit|left|joined|graduated|visited)\s+(?:to|in|from|a|an|my|as|at|married|engaged|[a-z]+ing)\b"
    r"|(?:moved|left|joined|visited)\s+[a-z]|(?:don't|dont|do not|doesn't|doesnt|does not|can't|cant|cannot)\s+[a-z]"
    r"|(?:speak|speaks|study|studies|studying|teach|teaches)\s+[a-z]|used to\s|no longer\s|go to\s|goes to\s"
    r"|run\s+(?:a|every|my)\b|drives?\s+(?:a|an|to)\b|(?:plays?|sings?|cooks?|bakes?|paints?|collects?|wears?)\s+[a-z]"
    r"|(?:teaches|runs|drives|takes|uses|eats|drinks|smokes|turns|turned|wants|goes|needs)\s+[a-z\d]"
    r"|eat\s+(?:only|meat|fish)\b|can\s+(?:also |only )?(?:speak|play|cook|swim|drive)\b|plan(?:ning)? to\s"
    r"|want to\s|hope to\s|never\s+[a-z]|stopped\s+[a-z]+ing|not\s+(?:a fan|into|keen|so|much))))"
)
#: Clauses of their own by name: "Anna loves tea but Ben prefers coffee".
_NAME_BEGINS = late_pattern(
    r"(?P<mark>\s*[,;]\s*|\s+)(?P<word>(?:(?:and|but|while|whereas|so|because|although|though)\s+)+|(?<=,\s)|(?<=;\s))"
    r"(?P<begins>(?=[A-Z][a-zé]+(?:\s[A-Z][a-zé]+)?(?:'s|’s)?\s+(?:is|has|had|was|will|loves?|likes?|hates?|prefers?"
    r"|enjoys?|lives?|works?|can't|can’t|doesn't|doesn’t|moved|dislikes?|adores?|wants?|studies|plays?|eats?|drinks?"
    r"|speaks?|just|really|also|always|never|absolutely|said|says|thinks)\b))"
)

#: Said before a statement without changing it.
_FILLER = late_pattern(
    r"(?:(?:well|yo|idk|imo|imho|tbf|fwiw|welp|meh|so|oh|ah|um+|uh+|hmm+|yes|yeah|yep|yup|ok|okay|sure|right|hi|hey"
    r"|hello|hi there|hey there|thanks"
    r"|thank you|thx|cool|great|nice|perfect|awesome|wow|haha|lol|tbh|btw|fyi|ps|p\.s\.|anyway|anyways|also|and|but"
    r"|because"
    r"|'?cause|cuz|coz|since(?!\s+(?:the|my|last|\d|a\b|an\b|then|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|monday))|plus|besides|like(?! i)|look|listen|see|you see|you know|y'know"
    r"|ya know|i mean|honestly"
    r"|frankly|technically|truthfully|luckily|fortunately|unfortunately|sadly|happily|interestingly|funnily enough|funny enough"
    r"|personally|basically"
    r"|to be (?:honest|fair|clear|precise)|to be honest with you|by the way|for the record|for (?:context|reference"
    r"|info|background|your information)|just so you know|just so u know|just fyi|so you know|in case (?:it helps"
    r"|it matters|you're wondering|you were wondering|that helps)|if (?:it|that) (?:helps|matters)|if you must know"
    r"|if you're curious"
    r"|as (?:you know|i said|i mentioned|i told you|mentioned|always|for me|well)|like i said|like i mentioned"
    r"|i(?:'ve| have)? (?:recently |just |finally |also )*(?:realised|realized|discovered|found out|noticed"
    r"|figured out|come to realise|come to realize)(?: that)?(?= (?:i|my|we|our)\b)"
    r"|i (?:already |just )?(?:told|mentioned to) you (?:before |already |earlier |yesterday |last time )?(?:that )?"
    r"|i(?:'ve| have) (?:already )?(?:told you|mentioned) (?:before )?(?:that )?|i (?:already )?mentioned (?:before "
    r"|earlier )?(?:that )?"
    r"|i should (?:also |probably )?(?:mention|say|add|note|tell you)(?: that)?|i (?:want|wanted|have) to (?:mention"
    r"|add|tell you|say|let you know)(?: that)?|i forgot to (?:mention|say|tell you)(?: that)?"
    r"|did i mention(?: that)?|(?:please |pls |always )?(?:remember|note|keep in mind|bear in mind|be aware"
    r"|don't forget|do not forget|dont forget|know)(?: that)?"
    r"|the thing is(?: that)?|the truth is(?: that)?|fact is|fun fact|random fact|quick (?:note|update|fact"
    r"|correction)|one more thing|another thing|update|note|reminder|good news|bad news|big news|news|correction"
    r"|about me|a bit about me|a little about me|some background|first of all|first|firstly|secondly|second|third"
    r"|finally|lastly|also|now|actually|in fact|as a matter of fact|i must admit(?: that)?|i have to (?:admit"
    r"|say)(?: that)?|i('m| am) (?:happy|glad|proud|excited|sad|sorry) to (?:say|announce|report|tell you)(?: that)?"
    r"|turns out(?: that)?|it turns out(?: that)?|it's true(?: that)?|speaking of which|in general|obviously|clearly"
    r"|of course|in my case|my name's anna and"
    r"|guess what|believe it or not|yes please|no worries|ugh|damn|man|dude|bro|omg|even though|although|though"
    r"|however|yet|then|while|whereas|hence|therefore|please|or rather|for one|for me|though|mind you|or|trust me"
    r"|i swear|i guess you could say|you should know(?: that)?|that said|having said that|as it happens|incidentally"
    r"|all in all)\b"
    r"(?:\s*[,:;.!–—-]+\s*|\s+|$))+"
)
#: What was said before was wrong.
_CORRECTS = late_pattern(
    r"(?:(?:(?:no|nope|nah)(?=\s*[,.!:;—–-]|\s+(?:it'?s|i|my|that|we|he|she|sorry|wait|actually)\b)|oh|well|and|but"
    r"|oops|whoops|wait|hold on|sorry|my bad|my mistake|apologies|i'm sorry|im sorry|ah|hang on|erm?|not quite|wrong"
    r"|correction|scratch that|strike that|actually|i misspoke|i was wrong|i made a mistake"
    r"|i meant to say(?: that)?|i mean|i meant|what i meant was(?: that)?|that's (?:wrong|not right|not correct"
    r"|incorrect|not true)|thats wrong|that is wrong|let me correct(?: that| myself)?|to correct myself"
    r"|i should have said(?: that)?)\b\s*[,:;.!–—-]*\s*)+"
)
_STRONG_CORRECTION = late_pattern(
    r"\b(?:no|nope|nah|oops|whoops|wait|sorry|my bad|my mistake|apologies|wrong|correction|scratch that|strike that"
    r"|misspoke|i meant|i mean|i was wrong|incorrect|not right|correct that|correct myself|hold on|hang on"
    r"|should have said|i made a mistake)\b"
)
_MEANT_WRONG = late_pattern(_STRONG_CORRECTION.pattern.replace("no|nope|nah|", ""))
#: Not sure of it.
_HEDGE = late_pattern(
    r"(?:(?:i (?:think|guess|suppose|believe|feel like|assume|suspect|reckon)(?: that)?|maybe|perhaps|possibly"
    r"|probably|apparently|i'm (?:not (?:entirely |completely |totally |really )?sure,? but|pretty sure|fairly sure"
    r"|guessing|afraid)(?: that)?"
    r"|im (?:not sure but|pretty sure)|not sure,? but|it (?:seems|looks like|appears)(?: like| that)?|seems like"
    r"|looks like|might be|could be|there's a chance(?: that)?|chances are(?: that)?|kinda feel like)\b[,\s]+)+"
)
_CERTAIN_AFTER_ALL = late_pattern(r"i(?:'m| am)? (?:pretty|fairly|quite|very) sure|i'm afraid")

#: When or where, said first: "Last week I …", "In 2019, we …".
_LEAD = late_pattern(
    r"(?:(?:in|on|at|since|from|during|after|before|around|about|by|until|for|over|throughout|back in|as of"
    r"|starting)\s+(?:[\w':/-]+,?\s+){1,5}?|(?:last|next|this|every|each|the other|earlier this|later this|two|three"
    r"|four|five|six|ten|a few|a couple of|several|many|some|one|a|\d+)\s+(?:[\w-]+\s+){0,3}?"
    r"(?:week|weekend|month|year|night|morning|evening|afternoon|day|summer|winter|spring|autumn|fall|january"
    r"|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday|christmas|time|semester|term)s?(?:\s+(?:ago|before|later|back))?,?\s+"
    r"|(?:yesterday|tomorrow|recently|lately|nowadays|currently|these days|right now|at the moment|at present|now"
    r"|today|originally|once|soon|on weekends|on weekdays|mostly|usually|normally|sometimes|often|always"
    r"|professionally|at work|by day|growing up|as a (?:kid|child|teenager|teen|student|vegan|vegetarian)"
    r"|when i was (?:a (?:kid|child|teen|teenager|student)|little|young|younger|\d+|in (?:college|school|university"
    r"|high school)))(?:\s+(?:morning|afternoon|evening|night))?,?\s+){1,2}"
    r"(?=(?:i|we|my|our)\b)"
)
_BEHIND = late_pattern(
    r"(?:[\s,.!]+(?:please|pls|plz|thanks|thank you|thx|btw|by the way|lol|haha|tho|though|ok|okay|tbh|ngl|cheers|right))+$"
)
#: A wish said as a question: "could you keep your answers short?"
_REQUEST = rare_pattern(
    r"(?:can|could|would|will) you (?:please |pls |always |just |maybe |try to |also )*(?=(?:keep|answer|reply"
    r"|respond|use|avoid|stop|speak|talk|be|call me|not|explain|write (?:to me )?in|address me|give me|skip|ask me"
    r"|correct my|put|start with|end with|treat|send me"
    r"|make your)\b)|(?:can|could|shall|may) we (?:please |just |maybe )*(?=(?:keep|stick|switch|use|speak|talk|chat"
    r"|continue|carry on|do (?:this|it) in"
    r"|skip|avoid)\b)|would you mind (?:answering|replying) (?=in\b)"
)
_TAG = late_pattern(
    r"\s*(?:right|no|yes|yeah|ok|okay|huh|eh|innit|correct|true|you know|you see|understand|got it|isn't it|aren't i"
    r"|don't i|doesn't (?:he|she|it)"
    r"|is(?:n't)? (?:he|she|it)|am i|do i|didn't i|haven't i|don't you think|remember|agreed|no\?)\W*$"
)
#: "On the 21st not the 14th".
_NOT_THEN = rare_pattern(
    r",?\s+(?:and )?not (?:(?:on|at|in) )?(?:the )?(?:\d[\w:]*|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january"
    r"|february|march|april|may|june|july"
    r"|august|september|october|november|december)(?: \d+\w*)?)$"
)
_BARE_NAME = late_pattern(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?$")
_BARE_KIN = late_pattern(r"[Mm]y (?:(?:best|older|younger|big|little|twin|new) )?[a-z-]+(?: [A-Z][a-z]+)?$")
_AND_I = late_pattern(r"i(?:'|\s)")
_MY_KIN_COMMA = late_pattern(r"my (?:[a-z-]+ ){1,3}?[a-z-]+[,)]|my [a-z-]+[,)]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a sentence that states one thing of one subject."""

    sentence: Sentence
    #: The whole sentence in small letters with plain apostrophes, as long as ``sentence.text``.
    plain: str
    #: Where the clause begins, where its subject begins (after words such as "last week"), and where it ends, in the sentence.
    begin: int
    at: int
    end: int
    #: The speaker is not sure of it.
    passing: bool = False
    #: It says that something said before was wrong.
    correction: bool = False
    #: The word it was joined with: "and", "but", "because" … or empty.
    joined: str = ""
    #: It has no subject of its own and goes on with that of the clause before.
    carried: bool = False
    #: What it is said not to be: "the 5th, not the 4th".
    contrast: tuple[int, int] | None = None
    #: It was said as a question to the assistant: only wishes may be read in it.
    request: bool = False
    #: Who does it with the speaker: "my brother" of "my brother and I live in Rome".
    along: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """As it was written."""
        return self.sentence.written(self.begin, self.end)

    @property
    def meant(self) -> str:
        """In plain English."""
        return self.sentence.text[self.begin : self.end]

    def written(self, begin: int, end: int) -> str:
        """A part of the sentence as it was written."""
        return self.sentence.written(begin, end)


def plain(text: str) -> str:
    """The text in small letters with plain apostrophes, as long as it was."""
    lower = text.translate(_APOSTROPHES)
    folded = lower.lower()
    return folded if len(folded) == len(lower) else "".join(one if len(one.lower()) != 1 else one.lower() for one in lower)


def clauses(sentence: Sentence, context: Context) -> list[Clause]:
    """The clauses of a sentence that state something: no questions, wishes, orders to write, reports of what others said."""
    said = plain(sentence.text)
    if _UNREAL.search(said):
        return []
    pieces = list(_pieces(sentence, said))
    pieces = list(_joined_names(pieces)) if len(pieces) > 1 else pieces
    if request := _request(said, pieces):
        return request
    if sentence.asks:
        pieces = _before_question(said, pieces)
    no_more = not context.recent or "?" in context.question
    kept: list[Clause] = []
    correction = passing = False
    for piece in _stated(said, pieces):
        trimmed = _trimmed(piece, correction, passing or piece.joined in _UNSURE)
        if trimmed.correction and no_more and _MEANT_WRONG.search(said, piece.begin, trimmed.begin) is None:
            # "No" answers a question, or answers nothing; it is wrong only of what was said before.
            trimmed = replace(trimmed, correction=False)
        # "Sorry, …", "maybe, …": what stands alone in front is said of what follows.
        correction, passing = (trimmed.correction, trimmed.passing) if trimmed.begin >= trimmed.end else (False, False)
        if said.startswith("not ", piece.begin) and piece.joined in ("", "and") and kept:
            kept[-1] = replace(kept[-1], contrast=(piece.begin + 4, trimmed.end))
        if trimmed.begin < trimmed.end and not context.is_foreign(sentence.place(trimmed.at)):
            kept.append(trimmed)
    return kept


def _before_question(said: str, pieces: list[Clause]) -> list[Clause]:
    """ "I'm vegan, what can I eat?" states something in front; what stands behind a question mark alone does not."""
    questions = [bool(_ASKS.match(said, piece.begin)) for piece in pieces]
    if any(questions):
        return pieces if questions[-1] or any(questions[:-1]) else pieces[:-1]
    # "I live in Queens, anything open now?": the question has no verb of its own. "…, right?" asks about what is before it.
    end = _last_mark(said, len(said))
    if end >= 0 and _TAG.match(said, end + 1):
        end = _last_mark(said, end)
    if "apparently" in said:
        return pieces
    if end < 0 or said.startswith(("so ", "you ", "then ", "wait")):
        return []
    return [replace(piece, end=min(piece.end, end)) for piece in pieces if piece.begin < end]


def _last_mark(said: str, end: int) -> int:
    return max(said.rfind(mark, 0, end) for mark in (", ", "; ", " - ", " – ", "— ", ": "))


#: Joined by these, a clause is a guess: "but maybe I'll move".
_UNSURE = frozenset({"maybe", "think"})
#: After these a speaker goes on for himself, whatever was asked or reported before.
_FOR_ONESELF = frozenset({"because", "cause", "since", "cuz", "coz", "but", "as", "so"})


def _stated(said: str, pieces: list[Clause]) -> Iterator[Clause]:
    """Those that are neither orders for a text, nor questions, nor reports, nor what hangs on one of these."""
    closed = False
    for index, piece in enumerate(pieces):
        if closed and piece.joined not in _FOR_ONESELF:
            continue
        if _ORDERS_TEXT.match(said, piece.begin) and not _FROM_NOW_ON.search(said):
            return
        labelled = _LABEL.match(said, piece.begin, piece.end)
        if _REPORTS.match(said, labelled.end() if labelled else piece.begin) and not _REPORTED_BY_ME.match(said, piece.begin):
            closed = True
        elif not piece.carried and _ASKS.match(said, piece.begin):
            # "Could you suggest a dish, I'm vegan": what comes after a comma is a statement; "do you think I'm … and I …" is not.
            closed = not (index + 1 < len(pieces) and said[pieces[index + 1].begin - 2 : pieces[index + 1].begin].strip() in (",", ";"))
        else:
            yield piece


def _request(said: str, pieces: list[Clause]) -> list[Clause]:
    """ "Could you keep your answers short?": a wish, whatever its form."""
    if not may_find(_REQUEST, said):
        return []
    first = _trimmed(pieces[0], False, False)
    match = _REQUEST.match(said, first.at, first.end)
    return [replace(first, begin=match.end(), at=match.end(), request=True)] if match else []


def _joined_names(pieces: Iterable[Clause]) -> Iterator[Clause]:
    """ "Sarah, my wife, works …" is one clause, though "my wife" could begin one; so is "my brother and I live in Rome"."""
    waiting: Clause | None = None
    for piece in pieces:
        if waiting is not None:
            if _MY_KIN_COMMA.match(piece.plain, piece.begin):
                piece = replace(piece, begin=waiting.begin, at=waiting.begin, joined=waiting.joined, carried=False)
            elif piece.joined == "and" and _AND_I.match(piece.plain, piece.begin):
                piece = replace(piece, begin=waiting.begin, joined=waiting.joined, along=(waiting.begin, waiting.end))
            else:
                yield waiting
            waiting = None
        if _BARE_NAME.match(piece.text.strip(" ,")) or _BARE_KIN.match(piece.text.strip()):
            waiting = piece
        else:
            yield piece
    if waiting is not None:
        yield waiting


def _pieces(sentence: Sentence, said: str) -> Iterator[Clause]:
    """Cut where a new subject and verb begin, or where a verb goes on with the same subject."""
    cuts: dict[int, tuple[int, str, bool]] = {}
    for pattern, text, carried in ((_GOES_ON, said, True), (_SPLIT, said, False), (_NAME_BEGINS, sentence.text, False)):
        for match in pattern.finditer(text):
            mark, word = match["mark"].strip(), match["word"].strip(" ,'").lower()
            # "the man I know", "what I like": without a mark or a joining word it is no new clause.
            if match.start() and (mark or word or (not carried and _runs_on(said, match.start(), match.end()))):
                # "But don't eat meat" goes on; whether it is an order is seen when it is read.
                goes_on = carried or (
                    match.end() in cuts and said.startswith(("don't", "never ", "no longer", "used to", "not "), match.end())
                )
                cuts[match.end()] = (match.start(), word.split()[-1] if word else "", goes_on)
    begin, joined, carried = 0, "", False
    for next_begin in sorted(cuts):
        end, next_joined, next_carried = cuts[next_begin]
        if end > begin:
            yield Clause(sentence=sentence, plain=said, begin=begin, at=begin, end=end, joined=joined, carried=carried)
        begin, joined, carried = next_begin, next_joined, next_carried
    yield Clause(sentence=sentence, plain=said, begin=begin, at=begin, end=len(said), joined=joined, carried=carried)


def _runs_on(said: str, end: int, begin: int) -> bool:
    """Whether somebody who uses no marks begins anew here: "im 16 i live in bristol"."""
    if _NAMED.search(said, max(0, end - 40), end) and _PRONOUN.match(said, begin):
        return True
    if _ANEW.match(said, begin) is None:
        return False
    before = said[max(0, end - 40) : end].rstrip().split()
    return (
        len(before) >= 2
        and before[-1].strip("'\"") not in _LEADS_ON
        and before[-2] not in _DETERMINERS
        and not (said.startswith(_OF_WHAT, begin) and before[-1] in _LIKED)
        and _SUBORDINATES.isdisjoint(before[-6:])
    )


def _trimmed(piece: Clause, correction: bool, passing: bool) -> Clause:
    """Leave out fillers in front and marks behind, and note how sure the speaker is."""
    said, begin, end = piece.plain, piece.begin, piece.end
    while end > begin and not (said[end - 1].isalnum() or said[end - 1] in "+#%°"):
        end -= 1
    if behind := _BEHIND.search(said, max(begin, end - 30), end):
        end = behind.start()
    if wrong := _NOT_THEN.search(said, max(begin, end - 30), end):
        end, correction = wrong.start(), True
    while begin < end and said[begin] in " \t-–—*•>\"'([#~":
        begin += 1
    for _ in range(4):
        start = begin
        if match := _CORRECTS.match(said, begin, end):
            correction = correction or bool(_STRONG_CORRECTION.search(match[0]))
            begin = match.end()
        if match := _FILLER.match(said, begin, end):
            begin = match.end()
        if match := _HEDGE.match(said, begin, end):
            passing = passing or not _CERTAIN_AFTER_ALL.match(match[0])
            begin = match.end()
        if begin == start:
            break
    lead = _LEAD.match(said, begin, end)
    at = piece.at if piece.along else lead.end() if lead else begin
    return replace(piece, begin=begin, at=at, end=end, correction=correction, passing=passing)
