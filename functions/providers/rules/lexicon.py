"""The patterns that tell which stock a phrase is about, and what is on a list.

All of them read a clause as `reading.read` writes it out.
"""

from functions.core.models import Sentiment
from functions.providers.rules.objects import SUCH_AS_WORDS
from functions.providers.rules.vocabulary import pattern, phrases, words

MEMBERS_FOLLOW = pattern(rf"^(?:(?:names|stocks|companies|things) like|{SUCH_AS_WORDS})(?: an?| the)? §(?! 's)")
"""`We're adding to the banks, | especially §`"""
NO_OBJECT_LEAD = pattern(r"(?<!\w)(?:at|from|for|and|while|then|through|with)(?!\w)")
"""`buy my coffee at §`, `bought popcorn and watched §`: what follows is not what was bought."""
ANNOUNCES = ((Sentiment.BUY, phrases("announces buys")), (Sentiment.SELL, phrases("announces sells")))
"""`Here are five stocks I'm buying`: what is said of each name on the list."""
ASKS_FOR = ((Sentiment.BUY, phrases("asks for buys")), (Sentiment.SELL, phrases("asks for sells")))
"""`What are you buying here?`: the name that answers is bought."""
GIVES_A_NAME = pattern(
    r"^(?:(?:well|yeah|yes|so|sure|and|look|okay|i think|i mean) )*(?:(?:i|we) (?:\S+ ){0,4}"
    r"(?:say|like|love|at|with|highlight|mention|favou?r|about|pick|choose|be|is)"
    r"|(?:it|that|there|one) (?:is|would be)) "
    r"(?:(?:a|an|the|some|of|like|course|my|our|names?|stocks?|something) )*§"
)
"""`I would say §`, `we are looking at §`: an answer to that."""
LISTED = words("listed")
LISTS_NAMES = pattern(r"(?:are|is|include|includes|would be|remain|continue to be|namely) (?:\S+ ){0,2}§")
"""`My top stocks for this year are §, § and §`"""
THEY_ARE = pattern(
    r"^(?:(?:and|so|now) )*(?:they|these|those|the (?:stocks|names|companies)) (?:are|include|would be|will be)"
    r"(?: going to be)? (?:(?:stocks|names|companies) like )?(?=(?:\S+ ){0,2}§)"
)
"""`Here is what I bought. | They are going to be names like § and §`"""
LIST_ITEM = phrases("list item")
PUT_FORWARD = phrases("put forward")
"""`My second pick`, `stock number two`: the speaker puts a stock forward, whether or not a list was announced."""
ROUND = phrases("round of picks")
"""`Final trades`: each of a panel names a stock, mostly without a verb."""
ROUND_ENDS = phrases("round ends")
SPEAKS_ON = pattern(
    r"(?<!\w)(?:(?:the|this) (?:stock|company|shares|business|name)|it is|it has|they are|they have)(?!\w)"
)
"""The stock last named is still what is spoken of."""
TURNS_TO = pattern(
    r"(?<!\w)(?:(?:back|on|over|turn|turning|come|coming|go|going|move|moving|get|getting|switch|switching) to"
    r"|(?:talk|talking|talked|what|how|ask|asked|asking|question|questions|thoughts|tell you) about|as for"
    r"|(?:look|looking) at|speaking of|thoughts on|view on|take on) (?:\S+ )?§"
)
"""`Back to §`, `what about §`: from here on § is spoken of."""
STOCK_TO_COME = pattern(
    r"(?:^|(?<!this is)(?<!that is)(?<!it is)(?<!which is)(?<!one is)(?<!these are)(?<!those are)(?<!they are)"
    r"(?<!was)(?<!be)(?<!not)(?<!as)(?<!like)(?<!it)(?<!of)(?<!the)(?<!these)(?<!those) )"
    r"(?:a|one|another|one more|(?:the|my|our) (?:next|last|other)|\d+|two|three|four|five|six|seven|eight|ten)"
    r"(?: (?!stocks?|compan|names?)\w+)? (?:stocks?|company|companies|names?)(?: that| which)? (?:i|we)(?!\w)"
    r"|(?<!\w)(?:show|tell|give|reveal|share|get to|got|discuss|here is|here are|talk about)"
    r"(?: you| with you)?(?: about)? (?:the|my|our)(?: \w+)?"
    r" (?:stocks?|company|companies|names?|ones?)(?: that| which)? (?:i|we)(?!\w)"
    r"|^(?:(?:and|so|but) )*the (?:\w+ )?(?:names|companies|stocks)(?: that| which)? (?:i|we)(?!\w)"
    r"|^(?:stocks|companies) (?:that )?(?:i|we|you) (?:\S+ )?(?:must|should|need|have|am|are|would)(?!\w)"
    r"|(?:^|(?<!\w)(?:buying|selling|at|to|with) )(?:stock |pick )?number"
    r" (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$"
)
"""`Let's get to a stock | I sold today`: one that has not been named yet."""
UNKNOWN_POSITION = pattern(
    rf"(?<!\w)(?:my|our) (?!(?:{'|'.join(sorted(words('kinds of position')))}) )[a-z]+ (?:position|stake|shares)(?!\w)"
)
"""`I sold half of my zorblat position`: a stock whose name nobody knows."""
UNKNOWN_NAME_IS = pattern(
    r"^(?:(?:and|but|so|while|then) )*(?!(?:it|this|that|which|there|here|they|these|those|the|my|our|an?|one|i|we|you"
    r"|what|who|he|she|number|first|second|third|next|last|another|and|but|so|while|then) )(?:[a-z]+ ){1,4}"
    r"(?:is|was) (?:\S+ )?(?:one|a stock|a name|a company)(?: that| which)? (?:i|we)(?!\w)"
)
"""`Zorblat Holdings is one that I would sell`: not the stock named before it."""
NEXT_PICK = pattern(r"(?:our|my|the|your) (?:next|first|second|third|last) ")
"""`Your second pick` is named after it."""
SOME_STOCKS = pattern(
    r"^(?: (?!§|¤|it |them |and |but |because |so |i |we |you )\S+){0,5}"
    r" (?:stocks|companies|names|businesses|equities)(?!\w)(?! like (?:this|it|that|these|§))"
)
"""`taking profits on | these stocks`, `selling | some of the weaker names`"""
OPENS_PORTFOLIO = pattern(
    r"^(?:(?:and|so|now|but|okay|then) )*(?:in|inside|within|across|looking at|as for) (?:of )?(?:my|our) (?:\S+ ){0,2}"
    r"(?:portfolios?|accounts?|holdings|positions)(?: (?:today|right now|now|this (?:week|month|year)))?(?=$| §)"
    r"|^(?:(?:and|so|now|but|okay|then) )*(?:my|our) (?:\S+ )?(?:portfolio|holdings|positions)"
    r" (?:is|are|consists? of|includes?)(?: (?:now|currently|made up of))?$"
)
"""`In my portfolio | § is up and § is down`: what the sentence goes on to name is owned."""
_ALL_THREE = r"(both(?! §)|(?:(?<=all )|(?<=these )|(?<=those )|(?<=the ))(?:two|three|four|five|six))(?!\w)"
ALL_OF = pattern(rf"^(?: up)?(?: more)?(?: of| to)? (?:all (?:of )?(?:the |these |those )?)?{_ALL_THREE}")
HOW_MANY = pattern(rf"(?<!\w){_ALL_THREE}(?! (?:years|months|weeks|days))")
COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
"""`I bought all three`: as many as were named together last."""
THOSE_ARE = pattern(
    r"(?<!\w)(?:these|those|they) (?:are|were|would be) (?:\S+ ){0,2}"
    r"(?:two|three|four|five|six|ones|stocks|names|companies)(?: that| which)?$"
    r"|§ (?:are|were) (?:both|all) (?:\S+ )?(?:stocks|names|companies|ones)(?: that| which)?$"
)
"""`§, § and §. Those are the ones | I'm buying`, `§ and § are both stocks | I'm buying`"""
SAME_AGAIN = pattern(
    r"^(?:(?:and|so|but|okay|then|it is|that is|pretty much|i did) )*(?:the )?(?:exact )?"
    r"(?:same(?: (?:thing|goes|deal|story|treatment|again|here|i|we|have|did|do|gave|given|done|applies))*"
    r" (?:for|with|to)|ditto(?: for| with)?) (?:my |our )?§"
    r"|^(?:and )?(?:my |our )?§ (?:too|as well|same thing|same story|same deal|ditto)$"
    r"|^(?:(?:and|so|then|i think) )*§ (?:is|was|would be) (?:another|the other)(?: one| name| stock| pick| buy)?"
    r"(?: of (?:those|them|these))?$"
    r"|^(?:(?:and|so|then) )*(?:another|the other)(?: one| name| stock| pick| buy)? (?:is|was|would be) §$"
    r"|^(?:(?:and|then) )*followed (?:closely |then )?by (?:my |our |a |an )?§"
)
"""`Same with §`, `§ too`, `§ is another`, `followed by §`: what was done with another is done with this one."""
PRESENTS = pattern(
    r"^(?:(?:and|so|but|now|okay) )*(?:which|that|this|it|(?:the|that|this) (?:stock|company|name|business|ticker))"
    r"(?: one)?(?: i am talking about| of course)? (?:is|was|would be|has to be|will be)"
    r"(?: (?:of course|going to be|none other than|called|actually|ticker|symbol))* (?:an? |the )?§"
)
"""`The one I think is an easy buy | which is §`, `one I am buying | and that stock is §`"""
NAMED_NEXT = pattern(r"^(?:\S+ ){0,3}§(?! (?:i|we|you)(?!\w))")
"""`I'm still buying it. | To me § is the best of them`, but not `I'm buying that | § I do not know`"""
OF_THE_LAST = pattern(r"^(?:(?:and|so|but) )*(?:it|this|that|this one|that one|they) (?:is|are|was|has|remains)(?!\w)")
"""`It's my biggest position, | § is the second`: said of the stock before."""
CHANGE_OF_MIND = phrases("change of mind")
ASKS_FOR_A_WORD = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then|all right) )*(?:what|which|who|where|when|why|how)(?!\w)"
)
"""`What is the second pick?`, to which `yes` is no answer."""
ASKS_ADVICE = pattern(
    r"(?<!\w)(?:(?:should|do) i|what (?:should|do|can) i|what are your"
    r"|(?:your|any) (?:thoughts|opinion|advice|take)|is it (?:still )?(?:an? )?(?:\S+ )?(?:buy|time|hold|sell)"
    r"|(?:buy|hold)(?: it)? or (?:buy|hold|sell))(?!\w)"
)
"""`I own it. | Should I sell?`, as a viewer asks."""
ASKS_OUTRIGHT = pattern(
    r"(?<!\w)(?:should|do) i (?:\S+ )?(?:buy|sell|hold|keep|add|get out|trim)(?!\w)(?! (?:it|this|that) (?:because|so))"
)
"""The same where captions have no question marks."""
YES = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think) )*"
    r"(?:(?:yes|yeah|yep|absolutely|definitely|of course|you bet|one hundred percent|for sure)(?!\w)(?! not)"
    r"|(?:i|we) (?:do|did|am|are|would|will)$|(?<=i think )so$|(?:i|we) (?:believe|would say) so$)"
)
NO = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think|i am|i would|i do) )*"
    r"(?:no|nope|not|absolutely not|definitely not|of course not|no way)(?!\w)(?! to (?:buy|sell|add|own)(?!\w))"
)
COMPARED = pattern(
    r"(?:^| )(?:than|over|instead of|versus|vs|compared to|compared with|unlike|except|except for|apart from|aside from"
    r"|(?<!bet )(?<!betting )against"
    r"|(?<!stocks )(?<!names )(?<!companies )(?<!something )(?<!i )(?<!we )(?<!really )(?<!do )(?<!still )like)"
    r"(?: (?:in|own|buy|buying|owning|holding|at|my|the))?$|(?:^| )not$"
)
EXCEPT = pattern(r"^(?:but|except|except for|other than|apart from|aside from)(?: not)? §$")
"""`I own all of them | but §`"""
PRONOUN_OBJECT = pattern(
    r"^ (?:(?:to|of|into|on|in|up|out|more|all|some|a lot|half) )*"
    r"(?:(?:it|them|this one|that one|mine|both(?! §))(?= |$)|that(?= §)"
    r"|(?:that|this)(?=$| (?:and|but|at|here|now|because|again|for|in)(?!\w)))"
)
"""`sell it`: what is sold was named before, whatever stock the clause names next."""
SUBJECT_OF = pattern(r"(?:is|was|has|had|will|reported|reports|fell|rose)(?!\w)")
"""`I bought §, § | was up`: what is said of the second is not what was done with the first."""
INTO = pattern(r"(?:^| )into$")
PLURAL = phrases("plural")
