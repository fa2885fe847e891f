/** Definitions of the figures, in a sentence or two. Shown where a figure is hovered over or focused. */

export const DEFINITIONS = {
  verdict:
    "Beats or lags the market only if luck is an unlikely explanation among all channels judged, and its own stocks, held all the time, did not do as well.",
  expected_alpha:
    "What following all its calls added to the market’s return per year, shrunk towards zero by how uncertain it is. The leaderboard is ordered by it.",
  alpha:
    "What a portfolio of its open calls earned per year beyond what the market’s moves explain. t is alpha divided by its error: beyond 2 either way is rare by luck.",
  mean_excess:
    "The average over scored calls of the call’s return less the S&P 500’s over the same days. For a sell call, a stock that falls behind the market counts as a gain. The whisker is the 95% interval.",
  median_excess: "Half of the scored calls did better than this against the S&P 500, half did worse.",
  mean_return:
    "The average return of acting on a call, before comparing with the market. Sells count the other way round.",
  beat_rate: "The share of scored calls that did better than the S&P 500 over the same days.",
  base_rate:
    "How often the same stocks and sides would have beaten the S&P 500 on any day of the same period. A beat rate means something only against this, not against half.",
  calls:
    "Buy and sell calls whose horizon has passed, so that their result is known. Holds and mere mentions have no side and are not scored.",
  pending: "Calls whose horizon has not passed yet. They have no result, which is not the same as zero.",
  unpriced:
    "Calls without a price at entry. They cannot be scored and are counted here instead of being left out quietly.",
  ended:
    "Calls on stocks that stopped trading before the horizon. They are settled at the last close and count among the scored ones.",
  entry:
    "The close of the first session that opens after the video was published: the first price a viewer could count on. Where only the day is known, the session after that day.",
  exit: "The close when the horizon has passed, counted in trading sessions from the entry.",
  return:
    "The return of acting on the call from entry to exit, with dividends where the source has them. For a sell call it is positive when the stock fell.",
  benchmark:
    "The S&P 500 from the same entry to the same exit, on the call’s side: for a sell call with its sign turned.",
  excess: "Return less the S&P 500’s. Above zero the call was right, whichever way the stock went.",
  outcome: "Right: the call did better than the S&P 500 over the same days. Wrong: it did not.",
  luck: "How often a channel with no skill would be at least this far from the market.",
  timing:
    "What the portfolio of its open calls earned per year beyond its own stocks held all the time, and how often a channel with no skill would do that.",
  joint:
    "The larger of the two chances: being this far from the market, and this far from its own stocks. A verdict needs both to be small.",
  corrected_luck: "The same, corrected for all that is judged beside it. A verdict needs 10% or less.",
  net_excess: "The mean excess after the cost of opening and closing each call.",
  independent_calls:
    "Calls overlap, repeat the same stocks and share one market. So many independent calls would leave the same uncertainty.",
  corrected_excess:
    "An estimate of the mean excess of the calls that were read correctly, with its 95% interval: misread calls pull the figure towards what its stocks do on any day.",
  tipping_excess: "The reader misses calls. If those did this on average, the edge would be gone.",
  departed:
    "Calls on shares that had left the exchange, without a price. They are missing from the score, which flatters it: most stocks leave after a fall.",
  placebo:
    "The same stocks and sides, moved to other days: the share of such trials that did at least as well (at least as badly for a channel that lags).",
  beta: "How much the portfolio of its calls moves with the market: 1 is like the market, 0 not at all.",
  run_up:
    "How much its stocks had beaten the S&P 500 in the 21 sessions before it called them. A large figure means it chases what has already risen.",
  follows_news:
    "Of the calls whose stock was in the news in the five days before: the share that came after at least two headlines of the same direction, positive before a buy or negative before a sell. A large figure means it repeats what the press has said.",
  news_tone:
    "How a shareholder would take the headline: positive, neutral or negative for the stock whose news is shown, in a list of all news for the first that it is about. It is read from the words of the headline by a program, and some are read wrongly.",
  without_best:
    "The mean excess without the stock that adds most to it. Where little is left, the record is one lucky stock.",
  entry_sensitivity:
    "The mean excess with other entries. The close before publication is what most trackers book, and what no viewer could have had.",
  calls_needed:
    "How many independent calls it would take to show an average edge of 2% against its usual scatter.",
  distribution: "How many scored calls ended how far above or below the S&P 500.",
  cagr: "The yearly growth rate of the curve.",
  volatility: "How much the daily returns scatter, as a yearly figure.",
  sharpe: "Yearly return per unit of scatter, with cash at zero.",
  drawdown: "The deepest fall from an earlier peak.",
  turnover: "How many times a year the whole portfolio is traded over.",
  final_value: "What the amount invested at the first entry became, after the costs chosen.",
  price_then:
    "The last close before the video was published. A call is not scored from it, but from its entry: the first close that a viewer could count on.",
  change_since_mention:
    "From the first mention of any kind to the latest price. It says nothing on whether a call was right: see the calls.",
} as const

export type Term = keyof typeof DEFINITIONS
