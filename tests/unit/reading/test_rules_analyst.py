"""The deterministic analyst, rule by rule, and as a whole on the labelled passages."""

import json
import re
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.analyst import load, scores
from functions.reading.analyst import Analyst
from functions.reading.listings import DATA, is_listed, listing
from functions.reading.rules import RulesAnalyst
from functions.reading.rules.clarity import HOLD, TRADE, clarity, learned_clarity
from functions.reading.rules.evidence import all_evidence
from functions.reading.rules.findings import findings_of
from functions.reading.rules.known import known_names, other_meanings
from functions.reading.rules.text import words_of
from functions.reading.rules.weighing import learned_weights, likeliest, probabilities
from functions.reading.rules.wording import learned_worth
from functions.reading.terms import Sentiment
from functions.record.sources.demo import channels as demo

MILLION = 1_000_000
LIKELY = 0.55
"""How likely a stance of a long transcript must be by its phrases, so that they are known."""
CHANNELS = Path(demo.__file__).with_name("channels.json")


def read(transcript: str, day: date | None = None) -> dict[str, str]:
    return {call.ticker: call.sentiment.value for call in RulesAnalyst().calls(transcript, day)}


def by_phrases(transcript: str) -> dict[str, str]:
    """What the phrases of a long transcript alone make of each stock, however clear they are."""
    read_as = {}
    for ticker, found in findings_of(transcript, words_of(transcript))[1].items():
        likely = probabilities(all_evidence(found, learned_worth()), learned_weights())
        best = likeliest(likely)
        read_as[ticker] = best.value if likely[best] >= LIKELY else Sentiment.MENTIONED.value
    return read_as


@pytest.mark.parametrize(
    ("transcript", "ticker"),
    [
        ("Earnings of $AMD are out.", "AMD"),
        ("Shares of PLTR rose today.", "PLTR"),
        ("Procter & Gamble raised its dividend.", "PG"),
        ("the chart of j&j looks healthy", "JNJ"),
        ("um so facebook reported last night", "META"),
        ("Old ticker, new name: $SQ reports tomorrow.", "XYZ"),
        ("that's ticker symbol n v d a for those who are new", "NVDA"),
        ("the utility is southern company ticker s o", "SO"),
        ("Berkshire's annual letter is out.", "BRK.B"),
        ("Kohl's cut its guidance.", "KSS"),
        ("Est\u00e9e Lauder missed estimates.", "EL"),
        ("Sarepta shares fell on the trial data.", "SRPT"),
        ("Well, US Bank will close some branches this spring.", "USB"),
        ("Old ticker, new name: $BITF mines less than it did, and its shares know it.", "KEEL"),
        ("The market opened lower, but bmnr is up seven percent.", "BMNR"),
        ("To be fair, in Video has sold these chips for years.", "NVDA"),
    ],
)
def test_a_stock_is_found_however_it_is_named(transcript: str, ticker: str) -> None:
    assert read(transcript) == {ticker: "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "ticker"),
    [
        ("The market likes Palanteer again, revenue grew by half.", "PLTR"),
        ("So Birkshire has been trimming for a year now.", "BRK.B"),
        ("Crowd Strike reported after the bell, and so did its rivals.", "CRWD"),
        ("i think the chart of coreweeve is ugly", "CRWV"),
        ("we'll see what jet blue does after earnings", "JBLU"),
        ("Fubo closed the deal.", "FUBO"),
        ("Shares of Synopsis jumped on the news.", "SNPS"),
        ("what a chart rmbs has i mean look at that volume and the stock is up again", "RMBS"),
        ("They signed with Lumen, and the stock is at $7.35 now.", "LUMN"),
        ("Then they sold a stake to Black Rockck for a billion dollars.", "BLK"),
        ("Nebibius reported, and the stock fell.", "NBIS"),
        ("The makers of disks, Seagatte Technology among them, have a good business.", "STX"),
        ("Let me look at PL TR before the market opens.", "PLTR"),
        ("The market rewards Waymo for every city it opens.", "GOOGL"),
    ],
)
def test_a_name_is_known_in_the_spelling_of_captions(transcript: str, ticker: str) -> None:
    assert read(transcript) == {ticker: "mentioned"}


@pytest.mark.parametrize(
    "transcript",
    [
        "Our credit card has no fee, above all it is simple, and the stock market is closed.",
        "The floor of the market held, and there was liquidity in both sports and energy stocks.",
        "Energy's up this year and housing's toast, say the stocks.",
        "They filled the gap on the chart, then sold off at the close.",
        "The bank set a target for its return, and the market liked it.",
        "The EDA and the CAE tools need fast chips, which is good for the stock market.",
        "That could take two years, and investors have to go on holding through it.",
        "BYD sold more cars than anyone, but I can't buy the stock here.",
        "i ride the bus and then my mom says that all the stocks are up",
    ],
)
def test_words_that_sound_or_look_like_a_name_are_not_stocks(transcript: str) -> None:
    assert read(transcript) == {}


@pytest.mark.parametrize(
    ("transcript", "tickers"),
    [
        ("look at marcato libre and z scaler and pala alto they all reported last night", {"MELI", "ZS", "PANW"}),
        ("octa had a great quarter and so did rubric the cyber names are moving", {"OKTA", "RBRK"}),
        ("the neocloud stocks are iron nebus and core weave", {"IREN", "NBIS", "CRWV"}),
        ("the proctor and gambles of this market never get cheap", {"PG"}),
        ("g e vernova makes the turbines", {"GEV"}),
        ("k k r i like more than other stocks in private equity", {"KKR"}),
        ("Software fell: Adobe, into it and Workday were hit by selling.", {"ADBE", "INTU", "WDAY"}),
        ("of the shoe stocks i follow nike, on holding, deckers", {"NKE", "ONON", "DECK"}),
        ("the neoclouds core reef and ian i would not mix up with nebius", {"CRWV", "IREN", "NBIS"}),
        ("petro brass and vicky properties pay a dividend and so does legal entity number three", {"PBR", "VICI"}),
        ("a sterile labs and marll sell to the same customers said the report", {"ALAB", "MRVL"}),
        ("alassian and este lauder missed their guidance", {"TEAM", "EL"}),
        ("pterodine and a stereo labs beat and so did tgx", {"TER", "ALAB", "TJX"}),
        ("of the natural gas names i own eq and antero", {"EQT", "AR"}),
        ("i wear a helmet on my bike and i opened a ross account", set()),
        ("chime shares and circle stock are both below their first price", {"CHYM", "CRCL"}),
        ("the air conditioning stocks lennox train and john's controls are down", {"LII", "TT", "JCI"}),
        ("of the asset managers apollo carlile and the kkrs trade lower", {"APO", "CG", "KKR"}),
    ],
)
def test_names_are_known_in_the_spellings_that_captions_write_for_them(transcript: str, tickers: set[str]) -> None:
    assert set(read(transcript)) == tickers


@pytest.mark.parametrize(
    ("transcript", "tickers"),
    [
        ("vistra and constellation run the reactors", {"VST", "CEG"}),
        ("people drink less beer and constellation knows it", {"STZ"}),
        ("the constellation of satellites costs a fortune", set()),
        ("lam and applied make the equipment", {"LRCX", "AMAT"}),
        ("she applied for a loan and had lamb for dinner", set()),
        ("American and Delta both cut fares, and the airlines fell.", {"AAL", "DAL"}),
        ("The American economy is strong, and the stock market knows it.", set()),
        ("joby and archer are both flying", {"JOBY", "ACHR"}),
        ("Joby is flying, says an archer with a bow.", {"JOBY"}),
        ("wells and citi have cheap deposits", {"WFC", "C"}),
        ("they drilled two wells, and the bank paid", set()),
        ("he was a poet and bought a pony with the shares she sold", set()),
        ("I'd go with Zeta and Nvidia.", {"ZETA", "NVDA"}),
        ("The S&P rose, and a rating agency spoke.", set()),
        ("Netflix 4%, into it 6%, Nike 9%.", {"NFLX", "INTU", "NKE"}),
        ("Disney 4, Nike 6, Pfizer 8, Otis 9, Netflix 3.", {"DIS", "NKE", "PFE", "OTIS", "NFLX"}),
        ("Otis sang soul, and his records sold well.", set()),
    ],
)
def test_a_short_name_is_known_by_the_company_it_keeps(transcript: str, tickers: set[str]) -> None:
    assert set(read(transcript)) == tickers


@pytest.mark.parametrize(
    ("transcript", "tickers"),
    [
        ("Much is spent by Google, that raised billions in the market.", {"GOOGL"}),
        ("You can google that, the market is large.", set()),
        ("Evercore out again today reiterates Apple at outperform.", {"AAPL"}),
        ("Apple has a new target of 300 at Citi, and the stock rose.", {"AAPL"}),
        ("RBC boosting its price target on Micron today, and a stock of midcap companies fell.", {"MU"}),
        ("Novo sells WGO at a low price, and the drug sells well in the market.", {"NVO"}),
        ("Rivian puts a LAR beside every camera, and the stock rose.", {"RIVN"}),
        ("That LAR of theirs costs less, and this GEG spin-off is done, says the stock market.", set()),
        ("I follow LAR for its lithium, and the stock rose.", {"LAR"}),
        ("Profits x energy rose in the quarter, and stocks rallied.", set()),
        ("The reactors of X Energy please the market.", {"XE"}),
        ("higher costs have eaten away at emerson and they have just eaten margins at honeywell", {"EMR", "HON"}),
        ("the electrical stocks are vertiv eaten and hubble", {"VRT", "ETN", "HUBB"}),
        ("hubble sent pictures from space while utilities and the grid stocks fell", set()),
        ("lennox is on the hype train and i lost my train of thought about hvac stocks", {"LII"}),
        ("when aries season begins she buys dividend stocks for the yield", set()),
        ("The private equity stocks are KKR, Aries and Carlyle.", {"KKR", "ARES", "CG"}),
        ("Like Janus, the stock market looks both ways, and each ETF with it.", set()),
        ("Clara and Lily buy now and pay later, and PayPal stock rose.", {"PYPL"}),
        ("They make fresh pet food and a Black and Decker drill, says the stock market.", set()),
        ("fresh pet and black and decker rose with the stock market", {"FRPT", "SWK"}),
        ("They own the core bridge over the river.", set()),
        ("A Netflix would pay more for such a company than an Oracle can.", {"NFLX", "ORCL"}),
        ("It is a Netflix for cooks, says the company, and an Amazon package is on its way.", set()),
    ],
)
def test_a_name_is_not_meant_where_its_words_say_something_else(transcript: str, tickers: set[str]) -> None:
    assert set(read(transcript)) == tickers


@pytest.mark.parametrize(
    ("transcript", "tickers"),
    [
        (
            "ALL RIGHT, META IS UP TWO PERCENT AND SO IS LILLY. WE OWN DICK'S, AND STATE STREET.",
            {"META", "LLY", "DKS", "STT"},
        ),
        ("THE TARGET IS FAR AWAY AND WE MATCH THE INDEX. NOW IS THE TIME TO OPEN THE BOX.", set()),
        ("amazon or meta i could never decide", {"AMZN", "META"}),
        ("well i like meta more than the rest of the market", {"META"}),
        ("that joke was so meta that nobody laughed and the market was closed", set()),
        ("in the current meta of this game everybody plays a wizard", set()),
        ("WHEN YOU LISTEN TO VISA, SPENDING IS FINE AND STOCKS ARE UP.", {"V"}),
        ("THE STOCKS ON MY LIST, IT'S VISA AND MASTERCARD.", {"V", "MA"}),
        ("THE BROKER HAS A $300 TARGET, AND THE STOCK IS DOWN.", set()),
        ("AMONG STOCKS THE AMAZONS AND THE NETFLIXS OF THE WORLD LED.", {"AMZN", "NFLX"}),
        ("WE BUY VALUE AND WE OWN A GOOGLE BECAUSE THE STOCK IS CHEAP.", {"GOOGL"}),
        ("MY NEIGHBOR BOUGHT A TESLA BECAUSE THE STOCK WENT UP.", set()),
        ("THEY BOUGHT A NETFLIX FOR DOGS AND THE STOCK FELL.", set()),
    ],
)
def test_names_that_are_words_are_found_where_capitals_tell_nothing(transcript: str, tickers: set[str]) -> None:
    assert set(read(transcript)) == tickers


@pytest.mark.parametrize(
    "transcript",
    [
        "He worked for Steve Cohen before he ran a fund of his own.",
        "Larry Culp bought more stock.",
        "The isotope is actinium, and the market for it is small.",
        "A gap up's not easy to buy, and grown-ups sell into it.",
        "Their ads are growing, and the GPUs are sold out, says the market.",
        "their ads are growing and the gpus are sold out says the market",
        "The PG ratio of this stock is low.",
        "The ticker Q something, I forget which stock.",
        "IVR is over fifty, so we sell options.",
        "i would call it the bur short and the market agrees",
        "tell me about progressive exposure and how you scale a position",
        "The shop on Herald Square sold well this quarter.",
        "That was an LZ moment for all of us.",
        "I take profits on semiconductor stocks early.",
        "In New York, Jerome Powell spoke, and tariffs on semiconductor makers hurt the market.",
        "They bought an AI stock, and after that another AI stock, but never an EV stock.",
        "The server answers API calls, and investors love it.",
        "We run the customer service. Now, with that out of the way, the stock market.",
        "The GAP net income was ten cents a share, and gap earnings per share grew.",
        "It trades at a Ford PE of twelve, the market is generous.",
        "JD Power ranked the cars, and the ADP report moved the stock market.",
        "Global e-commerce sales grew by ten percent, says the market.",
        "They train on tranium, and it is a zerox of the older chip, but investors buy it.",
        "I looked into it, and it was priced into it already, so I sold.",
        "Insiders were selling into it. The market saw that.",
        "THE DOW, THE S&P AND THE NASDAQ ALL FELL AND STOCKS WERE SOLD",
    ],
)
def test_people_measures_and_parts_of_other_words_are_not_stocks(transcript: str) -> None:
    assert read(transcript) == {}


@pytest.mark.parametrize(
    ("filler", "expected"),
    [
        ("So this was a long week for the market and hardly anything happened. ", {"PTON": "mentioned"}),
        ("So this was a long week for the Fed and hardly anything happened on Friday. ", {}),
    ],
)
def test_small_letters_name_a_ticker_where_only_sentences_begin_large(filler: str, expected: dict[str, str]) -> None:
    assert read(filler * 20 + "Then i looked at the chart of pton and its shares.") == expected


CHARTS = "The market had a strong day and most charts held the moving average on good volume. "


