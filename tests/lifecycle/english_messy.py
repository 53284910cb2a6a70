"""Messages as people of many kinds type them: teenagers, the old, at the office, learners of English. Data for the tests of the rules.

Written as in ``english_who``; in ``MESSY_TALK`` turns are parted by "||", those of the assistant begin with "A: "; "^" marks a correction.
"""

MESSY = """
ok so im 16 and i live in bristol w my mum and stepdad => age | 16; residence | bristol
my bf's name is kai hes 17 and plays drums in a band => partner | kai; kai | age | 17
i literally cant stand maths like its the worst => -likes | maths
we got a new puppy n he's called biscuit omg hes so cute => pet | new puppy; pet | biscuit
im lactose intolerant btw so no milkshakes for me => diet | lactose intolerant
nah i dont do sports im more of an art person => -habit | do sports; likes | art
my gcses start on may 11 and im so scared => plan | gcses start on may 11
i used to be obsessed w minecraft but now i only play valorant => !likes | minecraft
my sisters a vegan and she makes everyone feel bad about it lol => user's sister | diet | vegan
i work saturdays at greggs => employer | greggs
i wanna be a vet when im older => goal | be a vet when im older
my nan died last year and she left me her piano => user's nan | experience | died last year
ive got adhd so long texts are hard for me pls keep it short => health | adhd; answer style | keep it short
im left handed => note | left handed
we moved here from poland when i was 6 => experience | moved here from poland
my fave subject is chem but my teacher mr hughes is so boring => favourite subject | chem
i do ballet on tuesdays and thursdays => habit | do ballet on tuesdays and thursdays
i failed my driving theory test twice => experience | failed my driving theory test twice
I have three grandchildren: Oliver, Poppy and little Arthur. => relative | Oliver; relative | Poppy; relative | Arthur
My daughter Susan lives in New Zealand so we speak on Sundays. => child | Susan; Susan | residence | New Zealand; habit | speak on Sundays
I take warfarin, so I must not have grapefruit. => health | warfarin
I was a primary school teacher for thirty-four years. => occupation | primary school teacher
My hearing is not what it was; I wear hearing aids in both ears. => health | hearing is not what it was; health | hearing aids
I do not care for modern music, I'm afraid. Give me Vera Lynn. => -likes | modern music
My late husband Ronald was in the Royal Navy. => !partner | Ronald; Ronald | occupation | Royal Navy
I play bridge every Wednesday afternoon at the church hall. => habit | play bridge
My doctor's appointment is on the 23rd of March at half past ten. => plan | doctor's appointment on the 23rd of March at half past ten
I gave up driving two years ago because of my cataracts. => !habit | driving
My knees are bad, so I can't manage stairs any more. => health | knees are bad
I'm allergic to aspirin, as my late mother was. => allergy | aspirin
I have a budgie called Winston who keeps me company. => pet | Winston
I shall be eighty on the 2nd of June! => plan | be eighty on the 2nd of June
My son Peter is a solicitor in Leeds. He has two boys. => child | Peter; Peter | occupation | solicitor
I grow tomatoes and runner beans on my allotment. => habit | grow tomatoes and runner beans
I prefer to be called Mrs Whitaker. => nickname | Mrs Whitaker
My blood type is O negative. => blood type | O negative
I lead a team of six analysts at HSBC in Canary Wharf. => occupation | lead a team of six analysts; employer | HSBC
I'm based out of the Dublin office but I'm in London every other week. => residence | Dublin
My standup is at 9:30 every day so don't book anything then. => habit | standup at 9:30 every day
I've been with Deloitte for 8 years, was at KPMG before that. => employer | KPMG
we use Jira not Trello => uses | Jira
I report to Helen, our VP of Product. => colleague | Helen
my wife is expecting, due date is July 14th => user's wife | plan | expecting
I'm on paternity leave from mid July => plan | on paternity leave from mid July
I do not work Fridays. Four-day week. => constraint | do not work Fridays
I always fly out of Gatwick, aisle seat, no red-eyes. => habit | fly out of Gatwick
I'm in CET, so 3pm for you is 4pm for me. => timezone | CET
kick-off moved from Tuesday to Thursday => plan | kick-off Thursday
I start at Monzo on April 6th as a senior designer! => plan | start at Monzo on April 6th as a senior designer
I have an MBA from INSEAD. => skill | MBA
Never send anything to legal without asking me first. => constraint | Never send anything to legal without asking me first
I'm not a developer, so explain things without code. => -occupation | developer; answer style | explain things without code
my commute is about 50 minutes each way => commute | 50 minutes each way
I bike to work unless it's raining. => habit | bike to work
My title changed: I'm now Head of Operations, no longer Ops Manager. => occupation | Head of Operations
I am coming from Brazil and I am living in Lisbon since 3 years. => hometown | Brazil; residence | Lisbon
My wife she is a nurse in the hospital. => user's wife | occupation | nurse
I am engineer of software, working by Bosch. => occupation | engineer of software; employer | Bosch
In my country we don't celebrate Christmas, I am muslim. => religion | muslim
My mother language is Portuguese but I speak also english and a little of french. => language | english; language | french
I like very much the football, my team is Benfica. => likes | football
Please to use easy words, my english is not so good. => answer style | use easy words
I am learning german since January, now I am in A2 level. => goal | learning german since January
My daughter is named Inês, she has 4 years. => child | Inês
Since last year I don't smoke more. => !habit | smoke
My birthday it's on 9 of October. => birthday | 9 of October
Is possible that you answer me in portuguese? => preferred language | portuguese
I have allergy of the cats. => allergy | cats
My brother works like a taxi driver in São Paulo. => user's brother | occupation | taxi driver
my appointment isn't at 3 it's at 4 => ^plan | appointment at 4
my dog isn't called Max, she's called Maxine => ^pet | Maxine
I used to hate olives but I love them now => likes | olives
I'm back on coffee => diet | coffee
I no longer drink => !diet | drink
I finally quit my job => experience | quit my job
I've gone off chocolate => !likes | chocolate
not vegan anymore btw => !diet | vegan
I'm over my running phase => !likes | running
Tom's my brother, he's a firefighter and he's afraid of spiders => sibling | Tom; Tom | occupation | firefighter; Tom | fear | spiders
My boss Linda has a peanut allergy and her husband is a chef => colleague | Linda; Linda | allergy | peanut
my coworker jamal is getting married in june and i'm the best man => colleague | jamal; jamal | plan | getting married in june
Emma (my sister) just got into Oxford => sibling | Emma; Emma | experience | got into Oxford
I'm seeing someone new, his name is Daniel, he's a vet => Daniel | occupation | vet
my parents are divorced. dad lives in Spain => user's parents | marital status | divorced; user's dad | residence | Spain
My mother-in-law is diabetic, so no cake please => user's mother-in-law | health | diabetic
My friend Priya from work is a huge Taylor Swift fan => friend | Priya; Priya | likes | Taylor Swift
i do cheer at school and we have nationals in orlando in april => plan | nationals in orlando in april
im a junior at westfield high => school | westfield high
my lil sis is scared of thunder its adorable => user's lil sis | fear | thunder
ok dont judge but im obsessed with k dramas => likes | k dramas
my dads from korea and my moms from texas => user's dad | hometown | korea; user's mom | hometown | texas
im getting my license next thursday wish me luck => plan | getting my license next thursday
i used to play the clarinet but i quit in 8th grade => !skill | clarinet
my besties name is aaliyah we've been friends since kindergarten => friend | aaliyah
idk i just dont vibe with country music => -likes | country music
i have a shift at chipotle on saturday at 5 => plan | shift at chipotle on saturday at 5
we have two dogs a husky and a chihuahua lol opposites => pet | two dogs; pet | husky; pet | chihuahua
i turn 18 on november 2nd finally => birthday | november 2nd
I was born on the 3rd of October 1946 in Aberdeen. => birthday | 3rd of October 1946; hometown | Aberdeen
I had a stroke in 2021 and lost some feeling in my left hand. => experience | had a stroke in 2021 and lost some feeling in my left hand
Our eldest, Robert, is in the Merchant Navy. => child | Robert; Robert | occupation | Merchant Navy
I don't hold with microwaves. => -likes | microwaves
My granddaughter Isla plays the harp beautifully. => relative | Isla
The cataract operation has been moved to the 9th of April. => plan | cataract operation the 9th of April
I've a pacemaker, you see, since 2018. => health | a pacemaker
I'm Margaret by the way, but everyone calls me Peggy. => name | Margaret; nickname | Peggy
My late wife did all the cooking. => !partner | wife
I can't drive at night any longer. => constraint | can't drive at night
I read the Telegraph and do the crossword every morning. => habit | read the Telegraph and do the crossword every morning
I used to be a bus driver, retired in 2009. => !occupation | bus driver
My hip replacement is booked for 17 June. => plan | hip replacement 17 June
I can't abide rap. => -likes | rap
My son-in-law is Polish, so we're having pierogi at Christmas. => user's son-in-law | nationality | Polish
I'm a widower. => marital status | a widower
No salt for me, doctor's orders. => -diet | salt
I gave my car to my nephew last autumn. => experience | gave my car to my nephew last autumn
Can you ask me things one at a time? I get muddled. => answer style | ask me things one at a time
I've taken to painting since I retired. => likes | painting; occupation | retired
fyi I'm OOO from the 24th until April 2 => plan | OOO from the 24th until April 2
my direct reports are Ken, Aisha and Lou => colleague | Ken; colleague | Aisha; colleague | Lou
I moved from sales to customer success in Q4 => experience | moved from sales to customer success in Q4
My boss's boss is called Renata and she hates slides => user's boss's boss | name | Renata; -user's boss's boss | likes | slides
Please always put the action items at the top => answer style | always put the action items at the top
I'm the PM for the Atlas migration => occupation | PM
My one-on-one with Deepa is now Wednesdays at 2 => habit | one-on-one with Deepa Wednesdays at 2
I need the deck by EOD Thursday => deadline | the deck by EOD Thursday
I live in Croydon but the office is in Reading => residence | Croydon
I got the promotion!! Senior associate as of April 1 => experience | got the promotion
I don't do LinkedIn => -habit | do LinkedIn
I share a calendar with my wife Noor => partner | Noor
I've handed in my notice, last day is the 30th => experience | handed in my notice
I'm allergic to the office cat, sadly => allergy | office cat
I'm a contractor, not an employee => ^occupation | contractor
I've worked with Postgres for a decade => skill | Postgres
I have two monitors and a standing desk => owns | monitors; owns | standing desk
never cc Martin => constraint | never cc Martin
I'm on call every third week => habit | on call every third week
I have got a son, he is studying in the university of Porto => child | son
I am married since 2015 with a spanish woman => marital status | married
My wife is from Chile, we met us in Madrid => user's wife | hometown | Chile
I cannot to eat gluten, I am celiac => -diet | gluten; health | celiac
My favorite sport it is the basketball => favourite sport | basketball
I work in a restaurant like a cook => employer | restaurant; occupation | cook
I don't speak very good english, please speak slow => -language | english
I have 28 years old => age | 28
I am student of medicine in Bologna => occupation | student
My brothers are called Luca and Matteo => sibling | Luca; sibling | Matteo
I live in Germany since 2019 but I am from Ukraine => residence | Germany; hometown | Ukraine
I have to pass exam of driving in June => deadline | pass exam of driving in June
My son he has allergy to eggs => user's son | allergy | eggs
I not like coffee => -likes | coffee
I am coming from small village near Krakow => hometown | Krakow
I dont drink the alcohol because i am pregnant => -diet | alcohol; health | pregnant
the meeting with Ravi got cancelled => !plan | meeting with Ravi
I've decided not to move to Berlin after all => !plan | move to Berlin after all
we called off the wedding => !plan | wedding
scrap the Japan trip, can't afford it => !plan | Japan trip
I don't have the dog anymore, my ex kept him => !pet | dog
I'm not seeing Daniel anymore => !partner | Daniel
no longer at Monzo btw, freelancing now => !employer | Monzo
turns out I'm not lactose intolerant, it was IBS => -diet | lactose intolerant
my sister moved out of London, she's in Hove now => user's sister | experience | moved out of London; user's sister | residence | Hove
I hate mondays but i love my new team => -likes | mondays
can you find me a playlist? I'm really into 90s hip hop, not so much the new stuff => likes | 90s hip hop
ok so I've realised I prefer ebooks to paper these days => likes | ebooks
we're picking a restaurant, my partner can't do spicy and I'm not big on sushi => -user's partner | diet | spicy; -likes | sushi
my favourite spot for lunch is the Korean place on 5th => favourite spot for lunch | Korean place on 5th
I adore rainy days and I can't be bothered with beaches => likes | rainy days; -likes | beaches
I don't drink wine anymore, gives me headaches => !diet | wine
I was never a cat person but since we adopted Mochi I adore cats => experience | adopted Mochi; likes | cats
I thought I'd hate pilates, now I go three times a week => habit | go three times a week
I no longer use Spotify, moved everything to Tidal => !uses | Spotify
we live in a small flat in Ghent, third floor no elevator => residence | Ghent
I've been in Toronto since 2017 but I'm moving back to Halifax in August => residence | Toronto; plan | moving back to Halifax in August
I'm originally from Manila and I live in Dubai for work => hometown | Manila; residence | Dubai
I left London for good, I'm in Margate now => !residence | London; residence | Margate
I'm a paramedic in Leeds, been doing it 9 years => occupation | paramedic
I teach piano to kids and also play in a wedding band => occupation | teach piano to kids; habit | play in a wedding band
switched jobs: from today I'm a data engineer at Klarna => occupation | data engineer; employer | Klarna
I'm the only designer at a 12 person startup called Pebble => occupation | designer
I got fired yesterday. I was at Wayfair for six years => experience | got fired yesterday; employer | Wayfair
I'm studying for the bar exam, it's in July => goal | studying for the bar exam
I'm a stay at home dad with twin girls => occupation | stay at home dad
I run a small pottery studio out of my garage => occupation | run a small pottery studio
I turn 40 next year, no wait 41, I can't count => plan | turn 40 next year
we have 2 kids. well, 3 now, the baby came last week => child | 2 kids; ^child | 3 kids
I'm allergic to cashews. not peanuts, those are fine => allergy | cashews
I said my sister lives in Cork but she moved to Galway last year => user's sister | residence | Galway
my flight got changed, it's the 8th now instead of the 6th => ^plan | flight on the 8th
my colleague Ines is pregnant so she doesn't drink => colleague | Ines; Ines | health | pregnant; -Ines | diet | drink
Ben and Lucy are both vegan, Omar eats everything => Ben | diet | vegan; Lucy | diet | vegan
my flatmate Jonas works nights so I have to be quiet until noon => friend | Jonas; Jonas | habit | works nights
my niece is 4 and obsessed with excavators => user's niece | age | 4; user's niece | likes | excavators
dinner with the Parkers: Jill has celiac, Tom doesn't do dairy => -Tom | diet | dairy
my teacher Ms. Alvarez hates late homework => -Ms. Alvarez | likes | late homework
my wife Hana is from Osaka and her parents only speak Japanese => partner | Hana; Hana | hometown | Osaka
my mum has dementia and lives in a care home near us => user's mum | health | dementia; user's mum | residence | care home
I have a half brother I met last year, his name is Colin => sibling | half brother; sibling | Colin
my dad was an electrician and my mum worked in a bank => user's dad | occupation | electrician; user's mum | experience | worked in a bank
we lost our dog Bruno in January, he was 14 => !pet | Bruno; experience | lost our dog Bruno in January
our daughter just started secondary school => user's daughter | experience | started secondary school
my grandma turns 95 on the 12th of August => user's grandma | birthday | 12th of August
both my parents are deaf so I sign => user's parents | health | deaf
I'm the youngest of five => note | the youngest of five
my cat Pickle needs insulin twice a day => pet | Pickle; Pickle | health | insulin
I've had a kidney transplant so I take tacrolimus morning and night => health | kidney transplant; health | tacrolimus
nothing with grapefruit for me, it messes with my meds => -diet | grapefruit
I get bad hay fever in May => health | hay fever
I broke my wrist so typing is slow, voice dictation it is => experience | broke my wrist
I'm 6 months pregnant and tired of everything => health | 6 months pregnant
my psychiatrist put me on lamotrigine last week => health | lamotrigine
we're flying to Lisbon on the 3rd of May for ten days => plan | flying to Lisbon on the 3rd of May for ten days
my thesis defence is June 11 at 2pm => plan | thesis defence June 11 at 2pm
I have to renew my passport before July => deadline | renew my passport before July
I'm seeing the physio every Thursday until Easter => plan | seeing the physio every Thursday until Easter
wedding anniversary is on Saturday, 12 years! => plan | wedding anniversary on Saturday
can we keep it to bullet points? I never read long answers => answer style | keep it to bullet points; -habit | read long answers
when I ask for recipes always give grams not cups => answer style | when I ask for recipes always give grams not cups
talk to me like a colleague, not like a customer => answer style | talk to me like a colleague
please stop starting every answer with "Great question" => answer style | stop starting every answer with "Great question
use the metric system and 24h clock please => answer style | use the metric system and 24h clock
if I send you code just fix it, no explanation needed => answer style | if I send you code just fix it
I'd rather you ask before you assume things => answer style | ask before you assume things
don't ever text my work phone => constraint | don't ever text my work phone
only book morning flights for me, I hate arriving late => constraint | only book morning flights for me; -likes | arriving late
answer me in Dutch from now on even if I write English => preferred language | Dutch
you can call me Bea, nobody uses Beatrice => nickname | Bea
no phone calls please, I'm hard of hearing => constraint | no phone calls; health | hard of hearing
our budget is 1500 max for the whole trip => constraint | budget 1500 max for the whole trip
deliveries only after 6, nobody's home before that => constraint | deliveries only after 6, nobody's home before that
I work Monday to Thursday, never book Fridays => habit | work Monday to Thursday; constraint | never book Fridays
we never fly Ryanair, family rule => -habit | fly Ryanair
ugh I want to move to the woods and never come back => ?goal | move to the woods
what's a nice dessert for tonight? i don't like anything with coconut => -likes | coconut
I'm a sucker for true crime podcasts => likes | true crime podcasts
honestly cilantro tastes like soap to me so leave it out => -likes | cilantro
I like my steak rare and my wine red => likes | my steak rare
I used to be really into anime, not so much these days => !likes | anime
so apparently I like oysters now?? tried them in Maine and wow => likes | oysters
I've switched to decaf => diet | decaf
yoga isn't for me anymore, I box instead => -likes | yoga
I live just outside Nottingham with my boyfriend and our two rabbits => residence | Nottingham
we relocated from Sydney to Perth in January => residence | Perth
my place is in Kreuzberg, near the canal => residence | Kreuzberg
as of Monday I live in Tulsa, crazy right => residence | Tulsa
I'm an ICU nurse, mostly nights => occupation | ICU nurse
I work for the city council as a planner => employer | city council; occupation | planner
I'm between jobs, used to be at Nokia => occupation | between jobs; !employer | Nokia
my new boss is called Farid and he's vegan => colleague | Farid; Farid | diet | vegan
been self employed since March => occupation | self employed
just became a team lead, 8 people under me now => occupation | team lead
My surname is Okonkwo not Okonkwa => name | Okonkwo
you got my age wrong, I'm 29 => age | 29
my partner's name is Robin, they're an illustrator => partner | Robin
my uncle Ted is a pilot and he collects stamps => relative | Ted; Ted | occupation | pilot; Ted | habit | collects stamps
my kids Milo (6) and Nora (9) both have nut allergies => child | Milo; child | Nora; Milo | allergy | nut; Nora | allergy | nut
our nanny Grace can't drive => -Grace | skill | drive
Leo from accounting hates being called Leonard => -Leo | likes | being called Leonard
my cousin Dana just moved to Tucson with her husband => relative | Dana; Dana | residence | Tucson
grandpa turns 90 on July 3rd => user's grandpa | birthday | July 3rd
my stepdad has Parkinson's => user's stepdad | health | Parkinson's
I'm an only child => note | an only child
my husband snores and I'm a light sleeper => note | a light sleeper
we have four chickens and a grumpy tortoise called Sheldon => pet | four chickens; pet | Sheldon
my dog is a rescue greyhound named Pip, she's scared of men => pet | Pip; Pip | fear | men
our cat had to be put down yesterday => !pet | cat
I have an irregular heartbeat so no energy drinks => health | an irregular heartbeat
penicillin gives me hives => allergy | penicillin
I have PCOS and I'm trying to cut sugar => health | PCOS
I can't have caffeine after noon or I won't sleep => -habit | have caffeine after noon
I need glasses for reading => health | glasses
I had my appendix out when I was 12 => experience | had my appendix out
I'm colourblind, red and green look the same => health | colourblind
we're off to Crete on May 30th => plan | off to Crete on May 30th
my mortgage renewal is due in September => deadline | mortgage renewal due in September
my parents visit next weekend => user's parents | plan | visit next weekend
I'm defending my dissertation in the spring => plan | defending my dissertation in the spring
we're thinking of getting a second dog => ?plan | getting a second dog
booked the vet for Pip on Thursday at 4:15 => plan | booked the vet for Pip on Thursday at 4:15
I want to be able to run 10k by Christmas => goal | be able to run 10k by Christmas
saving for a campervan, 3k to go => goal | saving for a campervan
my goal this year: read 24 books => goal | read 24 books
reply in Italian please, I'm practicing => preferred language | Italian
Keep it under 100 words, always. => answer style | Keep it under 100 words
don't sugarcoat things for me => answer style | don't sugarcoat things
no need to say sorry all the time => answer style | no need to say sorry all the time
please format code with 4 spaces => answer style | format code with 4 spaces
use my nickname Tz when you talk to me => nickname | Tz
don't put meetings on my calendar before 10 => constraint | don't put meetings on my calendar before 10
no gluten in any recipe you give me, my son is celiac => constraint | no gluten in any recipe you give me; user's son | health | celiac
I can only do video calls in the evening => constraint | can only do video calls in the evening
never buy from Amazon, I boycott them => constraint | never buy from Amazon
max budget is 300 a night => constraint | max budget 300 a night
I can't travel in February => constraint | can't travel in February
I'm vegetarian except on Christmas => diet | vegetarian
what wine goes with lamb? my wife only drinks white => user's wife | diet | white
is there a gym near Soho? I'm staying at the Ritz this week => plan | staying at the Ritz this week
I'd love to live in Japan one day but who knows => goal | live in Japan one day
today I hate my job => -?likes | my job
I'm not a fan of horror, but I do enjoy slow thrillers => -likes | horror; likes | slow thrillers
my coffee order is always a flat white, no sugar => likes | flat white
I really like minimalist design, clutter stresses me out => likes | minimalist design
we love board games, esp. Catan => likes | board games
I'm based in Oslo, but I'll be in Bergen from September => residence | Oslo; plan | be in Bergen from September
currently living with my parents in Reading => residence | Reading
I'm a pharmacist and I work at Boots => occupation | pharmacist; employer | Boots
I work at a law firm, mostly patents => employer | law firm
I'm a freelance translator, Spanish to English => occupation | freelance translator
left Siemens in March, now I do consulting on my own => !employer | Siemens
I lead the QA team at Zalando => occupation | lead the QA team; employer | Zalando
I said I'm 32 but I'm 33 since yesterday haha => age | 33
Paul hates surprises, Nina loves them => -Paul | likes | surprises; Nina | likes | surprises
my boss Greta prefers a call over email => colleague | Greta; Greta | likes | call
my neighbour Mrs. Cole is 92 and plays the organ => neighbour | Mrs. Cole; Mrs. Cole | age | 92; Mrs. Cole | skill | organ
my dad's a retired firefighter, my mum still teaches => user's dad | occupation | retired firefighter
my twin brother lives in Lagos => user's twin brother | residence | Lagos
I have a daughter, Mila, she's 4 and allergic to dairy => child | Mila; Mila | age | 4; Mila | allergy | dairy
my husband Joe has celiac disease => partner | Joe; Joe | health | celiac disease
I'm allergic to amoxicillin, gives me a rash => allergy | amoxicillin
I don't eat shellfish or pork for religious reasons => -diet | shellfish; -diet | pork
I have asthma so no running in winter => health | asthma
I'm on a low sodium diet => diet | low sodium diet
my knee is busted, ACL surgery in June => health | knee is busted
I take iron pills and vitamin D => health | iron pills
I've got a dentist appointment tomorrow at 11 => plan | dentist appointment tomorrow at 11
my best friend gets married on 22 August and I'm maid of honor => user's best friend | plan | gets married on 22 August
we're hosting Thanksgiving this year => plan | hosting Thanksgiving this year
I want to learn to sail before I turn 40 => goal | learn to sail before I turn 40
the proposal is due by Friday noon => deadline | proposal due by Friday noon
concert on the 14th, Massive Attack! => plan | concert on the 14th
answers in German please => preferred language | German
from now on skip the intro and get to the point => answer style | skip the intro; answer style | get to the point
please don't use emojis, they break my screen reader => answer style | don't use emojis
never share my phone number with anyone => constraint | never share my phone number with anyone
don't book me on flights before 8am => constraint | don't book me on flights before 8am
I'm only reachable by email on Fridays => constraint | only reachable by email on Fridays
call me Dr. Ade please => nickname | Dr. Ade
we're a nut free household => diet | nut free
I don't have a car so everything has to be reachable by train => -owns | car
I have a Kia and a cargo bike => owns | Kia; owns | cargo bike
I sold my motorbike last year => !owns | motorbike
I speak Farsi at home => language | Farsi
I'm learning the banjo => goal | learning the banjo
I run marathons, did Berlin in 2024 => habit | run marathons
I volunteer at the food bank on Saturdays => habit | volunteer at the food bank on Saturdays
I sing in a choir => habit | sing in a choir
I do pottery on Thursdays => habit | do pottery on Thursdays
I usually get up at 5:30 => wake time | 5:30
I'm vegan, my girlfriend isn't => diet | vegan
I moved in with Sam in April => experience | moved in with Sam in April
I'm getting divorced => plan | getting divorced
I'm engaged to Lea!! => marital status | engaged; partner | Lea
we split up in January => experience | split up in January
our dog Otto is 11 and half blind => pet | Otto; Otto | age | 11
I was in Kyoto in spring, best trip ever => visited | Kyoto
I graduated last week!! => experience | graduated last week
my phone number is 0170 5550199 => phone | 0170 5550199
my birthday's the 30th of Nov => birthday | 30th of Nov
I was born in 91 => birthday | 91
I'm Welsh, not English => ^nationality | Welsh
I'm from a tiny island called Brac => hometown | tiny island called Brac
I want to quit everything and become a shepherd lol => ?goal | quit everything and become a shepherd
"""

