"""Questions, wishes, moods, talk, tasks, other people's words in English: nothing of them is kept. Data for the tests of the rules."""

NOTHING = """
show KPIs for user Christophe
who is Marie Curie
my name is often misspelled
I am sure
I'm looking for a plumber
I like to think that we are alone
call me later
I'd love some help
I hate to say it
I have a question
is a friend of mine allergic to nuts?
if I were rich I would live in Paris
he said I am lazy
write a poem in which I live on Mars
I'm so tired today
I hate everything right now
I want pizza tonight
Do you think I'm lazy and I hate work?
I'd rather have tea.
I love you!
I love your ideas
I love it when it rains
I love this song
No, it's Munich.
I'm going to the gym.
What's my name?
Where do I live?
Am I allergic to peanuts?
Do I have a dog?
How old am I
Should I move to Berlin?
Is my name on the list?
what if I moved to Canada
If I lived in Tokyo, I would eat sushi every day.
If I'm late, call my wife.
Imagine I am a pirate. I live on a ship and I hate the navy.
Suppose I have 3 apples and I eat one.
Let's pretend I'm a doctor. My name is Dr. Smith.
Write a story about a girl named Anna who lives in Paris.
Write a poem in which I live on Mars and I love red dust.
Translate: I live in Berlin and I love beer.
Translate "I am allergic to nuts" into French.
How do you say "I'm vegetarian" in Spanish?
Can you correct this: I has a dog and I lives in Rome.
Proofread this email: Hi, my name is Bob and I work at Acme.
My boss said I am lazy.
She told me she lives in Rome.
He says he hates cats.
My friend thinks I'm too quiet.
"I love you" is a song by Celine.
"I live in Rome" she said.
The song goes I hate Mondays.
I'm so hungry.
I'm tired.
I'm exhausted today.
I'm bored.
I'm so happy right now!
I'm fine, thanks.
I'm good.
I'm sorry.
I'm not sure.
I'm looking for a good restaurant.
I'm trying to fix this bug.
I'm working on a project.
I'm having trouble with my code.
I'm using Python 3.
I'm getting an error.
I have no idea.
I have a problem with my printer.
I have a meeting.
I have to go.
I have two questions.
I have a headache.
I need help.
I need a new laptop.
I want coffee.
I want to make a reservation.
I want to know more about this.
I want you to act as a doctor.
I'd like to book a table.
I'd like a coffee.
I would love to help.
I could move to Berlin.
I might be allergic.
I like it.
I like that idea.
I like your answer.
I like this one.
I like the second option.
I like the way you think.
I love how you explained that.
I love it!
Love it, thanks!
love your work
I hate to bother you.
I hate when this happens.
I hate this weather.
I hate this app.
I think so.
I think that's a good idea.
I guess you're right.
I mean, who cares.
I see.
I know.
I understand.
I agree with you.
I tried that yesterday.
I asked you about this yesterday.
I read your message.
I was wondering if you could help.
I was hoping for something cheaper.
I just wanted to say thanks.
I went to bed late last night.
I went to the store.
I'm going to bed.
I'm going to try it.
I'll call you later.
I'll let you know.
I'll try that.
I will check tomorrow.
I'll be back in 5 minutes.
I'm back.
I'm here.
I'm in.
I'm on my way.
I'm at home.
I'm in a hurry.
I'm in a meeting.
I'm in love with this recipe.
I'm 100% sure.
I'm 5 minutes away.
I'm 20 minutes late.
I'm about to leave.
I'm afraid I can't come.
I'm afraid of losing my data.
I can't find the file.
I can't believe it.
I can't wait!
I can't log in.
I can't come tomorrow.
I don't know.
I don't think so.
I don't understand.
I don't have time.
I don't have the file.
I don't like this answer.
I don't want to go.
I don't care.
I never said that.
I never understood this.
I always get this error.
I usually get confused.
Never mind.
Don't worry.
Don't forget to save.
Don't use a loop here.
Don't use numpy.
Keep going.
Make it shorter.
Call me when you're done.
Call me tomorrow.
Call me crazy, but I think it works.
Remind me to call mom at 5.
Book a flight to Paris.
My name is important to me.
My code doesn't work.
My computer is slow.
My question is simple.
My favorite part is the ending.
My battery is dead.
My internet is down.
my bad
My goal here is to sort the list.
My friend is coming over.
My friend is waiting.
My mom is here.
My wife is asleep.
My sister called me.
My brother asked me a question.
My dog is sleeping.
My kids are at school.
My flight was delayed.
This is my favorite.
That's my brother.
It's my birthday today!
It is Friday.
Everyone loves pizza.
People hate waiting.
Cats love fish.
Paris is beautiful.
Apple makes phones.
Google hired me? no way
The user lives in Berlin.
The customer is allergic to nuts.
He lives in Rome.
She's a doctor.
They have two kids.
You are a helpful assistant.
You live in the cloud.
Your name is Max.
yeah right, I just LOVE waiting in line
Oh great, I love Mondays /s
I'm a millionaire. Just kidding!
I'm a genius lol jk
I feel like dancing.
I feel sick.
I woke up at 5 today.
I ate pizza yesterday.
I had lunch.
I bought milk.
I got it.
I got an email from Bob.
I got home late.
I lost the game.
I saw your post.
I met a guy yesterday.
I took a shower.
I learned that today.
I moved the file to the folder.
I moved the meeting to Friday.
I live for this.
I live in hope.
I work hard.
I work on it every day.
I run Windows 11.
I run the script every time.
I play it again.
I study hard.
I speak for everyone.
I drink to that.
I drive everyone crazy.
I own my mistakes.
e.g. I live in Rome
For example: I am allergic to nuts.
If someone says I hate you, what do I do?
Who is allergic to nuts?
What does "I'm from Leeds" mean?
Someone told me that I have ADHD.
The patient says: I have diabetes.
My character is a vampire who lives in Prague.
In my novel, I live in Prague.
In my dream I had three dogs.
I wish I had a dog.
I wish I lived by the sea.
Is it true that I was born in 1990?
Tell me about Marie Curie.
Show me flights to Rome on Friday.
Explain quantum physics.
I said no.
I told you so.
I love being ignored, said nobody ever.
I'd never eat that.
Would I like Berlin?
Remember when I lived in Rome?
Guess where I live.
Do you know my name?
Do you remember that I'm vegan?
I can speak to your manager?
my name?
Anna?
no
no, thanks
actually, never mind
sorry, I meant the other file
No, it's not working.
No, it's fine.
Actually it's working now.
it's raining
ugh mondays. I swear I could sleep for a week
My laptop keeps crashing when I open Chrome, I've tried restarting it twice.
Can you write a birthday message for my colleague Tom who is turning 40?
Help me draft an email to my landlord. My heating has been broken since Monday.
What should I cook tonight? I have chicken, rice and some peppers.
Summarise this article for me: "I have lived in Paris for 10 years, and I love the city."
The hotel should have a pool, we're travelling with two kids.
Doctor told me to cut down on sugar.
I just read a book in which the narrator says "my name is Ishmael".
lol I'm such an idiot
I'm dying of boredom
I love you so much, you're the best assistant
I hate you
I want to cry
I want to kill my boss lol
I'm so in love with this new song
I'm kind of tired of winter
Maybe I should get a dog.
I wish I could play the piano.
I might go to Spain this summer.
I'm considering a new job.
I think I might be lactose intolerant.
I was thinking about Paris.
Paris was great!
We had so much fun in Rome.
Did you know that I used to live in Rome?
You know I live in Rome, right?
So I live in Rome now?
I live in Rome, right?
I don't remember where I live
I told my mom I'm vegan
She asked me if I was married.
I'm neither vegan nor vegetarian.
I'm more into tea than coffee.
Tea > coffee
I drink a lot of water.
I've been drinking too much coffee lately.
I eat out a lot.
I'm trying this new app.
I am trying to understand recursion.
I'm learning about black holes.
I work with Python a lot.
I'm writing a novel.
I'm reading Dune.
I'm watching The Bear.
I'm listening to jazz.
I'm playing Zelda right now.
I'm cooking dinner.
I'm travelling to Spain.
I'm in Spain right now.
I'm in Spain until Sunday.
I'm visiting Spain.
I'm stuck in traffic.
I'm meeting a friend later.
I'm going to start a diet.
I'm going to start the server.
I will be late tomorrow.
I won't be available tomorrow.
I can't make it on Friday.
I can't sleep.
I can't focus today.
I can't afford a car.
I can do Tuesday.
I need to call my mom tomorrow.
I need to buy milk.
I need to lose weight.
I should exercise more.
I must finish this report today.
I have to get up early tomorrow.
I have a cold.
I have a fever.
I have Covid.
I have a dream.
I have a car accident case.
I have a lot of work.
I have one.
I have been there.
I have something to tell you.
I've got this.
I got you.
I got a B in maths.
I lost my keys.
My phone broke.
My grandmother's recipe is the best.
My brother's getting on my nerves.
My boyfriend and I had a fight.
My friend from work told me a joke.
My friend who lives in Rome is visiting.
My neighbour is loud.
My teacher is mean.
My boss wants the report by Monday.
My boss is on vacation.
My team won!
My car broke down.
My car is in the shop.
My house is a mess.
My job is killing me.
My job involves a lot of travel.
My dream last night was weird.
My plan is to sleep.
My favourite thing about you is your patience.
My address is wrong on the invoice.
My email isn't working.
My number one rule: never give up.
Mum's the word.
Tom's hungry.
Tom is here.
Anna called.
Anna is coming over for dinner.
Anna, can you help?
Jack and Jill went up the hill.
Will is my brother.
My job is stressful.
My favourite is the second one.
I broke my phone.
I lost my phone yesterday.
"""