@pytest.mark.parametrize(
    ("transcript", "tickers"),
    [
        (CHARTS + "On Monday I trimmed coin into strength and kept my stop.", {"COIN"}),
        (CHARTS + "My largest swing position this week is Crowd, bought on the pullback.", {"CRWD"}),
        (CHARTS + "Then hood looks extended, so no new entry.", {"HOOD"}),
        (CHARTS + "Next up, AEM is basing. Then AG looked better and EGO broke out.", {"AEM", "AG", "EGO"}),
        (CHARTS + "You could rotate into a Roblox, a Microsoft, or wait for the next setup.", {"RBLX", "MSFT"}),
        (CHARTS + "The solar trade is back, and in phase led it.", {"ENPH"}),
    ],
)
def test_words_that_traders_say_for_a_company_are_found_amid_their_talk(transcript: str, tickers: set[str]) -> None:
    assert {call.ticker for call in RulesAnalyst().calls(transcript)} == tickers


@pytest.mark.parametrize(
    "transcript",
    [
        "We flipped a coin, followed the crowd and had toast for breakfast.",
        CHARTS + "The big retailers may launch their own coin, and the crowd follows.",
        CHARTS + "On net income they lost a little, and a look under the hood shows why.",
        CHARTS + "My kids bought a Roblox gift card with the profit.",
        CHARTS + "I ran the numbers and the lithium ion story is over.",
        CHARTS + "NOW is the time to be patient, and ALL looks fine.",
    ],
)
def test_words_that_traders_say_for_a_company_keep_their_plain_meaning(transcript: str) -> None:
    assert RulesAnalyst().calls(transcript) == []


def test_a_company_is_known_by_the_first_word_of_its_name_once_it_was_named() -> None:
    assert read("Range Resources is at a record. I bought Range yesterday.") == {"RRC": "buy"}


def test_a_name_that_is_introduced_with_its_ticker_means_the_company_from_then_on() -> None:
    assert read("I looked at Oksho, ticker symbol OSK, last week. Then the price fell, and I bought Oksho.") == {
        "OSK": "buy"
    }
    assert read("My pick is AVY, stock ticker ABBV. Nobody else likes Avy.") == {"ABBV": "buy"}
    assert read("I looked at it on Tuesday, ticker TSLA. Then on Tuesday I bought Ford shares.") == {
        "TSLA": "mentioned",
        "F": "buy",
    }


def test_a_ticker_in_capitals_before_its_stock_is_no_word_for_another_company() -> None:
    assert read("Among the bitcoin miners there is no WOLF stock.") == {"WOLF": "mentioned"}


def test_a_name_written_like_the_ticker_of_another_company_means_the_company() -> None:
    assert read("HP and Dell both raised their prices.") == {"HPQ": "mentioned", "DELL": "mentioned"}
    assert read("I bought some HP shares this morning.") == {"HPQ": "buy"}
    assert "HPQ" not in read("I bought an HP laptop at Costco.")
    for said in ("I bought $HP this morning.", "The ticker HP is a driller, and I bought it."):
        assert read(said) == {"HP": "buy"}, said


def test_a_share_that_has_left_the_exchanges_is_known_in_the_videos_of_its_days() -> None:
    transcript = "Twitter reported. I'm buying Twitter."

    (then,) = RulesAnalyst().calls(transcript, date(2019, 5, 2))

    assert (then.ticker, then.sentiment) == ("TWTR", Sentiment.BUY)
    assert RulesAnalyst().calls(transcript, date(2025, 5, 2)) == []


@pytest.mark.parametrize(
    "transcript",
    [
        "let me tell you what the stock market did in my living room",
        "Karen in Kansas asked how stocks redefine a market.",
        "Nicola bought consumer staples, and the stocks are up.",
    ],
)
def test_words_are_no_shares_that_have_left(transcript: str) -> None:
    assert read(transcript, date(2020, 3, 17)) == {}


def test_a_share_is_known_from_its_first_day_on() -> None:
    transcript = "I'm buying SpaceX, and I'm selling Honeywell Aerospace."

    before, after = (
        {call.ticker: str(call.sentiment) for call in RulesAnalyst().calls(transcript, day)}
        for day in (date(2026, 6, 11), date(2026, 6, 29))
    )

    assert before == {"HON": "sell"}
    assert after == {"SPCX": "buy", "HONA": "sell"}


def test_a_company_nobody_knows_ends_the_topic() -> None:
    assert read("Nvidia reported. Then I looked at Zorblat stock, and I bought it.") == {"NVDA": "mentioned"}


@pytest.mark.parametrize(
    "transcript",
    [
        "NOW is the time to go ALL in ON growth, so OPEN an account and keep COST low.",
        "it is what it is, all of you can now play on and be well",
        "IT spending is up, AI is everywhere, and the CEO said so on TV at 5 PM.",
    ],
)
def test_words_that_are_tickers_do_not_count_by_themselves(transcript: str) -> None:
    assert read(transcript) == {}


@pytest.mark.parametrize(
    ("transcript", "ticker"),
    [
        ("I'm watching $NOW.", "NOW"),
        ("I looked at shares of ALL yesterday.", "ALL"),
        ("ON stock fell after the print.", "ON"),
        ("NYSE: IT reported.", "IT"),
        ("It builds streets, with the ticker symbol road. I looked at it.", "ROAD"),
    ],
)
def test_words_that_are_tickers_count_with_clear_context(transcript: str, ticker: str) -> None:
    assert read(transcript) == {ticker: "mentioned"}


@pytest.mark.parametrize(
    "transcript",
    [
        "An apple a day; my orchard grows apple trees, and I sell the fruit at the market.",
        "We sold everything and went to see the Amazon rainforest.",
        "The Oracle of Omaha spoke to shareholders.",
        "my work visa took four months so hold on to every receipt and apply early",
        "mind the gap between buying and selling",
        "we had to ford the river and hold the rope",
        "he lost a tennis match to a man on my block and bought him a drink",
        "My price target is met.",
        "the delta of the option moves when the stock moves and gamma tells you how fast",
        "I drove my Ford to the airport and flew Delta to Atlanta.",
        "I ordered an Uber and watched Netflix all night.",
        "For the outlook we have the head of US bank research with us, and shares are up.",
        "Live from Time Square in New York, all over the action in shares.",
        "You will find the chart of the market in videos and in video games.",
    ],
)
def test_ordinary_words_and_brands_in_use_are_not_stocks(transcript: str) -> None:
    assert read(transcript) == {}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("I'm buying Target because the stock is cheap.", {"TGT": "buy"}),
        ("i'd stay away from target right now they keep losing share", {"TGT": "sell"}),
        ("Ford shares fell.", {"F": "mentioned"}),
        ("i'm holding visa and i'm not adding", {"V": "hold"}),
        ("We sold our Block position.", {"XYZ": "sell"}),
        ("apple i'm still buying every month", {"AAPL": "buy"}),
        ("META rallied after the vote. I'd also buy meta here.", {"META": "buy"}),
        ("Look at the Nvidias and the Microsofts of this market.", {"NVDA": "mentioned", "MSFT": "mentioned"}),
        ("Not much going on. Meta and Amazon had solid days.", {"META": "mentioned", "AMZN": "mentioned"}),
        ("It is hard for a name like a Google to double, and the stock knows it.", {"GOOGL": "mentioned"}),
    ],
)
def test_company_names_that_are_words_count_in_financial_context(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    "transcript",
    [
        "I keep buying VOO, QQQ and SCHD, and the S&P 500 does the rest.",
        "i'm buying bitcoin and ethereum and i sold my doge",
        "Everyone wants Stripe and OpenAI, but you can't buy them.",
        "I topped up on Tesco and I'm holding Greggs.",
    ],
)
def test_funds_indexes_crypto_and_unlisted_companies_are_never_reported(transcript: str) -> None:
    assert read(transcript) == {}


@pytest.mark.parametrize(
    "transcript",
    [
        "Nvidia reported. But bitcoin is where the action is. I'm buying it.",
        "nvidia is fine but what i'm loading up on is voo",
    ],
)
def test_advice_about_another_asset_does_not_land_on_a_stock(transcript: str) -> None:
    assert read(transcript) == {"NVDA": "mentioned"}


@pytest.mark.parametrize(
    "transcript",
    [
        "I'm buying Nvidia.",
        "i've been loading up on nvidia",
        "I picked up fifty shares of Nvidia.",
        "We initiated a starter position in Nvidia on Monday.",
        "i keep dollar cost averaging into nvidia every paycheck",
        "I'm backing up the truck on Nvidia.",
        "Nvidia is a strong buy.",
        "my top pick for this year is nvidia",
        "Nvidia? I'd be a buyer here.",
        "You should be accumulating Nvidia.",
        "If you don't own Nvidia, buy it.",
        "I doubled down on Nvidia.",
        "Should you buy Nvidia? Absolutely.",
        "I bought the January calls on Nvidia.",
        "I sold puts on Nvidia.",
        "I can't stop buying Nvidia.",
        "There is one stock I'm adding this month: Nvidia.",
        "I'm gonna jump into Nvidia here.",
        "I repurchased Nvidia today, a small position.",
        "Our next pick, Nvidia, needs no introduction.",
        "These are three stocks I'm buying now. Number one is Nvidia.",
        "Nvidia fell. I bought some at 180.50 this morning.",
        "Our next stock to buy here, Zorblat Systems, ticker NVDA, makes the fastest chips.",
        "Our next pick is a chip maker, the forty billion dollar Zorblat Systems, ticker NVDA.",
        "I rank Nvidia among the best stocks to buy this year.",
        "I own Nvidia stock. To me Nvidia is one of the best stocks you can buy today.",
        "I'm bullish on Nvidia and I bought more this morning.",
        "We're overweight Nvidia here.",
        "You've got to have a big position in Nvidia.",
        "Nvidia has come down, so the answer is, I am a buyer of Nvidia.",
        "We're outperform on Nvidia.",
        "Nvidia is our only outperform.",
        "I'd much rather own something like Nvidia.",
        "I'd rather be in Nvidia.",
        "We moved that money over to Nvidia.",
    ],
)
def test_buying_and_advising_to_buy_is_a_buy(transcript: str) -> None:
    assert read(transcript) == {"NVDA": "buy"}


@pytest.mark.parametrize(
    "transcript",
    [
        "I sold all my Lyft.",
        "i trimmed lyft this week",
        "Get out of Lyft.",
        "I closed my position in Lyft.",
        "i cut my losses on lyft",
        "I took profits on Lyft.",
        "Stay away from Lyft.",
        "i wouldn't touch lyft",
        "Lyft is a sell.",
        "We downgrade Lyft to sell.",
        "I'm short Lyft.",
        "I bought puts on Lyft.",
        "If you still own Lyft, sell it.",
        "I'd avoid Lyft.",
        "Lyft? Hard pass.",
        "you should get rid of lyft",
        "I've thrown in the towel on Lyft.",
        "We got stopped out of Lyft this morning.",
        "a quiet open still got stopped out of lyft",
        "i'm moving out of lyft",
        "We're gonna start legging out of Lyft.",
        "I'm going to pare down my Lyft position.",
        "We're underweight Lyft.",
        "We're underperform on Lyft.",
        "We downgraded Lyft from neutral to underweight.",
        "Lyft is our largest underweight.",
        "I would never own Lyft.",
        "I'm no longer a shareholder in Lyft, I've closed that one.",
        "I closed the rest of my Lyft position.",
        "Lyft has trouble. We're at underperform.",
        "I finally capitulated on Lyft last week.",
        "The next one on my sell list that I want to talk about is Lyft.",
        "We've taken Lyft down by half.",
        "What are your favorite shorts? Well, Lyft.",
    ],
)
def test_selling_and_warning_off_is_a_sell(transcript: str) -> None:
    assert read(transcript) == {"LYFT": "sell"}


@pytest.mark.parametrize(
    "transcript",
    [
        "I'm holding my Chevron shares.",
        "i'm not selling chevron",
        "Chevron is a hold.",
        "I'm keeping Chevron.",
        "we're sitting tight on chevron",
        "I'm letting my Chevron shares ride.",
        "Chevron: I'm neither adding nor selling.",
        "i'm not buying more chevron and i'm not selling it either",
        "I have no plans to sell Chevron.",
        "Don't sell your Chevron.",
        "I'm hanging on to Chevron.",
        "I write covered calls on Chevron and I'm keeping the shares.",
        "Am I selling Chevron? No.",
        "I own shares of Chevron.",
        "That's why I have Chevron in my portfolio.",
        "Chevron, stay with it.",
        "all right the chevron calls are up",
        "I have a position in Chevron.",
        "I'm a big owner in my own fund of Chevron.",
        "Chevron is one of my bigger holdings.",
        "Let's look at Chevron. It's my biggest position.",
        "Chevron, and it's about 9% of my portfolio.",
        "I've been a shareholder of Chevron for years.",
        "I am a long-term Chevron investor.",
        "I have around $12,000 invested in Chevron.",
        "If you're a Chevron shareholder, which I am, that matters.",
        "If you are a Chevron shareholder, as I am, you waited long.",
        "This is good news for us Chevron owners.",
        "I'm up 30% on Chevron.",
        "Chevron reported today. I'm up 40% on that position.",
        "Up $12,000 on Chevron stock today.",
        "We have a small investment in Chevron.",
        "In energy I have Chevron, and nothing else.",
        "Chevron is a company that I have in the retirement account.",
        "Chevron is a name inside my portfolio.",
        "Chevron is a name we own and like.",
        "I bring up Chevron because I own the name.",
        "I don't see any reason to sell Chevron.",
        "I'm not backing away from Chevron.",
        "I'm comfortable holding Chevron here.",
        "Chevron fell again. I don't need another share, I own way too much.",
        "Chevron has tripled. What is left of mine is house money.",
        "I own Chevron. That doesn't mean you should own it.",
        "my cost basis in chevron is around 90",
        "Chevron looks fine. Otherwise, I wouldn't own the stock.",
        "As someone who owns Chevron, I welcome the deal.",
        "For instance, I own Chevron, as oil pays my bills.",
        "We've been longtime investors in Chevron.",
        "Chevron slipped again, but I am maintaining my positioning here.",
        "Chevron is cheap. I am still a hold on it.",
        "I'm lucky to be up some fifty thousand dollars by now on Chevron.",
        "Our stake in Chevron is down a tenth.",
        "Chevron is a great company. I'm not selling the stock at nine times earnings.",
        "You absolutely want to keep your Chevron.",
        "We're happy to sit in Chevron and wait.",
        "Chevron is down about 4% for me this week.",
        "Chevron is a large portion of my own portfolio.",
        "They say Chevron is finished, but I'm sticking by it.",
        "Chevron is a top five holding for us.",
        "Chevron has been in the portfolio since 2019.",
        "We remain happy holders of Chevron.",
        "I'm staying long Chevron.",
        "My average in Chevron is 120.",
        "I'm giving Chevron some more time.",
        "I'm heavily invested in Chevron.",
        "I have stocks like Chevron, the real economy.",
        "I own like a Chevron, which fell out of bed.",
        "I have over a million dollars personally in Chevron.",
        "Why would I want to sell any Chevron? It compounds.",
        "Chevron fell. The charitable trust owns it.",
    ],
)
def test_staying_put_is_a_hold(transcript: str) -> None:
    assert read(transcript) == {"CVX": "hold"}