MESSY_TALK = """
I work at Bosch. || A: Great company. || sorry I mean Siemens, Bosch was before => employer | Bosch; ^employer | Siemens
My meeting is on the 14th. || A: Noted. || oh wait it's the 15th => plan | meeting on the 14th; ^plan | meeting on the 15th
my sons name is Leo || A: Hi Leo! || sorry typo, it's Theo => child | Leo; ^child | Theo
I weigh 82 kilos || A: ok || 80 actually => weight | 82 kilos; ^weight | 80 kilos
A: How old is your daughter? || 7, she turns 8 in May => user's daughter | age | 7
A: What's the dog's name? || Pickles => pet | Pickles
A: Do you drink coffee? || no, only tea => -diet | coffee
A: Where do you work? || at a bakery in Ghent => employer | bakery in Ghent
A: When's your flight? || 6 April, 7:40 am => plan | flight on 6 April, 7:40 am
I don't like sushi || A: ok || well actually I do like it now => -likes | sushi; likes | sushi
A: And your partner's name? || Sam => partner | Sam
A: Are you allergic to anything? || just bees => allergy | bees
A: Where are you from originally? || Ghana but I grew up in Leeds => hometown | Leeds
A: What time suits you? || mornings are best for me => constraint | mornings are best for me
A: Do you still live in Bath? || no, moved to Bristol in Feb => residence | Bristol
A: What's your budget? || around 800 euros => constraint | budget around 800 euros
I'm vegetarian || A: noted || well, pescatarian really => diet | vegetarian; ^diet | pescatarian
My dad's birthday is June 3rd || A: ok || ah no, the 13th => user's dad | birthday | June 3rd; ^user's dad | birthday | June 13th
I used to love running || A: and now? || now I'm all about cycling => !likes | running
I'm a vegetarian || A: ok || so I started eating fish again last month, doctor's advice => diet | vegetarian; diet | fish
my train is at 18:05 || A: ok || wait, 18:50, I misread it => plan | train at 18:05; ^plan | train at 18:50
I love spicy food || A: good || since the ulcer I can't do spicy anymore => likes | spicy food; !diet | spicy
I live in Prague || A: nice || we moved to Brno in the autumn => residence | Prague; residence | Brno
vet is on Monday at 9 || A: noted || sorry, it's Tuesday at 9 => plan | vet on Monday at 9; ^plan | vet on Tuesday at 9
my son is 7 || A: ok || oh wait he turned 8 last week => user's son | age | 7; ^user's son | age | 8
"""

