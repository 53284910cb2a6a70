"""Ways to say in English how replies ought to be: short, in a language or a unit, without jargon, the answer first. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.rules.english_clauses import Clause

ASKED = (
    r"(?:(?:please|pls|plz|kindly|just|always|from now on|going forward|in (?:the )?future|for future reference"
    r"|next time|also|and|then|could you|can you|would you|try to|make sure (?:to|you)|i(?:'d| would)? (?:like|prefer"
    r"|want|need|love|appreciate) (?:it if )?you(?: to)?|i(?:'d| would) (?:rather|prefer|appreciate)(?: that| it if"
    r"| if)? you|i(?:'d| would) (?:like|prefer|rather|appreciate)|i (?:like"
    r"|prefer|want|need|love)|you (?:should|can|must|have to|may)|remember to|be sure to|when (?:you )?(?:answer|reply"
    r"|respond|answering|replying|responding)(?:ing)?(?: to me| me)?,?|when (?:talking|speaking|writing) to me,?"
    r"|if possible),?\s+)*"
)


_REPLIES = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages|outputs?|sentences|replies|texts|summaries"
    r"|descriptions|things|recommendations|suggestions)"
)


_STYLE_WORD = (
    r"(?:short(?:er)?|brief(?:er)?|concise|succinct|simple(?:r)?|casual|formal|informal|friendly|professional|detailed"
    r"|direct|blunt|honest|polite|plain|clear|to the point|straightforward|minimal|terse|gentle|serious|fun(?:ny)?"
    r"|playful|technical|non-technical|long(?:er)?|high-level|thorough|crisp|light|snappy|bullet(?:ed|-point)?"
    r"|step-by-step|warm|tidy|structured|conversational|empathetic|upbeat|neutral|matter-of-fact|positive)"
)


_STYLED = (
    rf"(?:(?:very|really|more|as|super|nice and|fairly|quite|less|a bit|too)\s+)*{_STYLE_WORD}(?:(?:,?\s+(?:and|but)\s+"
    rf"|,\s*)(?:to the point|(?:very |more |less )?{_STYLE_WORD}))*"
)


_LIMIT = (
    r"(?:under|below|within|to|at|in|no (?:more|longer) than|less than|fewer than|max(?:imum)?|at most)\s+(?:a|one|two"
    r"|three|four|five|six|ten|\d+)(?:\s+or\s+\w+)?\s+(?:words?|sentences?|lines?|paragraphs?|bullets?(?: points)?"
    r"|characters)"
)


_MARKS = (
    r"(?:jargon|technical (?:terms|jargon|language|words)|buzzwords|emojis?|emoticons|slang|bullet points|bullets"
    r"|bullet lists|markdown|tables|headings|headers|exclamation (?:marks|points)|fluff|filler|swear words|profanity"
    r"|big words|fancy words|acronyms|abbreviations|long (?:answers|explanations|paragraphs|sentences)|disclaimers"
    r"|small talk|pleasantries|bold|bold text|em dashes|passive voice|corporate speak|preambles?|intros?|code comments"
    r"|analogies|metaphors|complicated words|lists|numbered lists|latex|first person|sarcasm|idioms|puns|clichés|cliches"
    r"|hashtags|lectures|moralizing|apologies|flattery)"
)


NOT_A_STYLE = late_pattern(
    r"\b(?:this|that|these|the (?:email|letter|essay|text|code|paragraph|following|story|function|article|list|table"
    r"|section|above|first|second|summary|script)|email|letter|essay|poem|story|cover|post|tweet|article|paragraph"
    r"|blog|it in)\b"
)


_BY_WORD: tuple[re.Pattern[str], ...] = tuple(
    late_pattern(ASKED + pattern)
    for pattern in (
        rf"(?P<value>(?:keep|make|give me|write|have)\s+(?:all\s+|me\s+)?(?:your|the|all|these"
        rf"|any)?\s*(?:(?:{_REPLIES}|it|them|things|everything)\s+)?(?:nice and |as )?(?:{_STYLED}"
        rf"|{_LIMIT})(?:\s+{_REPLIES})?(?:\s+(?:as possible|with me))?)$",
        rf"(?P<value>(?:{_STYLED})\s+{_REPLIES}(?:\s+(?:only|with (?:examples|bullet points)))?)$",
        rf"(?P<value>(?:be|sound|stay|get)\s+(?:{_STYLED}|straight to the point|to the point)(?:\s+(?:with me"
        rf"|in your {_REPLIES}|when (?:answering|replying|you reply|you answer)))?)$",
        rf"(?P<value>(?:don't|dont|do not|never|no|avoid|stop|skip|without|no need for|drop|not use|avoid using"
        rf"|stop using|leave out|cut)\s*(?:ever\s+)?(?:us(?:e|ing)\s+|includ(?:e|ing)\s+|add(?:ing)?\s+|give me\s+"
        rf"|writ(?:e|ing) in\s+|with\s+)?(?:any\s+|so many\s+|too many\s+|too much\s+|all\s+|more\s+|the\s+"
        rf"|your\s+)*{_MARKS}(?:\s*(?:,|or|and)\s*(?:any\s+)?{_MARKS})*)(?:\s+(?:in your {_REPLIES}"
        rf"|when (?:you )?\w+ (?:to )?me|with me|ever|please|at all))?$",
        r"(?P<value>(?:answer|reply|respond|write|speak|talk|explain|explain things|format"
        r"|give (?:me )?(?:your )?(?:answers|replies|responses))(?:\s+(?:to )?me)?(?:\s+(?:everything|things"
        r"|your answers|answers))?\s+(?:only\s+|always\s+)?(?:in|with|using|like|as)\s+(?:bullet points|bullets"
        r"|bullet lists|plain (?:english|language|text|words)|simple (?:english|terms|words|language)|layman's terms"
        r"|lay terms|short sentences|full sentences|a (?:friendly|formal|casual|professional|neutral|funny|warm"
        r"|serious) (?:tone|way|style|manner)|markdown|tables|lists|emojis|one (?:sentence|line|paragraph|word)"
        r"|two sentences|i'?m (?:five|5|a beginner|a child|new to this)|examples|steps|numbered lists"
        r"|a numbered list|lowercase|all caps|haiku|rhymes?|pirate speak))$",
        rf"(?P<value>(?:use|with|in|prefer|stick to|give me|show)\s+(?:(?:more|lots of|simple|plain|short|bullet"
        rf"|numbered|only|the)\s+)*(?:bullet points|bullets|plain english|simple (?:words|language|terms|english)"
        rf"|metric(?: units| system| measurements)?|imperial(?: units| measurements)?|celsius|fahrenheit|kilomet(?:re"
        rf"|er)s|kilos|24[- ]hour (?:time|clock|format)|12[- ]hour (?:time|clock|format)|british (?:english|spelling)"
        rf"|american (?:english|spelling)|uk (?:english|spelling)|us (?:english|spelling)|dd/mm/yyyy|iso dates"
        rf"|layman's terms|lists|tables|emojis|examples|short sentences|lowercase|numbered lists"
        rf"|gender-neutral (?:language|pronouns)|they/them(?: pronouns)?|he/him(?: pronouns)?|she/her(?: pronouns)?"
        rf"|sources|code examples|analogies))(?:\s+(?:for me|with me|in your {_REPLIES}|when\b.*|please|only"
        rf"|instead of [a-z]+|and not [a-z]+|not [a-z]+|for (?:temperatures?|distances|weights|recipes"
        rf"|measurements)))?$",
        rf"(?P<value>(?:less|fewer|more) (?:{_MARKS}|words|text|waffle|chatter|detail|details|facts|examples|sources|structure|humou?r)"
        rf"(?:(?:,| and|,? but)? (?:less|fewer|more) (?:{_MARKS}|words|text|waffle|chatter|detail|details|facts"
        rf"|examples|sources|structure|humou?r))*)$",
        r"(?P<value>(?:write|talk|sound|speak|answer|reply) (?:to me )?like an? (?:human|(?:normal |real )?person"
        r"|friend|colleague|adult|teacher))$",
        r"(?P<value>give it to me straight)$",
        r"(?P<value>explain (?:things|everything|it)?\s*(?:more )?(?:simply|clearly|briefly|in detail|step by step"
        r"|slowly|in simple terms|concisely))$",
        r"(?P<value>(?:talk|speak|write) to me (?:like|as if|as though) .{3,50})$",
        r"(?P<value>explain (?:things |everything |it |this )?like i'?m (?:five|5|a beginner|a child|new))$",
        r"(?P<value>(?:get (?:straight )?to the point|skip the (?:intro|introduction|preamble|pleasantries|fluff"
        r"|disclaimers|small talk)|cut (?:the fluff|to the chase)|stop apologi[sz]ing"
        r"|don't apologi[sz]e(?: so much)?|don't (?:sugarcoat|sugar-coat|patroni[sz]e|lecture|flatter|ramble"
        r"|repeat (?:yourself|my question|the question)|be (?:so )?(?:verbose|wordy|formal|vague|long-winded|preachy"
        r"|sycophantic))(?: (?:me|things|it|anything|with me|to me))?|stop (?:rambling|lecturing(?: me)?"
        r"|flattering me|being so (?:verbose|wordy|formal))|cite (?:your )?sources|show (?:me )?(?:the )?code first"
        r"|give me (?:the )?(?:answer|conclusion|code|tl;?dr|summary|short version) first|start with (?:the"
        r"|a) (?:answer|conclusion|summary|tl;?dr)|always (?:put|list|mention|highlight|mark|begin|finish|sort"
        r"|number|show|give|include|cite|add|provide|start|end|ask"
        r"|explain|format) .{3,60}|ask (?:me )?before .{3,60}|ask (?:me )?(?:things|questions) one (?:at a time"
        r"|by one)|one (?:thing|question|step) at a time|correct my (?:mistakes|grammar|english|spelling|german"
        r"|french|spanish|pronunciation)"
        r"|ask (?:me )?clarifying questions(?: first)?"
        r"|one (?:question|step) at a time))$",
    )
)


_LASTING = late_pattern(
    r"\b(?:always|from now on|in (?:the )?future|going forward|your (?:answers?|replies|reply|responses?)"
    r"|when (?:you )?(?:answer|reply|respond|explain|talk)|talk(?:ing)? to me|with me|to me|generally|in general"
    r"|i (?:like|prefer))\b"
)


_TEXT_TASK = late_pattern(
    r"\b(?:emails?|letter|essay|poem|story|post|tweet|article|caption|description|bio|summary|summari[sz]e|translate"
    r"|write|draft|rewrite|headline|slogan|prompt|title|outline|paragraph|caption|copy|script|slide|cv|resume|speech"
    r"|generate|create|list|table|ad|name|names|subject line)\b"
)


_LONG_TASK = 350


def may_be_style(clause: Clause) -> bool:
    """Whether "keep it short" speaks of all answers, not of the text that this message orders."""
    text = clause.sentence.utterance.text
    if clause.plain.startswith(("make it", "make this", "write it"), clause.at):
        return False
    if _LASTING.search(clause.plain):
        return True
    return len(text) <= _LONG_TASK and not _TEXT_TASK.search(text.lower())


#: Said behind an order without changing it.
STANDING = late_pattern(
    r"(?:[\s,]+(?:from now on|going forward|from here on|always|in (?:the )?future|every time|each time"
    r"|if (?:you can|possible|that's ok(?:ay)?)"
    r"|at all times|as a rule|in general|generally|thanks|please|pls|ok|okay|with me|for me|when you can|by default"
    r"|unless i (?:ask|say)\b.*"
    r"|(?:it's )?easier to read.*|i'm (?:dyslexic|busy|slow).*))+$"
)


_COUNT = r"(?:an?|one|two|three|four|five|six|ten|\d+)"


_UNIT = r"(?:words?|sentences?|lines?|paragraphs?|pages?|bullets?(?: points)?|characters|points|items|options|suggestions|steps|examples)"


_PART = (
    r"(?:(?:all|any|your|the|my)\s+)*(?:code(?: (?:examples|samples|snippets))?|examples|snippets|answers?|repl(?:y"
    r"|ies)|responses?|explanations?|summaries"
    r"|lists|dates|times|prices|temperatures|distances|recipes|measurements|units|amounts|tables|comments|messages"
    r"|emails|documentation|docs|translations)"
)


_TONGUES = (
    r"(?:typescript|javascript|python|rust|java|kotlin|swift|go|golang|c\+\+|c#|ruby|php|scala|sql|r|bash|vue|react"
    r"|svelte|angular|tailwind|markdown|json|yaml"
    r"|latex|html|plain text|metric|imperial|celsius|fahrenheit|euros?|dollars|pounds|gbp|usd|eur|kilomet(?:re|er)s"
    r"|km|miles|grams|british english|american english"
    r"|uk english|us english|british spelling|american spelling|24[- ]hour (?:time|format)|bullet points|lower ?case"
    r"|english|spanish|french|german|italian)"
)


#: Wishes about all replies that name a limit or a form. Matched against the whole clause.
_LASTING_FIRST = r"(?:(?:from now on|going forward|in (?:the )?future|as a rule|in general),?\s+)?"
_BY_FORM: tuple[re.Pattern[str], ...] = tuple(
    late_pattern(_LASTING_FIRST + pattern)
    for pattern in (
        rf"(?:so |and |just |only |please |keep it to |keep (?:them|answers|replies|your answers|everything) to "
        rf"|give me )*(?P<value>{_COUNT}(?:\s+or\s+{_COUNT})?\s+{_UNIT}\s*(?:,\s*)?"
        r"(?:max(?:imum)?|at (?:the )?most|tops|or (?:less|fewer)|only|each|at a time))$",
        rf"(?:so |and |please |keep (?:it|them|answers|replies|your answers|everything) )*(?P<value>(?:max(?:imum)?"
        rf"|at most|no more than|under|less than|fewer than|up to|not more than|never more than)(?: of)?"
        rf"\s+{_COUNT}\s+{_UNIT})(?:\s+(?:each|per \w+|in total|long))?$",
        rf"(?P<value>{_PART}\s+(?:should|must|have to|has to|need to|needs to|ought to|can|are to)\s+(?:always |only "
        rf"|all )?be\s+(?:written\s+|given\s+)?"
        rf"(?:in\s+{_TONGUES}|short|brief|concise|simple|polite|formal|informal|(?:under|below|at most"
        rf"|no longer than)\s+{_COUNT}\s+{_UNIT}))(?:\s+(?:and|not|only)\b.*)?$",
        rf"(?:please |always |only |and |just )*(?P<value>(?:write|give me|show me|show|use|do|put"
        rf"|format)\s+{_PART}\s+(?:only )?(?:in|as|using|with)\s+{_TONGUES})\b.{{0,40}}$",
        rf"(?:please |and |just )*(?P<value>(?:always|only|just|please)\s+(?:use|write|answer (?:in|with)|work in"
        rf"|code in)\s+(?:in\s+)?{_TONGUES})(?:\s+(?:for|in|when|and not|not|instead)\b.*)?$",
        r"(?:please |always |and |just |can you |try to )*(?P<value>(?:write|type|answer|reply|text|speak|talk"
        r"|explain)(?: (?:to )?me| things| everything| stuff| it)*(?: more| very)?"
        r" (?:slowly|simply|clearly|briefly|shorter|in (?:large|larger|big|bigger|short|shorter|small|smaller|simple"
        r"|simpler|plain|clear|easy|complete|full|proper|normal)(?: and (?:simple|short|clear))?"
        r" (?:paragraphs?|sentences|words|english|letters|print|font|text|language|steps|terms)"
        r"|without (?:any )?(?:code|jargon|technical (?:terms|words)|emojis?|slang|big words|abbreviations"
        r"|bullet points|maths?"
        r"|formulas|markdown)))$",
        r"(?:please |always |and |just |can you |try to )*(?P<value>use (?:very |only |more )*(?:easy|easier|simple"
        r"|simpler|short|basic|plain|normal|everyday|larger|large|bigger|big|formal|informal|polite)"
        r" (?:words|english|language|sentences|paragraphs|letters|vocabulary|terms|font|text|print))(?:\b.{0,30})?$",
        r"(?:please |and |just )*(?P<value>(?:don't|do not|never)\s+(?:assume|expect) (?:that )?i (?:know|understand"
        r"|have|am|can|like)\b.{3,40})$",
        r"(?:please |and |just )*(?P<value>(?:don't|do not|never|stop)\s+(?:call(?:ing)? me (?:buddy|dear|sir|madam"
        r"|ma'am|love|dude|bro|mate|honey|user|sweetie|boss|friend)|us(?:e|ing) my (?:first |full |last )?name"
        r"|ask(?:ing)? (?:me )?(?:so many |too many |follow-?up |any )+questions|end(?:ing)? with (?:a )?questions?"
        r"|start(?:ing)? with .{3,30}|apologi[sz](?:e|ing)|thank(?:ing)? me|prais(?:e|ing) me|compliment(?:ing)? me"
        r"|summari[sz](?:e|ing) what i said|repeat(?:ing)? what i (?:said|say)|writ(?:e|ing) (?:such )?(?:long|walls of).{0,30}))$",
        r"(?:please |and |just |always |so )*(?P<value>(?:no|less|fewer)\s+(?:walls? of text|long (?:texts?|messages"
        r"|answers|paragraphs|replies)|essays|waffle|waffling|fluff|follow-?up questions"
        r"|exclamation marks|small talk|pep talks?|lectures|sugar-?coating|yapping|rambling|filler|intro(?:s"
        r"|ductions?)?|disclaimers|emojis?|bullet ?points|lists|jargon|slang|swearing|spoilers)(?:\s*(?:,|and"
        r"|or)\s*(?:no\s+)?[a-z ]{3,20})?)$",
        r"(?:please |and |always |just )*(?P<value>(?:short|quick|brief|concise|simple|detailed|direct|straight"
        r"|honest|blunt)(?:,? (?:and )?(?:short|simple|direct|honest|clear|sweet))? (?:answers?|repl(?:y|ies)"
        r"|responses?|explanations?)"
        r"(?: only)?(?: please)?)$",
        r"(?:please |and |always |just )*(?P<value>(?:(?:lead|start|begin) with the|(?:put|give me"
        r"|tell me) the) (?:answer|conclusion|result|bottom line|number|summary|verdict|recommendation)(?: first"
        r"| up front)?)$",
        r"(?:please |and |always |just )*(?P<value>(?:treat|talk to|speak to|explain (?:it|things"
        r"|stuff) to) me (?:like|as if|as) .{3,50})$",
        r"(?:please )?(?P<value>(?:no need (?:to|for)|you (?:don't|do not) (?:have|need) to)\s+(?:say(?:ing)? sorry"
        r"|apologi[sz](?:e|ing|es)|thank(?:ing|s)?(?: me)?|explain(?:ing)?|explanations?|repeat(?:ing)?"
        r"|greet(?:ing)?s?|be (?:so )?(?:polite|formal)|sugar-?coat"
        r"|ask(?:ing)?|disclaimers?|pleasantries|small talk|emojis?|long)\b.{0,40})$",
        r"(?:please |always |and )*(?P<value>(?:format|indent|comment|name|quote|round|sort) (?:my |your |all )?"
        r"(?:code|queries|sql|dates|numbers|commits?|commit messages|variables|prices|times|lists)\s+(?:with"
        r"|using|in|as|to|by|like)\s.{2,30})$",
        r"(?:please |and |always |just )*(?P<value>(?:give|show|offer) me (?:a few |several |some |two |three |\d "
        r"|more |multiple )?(?:options|alternatives|choices),? (?:and )?(?:not|instead of|rather than)\b.{2,30})$",
        r"(?P<value>(?:when(?:ever)?|if) (?:i|you) (?:answer|explain|reply|ask|send|share|paste|show|give|write|say|request|want"
        r"|type)\b.{3,50}?,?\s(?:please |always |just |never |don't |only |simply |then )+(?:give|fix|use|answer"
        r"|reply|show|include|add|explain|write|send|keep|say|be|ask|do|skip|leave|correct|tell)\b.{0,60})$",
        r"(?:please |and |just )*(?P<value>(?:stop|don't|do not|never|avoid|no more)\s+(?:start|end|open|begin|clos"
        r"|finish)(?:ing)?\s+(?:every|each|your|all(?: your)?|any)?\s*(?:answers?|repl(?:y|ies)|messages?|responses?"
        r"|sentences?|emails?)\s+with\b.{2,50})$",
        rf"(?:please |and |always |just )*(?P<value>(?:use|with|stick to|prefer)\s+(?:the )?(?:metric|imperial"
        rf"|{_TONGUES}|24[- ]?h(?:ou)?r? (?:clock|time|format))(?: system| units| measurements)?(?:(?:,"
        rf"| and)\s+(?:the )?(?:{_TONGUES}|24[- ]?h(?:ou)?r? (?:clock|time|format)|celsius|kilos?|litres?))*)$",
        r"(?:please |and |can we |let's )*(?P<value>(?:keep|stick)(?: it| things| answers| replies"
        r"| everything)? to (?:bullet ?points|short answers|the basics|the point|facts|one (?:line|paragraph"
        r"|sentence|page)|plain english|english))$",
        r"(?:please |and |always |just )*(?P<value>(?:tl;?dr|bottom line|answer|conclusion|code|summary) first)\b.{0,30}$",
    )
)


#: Each way to say how all replies ought to be.
STYLES = (*_BY_WORD, *_BY_FORM)