@pytest.mark.parametrize(
    "transcript",
    [
        "Boeing shares fell two percent after the report.",
        "I wouldn't buy Boeing here.",
        "I might buy Boeing.",
        "i was thinking about selling boeing",
        "Should you buy Boeing?",
        "is boeing a buy at this price i don't know",
        "Analysts rate Boeing a strong buy.",
        "Jim Cramer told his viewers to buy Boeing.",
        "insiders at boeing sold shares last week",
        "jeff bezos sold his boeing stock",
        "Goldman Sachs upgraded Boeing to buy.",
        "My brother bought Boeing.",
        "Boeing bought back its own shares.",
        "I bought Boeing in 2012 and sold it in 2015.",
        "For years I told you to buy Boeing.",
        "If Boeing drops to 100, I'll buy it.",
        "i'd be a buyer of boeing under eighty",
        "I'm not telling you to sell Boeing.",
        "I don't own Boeing.",
        "Boeing is a wonderful company with a strong backlog.",
        "Would I buy Boeing? No.",
        "Let's go. Boeing is flying. Let's go, let's go.",
        "Boeing expects to sell more than fifty billion dollars worth of planes this year.",
        "Boeing is a circus, and I bought popcorn.",
        "I work next door to Boeing, and I buy my coffee there.",
        "The consumer has to buy those tickets for Boeing to make money.",
        "The founders hold forty percent of Boeing.",
        "Boeing is up. Our sponsor will give you ten stocks to buy now.",
        "A few of you think I should buy Boeing.",
        "Airlines sell to Boeing and buy from Boeing.",
        "Two dollars says that shares sold short in Boeing were more than there are.",
        "I'm done with my coffee, and Boeing reports at nine.",
        "Boeing reported. Zorblat, ticker ZZQX, is one of my favorite picks.",
        "My thesis for investing in Boeing years ago was its order book.",
        "If we go below a hundred and seventy, I will be buying more Boeing.",
        "I expect that three billion will be added to Boeing's cash flow.",
        "I'm updating my buy or sell view of Boeing after the call.",
        "You see Boeing selling at thirty times earnings.",
        "When I bought Boeing, nobody knew it.",
        "I'm buying Boeing's newest model for my desk.",
        "One of the reasons I like Boeing is its order book.",
        "Let me put that into context, Boeing grew by a tenth.",
        "How much would Boeing have to fall for you to start buying again.",
        "Nobody sells Boeing. I mean, you can't \u2014 literally buy it.",
        "I told my partner maybe we should buy some Boeing.",
        "The fall of Boeing is not enough to make me buy it.",
        "The way back is still very long for Boeing.",
        "Nobody gets that big for doing nothing, and Boeing is big.",
        "Boeing is the largest holding of the aerospace ETF.",
        "I set a buy target of 150 for Boeing.",
        "Boeing gave numbers, and there is no change in the outlook.",
        "As an investor, you look at Boeing's cash.",
        "I should not have sold Boeing back then.",
        "Boeing was in our portfolio until the crash.",
        "I just think Boeing is not really selling at a discount.",
        "That fund owns half of the market, holding stocks like Boeing.",
        "Boeing looks rich. The names that we continue to hold have not moved as far.",
        "Shorting Boeing was wrong.",
        "short boeing was the easy trade that year",
        "We shorted Boeing at ninety and covered it at forty.",
        "I closed out my puts on Boeing for a gain.",
        "I've been short Boeing before, and I got run over.",
        "If you are short Boeing here, you are sweating.",
        "The bank came out this morning and cut Boeing from neutral to a sell.",
        "You couldn't own Boeing back then.",
        "So when somebody tells me that you have to own Boeing, I laugh.",
        "Why do I need to own Boeing?",
        "There's one sell on Boeing out there.",
        "I used to own Boeing, I sold it after the crash.",
        "I sold Boeing, and I have never gone back.",
        "The worst stock I ever bought was Boeing.",
        "We've been out of Boeing for about a year.",
        "Number one on our bubble list is Boeing.",
        "You're implicitly short Boeing there.",
        "Boeing fell back then. They called me up, and I said no, we're not selling.",
        "Boeing fell, and I don't sell because of a calendar.",
        "The airlines we sold in 2020, we sold Boeing, and we sold the index.",
        "I should've bought Boeing.",
        "I love Boeing stores, the caps are fun.",
        "I love Boeing, I use their app every day.",
        "When we ran the other fund, we bought Boeing.",
        "In the nineties, I bought Boeing.",
        "My first stock was Boeing, I bought ten shares with my pocket money.",
        "We sold Boeing, I want to say about two years ago.",
        "I kept adding to Boeing on the way down.",
        "I have viewers writing me every day, I bought Boeing at ninety.",
        "He told me look, we're buying Boeing.",
        "They did, of course, add Boeing.",
        "A senator from Ohio bought gold, bought Boeing.",
        "The senator's account sold gold and picked up Boeing.",
        "I hear there is a buyer in Boeing.",
        "If I'm the chairman of a rival, I'm buying Boeing.",
        "If I'm running a railroad, I'm buying Boeing.",
        "Here is the line, quote, we are buying Boeing.",
        "Here is a quote from its founder, I am buying Boeing.",
        "I'm buying Boeing, and that was brought to you by my broker.",
        "I love Boeing, we use their app every day.",
        "I wish I could tell you I bought Boeing.",
        "I thought to myself I should buy Boeing.",
        "I did want to buy Boeing.",
        "I'll decide where I would buy Boeing.",
        "Was I tempted to buy Boeing? Of course.",
        "I get why you are loading up on Boeing.",
        "You will get better opportunities to buy Boeing.",
        "You buy Boeing if you believe the target.",
        "If you want to buy Boeing, I would be patient.",
        "The market says it does not want to own Boeing.",
        "I wouldn't own Boeing and I wouldn't short it.",
        "A well known bear is short Boeing.",
        "I ride Boeing until the trend is over and then I will sell it.",
        "Boeing has its problems. Put your money where your mouth is.",
        "What you have done with Boeing is genius.",
        "The list has Boeing at number three.",
    ],
)
def test_commentary_is_only_a_mention(transcript: str) -> None:
    assert read(transcript) == {"BA": "mentioned"}


LONG_VIDEO = (
    "It was a long week, and hardly anything happened where I live. The weather was fine, so we went for a walk. " * 13
)
"""More words than a short clip has, without a stock."""


def test_the_many_ways_to_buy_hold_and_sell_are_known_in_a_long_video() -> None:
    said = {
        "buy": (
            "Half of it has gone into Chubb.",
            "Every other Friday forty dollars goes into Chubb.",
            "Chubb. I have been putting a little in every month.",
            "Chubb. On Tuesday I put about two percent of the account in there.",
            "Chubb. I threw another fifty shares on yesterday.",
            "Chubb. I doubled it last Thursday.",
            "The one I have been leaning into is called Chubb.",
            "I switched it over into Chubb.",
            "Between the two I would go with Chubb.",
            "I snagged some Chubb on the way down.",
            "I have parked some cash in Chubb.",
            "If I could only own one, it would be Chubb.",
            "Chubb. That is where my next dollar goes.",
            "Chubb is a buy at ninety.",
            "Chubb, I bought back in last week.",
            "Chubb is the easiest buy in insurance.",
            "Chubb is now a buy.",
            "Chubb is the play on higher premiums.",
            "Chubb belongs in every retirement portfolio.",
            "Chubb is worth betting on.",
            "Chubb is at the top of my list.",
            "Chubb gets my vote.",
            "We're recommending Chubb.",
            "We lean towards Chubb.",
            "I'm going in even deeper on Chubb.",
            "I'm going big on Chubb.",
            "I'm scaling into Chubb.",
            "I have committed more capital to Chubb.",
            "I beefed up my Chubb position.",
            "I took advantage of the drop in Chubb.",
            "I'm getting aggressive on Chubb.",
            "My favorite right now is Chubb.",
        ),
        "hold": (
            "Chubb. Mine just sits there.",
            "Chubb. They can stop where they are.",
            "Chubb. I have held it since 2009.",
            "Chubb. We would leave it.",
            "Chubb. She is not selling, and neither am I.",
            "Chubb. I still have the lot, and I will keep the lot.",
            "Chubb is about eight percent of my portfolio.",
            "Chubb is one of my core holdings.",
            "Chubb. I am happy with my position.",
            "I'm not getting out of Chubb.",
            "I'm still in Chubb.",
        ),
        "sell": (
            "Chubb. I have thrown the towel in.",
            "Chubb. I would be nowhere near that.",
            "Chubb. I would not go near it, folks.",
            "Chubb. I rang the register on that whole thing.",
            "Chubb. I have got May puts on it.",
            "Chubb. That's a hard no from me.",
            "Chubb. It's time to take profits.",
            "Chubb. I sold into the strength.",
            "I'm betting against Chubb.",
            "I kicked Chubb out of the portfolio.",
            "Chubb. It had to go.",
            "Chubb is now a sell.",
            "Chubb is in my no-fly zone.",
            "Chubb is off limits for me.",
            "Chubb is one to avoid.",
            "Chubb is one of the worst stocks to own.",
            "Chubb is no longer in my portfolio.",
            "Chubb is a source of funds.",
            "Chubb. I would pass here.",
            "Chubb. I'd sit this one out.",
            "I completely exited Chubb.",
            "I'm moving on from Chubb.",
            "I've gotten rid of Chubb.",
            "I gave Chubb the boot.",
            "I kicked Chubb to the curb.",
            "I don't want any part of Chubb.",
            "I refuse to own Chubb.",
            "I unwound my Chubb position.",
            "I took my position in Chubb down.",
            "I banked my gains in Chubb.",
            "Don't waste your money on Chubb.",
        ),
    }

    misread = {
        (words, by_phrases(LONG_VIDEO + words).get("CB")): sentiment
        for sentiment, sentences in said.items()
        for words in sentences
        if by_phrases(LONG_VIDEO + words).get("CB") != sentiment
    }

    assert misread == {}


def test_what_only_sounds_like_a_trade_is_a_mention_in_a_long_video() -> None:
    said = (
        "I bought popcorn and watched the Chubb story unfold.",
        "I buy my coffee at Costco, and Chubb shares rose.",
        "I bought an Nvidia card, and Chubb rose.",
        "Everybody has Chubb as their top pick.",
        "Chubb. It's Goldman's top pick.",
        "A reader writes, Tom, I sold all my Chubb this morning.",
        "My son says I should put everything in Chubb.",
        "Then there is Goldman saying trim Chubb.",
        "If you're holding Chubb, good luck.",
        "I have no puts on Chubb.",
        "I would buy Chubb if it dropped to fifty.",
        "I thought about adding to Chubb.",
        "Chubb. I don't know if I should sell.",
        "I was nowhere near buying Chubb.",
        "Keep your distance from the whole sector. Chubb reports tomorrow.",
        "Chubb went with another supplier.",
        "Chubb has the right to buy ten million shares of a startup.",
        "Chubb has agreed to buy a smaller insurer.",
        "A fund took a stake in Chubb and then sold every share within months.",
        "Some of these guys bought Chubb at the very top.",
        "Private equity wants to buy Chubb.",
        "In this video we'll see if Chubb is a buy.",
        "I missed the chance to buy Chubb.",
        "I would only sell Chubb if the thesis broke.",
        "Chubb. Don't buy what you don't understand.",
        "Chubb broke out, and I've got to step out for a minute.",
        "If you bought Chubb at the top, you are still down.",
        "One big fund, Zorblat Capital, bought shares of Chubb and then sold them all.",
        "For all of you who are long Chubb, good luck.",
        "Investors continue to sell shares of Chubb.",
        "Carl and Keith both prefer Chubb.",
        "Bears say you should sell Chubb.",
        "We were adding to Chubb when rates were low.",
        "I did buy Chubb a lot cheaper.",
        "When I first bought Chubb I knew nothing.",
        "I remember buying Chubb as a kid.",
        "That was a great time to buy Chubb.",
        "In spring I presented Chubb on this channel as one of my top picks.",
        "People do it by saying, look, I'm buying Chubb for the dividend.",
        "And everybody was like buy Chubb.",
        "If you think rates will fall, you should be selling Chubb.",
        "Then you should be selling Chubb.",
        "If I was buying Chubb, I'd worry about claims.",
        "At the right price I'd buy Chubb.",
        "I don't believe we will buy Chubb.",
        "Don't buy Chubb hoping for a takeover.",
        "We're seeing a lot of selling in Chubb.",
        "A fifth of the float of Chubb is short.",
        "Long story short, Chubb is growing again.",
        "I want to add one thing on Chubb.",
        "Let's take Chubb. It fell ten percent in a day.",
        "I'll give you a pass on Chubb.",
        "You have to hold off on Chubb.",
        "More plants get deployed every year by Chubb.",
        "Chubb rose. I'm a net buyer at times like these.",
        "Chubb rose. We try and buy things that need no care.",
        "The criticism I got for buying Chubb was loud.",
        "The generals want a no-fly zone over the border, and Chubb insures planes.",
        "Chubb recommends that owners lock their doors.",
        "Chubb took advantage of the weakness of its rival.",
        "I dropped Chubb a note.",
        "Chubb has to go through a hard year.",
        "Somebody recommended Chubb to me.",
        "I have no interest in boats, but Chubb insures them.",
        "There's our main play here, and Chubb is up.",
        "The idea of Chubb being the stock to buy is gone.",
        "Barclays reinstated Chubb with a sell.",
        "Zacks has Chubb at a strong buy.",
        "Chubb is a top pick at Barclays.",
        "Chubb relies on its established position in cyber insurance.",
        "Our trucks go to Chubb, which is a big buyer.",
        "Chubb has been a net seller of bonds.",
        "Chubb. The drop is not enough to get me to buy.",
        "Maybe I should buy some Chubb.",
        "I'm not pitching Chubb as a buy.",
        "I would be lying if I told you to buy Chubb.",
        "Chubb at 300 is too expensive to add.",
        "I refuse to buy Chubb.",
        "I have a hard time buying Chubb.",
        "Just like Chubb last year, buying it when nobody wanted it.",
        "If we bought Chubb at 250, we would double our money.",
        "Had I bought Chubb, I'd be retired.",
        "I set a buy price of 250 on Chubb.",
        "Chubb is one of my favorite stocks of all time.",
        "For me the cost of investing in Chubb is high.",
        "Buying Chubb here is a gamble.",
        "I don't think that Chubb is still a buy.",
        "That does not mean that players like Chubb are the best picks.",
        "I got a chance to buy Chubb at nine.",
        "Are we buying Chubb, selling it, or holding it?",
        "Let me know if you are buying Chubb.",
        "My subscribers bought Chubb with me.",
        "They're telling you to buy Chubb.",
        "Some would say sell Chubb.",
        "I told my sister to sell Chubb.",
        "Last year I said that you should buy Chubb.",
        "I remember telling you to buy Chubb.",
        "It was a good time to sell Chubb.",
        "The play back then was to short Chubb.",
        "I'm adding Chubb to my watch list.",
        "I bought into the Chubb story.",
        "We sell Chubb policies at our office.",
        "I sold my house through Chubb.",
        "I think a lot of folks are selling Chubb.",
        "I want to buy Chubb, but not at this price.",
        "Chubb at the right price is a buy.",
        "Let it come in, then buy Chubb.",
        "Don't buy Chubb until it settles.",
        "Chubb fell. I'm a buyer of this market.",
        "Chubb fell. I'm staying out of small caps.",
        "Then they come on and say, I'm selling Chubb.",
        "I thought I'd buy Chubb, but I didn't.",
        "I missed buying Chubb.",
        "I think Apple should buy Chubb.",
        "I saw him buy Chubb.",
        "I get why you would sell Chubb.",
        "Chubb is the kind of stock my mother would buy.",
        "Chubb was added to the best ideas list.",
        "Chubb had to let go of five hundred people.",
        "I want to close out with Chubb.",
        "We'll get into Chubb in a second.",
        "Before we jump into Chubb, hit the like button.",
        "Investors rotated into Chubb.",
        "Chubb has been a great stock to own.",
        "Most people think Chubb is a must own.",
        "It's a no-brainer for customers to choose Chubb.",
        "Chubb got a great entry into the market.",
        "Chubb is worth owning if rates stay high.",
        "Chubb is worth buying at the right price.",
        "I'm done averaging down on Chubb.",
        "There are plenty of reasons why people wouldn't want to own Chubb.",
        "Everybody wants to own Chubb. Like if growth is what counts, that's the one.",
        "The week after the senator's buy, Chubb raised its guidance.",
        "if Chubb gets a second offer then yes I would sell it",
        "Chubb is my least favorite stock of the group.",
        "I'm going to go with Chubb as my least favorite.",
        "What you could do is buy bonds of Chubb.",
        "You bought Chubb when it was hated, and you made money.",
        "That's when I noticed Chubb, and I took a position.",
        "Chubb is the last stock I would buy.",
        "He keeps raising his stake, continuing to buy Chubb.",
        "You must be mad for buying Chubb.",
        "Chubb fell. Ask yourself what you need to know before buying.",
        "Congratulations to everyone who bought Chubb last week.",
        "I understand why people are loading up on Chubb.",
        "I'd rather short the stock. As for Chubb, we will talk about it next week.",
        "Chubb fell. Let me show you how I'm playing it.",
        "Our second pick from Forbes is Chubb.",
        "Another way to go about it is to sell Chubb.",
        "Chubb is so heavily sold that it has to bounce.",
        "Chubb is the last company we would buy.",
        "There's no way I'm buying Chubb.",
        "Chubb is fine, but do not buy it all at once.",
        "Chubb is selling for about twelve times.",
        "On Monday, after the close, Chubb lowered its outlook.",
        "I'd picked up a few shares of Chubb in spring.",
        "The insurers, Chubb etc. are buying more and more back.",
        "A bank downgraded Chubb again, this time to sell.",
        "My cousin told me to buy Chubb.",
        "I bought a new Chubb keyboard.",
        "I bought a desk on Chubb yesterday.",
        "Our neighbors bought Chubb.",
        "Chubb is a wild one. If you can't sleep at night, skip this one.",
        "Chubb fell that year. It was a great time to be a buyer.",
        "We talk to Chubb while we're out in Chicago.",
        "Chubb is cheap. But patient investors don't buy a stock just because it's cheap.",
        "We start with Chubb with a buy and a 400 dollar price target.",
        "Chubb is large, and that is how we have been able to outperform.",
        "Chubb doubled. To find out what my top stock for May is, follow the link.",
    )

    calls = {
        words: found
        for words in said
        if (found := by_phrases(LONG_VIDEO + words).get("CB", "mentioned")) != "mentioned"
    }

    assert calls == {}