MESSY_NOTHING = """
My neighbour's dog barks all night long.
I voted this morning.
Our CEO is leaving, and honestly I couldn't care less.
I didn't liked the movie.
everyone at work loves the new coffee machine
my brother thinks I'm lazy
Sam said he's allergic to nuts
I'm sick of meetings today
might move to Canada lol
if i had money i'd live in Bali
tell me a joke about a man who lives in a shoe
what's the best food for a dog that is allergic to chicken
how do people who live in Alaska sleep
I need 3 eggs for this
I have a meeting in 10 minutes
I want to die of embarrassment
the movie was about a man who had cancer
god I could murder a curry
I feel like I'm 90 today
I'd kill for a holiday in Bali
my friend asked if I'm allergic to cats
my mum always says I'm too thin
I wonder if I should get a cat
He's my favourite character in the show
the client lives in Paris and hates calls
I'm in the market for a used Honda
we need a hotel for a family who has a dog
I think my neighbor is a spy lol
I'm so over this week
I'm dying for a coffee
I could eat a horse
kinda craving sushi
would my wife hate it if I got a motorbike
was it me who said I live in Rome?
summarize: The author grew up in Kansas and hated school.
my horoscope says I'm stubborn
I've got to run, the bus is here
I'm on the phone with the bank
I'm writing a story where I am a spy living in Vienna
this weather is killing me
the recipe says I need two eggs
my teacher told us Rome wasn't built in a day
"I'm allergic to cats" is what the guest wrote
I like where this is going
can't decide between blue and green
my friend wonders if he should move to Berlin
I read that people in Okinawa live longest
please write a bio for a chef who lives in Naples
the invoice is for 450 not 540
I work in leeds
moving on, what's next
still in bed
no longer available
learn more
I got into trouble
I'm off to bed
I can't use the app
never say never
everything is fine
all rows must be unique
tea, coffee, milk
"""
