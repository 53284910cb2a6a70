"""Words that the English rules know: people, animals, jobs, illnesses, countries, and words that are none of these. Data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def words(text: str) -> frozenset[str]:
    """A set of words or phrases, written with bars between them."""
    return frozenset(word.strip() for word in text.split("|"))


def one_of(phrases: Iterable[str]) -> str:
    """A pattern that matches any of the phrases, the longest first."""
    return "|".join(sorted(phrases, key=len, reverse=True))


_RELATIONS = {
    "sibling": "brother|sister|sibling|twin|twin brother|twin sister|bro|sis|half-brother|half-sister|stepbrother|stepsister|half brother"
    "|half sister|step brother|step sister",
    "parent": "mother|father|mom|mum|dad|parent|mommy|daddy|mama|papa|mam|stepmother|stepfather|stepmom|stepdad|step mom|step dad|folk",
    "child": "son|daughter|kid|child|baby|toddler|stepson|stepdaughter|baby girl|baby boy|newborn|firstborn|eldest|youngest|teenager",
    "partner": "wife|husband|partner|girlfriend|boyfriend|gf|bf|fiancé|fiancée|fiance|fiancee|spouse|hubby|missus",
    "friend": "friend|best friend|bestie|bff|buddy|mate|roommate|flatmate|housemate|pal|roomie|best mate|penpal",
    "colleague": "colleague|coworker|co-worker|boss|manager|teammate|supervisor|mentor|business partner|assistant|intern"
    "|line manager|team lead|direct report|deputy|trainee",
    "relative": "uncle|aunt|auntie|cousin|nephew|niece|grandma|grandpa|grandmother|grandfather|granny|nan|nana|gran|grandad"
    "|granddad|grandson"
    "|granddaughter|mother-in-law|father-in-law|brother-in-law|sister-in-law|mother in law|father in law"
    "|brother in law|sister in law|son-in-law|daughter-in-law|son in law|daughter in law|great-grandmother"
    "|great-grandfather|great-aunt|great-uncle|step-son"
    "|godson|goddaughter|godmother|godfather|grandparent|grandchild",
    "neighbour": "neighbour|neighbor",
    "ex": "ex|ex-wife|ex-husband|ex-girlfriend|ex-boyfriend|ex wife|ex husband|ex girlfriend|ex boyfriend",
    "professional": "teacher|doctor|therapist|dentist|landlord|landlady|coach|professor|advisor|trainer|tutor|lawyer|accountant|vet|gp"
    "|hairdresser|nanny|babysitter|student|client",
}
_PLURALS = {"child": "children", "grandchild": "grandchildren", "wife": "wives", "bestie": "besties", "baby": "babies"}
#: What somebody is to somebody → the attribute of such people.
RELATIONS: Mapping[str, str] = {relation: attribute for attribute, listed in _RELATIONS.items() for relation in listed.split("|")}
#: Several of them at once: "brothers" → "brother".
SEVERAL: Mapping[str, str] = {
    _PLURALS.get(relation, f"{relation}s"): relation for relation in RELATIONS if RELATIONS[relation] not in ("ex", "professional")
}

PETS = words(
    "dog|cat|puppy|kitten|pup|hamster|rabbit|bunny|parrot|budgie|goldfish|fish|turtle|tortoise|snake|lizard|gecko|guinea pig"
    "|ferret|horse|pony"
    "|bird|canary|cockatiel|hedgehog|chinchilla|gerbil|rat|mouse|iguana|chicken|duck|goat|donkey|pet|kitty|doggo|doggy|pooch|corgi|poodle"
    "|labrador|lab|golden retriever|retriever|german shepherd|shepherd|husky|beagle|bulldog|french bulldog|frenchie|dachshund|chihuahua|pug"
    "|shiba|shiba inu|border collie|collie|greyhound|terrier|spaniel|cocker spaniel|rottweiler|boxer|dalmatian|labradoodle|cockapoo"
    "|maine coon|tabby|siamese|persian|ragdoll|bengal|rescue dog|rescue cat|rescue|axolotl|tarantula|bearded dragon|stray cat"
    "|tabby cat|macaw"
)
PET_PLURALS: Mapping[str, str] = {
    **{f"{pet}s": pet for pet in PETS if not pet.endswith(("fish", "puppy", "pony", "bunny", "kitty", "canary", "mouse", "doggy"))},
    "puppies": "puppy",
    "ponies": "pony",
    "bunnies": "bunny",
    "kitties": "kitty",
    "canaries": "canary",
    "mice": "mouse",
}

#: Heads of what people do for a living or are at school.
OCCUPATIONS = words(
    "accountant|actor|actress|actuary|administrator|agent|analyst|animator|anthropologist|architect|archaeologist|artist|assistant"
    "|astronaut"
    "|astronomer|athlete|attorney|auditor|author|baker|banker|barber|barista|bartender|beautician|biochemist|biologist|blogger|bookkeeper"
    "|botanist|bouncer|builder|butcher|buyer|captain|cardiologist|carer|caregiver|caretaker|carpenter|cashier|ceo|chef|chemist"
    "|choreographer"
    "|cleaner|clerk|coach|coder|columnist|comedian|composer|conductor|consultant|contractor|controller|cook|coordinator|copywriter"
    "|counselor"
    "|counsellor|courier|cto|cfo|coo|curator|dancer|dba|dentist|dermatologist|designer|detective|dev|developer|dietitian|dietician|diplomat"
    "|director|dj|doctor|doula|driver|economist|editor|electrician|engineer|entrepreneur|estate agent|executive|farmer|fashion designer"
    "|firefighter|fireman|fisherman|flight attendant|florist|founder|co-founder|cofounder|freelancer|freshman|gardener|geologist|geographer"
    "|goldsmith|grad student|guard|guide|gynecologist|hairdresser|hairstylist|handyman|headmaster|head|historian|homemaker|housekeeper"
    "|housewife|househusband|illustrator|influencer|instructor|intern|interpreter|investor|janitor|jeweller|jeweler|journalist|judge|junior"
    "|lab technician|landscaper|lawyer|lecturer|librarian|lifeguard|linguist|locksmith|machinist|magician|mailman|makeup artist|manager"
    "|marketer|mathematician|mechanic|medic|merchant|midwife|miner|minister|model|musician|nanny|neurologist|neuroscientist|novelist|nurse"
    "|nutritionist|officer|oncologist|operator|optician|optometrist|painter|paralegal|paramedic|pastor|pediatrician|paediatrician"
    "|pharmacist"
    "|phd candidate|phd student|philosopher|photographer|physician|physicist|physio|physiotherapist|pianist|pilot|planner|plumber"
    "|podcaster|poet"
    "|police officer|policeman|policewoman|politician|porter|postdoc|postman|potter|priest|principal|producer|product manager|professor"
    "|programmer|project manager|psychiatrist|psychologist|psychotherapist|pm|publicist|publisher|radiographer|radiologist|ranger"
    "|realtor|receptionist"
    "|recruiter|referee|reporter|researcher|retailer|retiree|sailor|sales rep|salesman|salesperson|saleswoman|scientist|sculptor|seamstress"
    "|secretary|senior|server|sheriff|shopkeeper|singer|social worker|socialworker|sociologist|soldier|solicitor|sommelier"
    "|songwriter|sophomore"
    "|specialist|statistician|stay-at-home mom|stay-at-home mum|stay-at-home dad|stay-at-home parent|stay at home mom|stay at home mum"
    "|stay at home dad|strategist|streamer|student|stylist|supervisor|surgeon|surveyor|swe|sysadmin|tailor|tattoo artist|teacher"
    "|teaching assistant|technician|tester|therapist|trader|trainee|trainer|translator|truck driver|trucker|tutor|undergrad|undergraduate"
    "|vet|veterinarian|videographer|violinist|vlogger|waiter|waitress|watchmaker|web developer|welder|writer|yoga teacher|youtuber"
    "|zoologist"
    "|apprentice|ballerina|beekeeper|bus driver|cabin crew|caterer|content creator|data scientist|decorator|delivery driver|dog walker"
    "|drummer|electrical engineer|esthetician|fundraiser|game designer|graphic designer|guitarist|hotelier|inspector|investigator|joiner"
    "|labourer|laborer|landlord|lobbyist|lumberjack|masseuse|massage therapist|nun|orthodontist|paediatric nurse|plasterer|preacher"
    "|probation officer|proofreader|roofer|scholar|security guard|stonemason|swim coach|tax advisor|tour guide|town planner|ux designer"
    "|warehouse worker|web designer|worker|zookeeper|barrister|civil servant|teacher's assistant|engineering manager|team lead"
    "|tech lead|lead"
    "|vp|vice president|president|chairman|partner|associate|representative|rep|advisor|adviser|master's student|masters student"
    "|med student"
    "|medical student|law student|high schooler|resident|resident doctor|fellow|quant|sre|devops engineer|qa|ux researcher|marine|veteran"
)
#: Said of oneself without an article.
STATES_OF_WORK = words(
    "unemployed|self-employed|self employed|retired|freelancing|between jobs|out of work|semi-retired|on sabbatical|jobless"
    "|a stay-at-home mom"
)
#: Heads that name a job only together with another word: "a team lead", not "the lead".
NOT_ALONE = words(
    "president|head|lead|junior|senior|partner|associate|fellow|worker|operator|agent|officer|assistant|executive|model|guide|controller"
    "|specialist|resident|server|captain|judge|conductor|buyer|builder|minister|host|investor|planner|tester|guard|rep"
    "|representative"
)

MARITAL = words(
    "married|single|divorced|engaged|widowed|separated|a widow|a widower|unmarried|happily married|in a relationship|newly married"
    "|newlywed|recently divorced|recently married|a single mom|a single dad|a single mum|a single parent|a single mother"
    "|a single father|a bachelor"
)

DIETS = words(
    "vegan|vegetarian|veggie|pescatarian|pescetarian|plant-based|plant based|flexitarian|keto|paleo|halal|kosher|gluten-free|gluten free"
    "|dairy-free|dairy free|lactose intolerant|lactose-intolerant|gluten intolerant|gluten-intolerant|teetotal|teetotaler"
    "|teetotaller|sugar-free"
    "|low-carb|low carb|low-fodmap|low fodmap|raw vegan|nut-free|carnivore|sober|lacto-vegetarian|ovo-lacto vegetarian|meat eater"
    "|meat-eater"
)
HEALTH = words(
    "asthma|diabetes|adhd|add|anxiety|depression|arthritis|epilepsy|eczema|psoriasis|migraines|migraine|insomnia|hypertension"
    "|high blood pressure"
    "|low blood pressure|celiac disease|coeliac disease|celiac|coeliac|crohn's|crohn's disease|ibs|ibd|pcos|endometriosis"
    "|hay fever|sleep apnea"
    "|sleep apnoea|tinnitus|vertigo|scoliosis|fibromyalgia|lupus|cancer|dyslexia|dyscalculia|autism|asperger's|ocd|ptsd|bipolar disorder"
    "|hypothyroidism|hyperthyroidism|thyroid issues|a heart condition|heart disease|a heart murmur|anemia|anaemia|high cholesterol"
    "|gout|glaucoma"
    "|a bad back|a bad knee|bad knees|back problems|knee problems|chronic pain|chronic back pain|back pain|chronic migraines"
    "|acid reflux|gerd|rosacea|narcolepsy"
    "|multiple sclerosis|parkinson's|type 1 diabetes|type 2 diabetes|type one diabetes|type two diabetes|gestational diabetes"
    "|dementia|alzheimer's|alzheimers|copd|emphysema|angina|afib|atrial fibrillation|osteoporosis|osteoarthritis"
    "|rheumatoid arthritis|leukemia|leukaemia"
    "|lymphoma|breast cancer|prostate cancer|hepatitis|hiv|cystic fibrosis|down syndrome|down's syndrome"
    "|cerebral palsy|schizophrenia|anorexia|bulimia"
    "|an eating disorder|chronic fatigue|ulcerative colitis|colitis|gastritis|an ulcer|gallstones|cataracts"
    "|macular degeneration|neuropathy|heartburn"
    "|prediabetes|tourette's|an underactive thyroid|an overactive thyroid|iron deficiency|an irregular heartbeat"
    "|low iron|a heart problem|heart problems|sleep problems|vision problems"
    "|a latex allergy|long covid|a pacemaker|social anxiety"
    "|panic attacks|kidney stones|kidney disease|a slipped disc|a herniated disc|carpal tunnel|hearing loss|a hearing aid|sensitive skin"
    "|claustrophobia|arachnophobia|a fear of heights|a fear of flying|motion sickness|car sickness|a stutter|a stammer|reynaud's"
    "|sciatica|plantar fasciitis"
)
HEALTH_ADJECTIVES = words(
    "diabetic|asthmatic|autistic|dyslexic|epileptic|deaf|blind|colorblind|colourblind|color blind|colour blind|color-blind|colour-blind"
    "|hard of hearing|pregnant|bipolar|anemic|anaemic|celiac|coeliac|a celiac|a coeliac|nearsighted|short-sighted|shortsighted|far-sighted"
    "|farsighted|short sighted|long sighted|long-sighted|neurodivergent|disabled|claustrophobic|a type 1 diabetic|a type 2 diabetic"
    "|a diabetic|an insomniac"
    "|immunocompromised|partially sighted"
    "|in recovery|in a wheelchair|a wheelchair user|adhd|hypothyroid|arachnophobic|afraid of heights|scared of heights"
    "|afraid of flying|scared of flying"
    "|lactose sensitive|prone to migraines"
    ""
)

_DEMONYMS = (
    "american|british|english|scottish|welsh|irish|german|french|italian|spanish|portuguese|dutch|belgian|swiss|austrian|danish"
    "|swedish|norwegian"
    "|finnish|icelandic|polish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|russian|ukrainian|serbian|croatian|slovenian|bosnian"
    "|albanian|estonian|latvian|lithuanian|chinese|japanese|korean|south korean|taiwanese|thai|vietnamese|indonesian|malaysian"
    "|singaporean|filipino"
    "|filipina|indian|pakistani|bangladeshi|sri lankan|nepali|iranian|persian|iraqi|israeli|lebanese|syrian|jordanian|saudi"
    "|egyptian|moroccan"
    "|algerian|tunisian|nigerian|ghanaian|kenyan|ethiopian|south african|zimbabwean|australian|new zealander|kiwi|canadian|mexican"
    "|brazilian"
    "|argentinian|argentine|chilean|colombian|peruvian|venezuelan|cuban|puerto rican|jamaican|dominican|catalan|ugandan|tanzanian"
    "|senegalese"
    "|kazakh|georgian|armenian|afghan|burmese|cambodian|mongolian|maltese|cypriot|aussie|brit|american citizen|us citizen|uk citizen"
)
NATIONALITIES = words(_DEMONYMS) | words(
    "a brit|an american|a canadian|an australian|a german|an aussie|a kiwi|a us citizen|an american citizen|a scot|an irishman|a dutchman"
)
LANGUAGES = words(
    "english|spanish|french|german|italian|portuguese|dutch|flemish|danish|swedish|norwegian|finnish|icelandic|polish|czech|slovak"
    "|hungarian|romanian"
    "|bulgarian|greek|turkish|russian|ukrainian|serbian|croatian|slovenian|albanian|estonian|latvian|lithuanian|chinese|mandarin"
    "|cantonese|japanese"
    "|korean|thai|vietnamese|indonesian|malay|tagalog|filipino|hindi|urdu|bengali|tamil|telugu|marathi|punjabi|gujarati|nepali"
    "|persian|farsi|arabic|hebrew"
    "|swahili|amharic|yoruba|igbo|zulu|afrikaans|catalan|basque|welsh|irish|gaelic|latin|esperanto|sign language"
    "|american sign language|asl|bsl"
    "|british english|american english|traditional chinese|simplified chinese|brazilian portuguese|swiss german|hokkien|taiwanese"
    "|kazakh|georgian|armenian"
)

#: Medicines, by name and by how the names of their kind end.
MEDICINE = (
    r"insulin|metformin|antidepressants?|medication|meds|blood thinners|ssris?|birth control|the pill|antibiotics|beta blockers"
    r"|blood pressure (?:meds|medication|pills|tablets)|thyroid (?:medication|meds|pills)|lithium|adderall|ritalin"
    r"|concerta|vyvanse|zoloft|prozac|lexapro"
    r"|sertraline|ozempic|steroids|painkillers|aspirin|ibuprofen|paracetamol|tylenol|antihistamines?|statins?|humira"
    r"|xanax|gabapentin|pregabalin"
    r"|melatonin|iron (?:tablets|pills|supplements)|vitamin [a-z]\d*|eliquis|plavix|synthroid|ventolin|hrt"
    r"|testosterone|estrogen|methotrexate|prednisone"
    r"|[a-z]{3,}(?:statin|pril|olol|azole|cillin|mycin|oxetine|sartan|dipine|zepam|zolam|triptan|parin|farin|xaban"
    r"|gliptin|lukast|solone|profen|thyroxine"
    r"|olimus|trigine|gabalin|arone|dronate|setron|fenadine|tadine|triptyline|alopram|glutide|formin|oxacin)"
)

#: What people own that is worth knowing, by its last word.
THINGS = words(
    "car|bike|bicycle|motorbike|motorcycle|scooter|truck|van|suv|ev|boat|sailboat|yacht|kayak|canoe|campervan|camper|caravan|rv"
    "|house|flat|apartment|condo"
    "|cottage|cabin|farm|garden|allotment|greenhouse|land|studio|piano|keyboard|guitar|violin|cello|drum kit|ukulele|saxophone"
    "|laptop|macbook"
    "|macbook pro|macbook air|pc|desktop|gaming pc|computer|ipad|tablet|kindle|iphone|phone|pixel|camera|dslr|drone|telescope"
    "|3d printer|printer|tv"
    "|console|ps4|ps5|playstation|xbox|switch|nintendo switch|steam deck|vr headset|smartwatch|apple watch|garmin|fitbit|air fryer"
    "|espresso machine"
    "|coffee machine|bread maker|sewing machine|treadmill|peloton|rowing machine|record player|vinyl collection|stamp collection"
    "|coin collection|pool"
    "|hot tub|swimming pool|restaurant|bakery|cafe|café|shop|store|gym membership|driving licence|driver's license|driving license"
    "|driver's licence"
    "|motorcycle license|pilot's license|pilot's licence|season ticket|rail card|railcard|library card|tattoo|tesla|honda|toyota"
    "|bmw|audi|ford|volvo|vespa|prius|civic"
    "|honda civic|toyota corolla|mini|mini cooper|jeep|subaru|vw|volkswagen|golf|fiat|porsche|mazda|nissan|kia|hyundai|mercedes"
    "|e-bike|ebike|road bike"
    "|mountain bike|dash cam|synthesizer|synth|skateboard|surfboard|snowboard|tent|thinkpad|surface|chromebook|dell xps|degree|phd"
    "|master's degree"
    "|monitor|standing desk|espresso maker|headset|gaming chair|e-scooter|caravan|hammock|bachelor's degree|masters"
    "|mba|podcast|blog|youtube channel|newsletter|website|side business|small business|etsy shop"
    "|business|company|startup"
)
#: Of the things above, those one has learnt for: they are skills rather than possessions.
LEARNT = words(
    "degree|phd|master's degree|bachelor's degree|masters|mba|driving licence|driver's license|driving license|driver's licence"
    "|motorcycle license|pilot's license|pilot's licence"
)

#: Names of events that people tell the date of.
EVENTS = words(
    "flight|interview|job interview|exam|final exam|final|finals|midterm|test|driving test|appointment|doctor's appointment"
    "|doctors appointment|dentist appointment|dentist's appointment"
    "|doctor appointment|vet appointment|meeting|wedding|surgery|operation|presentation|graduation|trip|vacation|holiday|party"
    "|birthday party|train|bus|ferry|move|first day|last day|concert|anniversary|wedding anniversary"
    "|hearing|check-up|checkup|check up|scan|mri|ultrasound|demo|call|date|dinner|reservation|conference|race|marathon"
    "|half marathon|recital|game|match"
    "|tournament|performance|show|exhibition|competition|reunion|baby shower|bachelorette|bachelor party|stag do|hen do|retreat"
    "|camp|course|class|workshop|lesson|session|visa appointment|visa interview"
    "|thesis defense|thesis defence|defense|defence|review|performance review|launch|release|haircut|therapy session|blood test"
    "|school play|parents' evening|parents evening|mot"
    "|honeymoon|housewarming|housewarming party|cruise|road trip|business trip|training|screening"
    "|audition|webinar|open day|orientation|induction|move-in date|start date|funeral|christening|bar mitzvah|quinceañera|prom"
    "|nationals|regionals|tryouts|playoffs|championships|prelims|hip replacement|knee replacement"
    "|cataract operation|shift|night shift|playdate|semester|term|internship|dentist|doctor|gp|therapist|physio"
    "|hairdresser|gcses|gcse|a levels|a-levels|sats|mocks|kick-off|kickoff|standup|stand-up"
    "|offsite|off-site|all-hands|board meeting|gig|festival|rehearsal|derby|sleepover|bbq|barbecue|potluck|viewing"
    "|inspection|delivery|check-in"
    "|vaccination|jab|booster|colonoscopy|physical|eye test|driving lesson|spring break|half term|half-term|closing"
    "|completion|hen party|baptism"
    "|engagement party|visit|scan|biopsy|chemo|oral exam|viva|quarterly review|standup meeting|one-on-one|1:1"
    "|swim meet|field trip|school trip"
    "|dance recital|piano recital|christmas party|leaving do|farewell party|baby's due date|due date|delivery date|results|exams|finals"
    "|lecture|seminar|hike|tour|expedition|matriculation|convocation|auction|opening|premiere|vernissage|photoshoot"
    "|shoot|hospital appointment|vet|optician|midwife|barber|orthodontist|chiropractor|movers|exhibition opening"
)
DUE = words(
    "report|essay|paper|assignment|homework|project|thesis|dissertation|application|proposal|rent|taxes|tax return|bill|invoice"
    "|draft|manuscript"
    "|presentation|slides|deadline|coursework|deck|board deck|expenses|timesheet|rsvp|essay draft|lab report"
    "|portfolio|pull request|milestone|quote|estimate|code review|article|chapter|review|submission|payment"
    "|deliverable|library books|library book"
    "|baby|visa|passport"
    "|lease|contract|subscription|membership|licence|license|mot|car insurance|insurance|tuition|prototype|budget"
    "|grant application|grant proposal"
)

#: Capitalised at the start of a sentence or anywhere, and nobody's name.
NOT_NAMES = words(
    "i|i'm|i've|im|he|she|it|we|you|they|this|that|these|those|there|here|my|your|his|her|its|our|their|the|a|an|and|but|or|so|if"
    "|when|what|who|why|how|where|which"
    "|yes|no|not|ok|okay|well|actually|also|please|thanks|thank|sorry|hi|hello|hey|dear|sure|maybe|perhaps|honestly|luckily"
    "|unfortunately|sometimes|usually|always"
    "|never|every|everyone|everybody|someone|somebody|nobody|anyone|one|some|many|most|people|kids|children|women|men|girls|boys"
    "|cats|dogs|all|both|each|none|neither|either|mine|ours|yours|hers|theirs"
    "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays"
    "|january|february|march|april|june|july"
    "|august|september|october|november|december|today|tomorrow|yesterday|tonight|now|then|later|last|next|just|only|even|still"
    "|too|very|really|both|once|twice"
    "|since|because|although|though|while|after|before|until|unless|as|at|by|for|from|in|into|of|on|to|with|without|about|like"
    "|love|hate|is|are|was|were|do|does|did"
    "|can|could|will|would|should|shall|may|might|must|have|has|had|am|be|been|being|god|jesus|lol|omg|btw|fyi|tbh|imo|ugh|wow|oh"
    "|ah|hmm|yeah|yep|nope|nah"
    "|google|apple|amazon|microsoft|facebook|meta|netflix|spotify|python|java|javascript|rust|linux|windows|chrome|youtube|twitter"
    "|instagram|tiktok|whatsapp|zoom"
    "|slack|excel|word|chatgpt|gpt|ai|siri|alexa|assistant|user|admin|team|company|work|school|home|life|love|food|music|coffee"
    "|tea|christmas|easter|halloween|guys"
    "|folks|friends|family|mine|yours|another|other|others|same|such|whatever|whoever|however|anyway|besides|especially|definitely"
    "|probably|currently|recently|finally|mr|mrs|ms|dr"
    "|english|french|german|spanish|chinese|japanese|american|british|italian|indian|new|old|good|great|nice|bad|best|big|first"
    "|second|got|went|been|any|let|let's|note|remember|tell|write|call"
)

#: What people avoid to eat or drink.
FOODS = words(
    "decaf|oat milk|almond milk|soy milk|soya milk|coconut milk|plant milk|herbal tea|green tea|black tea"
    "|regular milk|cow's milk|red wine|white wine|raw onion|onion|tomato|mushroom|carrots|spinach|kale|sweetcorn"
    "|lentils|chickpeas|peanut butter|sweetener|sweeteners"
    "|aspartame|msg|raw meat|raw eggs|sourdough|tap water|milk chocolate|hot peppers|chilli|chili|chillies|curry"
    "|veal|duck|venison|organ meat|octopus|squid"
    "|meat|beef|pork|fish|seafood|shellfish|shrimp|prawns|dairy|milk|cheese|eggs|egg|gluten|wheat|bread|sugar|nuts"
    "|peanuts|tree nuts|soy|alcohol|coffee"
    "|caffeine|tea|lactose|carbs|red meat|chicken|lamb|bacon|ham|pasta|rice|spicy food|spicy foods|fried food"
    "|fast food|junk food|processed food|mushrooms"
    "|onions|garlic|tomatoes|cilantro|coriander|sweets|chocolate|soda|beer|wine|animal products|animals|salt|butter"
    "|oats|corn|potatoes|beans|tofu|oysters"
    "|sushi|raw fish|bananas|citrus|strawberries|honey|cream|yogurt|yoghurt|ice cream|desserts|energy drinks"
    "|grapefruit|spicy|spice|liver|olives|aubergine"
    "|eggplant|broccoli|celery|peppers|avocado|avocados|dairy products|anything spicy|sesame|heat|fried foods|processed foods|soft drinks"
)