@pytest.mark.parametrize(
    ("said", "side"),
    [
        ("Deere is an absolute steal at this price.", "buy"),
        ("Deere fell, and to me that is a great buying opportunity.", "buy"),
        ("Deere is a value trap.", "sell"),
        ("Deere is too hard to own.", "sell"),
        ("I'm putting Deere in the avoid category.", "sell"),
        ("Deere is a really good deal today.", "buy"),
        ("Deere is a name we are bullish on.", "buy"),
        ("Deere has doubled, so I'm putting it in the avoid bucket.", "sell"),
        ("Deere has doubled. Take your profits and move on.", "sell"),
        ("I'm not interested in owning Deere.", "sell"),
        ("I can't recommend Deere.", "sell"),
        ("I'm bearish on Deere.", "sell"),
    ],
)
def test_a_bargain_a_warning_and_dislike_speak_for_a_side(said: str, side: str) -> None:
    (call,) = RulesAnalyst().calls(said)

    assert side in {call.sentiment, call.possible_sentiment}


@pytest.mark.parametrize(
    "said",
    [
        "Even if I'm buying Chubb at a high price, I'm buying it.",
        "Chubb is too cheap to ignore, I'm buying it.",
        "If I had to buy one stock today, it would be Chubb.",
        "Buying Chubb here makes a lot of sense to me.",
        "I bought Chubb, but I didn't buy Travelers.",
        "We took a position in Chubb this week.",
        "Be a buyer of Chubb.",
        "Chubb is a buy and you should get some.",
        "We have a buy on Chubb with a target of 320.",
        "I'm not done buying Chubb.",
        "I bought more Chubb this morning when it was down.",
        "So why am I buying Chubb? Because rates are high.",
        "My view is I am a buyer of Chubb.",
        "I'd be glad to, you know, put some money into Chubb.",
        "I can tell you that I bought some Chubb.",
        "I was, and I'm adding to Chubb.",
        "I'd put new money to work in Chubb.",
        "I wouldn't hesitate to buy Chubb here.",
        "When a chart turns up you get in, so I'm buying Chubb.",
        "I sold Chubb last year but bought it back today.",
        "If you ask me, Chubb is a buy.",
        "I have no problem buying Chubb right here.",
        "The reason we added Chubb this week is simple.",
        "If I'm you, I'm adding to Chubb.",
        "If I'm a patient investor, I'm buying Chubb today.",
        "I just looked at the quote, and I'm buying Chubb.",
        "Viewers keep emailing me about insurers, I'm buying Chubb.",
        "I'm buying Chubb, sign up to see what comes next.",
        "I like Chubb a lot here, we used the weekend to read up.",
        "I love Chubb here, and everyone uses their policies.",
    ],
)
def test_words_of_doubt_about_something_else_leave_a_buy_a_buy(said: str) -> None:
    assert read(said)["CB"] == "buy"


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Unlike Chubb, Travelers is a strong buy.", {"CB": "mentioned", "TRV": "buy"}),
        ("Travelers is a buy, and Chubb is fairly valued.", {"TRV": "buy", "CB": "mentioned"}),
        ("This week I bought Travelers, Chubb was up two percent.", {"TRV": "buy", "CB": "mentioned"}),
        ("Chubb fell. I sold thirty percent of my zorblat position.", {"CB": "mentioned"}),
        ("Chubb fell. Now I'll show you the stock I'm buying now.", {"CB": "mentioned"}),
        ("Chubb fell. Zorblat Holdings is one that I'd sell.", {"CB": "mentioned"}),
        (
            "Chubb fell. I misjudged the next one, but I am buying it now, and that stock is Visa.",
            {"CB": "mentioned", "V": "buy"},
        ),
        ("Zorblat Holdings is one that I'd sell. Well, Chubb is up.", {"CB": "mentioned"}),
        (
            "These are my final 12 positions. Chubb, Travelers, Visa.",
            {"CB": "hold", "TRV": "hold", "V": "hold"},
        ),
        (
            "Chubb is sound. It is as large as Travelers. This is the stock you want to own.",
            {"CB": "buy", "TRV": "mentioned"},
        ),
        (
            "Chubb is up. People buy it as if it were the next Travelers. Please take your profits.",
            {"CB": "sell", "TRV": "mentioned"},
        ),
        ("Chubb fell, and then came the Visa deal. I'm selling it.", {"CB": "sell", "V": "mentioned"}),
        ("I like Chubb. That's the one I want to own, Travelers has a problem.", {"CB": "buy", "TRV": "mentioned"}),
        ("Chubb is cheap. Everybody says Travelers. I bought more of it today.", {"CB": "buy", "TRV": "mentioned"}),
        ("Chubb is fine, but we'd rather own the share taker.", {"CB": "mentioned"}),
        ("I'm long Chubb, long Deere, short Cisco.", {"CB": "buy", "DE": "buy", "CSCO": "sell"}),
    ],
)
def test_a_verdict_is_not_given_to_the_stock_beside_it(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("We're long Wells Fargo and short Chubb.", {"WFC": "buy", "CB": "sell"}),
        ("so i sold chubb bought visa", {"CB": "sell", "V": "buy"}),
        ("i've owned chubb i lost money on it visa is fine", {"CB": "hold", "V": "mentioned"}),
        ("I sold Chubb in 2012. I also sold Travelers at 90.", {"CB": "mentioned", "TRV": "mentioned"}),
        ("I sold Chubb in 2012. I sold Travelers on Monday.", {"CB": "mentioned", "TRV": "sell"}),
    ],
)
def test_trades_told_in_one_breath_are_told_apart(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_an_owner_s_praise_is_no_buy() -> None:
    assert read("I own Deere, and I like Deere a lot.") == {"DE": "hold"}


def test_advice_to_clients_is_the_speaker_s() -> None:
    assert read("We are telling our clients to take profits in Deere.") == {"DE": "sell"}


def test_what_is_traded_is_spoken_of_next() -> None:
    said = "Karen named Visa and I'm going with Deere, I bought more this morning."
    assert read(said) == {"V": "mentioned", "DE": "buy"}


def test_a_trade_that_was_undone_and_praise_that_is_taken_back_are_marked() -> None:
    def traits(transcript: str) -> set[str]:
        _, findings = findings_of(transcript, words_of(transcript))
        return {trait for evidence in findings["CB"].evidence for trait in evidence.traits}

    assert "undone" in traits("We bought Chubb at 90 and sold it at 200.")
    assert "undone" not in traits("We bought Chubb at 90 and added to it at 100.")
    assert "undone" not in traits("I sold Chubb, which I bought at the very top.")
    assert "history" in traits("Chubb fell. I had it, I lost forty percent, I sold.")
    assert "history" not in traits("Chubb fell. I had it, I lost forty percent, I sold today.")
    assert "qualified" in traits("I like Chubb, but it's too expensive.")
    assert "qualified" in traits("I prefer Chubb over Travelers.")
    assert "qualified" in traits("I like Chubb when it comes to how it treats its customers.")
    assert "qualified" not in traits("I like Chubb here.")
    assert "owned and acted on" not in traits("I own Chubb, and I like Chubb.")


def test_what_is_said_of_stocks_to_come_or_of_a_group_is_not_about_the_stock_before() -> None:
    for said in (
        "Chubb reported. Now let's get to a stock I sold today. I sold it at a loss.",
        "Chubb reported. Here are five stocks I'm buying now.",
        "Chubb reported. The best time to take profits on these stocks is before the cycle ends.",
        "Chubb reported. I tend to sell some of my weaker names in the fall.",
        "Chubb reported. I believe your second pick is a name we hold.",
        "Chubb reported. What is the next pick? Yeah, let me think.",
    ):
        assert by_phrases(LONG_VIDEO + said) == {"CB": "mentioned"}, said
    assert read("Chubb fell. It's a stock I bought more of today.") == {"CB": "buy"}
    assert read("Travelers is fine. I like Chubb here.")["TRV"] == "mentioned"


def test_only_what_is_over_is_history() -> None:
    assert read("I was just buying some Chubb this morning.") == {"CB": "buy"}
    assert read("I was able to get out of Chubb yesterday.") == {"CB": "sell"}
    assert read("I don't think I'm going to sell Chubb.") == {"CB": "hold"}
    assert read("What I'm buying here is Chubb.") == {"CB": "buy"}
    assert read("We hold both Chubb and Travelers.") == {"CB": "hold", "TRV": "hold"}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("In 2021 oil was cheap and nobody wanted it. The story was simple. So I bought Chubb and waited.", True),
        ("Everybody panicked and I bought Chubb. It went up a lot, and that was during covid.", True),
        ("In 2021 oil was cheap. This week it is not. So I bought Chubb and waited.", False),
        ("In March of 2020 I bought Deere. I bought Chubb at the lows.", True),
        ("Years ago I bought Deere. Today I bought Chubb.", False),
        ("Oil was cheap and nobody wanted it. So I bought Chubb and waited.", False),
    ],
)
def test_a_trade_in_a_story_of_long_ago_is_marked(said: str, told: bool) -> None:
    found = findings_of(said, words_of(said))[1]["CB"].evidence
    assert [("long ago" in each.traits) for each in found] == [told]


def test_a_trade_whose_price_is_compared_with_todays_is_history() -> None:
    traits = {
        said: findings_of(said, words_of(said))[1]["DE"].evidence[0].traits
        for said in ("I bought Deere at 190. It's 350 now.", "I bought Deere at 190. It makes tractors.")
    }

    assert [("history" in found) for found in traits.values()] == [True, False]


def test_what_is_shown_of_an_own_portfolio_is_marked() -> None:
    said = "Let's look at my portfolio. We have Chubb at number one, Visa, Aon. We have some Deere."
    found = findings_of(said, words_of(said))[1]
    shown = {ticker for ticker, each in found.items() if any("portfolio item" in e.traits for e in each.evidence)}
    assert shown == {"CB", "DE", "V", "AON"}


@pytest.mark.parametrize(
    ("said", "owned"),
    [
        ("Here's my portfolio. Chubb up 61%. That's an 8% weighting. Visa. That one's down 12%.", {"CB", "V"}),
        ("Let's go through my positions. Chubb is our fourth biggest position. Visa, about 40 shares.", {"CB", "V"}),
        ("okay reading it off the sheet here so chubb twenty shares deere six shares visa forty", {"CB", "DE", "V"}),
        ("position review so chubb is eight point one percent visa six and a half deere five nine", {"CB", "DE", "V"}),
        ("Let's look at the portfolio. Chubb Visa Deere Aon is the number four.", {"CB", "V", "DE", "AON"}),
        ("Let's go through my positions. I put Chubb, Visa and Deere in there today.", set()),
        ("Let's go through my positions. Chubb is up 3% today. Visa was down 4% after hours.", set()),
        ("Let's go through my positions. Chubb's revenue is up 9% year over year.", set()),
        ("I sold all my positions. Chubb up 61%. Visa down 12%.", set()),
        ("The market had a good day. Chubb up 3%. Visa down 2%.", set()),
        ("My portfolio hit a new high. Now to the recap. Chubb up 3%. Visa down 2%.", set()),
        ("My portfolio had a good month. Chubb was up 3%. Visa was down 2%.", set()),
        ("My portfolio had a good month. Chubb, forty shares. Visa, a four percent weighting.", {"CB", "V"}),
        ("Her top five positions: Chubb at nine percent, Visa at eight percent.", set()),
        ("The number one holding in the index is Chubb, at eight percent. Number two is Visa, at six.", set()),
        ("Portfolio tour. We have Chubb, three hundred shares. Visa, a thousand shares.", {"CB", "V"}),
    ],
)
def test_a_weight_or_a_gain_shows_what_is_owned_once_a_portfolio_is_shown(said: str, owned: set[str]) -> None:
    found = findings_of(said, words_of(said))[1]

    shown = {
        ticker for ticker, each in found.items() if any(e.traits[0].startswith("portfolio") for e in each.evidence)
    }

    assert shown == owned


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("All month I've been buying Deere. Deere is our second largest position now.", "buy"),
        ("I sold all of my Deere this morning. It was my largest position.", "sell"),
        ("I own Deere, it's my biggest position, and I keep adding to it every single week.", "buy"),
        ("I bought Deere at forty, years back. It's my biggest position.", "hold"),
        ("Deere is our second largest position. Its margin fell.", "hold"),
    ],
)
def test_whoever_owns_a_stock_and_plainly_trades_it_trades_it(said: str, expected: str) -> None:
    assert by_phrases(LONG_VIDEO + said) == {"DE": expected}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Deere, I took it Thursday at 57 on the pullback.", "buy"),
        ("Deere hit its low, and I took the first third.", "buy"),
        ("We got a fill on the Deere order.", "buy"),
        ("Deere looks strong. I put it on yesterday at 182.", "buy"),
        ("Deere was too big for us. I've cut it to four percent.", "sell"),
        ("Deere had a wonderful quarter, and we've taken about a third off.", "sell"),
        ("Deere I closed this morning.", "sell"),
        ("You couldn't pay me to own Deere.", "sell"),
    ],
)
def test_traders_have_words_of_their_own(said: str, expected: str) -> None:
    assert read(said) == {"DE": expected}


@pytest.mark.parametrize(
    "said",
    [
        "Deere is a name inside my portfolio.",
        "If you're a Deere shareholder like I am, you know the report.",
        "I'm heavily invested into a lot of old companies like Deere.",
        "We've been in Deere since before the merger.",
        "What I do have is Deere, and it has done well.",
        "I still have the Deere shares from my first job.",
        "I've been long Deere since the spring of last year.",
        "Deere I'm still in from eighty seven, and it's boring.",
    ],
)
def test_owning_is_plain_in_many_words(said: str) -> None:
    assert read(said) == {"DE": "hold"}


@pytest.mark.parametrize(
    "said",
    [
        "The next column we will add is for Deere.",
        "Deere makes the tractors. People will pay for the products that we sell.",
        "The deal gives Visa the opportunity to take a stake in Deere.",
        "Investors said we're done with Deere.",
        "I bought Deere in nineteen ninety nine, and it was a long ride.",
        "In the paper account we bought Deere.",
    ],
)
def test_a_trade_of_something_else_or_of_others_is_a_mention(said: str) -> None:
    assert by_phrases(LONG_VIDEO + said)["DE"] == "mentioned"


@pytest.mark.parametrize(
    "said",
    [
        'My neighbor wrote to me, "I own Chevron. I bought even more on Monday."',
        "A reader of the letter puts it so: \u201cWe sold our Chevron shares this week and never looked back.\u201d",
        "He sold the bank in the spring, he told his clients why. Shorting Chevron in the fall, a costly bet.",
        "She loves energy, and her biggest win is old. Buying Chevron at the low made her fund.",
        "We know that Occidental has bought Chevron shares before.",
        "Profits are expected to fall this year and to pick up again later at Chevron.",
        "Two things keep me from simply saying buy Chevron at any price.",
        "For those thinking that I'm short Chevron, read my letter.",
        "Chevron is fine, but if we saw it back around ninety I'd be a buyer.",
        "I would wait for some weakness to open a position in Chevron.",
        "I would have to buy Chevron at about ninety dollars to double my money.",
        "I held off buying Chevron all year.",
        "I avoided buying Chevron when everybody did.",
        "In some years, I buy a lot of Chevron.",
        "I would buy Chevron over Exxon any day.",
        "Somebody Capital did open a position in Chevron.",
        "The last time I bought was in the spring, two shares of Chevron.",
        "Here is a look at the top ten oil stocks there are, even Chevron.",
        "I spoke of Chevron. As for the market, that is how we closed on Monday.",
        "The agency paid me $500 to talk about Chevron.",
        "Chevron is a risky name to own today.",
        "Now, for me personally to buy Chevron, oil has to fall.",
        "In regards to buying Chevron, I'm in no hurry.",
        "Betting against Chevron simply means that you make money when it falls.",
        "If I did not own two other oil stocks, Chevron would be my top pick.",
        "Exxon and Chevron, which we had been rating as buying opportunities since spring, look dear.",
        "I lost a lot of money buying companies like Chevron at the top.",
        "Some people avoid buying Chevron because of the price of oil.",
        'I read this last night: "Sold all my shares and went all in on Chevron, wish me luck."',
        "I bought Chevron a while ago.",
        "I still don't own Chevron, and it has been a good ride without me.",
        "Nobody had a return like I got in Chevron.",
        "Now I want to jump into Chevron. Revenue was flat.",
        "I spoke about Chevron for an hour. My plan is simple, I prefer to sell options.",
        "You want to buy Chevron equipment, get in line.",
    ],
)
def test_what_others_say_and_what_is_not_done_now_is_a_mention(said: str) -> None:
    assert set(read(said).values()) == {"mentioned"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('I put out a video titled "I\'m buying Chevron today."', "buy"),
        ('"Are you still holding Chevron?" Yes.', "hold"),
        ("I can't stop buying Chevron.", "buy"),
        ("I did add ten extra shares here of Chevron.", "buy"),
        ("I would avoid buying Chevron.", "sell"),
        ("Larry is great, he built it and his vision is right. But the price is not. Avoid Chevron here.", "sell"),
        ("She loves the place, and her office orders there. Anyway, I bought Chevron yesterday.", "buy"),
        ("He delivered, and his team did. Buy Chevron on this dip.", "buy"),
        ("i'm buying chevron is just printing money at this point", "buy"),
        ("I've been selling puts on Chevron to get in.", "buy"),
        ("I bought put options on Chevron this morning.", "sell"),
        ('My answer: "Buy Chevron with both hands."', "buy"),
        ("I have zero plans of selling Chevron.", "hold"),
        ("Chevron will pay me $2,400 in dividends this year.", "hold"),
        ("I have chosen to purchase Chevron.", "buy"),
        ("We're buying companies like Chevron.", "buy"),
        ("This growth keeps Chevron on my list to buy.", "buy"),
    ],
)
def test_own_words_stay_one_s_own(said: str, expected: str) -> None:
    assert read(said) == {"CVX": expected}


def test_a_portfolio_may_be_shown_without_saying_whose_it_is() -> None:
    said = "Back to the rest of the portfolio. Cash is close to a tenth of the portfolio. Chevron is number four."
    assert read(said + " Then we have Visa here at number five.") == {"CVX": "hold", "V": "hold"}


def test_a_stock_that_another_is_cheaper_than_is_not_the_one_spoken_of() -> None:
    assert read("Chevron is cheaper than an Exxon. It grows faster than an Exxon. It is a screaming buy today.") == {
        "CVX": "buy",
        "XOM": "mentioned",
    }


def test_a_yes_that_comes_late_answers_no_question() -> None:
    late = "It was more so at seventy, when nobody wanted it, and the whole sector was left for dead by the market. "
    said = f"Is Chevron the most obvious buy right now? {late} {late} Yes, oil is cheap today."
    assert read(said) == {"CVX": "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        (
            "Chevron is one of our favorite stocks of all time. Next up, we get to Visa. It trades at thirty times.",
            {"CVX": "mentioned", "V": "mentioned"},
        ),
        (
            "Some of the best stocks one could ever own were drink companies. Coca-Cola, Pepsi.",
            {"KO": "mentioned", "PEP": "mentioned"},
        ),
        (
            "Here are three old companies that you can own. The first of those three companies is Chevron. Then a"
            " bank. The next stock that I will cover is Visa. And last but not least, Pepsi.",
            {"CVX": "buy", "V": "buy", "PEP": "buy"},
        ),
    ],
)
def test_a_list_is_announced_by_what_speaks_of_several(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_a_stock_yet_to_be_named_is_not_the_one_it_is_compared_with() -> None:
    transcript = (
        "Deere sells tractors. My second name for today is far cheaper than Deere. "
        "It has been in our family account for years. It's Chubb."
    )

    assert read(transcript) == {"DE": "mentioned", "CB": "hold"}


def test_one_stock_that_is_named_after_its_purchase_is_the_one_bought() -> None:
    transcript = "Chubb is ahead. We put half of the bonus into this one company. That one company was Deere."

    assert read(transcript) == {"CB": "mentioned", "DE": "buy"}


def test_no_phrase_ends_where_no_word_can_end() -> None:
    """A phrase is whole words, so that one which ends in a space before its lookahead never matches."""
    lines = (DATA / "phrases.txt").read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if re.search(r"(?: | \)\?)\(\?[=!][^()]*\)$", line)] == []


def test_letters_after_ticker_are_read_as_a_whole() -> None:
    assert "GO" not in read("We like the shares of that search engine, ticker G O G L, at this price.")


@pytest.mark.parametrize(
    "said",
    [
        "We have no exposure to Deere.",
        "He has had Deere in the portfolio for decades.",
        "We get forty million of revenue from Deere.",
        "Thinking about buying Deere shares.",
        "I wouldn't want Deere in my portfolio.",
        "If I had Deere in my portfolio, I would look hard at it.",
        "The fund is for farmers. Deere is nine percent of the fund.",
        "I drive a harvester. Deere paid me six hundred dollars last month.",
        "I have Deere at 600 by the end of the year.",
        "They still have a position in Deere.",
        "Somebody has a hold on Deere and a target of ninety.",
    ],
)
def test_what_only_sounds_like_owning_is_a_mention(said: str) -> None:
    assert read(said) == {"DE": "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("The five stocks I have the most money in. Number one is Deere. Number two is Chubb.", "hold"),
        ("These are my top three holdings. The first one is Deere. Next up is Chubb.", "hold"),
        ("Three stocks I'm never selling. Number one, Deere. Number two, Chubb.", "hold"),
        ("Two stocks I would avoid. Number one, Deere. Number two, Chubb.", "sell"),
        ("Five stocks I'm buying for the next decade. Number one is Deere. Number two is Chubb.", "buy"),
    ],
)
def test_a_list_may_be_of_what_is_owned(transcript: str, expected: str) -> None:
    assert read(transcript) == {"DE": expected, "CB": expected}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("We have a sell on Deere.", {"DE": "sell"}),
        ("I hit sell on Deere this morning.", {"DE": "sell"}),
        (
            "Our companies in America are the best in the world. We have Apple and Google.",
            {"AAPL": "mentioned", "GOOGL": "mentioned"},
        ),
        (
            "Looking at the portfolio of Warren Buffett. We have Apple at number one, American Express at number two.",
            {"AAPL": "mentioned", "AXP": "mentioned"},
        ),
        (
            "I closed all my positions. Chubb, Travelers, Visa.",
            {"CB": "mentioned", "TRV": "mentioned", "V": "mentioned"},
        ),
        (
            "My portfolio does not hold airlines. We have Delta, United, American.",
            {"DAL": "mentioned", "UAL": "mentioned", "AAL": "mentioned"},
        ),
        ("Thanks for joining our fund. In the news today we have Boeing.", {"BA": "mentioned"}),
        ("Where do we go from here? Nvidia is down ten percent.", {"NVDA": "mentioned"}),
        ("Where are we going from here? Tesla has broken support and looks ugly.", {"TSLA": "mentioned"}),
        (
            "I'm buying five stocks today. Some were the worst performers. Number one is Deere. Number two is Cisco.",
            {"DE": "buy", "CSCO": "buy"},
        ),
        ("I'm short Tesla. I covered the story last week.", {"TSLA": "sell"}),
        ("I bought puts on Tesla. I have no exposure to electric cars.", {"TSLA": "sell"}),
        ("I got some Starbucks this morning.", {"SBUX": "mentioned"}),
        ("We got more Tesla deliveries than we thought.", {"TSLA": "mentioned"}),
        ("I would highlight Tesla as the risk here.", {"TSLA": "mentioned"}),
        ("I have stocks like Chevron on my watch list.", {"CVX": "mentioned"}),
        ("I have a few companies like Nvidia to talk about today.", {"NVDA": "mentioned"}),
        ("I have some money in PayPal.", {"PYPL": "mentioned"}),
        ("I would never buy Nvidia on margin.", {"NVDA": "mentioned"}),
        ("We didn't touch that one in the last video. Nvidia is next.", {"NVDA": "mentioned"}),
        ("I'd like to own Deere.", {"DE": "mentioned"}),
        (
            "I'm buying Nvidia. We talked about Apple, then Tesla.",
            {"NVDA": "buy", "AAPL": "mentioned", "TSLA": "mentioned"},
        ),
        ("We took Tesla down to the charger.", {"TSLA": "mentioned"}),
        ("We would be in Walmart every week.", {"WMT": "mentioned"}),
        ("We replaced Intel with Nvidia in the data center.", {"INTC": "mentioned", "NVDA": "mentioned"}),
        ("Long Nvidia holders are happy.", {"NVDA": "mentioned"}),
        ("New position limits at the exchange hurt CME.", {"CME": "mentioned"}),
        ("I sold Deere in 2012, my worst trade. Now I bought Cisco.", {"DE": "mentioned", "CSCO": "buy"}),
        ("I sold Deere in 2012, my worst trade. And I just sold Cisco.", {"DE": "mentioned", "CSCO": "sell"}),
        ("Nvidia is one of our best performers this year.", {"NVDA": "hold"}),
        ("I downgraded Deere from neutral all the way to underweight.", {"DE": "sell"}),
        ("I bought 2000 shares of Nvidia.", {"NVDA": "buy"}),
        ("We took our Deere position down by half.", {"DE": "sell"}),
        ("We took Deere down by half last week.", {"DE": "sell"}),
    ],
)
def test_words_of_trading_are_read_as_they_are_meant(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_a_phrase_about_goods_is_not_about_the_shop() -> None:
    assert read("I buy my coffee at Costco, the stock is expensive.") == {"COST": "mentioned"}
    assert read("I bought popcorn and watched GameStop stock.") == {"GME": "mentioned"}
    assert read("I bought a small company called Zoetis.") == {"ZTS": "buy"}


def test_what_is_done_with_one_stock_may_be_done_with_the_next() -> None:
    assert read("I sold my Intel this morning. Same with Micron.") == {"INTC": "sell", "MU": "sell"}
    assert read("I bought more Visa. Mastercard too.") == {"V": "buy", "MA": "buy"}
    assert read("Oracle fell on earnings. Same story with Adobe.") == {"ORCL": "mentioned", "ADBE": "mentioned"}


def test_a_stock_that_is_talked_about_for_long_is_still_meant() -> None:
    talk = "It is a maker of pumps, and the company has plants in nine states and more than four thousand people. " * 4

    assert by_phrases(f"{LONG_VIDEO}Now Flowserve. {talk}So I've got May puts on it.") == {"FLS": "sell"}


def test_a_number_starts_the_next_stock_of_bare_captions() -> None:
    captions = "number one is chubb it fell a lot and i'm picking it up here number two is netflix it went nowhere"

    assert read(captions) == {"CB": "buy", "NFLX": "mentioned"}


def test_a_well_known_ticker_may_be_spelled() -> None:
    assert read("so c v s is down and k k r reported earnings") == {"CVS": "mentioned", "KKR": "mentioned"}
    assert read("the a i stocks the c e o and the i p o market in the u s a") == {}


def test_some_words_are_names_only_where_they_are_written_large() -> None:
    assert read("We looked at Carrier and Emerson, and both stocks fell.") == {"CARR": "mentioned", "EMR": "mentioned"}
    for words in (
        "wireless carrier stocks are down",
        "The app is intuitive, and the stock is up.",
        "Carrier stocks fell.",
    ):
        assert read(words) == {}, words


def test_the_first_word_of_a_name_means_the_company_that_was_named() -> None:
    assert read("UnitedHealth stock fell. United Health cut its guidance, and I sold United.") == {"UNH": "sell"}


def test_a_rating_that_is_only_named_is_no_advice() -> None:
    for said in (
        "Cisco fell again. Should I begin with the buy now names? Yeah, begin there.",
        "Our screen gave a buy signal on Cisco last night.",
        "Cisco sits in the sell category of that website.",
    ):
        assert read(said) == {"CSCO": "mentioned"}, said


def test_an_answer_weighs_no_more_than_the_way_its_question_leads_to_a_stock() -> None:
    aside = "We went down to the lake and had our lunch there. " * 7
    near, far = (
        by_phrases(f"Cisco reported last night. {talk}Is that a buy? Yes. {aside * 4}") for talk in ("", aside)
    )
    assert near == {"CSCO": "buy"}
    assert far == {"CSCO": "mentioned"}


def test_a_list_goes_on_after_an_aside() -> None:
    transcript = (
        "Five names that I think are good buys are Roku, Pinterest, how's that for a surprise, Fiverr and Upstart."
    )

    assert read(transcript) == dict.fromkeys(("ROKU", "PINS", "FVRR", "UPST"), "buy")


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("I started a small position in Deere last week.", {"DE": "buy"}),
        ("I loaded up heavy on Deere.", {"DE": "buy"}),
        ("I bought this Deere as a swing.", {"DE": "buy"}),
        ("I put somewhere between ten and twenty thousand dollars into Deere.", {"DE": "buy"}),
        ("Deere is rich here. I did another trim at 450.", {"DE": "sell"}),
        ("If you own Deere, it's a good time to take profits.", {"DE": "sell"}),
        ("Deere had a great run. Take your profits and move on.", {"DE": "sell"}),
        ("I ended up getting out of my Deere position.", {"DE": "sell"}),
        ("We like Deere. I took a starter this morning.", {"DE": "buy"}),
        ("I rounded up to one hundred shares of Deere.", {"DE": "buy"}),
        ("We've got a toe in the water with Deere.", {"DE": "buy"}),
        ("Deere got destroyed, and we stepped in the following week.", {"DE": "buy"}),
        ("I got some more Deere at 450.", {"DE": "buy"}),
        ("We took Deere down by a third.", {"DE": "sell"}),
        ("To fund it we took some out of Deere.", {"DE": "sell"}),
        ("New position: Deere.", {"DE": "buy"}),
        ("The tractors sell. No changes to Deere.", {"DE": "hold"}),
        ("I'd be in Deere.", {"DE": "buy"}),
        ("We upgraded Deere to overweight this morning.", {"DE": "buy"}),
        ("Deere is up. I didn't touch that one.", {"DE": "hold"}),
        ("Most of them have a buy on Deere.", {"DE": "mentioned"}),
        ("I'd buy Deere tomorrow if I could.", {"DE": "mentioned"}),
        ("Deere is a good company and we'd own it lower.", {"DE": "mentioned"}),
        ("Yesterday I closed my Deere puts.", {"DE": "mentioned"}),
        ("The stock I would least like to own is Deere.", {"DE": "mentioned"}),
        ("I'd love to own Deere again.", {"DE": "mentioned"}),
        ("I have zero shares of Deere.", {"DE": "mentioned"}),
        ("I've bought Deere three times in my life.", {"DE": "mentioned"}),
        ("I never said I was short Deere.", {"DE": "mentioned"}),
        ("Deere ran. Yesterday sold half.", {"DE": "sell"}),
        ("If I'm a shareholder of Deere, I'd want answers.", {"DE": "mentioned"}),
        ("I was buying Deere at much lower prices.", {"DE": "mentioned"}),
    ],
)
def test_a_position_is_opened_added_to_or_sold(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("In my portfolio, Deere is up 4% and Pfizer is down 2%.", {"DE": "hold", "PFE": "hold"}),
        ("My portfolio is mostly Deere and Pfizer.", {"DE": "hold", "PFE": "hold"}),
        ("We do hold both Deere and Pfizer in our fund.", {"DE": "hold", "PFE": "hold"}),
        (
            "I own none of it yet. Deere, Pfizer and Nike fell. Rates rose, so people fled, and it may go on."
            " That's why I'm buying all three stocks.",
            {"DE": "buy", "PFE": "buy", "NKE": "buy"},
        ),
        (
            "Deere and Pfizer and Nike report. I own all of these companies but Nike.",
            {"DE": "hold", "PFE": "hold", "NKE": "mentioned"},
        ),
        ("I own everything in farming except Deere.", {"DE": "mentioned"}),
        ("My largest position is Deere, followed by Pfizer and Nike.", {"DE": "hold", "PFE": "hold", "NKE": "hold"}),
        ("I own Chubb, Aon, and then Travelers.", {"CB": "hold", "AON": "hold", "TRV": "hold"}),
        ("I'm invested in both Chubb and Aon.", {"CB": "hold", "AON": "hold"}),
        ("Look at Chubb, another company I own and like.", {"CB": "hold"}),
        (
            "Chubb, Aon and Travelers are fine. I'm happy owning all three.",
            {"CB": "hold", "AON": "hold", "TRV": "hold"},
        ),
    ],
)
def test_what_is_owned_or_bought_may_be_several_stocks(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_whoever_asks_for_advice_is_noted_to_ask() -> None:
    def asks(transcript: str) -> bool:
        _, findings = findings_of(transcript, words_of(transcript))
        return any("asked about" in evidence.traits for evidence in findings["DE"].evidence)

    assert asks("I have a position in Deere. Should I sell it?")
    assert asks("I bought Deere at 300. Is it a buy, hold, or sell?")
    assert asks("i bought deere at 300 dollars a share should i sell it or wait for spring")
    assert asks("hello jim i am a holder of deere should i buy sell or hold")
    assert not asks("I have a position in Deere. Farmers have money again.")


def test_an_amount_of_money_leads_to_what_is_bought() -> None:
    assert read("I bought another $3,000 of Deere this morning.") == {"DE": "buy"}
    assert read("Deere fell. I bought another $3,000 of this stock today.") == {"DE": "buy"}


def test_whoever_pares_down_holdings_sells_the_stock_spoken_of() -> None:
    assert read("Uber went too far for me. I'm going to pare down half of my holdings.") == {"UBER": "sell"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        (
            "Time for the final trades. Maria, you begin. Costco, the members renew whatever happens. Owen. "
            "Deere, farmers have money again. Thank you all, see you tomorrow.",
            {"COST": "buy", "DE": "buy"},
        ),
        (
            "okay what's your final trade ben i'm going with honeywell they split it up next spring",
            {"HON": "buy"},
        ),
        (
            "We do final trades on Fridays only, so that does it for us. Costco reports tomorrow.",
            {"COST": "mentioned"},
        ),
        ("In my final exam they asked me about Deere.", {"DE": "mentioned"}),
    ],
)
def test_names_given_in_a_round_of_picks_are_buys(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_a_round_of_picks_does_not_go_on_for_ever() -> None:
    talk = "And then we spoke of the weather, of the harvest and of trains. " * 20

    assert read(f"These were the final trades. {talk} Costco reports tomorrow.") == {"COST": "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("You sold Honeywell last week. I did. It had doubled.", {"HON": "sell"}),
        ("so you bought more deere i did yeah farmers have money again", {"DE": "buy"}),
        ("You own Deere. Yes, I do.", {"DE": "hold"}),
        ("So you bought more Deere. Farmers have money again, and the orders show it.", {"DE": "buy"}),
    ],
)
def test_whoever_confirms_a_trade_has_made_it(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    "transcript",
    [
        "number three on the list i think is a clear buy which is costco because people renew",
        "There is one I would call my top pick, and that is Costco.",
        "people asked for my view on costco and this is a company that i believe is a buy",
    ],
)
def test_a_verdict_may_come_before_its_name_or_in_the_next_clause(transcript: str) -> None:
    assert read(transcript) == {"COST": "buy"}


@pytest.mark.parametrize(
    "transcript",
    [
        "Costco is cheap after that report, and it should be bought.",
        "Costco has come down a lot. I think you have to own that stock.",
        "We like Costco a great deal, and this is a good time to buy it.",
        "Costco, get it on the weakness.",
        "You have got to have a position in Costco.",
        "Everyone should have some Costco.",
        "I want you to own Costco.",
        "I think you buy Costco here.",
        "If you made me pick one, I'd buy Costco.",
        "Costco should be a core holding for anyone.",
        "You can't go wrong with Costco here.",
    ],
)
def test_saying_that_one_has_to_own_a_stock_is_a_buy(transcript: str) -> None:
    assert read(transcript) == {"COST": "buy"}


def test_amounts_do_not_part_stocks_that_are_sold_together() -> None:
    assert read("I trimmed $4,000 of Costco and $2,000 of Deere this week.") == {"COST": "sell", "DE": "sell"}


def test_a_list_ends_with_its_sentence() -> None:
    transcript = "Two names that I think are good buys are Roku and Pinterest. Then there is news of Boeing and Ford."

    assert read(transcript) == {"ROKU": "buy", "PINS": "buy", "BA": "mentioned", "F": "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("I told you to buy Snap. I've changed my mind: I sold it all.", {"SNAP": "sell"}),
        ("i used to hate uber but i changed my mind and i'm buying it", {"UBER": "buy"}),
        ("I bought Intuit back in 2016 and I'm still holding it.", {"INTU": "hold"}),
        ("I sold Cloudflare in spring. I was wrong. I've bought it back.", {"NET": "buy"}),
    ],
)
def test_the_final_stance_wins(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Buy Merck. Hold Pfizer. Sell Moderna.", {"MRK": "buy", "PFE": "hold", "MRNA": "sell"}),
        ("i took profits on roku and rolled the money into disney", {"ROKU": "sell", "DIS": "buy"}),
        (
            "i added to amd i sold my three m too many lawsuits and pepsi i'm just holding",
            {"AMD": "buy", "MMM": "sell", "PEP": "hold"},
        ),
        (
            "alphabet i'm buying meta i'm holding and amazon i'm trimming",
            {"GOOGL": "buy", "META": "hold", "AMZN": "sell"},
        ),
        ("I'm buying Visa, Adobe and ASML.", {"V": "buy", "ADBE": "buy", "ASML": "buy"}),
        ("I'd rather own Mastercard than American Express.", {"MA": "buy", "AXP": "mentioned"}),
        ("Two names to avoid: Lyft and Peloton.", {"LYFT": "sell", "PTON": "sell"}),
        ("so i'm buying that uh amd i have no opinion on", {"AMD": "mentioned"}),
        (
            "In regards to Adobe, Salesforce and Snowflake. I'm just buying, buying, buying these stocks right now.",
            {"ADBE": "buy", "CRM": "buy", "SNOW": "buy"},
        ),
    ],
)
def test_each_stock_gets_its_own_stance(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Deere looks cheap. It's a buy for me.", {"DE": "buy"}),
        ("so sofi dude this one i'm adding to every month", {"SOFI": "buy"}),
        ("CVS and Cigna are cheap. I bought both of them.", {"CVS": "buy", "CI": "buy"}),
        ("I own CVS and Cigna. I'm adding more shares this week.", {"CVS": "buy", "CI": "buy"}),
        ("Uber sets the price for Lyft. I'm buying it.", {"UBER": "buy", "LYFT": "mentioned"}),
    ],
)
def test_a_pronoun_stands_for_the_stock_last_spoken_of(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_results_come_in_order_of_first_appearance() -> None:
    calls = RulesAnalyst().calls("Walmart reported. I'm buying Apple. Walmart rose. Then there is Deere.")

    assert [call.ticker for call in calls] == ["WMT", "AAPL", "DE"]


def test_confidence_grows_with_what_is_said() -> None:
    once, often = (
        RulesAnalyst().calls(transcript)[0].confidence
        for transcript in ("Deere reported. I sold on Friday.", "Deere reported. I sold on Friday. Deere is a sell.")
    )

    assert once < often < 1


def test_what_is_likely_but_not_clear_is_a_mention_with_a_possible_side() -> None:
    transcript = "Deere is down. I sold on Friday."

    (clear,) = RulesAnalyst(threshold=0.5).calls(transcript)
    (unclear,) = RulesAnalyst(threshold=0.97).calls(transcript)

    assert (clear.sentiment, clear.possible_sentiment) == (Sentiment.SELL, None)
    assert (unclear.sentiment, unclear.possible_sentiment) == (Sentiment.MENTIONED, Sentiment.SELL)
    assert unclear.confidence == clear.confidence


@pytest.mark.parametrize(
    "surer",
    [
        "I bought Deere yesterday.",
        "I bought Deere. Deere is a buy.",
        "I bought Deere. Deere makes tractors. Deere is in Illinois. Deere is old.",
    ],
)
def test_a_trade_of_a_long_video_is_clearer_if_more_is_said_of_it(surer: str) -> None:
    (once,) = RulesAnalyst(0.1).calls(LONG_VIDEO + "I bought Deere.")
    (often,) = RulesAnalyst(0.1).calls(LONG_VIDEO + surer)

    assert once.sentiment is often.sentiment is Sentiment.BUY
    assert once.confidence < often.confidence


def test_one_sentence_is_clearer_in_a_short_clip_than_in_a_long_video() -> None:
    said = "I keep adding to Deere under ninety."

    assert read(said) == {"DE": "buy"}
    (call,) = RulesAnalyst().calls(LONG_VIDEO + said)
    assert (call.sentiment, call.possible_sentiment) == (Sentiment.MENTIONED, Sentiment.BUY)


def test_a_plain_trade_of_these_days_is_clear_in_a_long_video() -> None:
    for said, expected in {
        "I bought Deere yesterday.": "buy",
        "I'm buying Deere here.": "buy",
        "I sold all my Deere this morning.": "sell",
        "Deere is a buy right now.": "buy",
        "I own Deere.": "hold",
    }.items():
        assert read(LONG_VIDEO + said) == {"DE": expected}


def test_what_makes_a_call_clear_is_known_for_trades_and_holds() -> None:
    assert learned_clarity().keys() == {TRADE, HOLD}
    assert 0 < clarity(Sentiment.HOLD, 0.5, [], 1) < clarity(Sentiment.HOLD, 1.0, [], 1) < 1


def test_what_hardly_looks_like_a_call_is_never_clear() -> None:
    assert clarity(Sentiment.BUY, 0.1, [], 12) == 0.1


def test_a_trade_on_the_other_side_makes_a_call_less_clear() -> None:
    (clear,) = RulesAnalyst(0.1).calls(LONG_VIDEO + "I bought Deere this week. Deere is a buy.")
    (torn,) = RulesAnalyst(0.1).calls(LONG_VIDEO + "I bought Deere this week. I sold Deere. Deere is a buy.")

    assert torn.confidence < clear.confidence


def test_contrary_signals_lower_the_confidence() -> None:
    clear, torn = (
        RulesAnalyst().calls(transcript)[0].confidence
        for transcript in ("I sold Deere. I'm selling Deere.", "I bought Deere. I'm selling Deere.")
    )

    assert torn < clear


def test_context_is_the_sentence_the_call_rests_on() -> None:
    transcript = "Deere reported on Friday. I added twenty shares, and I may add more. The weather was nice."

    (call,) = RulesAnalyst().calls(transcript)

    assert call.context == "I added twenty shares, and I may add more"


@pytest.mark.parametrize(
    "transcript",
    [
        "Deere reported on Friday. I added twenty shares, and I may add more. The weather was nice.",
        "\n\n  Deere fell.\n\nI'm  buying\nCostco.",
        f"{'x ' * 30}{' ' * 300}I'm buying Deere{' ' * 300}and{' y' * 30}",
        " ".join(["I", *["really"] * 30, "am buying Deere", *["soon"] * 30]),
    ],
)
def test_a_call_knows_where_its_context_begins(transcript: str) -> None:
    for call in RulesAnalyst().calls(transcript):
        assert call.position is not None
        assert transcript[call.position :].startswith(call.context)


def test_the_name_tells_the_rules_and_any_threshold_of_one_s_own() -> None:
    assert RulesAnalyst().name == RulesAnalyst(0.5).name == "rules 3.7"
    assert RulesAnalyst(0.6).name == "rules 3.7, threshold 0.6"


@pytest.mark.parametrize(
    "transcript",
    [
        "",
        "   \n",
        "buy",
        "El mercado subi\u00f3 mucho hoy y compr\u00e9 m\u00e1s acciones.",
        "\u80a1\u7968\u4eca\u5929\u4e0a\u6da8\u4e86",
        "\u05e7\u05e0\u05d9\u05ea\u05d9 \u05de\u05e0\u05d9\u05d5\u05ea \u05d4\u05d9\u05d5\u05dd",
        "\u0627\u0634\u062a\u0631\u064a\u062a \u0627\u0644\u0623\u0633\u0647\u0645 \u0627\u0644\u064a\u0648\u0645",
        "12345 678",
    ],
)
def test_empty_and_foreign_text_has_no_calls(transcript: str) -> None:
    assert RulesAnalyst().calls(transcript) == []


def test_one_word_is_read() -> None:
    assert read("Nvidia") == {"NVDA": "mentioned"}


def test_a_name_among_words_from_right_to_left_is_read() -> None:
    assert read("\u05d4\u05de\u05e0\u05d9\u05d4 \u05e9\u05dc $NVDA \u05e2\u05dc\u05ea\u05d4") == {"NVDA": "mentioned"}


SAYINGS = st.sampled_from(
    [
        "nvidia",
        "NVDA",
        "$AMD",
        "Tesla",
        "target",
        "i'm",
        "buying",
        "sold",
        "holding",
        "not",
        "if",
        "drops",
        "?",
        ".",
        ",",
        "and",
        "but",
        "the",
        "stock",
        "uh",
        "a",
        "buy",
        "sell",
        "it",
        "he",
        "said",
        "2015",
        "should",
        "you",
        "yes",
        "no",
        "ticker",
        "n",
        "v",
        "bitcoin",
        "\u00e9t\u00e9",
        "\u2019",
        "$",
        "&",
        "them",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(SAYINGS, st.text(max_size=12)), max_size=80).map(" ".join))
def test_any_text_gives_well_formed_calls_and_always_the_same(transcript: str) -> None:
    calls = RulesAnalyst().calls(transcript)

    assert calls == RulesAnalyst().calls(transcript)
    assert len({call.ticker for call in calls}) == len(calls)
    for call in calls:
        assert is_listed(call.ticker)
        assert 0 <= call.confidence <= 1
        assert call.position is not None
        assert transcript[call.position :].startswith(call.context)
        assert 0 < len(call.context) <= 200


def steps(transcript: str) -> int:
    """Lines of the analyst's code that run for a transcript."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        RulesAnalyst().calls(transcript)
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize(
    "part",
    [
        "nvidia ",
        "nvidia, ",
        "Nvidia. ",
        "a ",
        "$A ",
        "buy ",
        "not ",
        "palanteer ",
        "rmbs ",
        "buy nvidia ",
        "should i buy nvidia? ",
        "i changed my mind on nvidia i sold it ",
        "nvidia took a b c d e off ",
        "five stocks i'm buying number one is nvidia ",
        "i bought nvidia. ",
        "i'm short nvidia. i covered it. ",
        "my portfolio. we have nvidia at number one. ",
        "my portfolio. nvidia. up 40 percent. ",
        'he says "i bought nvidia." ',
    ],
)
def test_work_grows_in_proportion_to_the_text(part: str) -> None:
    RulesAnalyst().calls(part * 10)

    some, more = steps(part * 200), steps(part * 800)

    assert more < 5 * some


@pytest.mark.parametrize(
    "transcript",
    ["a" * 5 * MILLION, "$" * MILLION, "a'" * MILLION, '"a' * MILLION, "\n" * MILLION, "\u05d0" * MILLION],
    ids=lambda transcript: repr(transcript[:4]),
)
def test_megabytes_without_a_space_are_one_word(transcript: str) -> None:
    assert RulesAnalyst().calls(transcript) == []


def test_one_name_ten_thousand_times_is_one_stock() -> None:
    assert read("nvidia " * 10_000) == {"NVDA": "mentioned"}


def test_every_alias_leads_to_a_listed_share() -> None:
    tickers = {name.ticker for group in known_names().values() for names in group.values() for name in names}
    tickers.update(other_meanings())

    unlisted = {ticker for ticker in tickers if ticker and listing(ticker) is None}

    assert unlisted == set()


@pytest.mark.parametrize(
    ("half", "ticker_floor", "sentiment_floor"), [("development", 0.98, 0.93), ("held_out", 0.95, 0.80)]
)
def test_labelled_passages_are_read_as_people_read_them(half: str, ticker_floor: float, sentiment_floor: float) -> None:
    passages = load(half)
    if not passages:
        pytest.skip(f"the {half} passages are not here")
    analyst: Analyst = RulesAnalyst()

    result = scores(passages, analyst)

    assert result.ticker.f1 >= ticker_floor
    assert result.ticker_and_sentiment.f1 >= sentiment_floor


def test_the_demo_is_read_as_it_is_meant() -> None:
    videos = [video for channel in json.loads(CHANNELS.read_text(encoding="utf-8")) for video in channel["videos"]]
    counts: Counter[str] = Counter()
    phantoms = []

    for video in videos:
        labels = {call["ticker"]: call["sentiment"] for call in video["calls"]}
        found = read(video["transcript"] or "", date.fromisoformat(video["published_at"][:10]))
        phantoms += [(video["title"], ticker) for ticker in found.keys() - labels.keys()]
        counts["made"] += sum(label != "mentioned" for label in labels.values())
        counts["read"] += sum(sentiment != "mentioned" for sentiment in found.values())
        counts["right"] += sum(
            sentiment != "mentioned" and labels.get(ticker) == sentiment for ticker, sentiment in found.items()
        )

    assert phantoms == []
    assert counts["right"] >= 0.95 * counts["read"]
    assert counts["right"] >= 0.85 * counts["made"]


@pytest.mark.parametrize(
    ("text", "day", "ticker"),
    [
        ("I'm buying more Twitter stock today.", date(2020, 5, 1), "TWTR"),
        ("I'm buying more $TWTR today.", date(2020, 5, 1), "TWTR"),
        ("I bought more Bed Bath & Beyond shares today.", date(2021, 1, 27), "BBBY.OLD"),
        ("I bought more Bed Bath & Beyond shares today.", date(2026, 1, 27), "BBBY"),
        ("I bought more shares of LB today.", date(2019, 5, 1), "BBWI"),
        ("I bought more shares of LB today.", None, "LB"),
        ("i just bought shares of silicon valley bank today", date(2022, 1, 3), "SIVB"),
        ("I sold my Slack shares today, the market is high.", date(2020, 1, 3), "WORK"),
        ("I bought shares of Barrick today.", date(2020, 1, 3), "B"),
    ],
)
def test_a_name_and_a_ticker_mean_what_they_meant_on_the_day(text: str, day: date | None, ticker: str) -> None:
    assert [call.ticker for call in RulesAnalyst().calls(text, day)] == [ticker]


@pytest.mark.parametrize("day", [None, date(2024, 1, 3)])
def test_a_share_that_has_left_is_no_stock_any_more(day: date | None) -> None:
    assert RulesAnalyst().calls("I'm buying more Twitter stock today.", day) == []


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        (
            "Here are three stocks I rate a buy this spring, starting with stock number one, which would be "
            "Deere, the tractor maker. Now we come to stock number two, which is Honeywell. And the third stock, "
            "it may surprise you, is Cisco.",
            {"DE": "buy", "HON": "buy", "CSCO": "buy"},
        ),
        (
            "These are the four names I'm still buying after the correction. Let's start with Costco, where the "
            "members renew year after year.",
            {"COST": "buy"},
        ),
        (
            "Let me turn to two stocks to take some profits on. The first stock is Roku, up ninety percent since May.",
            {"ROKU": "sell"},
        ),
        (
            "I'll show you five stocks I'm buying this week. We kick things off with one of my favorite businesses, "
            "which is Uber.",
            {"UBER": "buy"},
        ),
    ],
)
def test_what_was_announced_of_a_list_holds_for_each_name_on_it(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_a_name_that_comes_long_after_its_place_on_a_list_is_not_on_it() -> None:
    talk = "We had rain for days, and the harvest was late again this year. " * 4

    result = read(f"Three stocks to buy this year. Number one is a secret. {talk} Deere reports on Friday.")

    assert result == {"DE": "mentioned"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("I picked up three stocks on Monday. Deere, Cisco and Uber.", dict.fromkeys(("DE", "CSCO", "UBER"), "buy")),
        ("We added two names in May. The first one was Deere. The second one is Cisco.", {"DE": "buy", "CSCO": "buy"}),
        ("We made two purchases in May. One was Deere, after a bad year.", {"DE": "buy"}),
        ("My three picks would be Deere, Cisco and Uber.", dict.fromkeys(("DE", "CSCO", "UBER"), "buy")),
        (
            "My top stocks for the farm are Deere, Cisco Corporation, and Uber.",
            dict.fromkeys(("DE", "CSCO", "UBER"), "buy"),
        ),
        ("Look at our recent purchases, right? They are names like Deere and Cisco.", {"DE": "buy", "CSCO": "buy"}),
        ("Three stocks to buy. Now let us move on to company number two. It is Deere.", {"DE": "buy"}),
        ("Our favorites among them continue to be Deere and Cisco.", {"DE": "buy", "CSCO": "buy"}),
        ("Then there are the ones I'm passing on. The first one's going to be Deere.", {"DE": "sell"}),
        ("Deere, Cisco and Uber. Those are the three I'm buying.", dict.fromkeys(("DE", "CSCO", "UBER"), "buy")),
        ("Deere and Cisco are both stocks I'm buying.", {"DE": "buy", "CSCO": "buy"}),
        ("I bought more Deere. Cisco is another one.", {"DE": "buy", "CSCO": "buy"}),
        ("We own three hundred stocks. Deere is on the news.", {"DE": "mentioned"}),
        ("Our shorts are Deere and Cisco.", {"DE": "sell", "CSCO": "sell"}),
        ("We initiated two new positions, Deere and Cisco.", {"DE": "buy", "CSCO": "buy"}),
        (
            "There are two I'd be selling here. Number one is Deere. Number two is Cisco.",
            {"DE": "sell", "CSCO": "sell"},
        ),
        ("I'd avoid Deere. And I'd put Cisco in there as well.", {"DE": "sell", "CSCO": "sell"}),
        (
            "Now the biggest losers of the week. Stock number one, Deere. Stock number two, Cisco.",
            {"DE": "mentioned", "CSCO": "mentioned"},
        ),
        ("You've got two picks for us. >> The first is Deere. The second one is Cisco.", {"DE": "buy", "CSCO": "buy"}),
        ("Let me say what's in the fund, it's Deere, it's Cisco.", {"DE": "hold", "CSCO": "hold"}),
        ("Cisco is cheap. That's my pick. Deere comes second.", {"CSCO": "buy", "DE": "mentioned"}),
        ("I bought Deere in the dip. And then Cisco too.", {"DE": "buy", "CSCO": "buy"}),
    ],
)
def test_a_list_may_be_announced_in_many_ways(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("What are you buying here? Deere.", {"DE": "buy"}),
        ("Give me one name you like. >> I'd say Deere.", {"DE": "buy"}),
        ("Which stock are you selling? >> That would be Deere.", {"DE": "sell"}),
        ("What do you like about Deere? It has pricing power.", {"DE": "mentioned"}),
        ("What are you buying, Tom? The market fell and Deere reported.", {"DE": "mentioned"}),
        ("That's what you get when you buy what you like. Deere is up.", {"DE": "mentioned"}),
        ("So where do you go? >> I think it's Deere, I think it's Cisco.", {"DE": "buy", "CSCO": "buy"}),
        ("Gun to your head, one stock? >> Deere.", {"DE": "buy"}),
        ("What stocks do you like? >> I don't think it pays now. Deere's the low cost maker.", {"DE": "mentioned"}),
        ("If you had to pick one, is it Deere or Cisco? >> Hard to say.", {"DE": "mentioned", "CSCO": "mentioned"}),
        ("So are you a buyer of Deere here? >> Yeah, I am.", {"DE": "buy"}),
        ("Would you own Deere here? >> Yes.", {"DE": "buy"}),
        ("Is it over for them? >> No. I bought more Deere today.", {"DE": "buy"}),
    ],
)
def test_the_name_that_answers_a_question_for_names_is_picked(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("We've been adding to industrials, especially Deere and Honeywell.", {"DE": "buy", "HON": "buy"}),
        ("i've been buying for some weeks a few of the farm names specifically deere", {"DE": "buy"}),
        ("We're adding to machine makers like Deere.", {"DE": "buy"}),
        ("We've been buying industrials. Deere, Honeywell.", {"DE": "buy", "HON": "buy"}),
        ("I bought two sheds that are painted green like Deere's tractors.", {"DE": "mentioned"}),
    ],
)
def test_the_members_of_a_group_are_traded_with_it(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Everybody hates this stock, and I'm buying it. The crash was brutal. The company is Deere.", {"DE": "buy"}),
        ("It's one that I'm buying, and that stock is Deere.", {"DE": "buy"}),
        ("The most obvious no-brainer, too cheap to ignore, and that's Deere.", {"DE": "buy"}),
        ("I'm going to keep adding to this stock. To me, Deere is a fine business.", {"DE": "buy"}),
        ("Deere it is. I bought another $3,500 of this stock.", {"DE": "buy"}),
        ("I raised my Deere position by four percent.", {"DE": "buy"}),
        ("Anything you want to buy here? Deere reported.", {"DE": "mentioned"}),
    ],
)
def test_what_is_said_of_a_stock_reaches_its_name(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_the_stock_that_a_speaker_would_buy_may_come_last() -> None:
    assert read("The one company that I would purchase with my bonus this year would be Honeywell.") == {"HON": "buy"}


def test_a_place_to_buy_may_be_said_of_all_the_talk_is_about() -> None:
    transcript = "Names like Deere, Cisco, even Uber fell by a third. I think it's a great place to do some buying."

    assert read(transcript) == dict.fromkeys(("DE", "CSCO", "UBER"), "buy")


def test_all_three_are_the_three_named_together() -> None:
    transcript = (
        "The report hit chip makers such as Micron, Broadcom and Marvell by six percent each. Demand is still growing "
        "faster than anyone can build. That's why I'm buying all three of these chip makers."
    )

    assert read(transcript) == dict.fromkeys(("MU", "AVGO", "MRVL"), "buy")


@pytest.mark.parametrize(
    "said",
    [
        "I bought this Deere as a swing trade yesterday.",
        "I loaded up heavy on Deere.",
        "Deere is still a huge buy.",
        "I think Deere is a great stock to buy and hold for my kids.",
        "For my growth slot, I'm going to go with Deere.",
        "I'm going to pick Deere for this round.",
        "The name we like best is Deere.",
        "Deere was a new purchase for us.",
        "Deere is our most recent purchase.",
        "I took Deere long off the open.",
        "We remain buyers of Deere at these levels.",
        "I give Deere a buy rating.",
        "I made a purchase of Deere on Monday.",
        "I would be buying Deere, I would be buying that all day.",
        "Is Deere a buy? I think so.",
        "Deere fell hard, and I put it in the buy category.",
        "Deere is a stock that I'm building out right now.",
        "I like Deere, so I'm adding that to my portfolio.",
    ],
)
def test_a_buy_is_plain_in_many_words(said: str) -> None:
    assert read(said) == {"DE": "buy"}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("The other stock I bought this week is a home builder, Lennar.", {"LEN": "buy"}),
        ("Names like Deere, which are some of my favorites, fell today.", {"DE": "buy"}),
        ("Take Deere. Its margin fell.", {"DE": "mentioned"}),
        ("Only Chubb and Deere are worthy of your money.", {"CB": "buy", "DE": "buy"}),
    ],
)
def test_a_stock_is_put_forward_by_more_than_a_verb(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


def test_a_list_that_was_announced_ends() -> None:
    talk = "We spoke of the weather, of the harvest and of trains for a long while. " * 60

    assert read(f"Three stocks I'm buying this year. {talk} Deere, ticker DE, is in trouble.") == {"DE": "mentioned"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I'm selling my Deere stock, and my portfolio is going to be fine.", "sell"),
        ("My portfolio is doing great, and Deere stock reported last night.", "mentioned"),
        ("Deere has been my largest position for years.", "hold"),
        ("It's not a great time to sell Deere.", "mentioned"),
        ("We need to get Deere back on the show.", "mentioned"),
        ("I have a lot of Deere gear in the barn.", "mentioned"),
        ("You bought more Deere. I did.", "buy"),
    ],
)
def test_what_stands_near_a_position_is_not_taken_for_it(said: str, expected: str) -> None:
    assert by_phrases(LONG_VIDEO + said) == {"DE": expected}


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        (
            "Let us know which stocks you like most of all: Cisco, Lennar and Deere.",
            {"CSCO": "mentioned", "LEN": "mentioned", "DE": "mentioned"},
        ),
        ("Which stocks do you like? >> Cisco and Deere.", {"CSCO": "buy", "DE": "buy"}),
        (
            "Here are Cisco and Deere. I'll say which of these two I think is the best buy. Deere first.",
            {"CSCO": "mentioned", "DE": "mentioned"},
        ),
        ("There's a good way to know if Deere is a buy. You look at corn.", {"DE": "mentioned"}),
        ("Rates will usually tell you if Deere is a good buy or not.", {"DE": "mentioned"}),
        ("If you want to know what other shares I'm buying besides Deere, watch this.", {"DE": "mentioned"}),
        (
            "If I had to choose between Cisco and Deere, if I had to own one of the two, it would be Deere.",
            {"CSCO": "mentioned", "DE": "mentioned"},
        ),
        ("If I had to buy one stock today, it would be Deere.", {"DE": "buy"}),
        ("If I had to pick between Cisco and Deere, I would take Deere.", {"CSCO": "mentioned", "DE": "mentioned"}),
        ("I want to see another good quarter from Deere, but I'm buying it anyway.", {"DE": "buy"}),
        ("We are near a price where I could upgrade Deere to a buy.", {"DE": "mentioned"}),
        ("I've upgraded Deere to a buy.", {"DE": "buy"}),
    ],
)
def test_a_choice_that_is_put_to_somebody_is_no_advice(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Affirm, the buy now, pay later lender, reported on Thursday.", {"AFRM": "mentioned"}),
        ("Affirm is a buy now pay later stock that reported on Thursday.", {"AFRM": "mentioned"}),
        ("Affirm is a buy now, and it pays to own it later.", {"AFRM": "buy"}),
        ("Affirm is a buy now. Pay later is growing.", {"AFRM": "buy"}),
        ("I own a lot more Deere than Lennar.", {"DE": "hold", "LEN": "mentioned"}),
        ("I now own twenty percent more of Deere.", {"DE": "buy"}),
        ("Deere fell today. Um, I loaded up on a stock this morning. More of that later.", {"DE": "mentioned"}),
        ("I loaded up on a stock today. The company is Deere.", {"DE": "buy"}),
        ("Deere fell. It is one of the names I'm adding to.", {"DE": "buy"}),
        ("Deere, Chubb. These are the stocks I am buying.", {"DE": "buy", "CB": "buy"}),
        ("Deere is cheap. I am buying a stock with a wide moat. It's a buy.", {"DE": "buy"}),
        ("Deere fell. Here is another one that I keep buying in both accounts.", {"DE": "buy"}),
        ("I write a slightly out of the money call option on my Deere shares.", {"DE": "hold"}),
        ("I sold Deere and bought Lennar calls.", {"DE": "sell", "LEN": "buy"}),
        ("I picked up some shares of Honest today, the stock is cheap.", {"HNST": "buy"}),
        ("In my Honest opinion the stock market is closed.", {}),
    ],
)
def test_the_words_of_a_trade_find_what_is_traded(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Deere is one I bought for the past few years.", "mentioned"),
        ("I started buying Deere in the 30s, and it's at ninety.", "mentioned"),
        ("I started buying Deere this week.", "buy"),
        ("When I was trading Deere, because it moves, I would sell a put.", "mentioned"),
        ("I went heavy on Deere, and that one worked.", "mentioned"),
        ("Deere is a great stock to buy when farmers are broke.", "mentioned"),
        ("Deere is a buy when you look at its cash.", "buy"),
        ("Deere is a buy when it comes to farms.", "buy"),
        ("Deere did fine. These are the machine stocks that I chose to buy.", "mentioned"),
        ("When I was reading the report, I saw the backlog, and I'm adding to Deere.", "buy"),
        ("I bought more Deere. It really did great in the report.", "buy"),
        ("The reason that I bought Deere this week is the backlog.", "buy"),
        ("Here is the reasoning why I bought Deere, it did well.", "mentioned"),
        ("I've been recommending Deere. Today I'm downgrading it to a hold.", "hold"),
        ("I've rated Deere for years, and today I am maintaining that buy rating.", "buy"),
        ("Analysts keep repeating that buy rating on Deere.", "mentioned"),
        ("I will keep adding to Deere under ninety.", "buy"),
        ("I would add to Deere under ninety.", "mentioned"),
        ("I think Deere is a buy in a diversified portfolio.", "buy"),
        ("Deere is a screaming by right now.", "buy"),
    ],
)
def test_a_stance_is_dated_and_taken_back_in_many_ways(said: str, expected: str) -> None:
    assert by_phrases(LONG_VIDEO + said) == {"DE": expected}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Let's go through my positions. Lennar, Cisco, and Deere.", "hold"),
        ("Let's go through my positions. Let us know what you think. Lennar, Cisco, and Deere.", "mentioned"),
        (
            "Let's go through my positions. Lennar up nine percent, Cisco up ten percent, Deere up forty percent.",
            "hold",
        ),
        ("Let's go through my positions. Deere was up forty percent over the last five years.", "mentioned"),
        ("Deere did well, but I have a lot of machines in my portfolio already.", "mentioned"),
        ("I own Deere indirectly, as Chubb has a stake in it.", "mentioned"),
    ],
)
def test_what_is_shown_beside_a_portfolio_is_not_owned(said: str, expected: str) -> None:
    assert by_phrases(LONG_VIDEO + said)["DE"] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Deere raised its prices again. You should keep that in mind.", "mentioned"),
        ("Deere grew its orders by a fifth. Let's keep it very simple.", "mentioned"),
        ("I own Deere and I'm keeping it.", "hold"),
        ("I walked away from the Deere call impressed.", "mentioned"),
        ("I walked away from Deere last week. I sold it all.", "sell"),
        ("Deere will see higher prices and more sell through abroad.", "mentioned"),
        ("The price to buy Deere today is just a little too high.", "mentioned"),
        ("To put Deere and its outlook into context, orders are growing.", "mentioned"),
        ("Deere comes with added debt from old deals.", "mentioned"),
        ("Deere is still looking for a buyer for part of its forestry business.", "mentioned"),
        ("Deere signed a lease. The other news that I have is good.", "mentioned"),
        ("Let me get rid of Deere on this chart.", "mentioned"),
        ("Here are the put options that we sold on Deere.", "mentioned"),
        ("Let's talk about me selling Deere. We'll get to that.", "mentioned"),
        ("Deere doubled. That's the odd market we're in now.", "mentioned"),
        ("Deere is back at a hundred, and we're in at ninety.", "buy"),
        ("Never do it on any stock you don't want to own. With Deere it is safe.", "mentioned"),
        ("Deere raised it again. That dividend isn't going anywhere.", "mentioned"),
    ],
)
def test_everyday_words_about_a_stock_are_no_trades(said: str, expected: str) -> None:
    assert read(said)["DE"] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("It's like, oh, I love tractors, I'll buy Deere stock.", "mentioned"),
        ("And everybody's like, just buy Deere, it always goes up.", "mentioned"),
        ("Nobody will be like, I must sell my Deere.", "mentioned"),
        ("What does it take for me to say, oh boy, I've got to add more Deere shares?", "mentioned"),
        ("Our community members have Deere as a hold.", "mentioned"),
        ("You buy Deere for six dollars in 2014 and a year later it is at thirty.", "mentioned"),
        ("It keeps you holding on to Deere, right, and then it peaks.", "mentioned"),
        ("It's a risk if you own Deere or you want to buy Deere.", "mentioned"),
        ("Would I buy Deere again? Maybe, but I don't feel I must own it.", "mentioned"),
        ("Deere could have been on a list of stocks I just bought.", "mentioned"),
        ("The deal hands each of them the right to buy Deere shares.", "mentioned"),
    ],
)
def test_what_somebody_might_think_or_do_is_no_trade(said: str, expected: str) -> None:
    assert read(said)["DE"] == expected


@pytest.mark.parametrize(
    ("transcript", "expected"),
    [
        ("Investing in Deere and Chubb means owning a big piece of the farm.", {"DE": "mentioned", "CB": "mentioned"}),
        ("The best time to buy Deere is when farmers have given up.", {"DE": "mentioned"}),
        ("The best time to buy Deere is today.", {"DE": "buy"}),
        ("If Deere is 850 tomorrow, I'd sell a hundred shares tomorrow.", {"DE": "mentioned"}),
        ("Deere is a hold for me. I would add on a five percent dip.", {"DE": "hold"}),
        ("I've taken a lot of gains in Deere over the past year, and I still hold some shares.", {"DE": "hold"}),
        ("Would I sell my Deere stock tomorrow? No thank you.", {"DE": "hold"}),
        ("I have zero percent interest in selling Deere.", {"DE": "hold"}),
        ("I can't picture myself ever selling my Deere.", {"DE": "hold"}),
        ("Chubb and Deere are the best stocks that I own.", {"CB": "hold", "DE": "hold"}),
        ("Deere is down forty percent, a stock I've been adding to all month.", {"DE": "buy"}),
        ("Deere, that's a stock you buy and throw in the filing cabinet.", {"DE": "buy"}),
        (
            "Deere yields three percent. It's one you can buy today and basically keep for decades.",
            {"DE": "buy"},
        ),
        ("Deere makes a perfect buy and hold stock.", {"DE": "buy"}),
        ("Deere fell. Let's go over my four best stocks to buy.", {"DE": "mentioned"}),
    ],
)
def test_a_trade_is_told_from_a_rule_and_from_what_is_kept(transcript: str, expected: dict[str, str]) -> None:
    assert read(transcript) == expected
