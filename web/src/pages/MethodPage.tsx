/** How scores are made: the method in plain words, with an example to follow with a calculator. */

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { setupQuery } from "../api/queries"
import { Breadcrumb } from "../components/Breadcrumb"
import { KindChip } from "../components/Kind"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { Scroller } from "../components/Scroller"
import { Verdict } from "../components/Verdict"
import { VERDICTS } from "../domain/verdicts"
import { ReaderFigures } from "../reading/ReaderFigures"
import { describeSources, readingNote } from "../score/coverage"
import { BUY, SELL, type WorkedCall, workOut } from "../score/worked-example"
import { formatDay } from "../text/dates"
import { formatExact, formatNumber } from "../text/numbers"
import "./MethodPage.css"

export default function MethodPage() {
  useTitle("How scores are made")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const setup = useQuery(setupQuery()).data
  return (
    <article className="wide page prose">
      <Breadcrumb to={[{ href: "/", label: "Leaderboard" }]} />
      <h1 ref={heading} tabIndex={-1}>
        How scores are made
      </h1>
      <p className="lead">
        A channel says “buy” or “sell”. We ask what a viewer who acted on it would have made, what the market
        made over the same days, and whether the difference could be luck.
      </p>

      <Part title="From a video to a result">
        <ol className="steps">
          <li>
            <strong>A call has a side.</strong> Buys and sells are scored. Holds and mere mentions are shown
            and never scored.
          </li>
          <li>
            <strong>Entry is the first price a viewer could have had:</strong> the close of the first session
            that opens after the video was published. The close before it, which many trackers book, includes
            the jump that the video itself may cause.
          </li>
          <li>
            <strong>Exit comes after a fixed time:</strong> 5, 21, 63, 126 or 252 trading sessions (a week to
            a year). Until then a call is pending, which is not zero.
          </li>
          <li>
            <strong>The S&amp;P 500 is the yardstick.</strong> Excess is the stock’s return less the index’s
            over the same days. For a sell both count the other way round: a stock that falls behind the
            market makes the call right.
          </li>
          <li>
            <strong>Nothing is dropped quietly.</strong> Calls that are pending, have no price, or whose stock
            stopped trading are counted beside the scored ones.
          </li>
        </ol>
      </Part>

      <Part title="An example to follow with a calculator">
        <p>
          In the demo, {BUY.channel} published “{BUY.video}” on {formatDay(BUY.published)}, a Saturday, and
          called {BUY.company} a buy. The first session after it was {formatDay(BUY.entry.day)}. 63 sessions
          later it was {formatDay(BUY.exit.day)}.
        </p>
        <Worked call={BUY} />
        <p>
          The stock rose while the market fell: the call was right. A sell works the same way with the sign
          turned. In “{SELL.video}” ({formatDay(SELL.published)}) the same channel said to sell {SELL.company}
          , which then rose faster than the market: the call was wrong, and is shown in red although the price
          went up.
        </p>
        <Worked call={SELL} />
      </Part>

      <Part title="From calls to a verdict">
        <p>
          The mean excess of all scored calls says how large the edge was. Four questions decide whether to
          believe it:
        </p>
        <ol className="steps">
          <li>
            <strong>Could it be luck?</strong> Calls overlap and share one market, so counting them as
            independent finds skill in luck. Instead all open calls form one portfolio, and its daily returns
            are compared with the market’s. What the market does not explain, per year, is alpha. The
            leaderboard corrects for how many channels it judges: among a hundred, a few look good by chance.
          </li>
          <li>
            <strong>Was it the timing, or just the stocks?</strong> The portfolio is also compared with the
            same stocks held all the time. If they did as well, it can be good picking or hindsight, and the
            record cannot tell them apart.
          </li>
          <li>
            <strong>At which horizon?</strong> The verdict is made at three months. The other four are
            secondary: anyone who tries them all finds luck more often, so their tests are corrected for all
            four.
          </li>
          <li>
            <strong>Are there enough calls?</strong> Under 20 scored calls, or where they were held on fewer
            than 60 days, there is no verdict.
          </li>
        </ol>
        <dl className="card flat verdict-list">
          {VERDICTS.map((verdict) => (
            <div key={verdict}>
              <dt>
                <Verdict verdict={verdict} />
              </dt>
              <dd>{MEANINGS[verdict]}</dd>
            </div>
          ))}
        </dl>
        <p>
          The order is by verdict, then by expected alpha: alpha shrunk towards none by how uncertain it is,
          so that three lucky calls do not lead the table.
        </p>
      </Part>

      <Part title="Early, or after the headlines?">
        <p>
          A channel that calls what everybody has just read adds little. Two figures tell, and neither is part
          of the verdict:
        </p>
        <ul className="steps">
          <li>
            <strong>Run-up before the call:</strong> how much its stocks had beaten the market in the 21
            sessions before.
          </li>
          <li>
            <strong>Follows the news:</strong> of the calls whose stock was in the news in the five days
            before, the share that came after at least two headlines of the same direction: positive ones
            before a buy, negative ones before a sell. Where only the day of a video is known, the headlines
            of that day don’t count, since they may have come after it.
          </li>
        </ul>
        <p>
          The tone of a headline is read from its words by a program, and some are read wrongly. News is kept
          for 30 days, so the figure covers recent calls only; the demo’s headlines are fictional and stay.
          Each call says how many headlines its stock had in the week before, and{" "}
          <Link className="touch" href="/news">
            News
          </Link>{" "}
          lists them all.
        </p>
      </Part>

      <Part title="How you can check it">
        <ul className="steps">
          <li>
            <strong>Every call shows its words,</strong> with a link to the second of the video at which they
            are said, where that is known.
          </li>
          <li>
            <strong>A wrong reading can be corrected.</strong> “This reading is wrong” shows what was said
            around the words and takes a correction; the score follows within seconds. A call that is not
            about the stock is rejected, stays visible, and counts nowhere. Each channel says how many of its
            calls a person has checked and how many of those were read correctly, and its score can be shown
            over them alone. Reviewers choose what they check, so that share need not hold for the rest.
          </li>
          <li>
            <strong>Deleting a video does not clean a record.</strong> A video that is gone from YouTube is
            marked, and its calls still count.
          </li>
          <li>
            <strong>Nothing is rewritten quietly.</strong> Each score names its method, the analyst that read
            its calls, and a fingerprint of them (SHA-256), which changes whenever a call does. Every call
            that was corrected, read again or restated is a line in the channel’s change log.
          </li>
        </ul>
      </Part>

      <Part title="Where the data comes from">
        <ul className="steps">
          {setup && describeSources(setup).map((sentence) => <li key={sentence}>{sentence}</li>)}
          {setup && <li>{readingNote({ right: setup.calls_read_right, found: setup.calls_found })}</li>}
          {setup?.analyst === "rules" && (
            <li>
              <strong>A language model finds more calls and errs less.</strong> Name one in <code>.env</code>{" "}
              and restart: <code>OPENAI_API_KEY</code> for a hosted one, <code>OPENAI_BASE_URL</code> for one
              on your own machine, or <code>BEDROCK_MODEL_ID</code> on AWS; <code>docs/providers.md</code> has
              the settings of each. Then choose “Read again” on a channel. Transcripts are sent to the company
              that runs the model.
            </li>
          )}
          <li>
            An{" "}
            <Link className="touch" href="/exports">
              export
            </Link>{" "}
            has every call and price in tables, with a script that computes the scores from them again.
          </li>
        </ul>
        {setup && <ReaderFigures figures={setup.figures} />}
      </Part>
      <Part title="What to keep in mind">
        <ul className="steps">
          <li>
            {setup?.prices === "demo"
              ? "In the demo the prices of stocks are adjusted for splits and dividends, so they differ from those quoted on the day. The S&P 500 is the index without dividends, which flatters buys by about 1.5% a year and hurts sells."
              : "Returns of stocks and of the S&P 500 include dividends where the source has them. The prices shown are closes in today’s shares, without dividends, so a return can differ from what its two prices give."}
          </li>
          <li>
            Alpha is what remains after trading costs and above the rate of a Treasury bill. The mean excess
            is before costs, and taxes are in neither. The curves of following a channel let you choose costs.
          </li>
          <li>Past results don’t predict future ones.</li>
        </ul>
        <p>
          Every figure on these pages explains itself when you hover over or focus its name.{" "}
          <Link className="touch" href="/">
            To the leaderboard
          </Link>
        </p>
      </Part>
    </article>
  )
}

const MEANINGS = {
  beats_market:
    "A channel with no skill would seldom do that well among so many, and its stocks did worse at other times.",
  lags_market:
    "A channel with no skill would seldom do that badly among so many, and its stocks did better at other times.",
  like_its_stocks:
    "It differs from the market, and so would its stocks have at other times. That can be good picking or hindsight.",
  not_proven: "A channel without skill could look like this, and most do.",
  read_too_poorly: "Too many of its calls may have been misread to judge it.",
  too_few_calls:
    "Fewer than 20 scored calls, or held on too few days for a test (60 are needed). It is listed below the others, without a rank.",
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** The arithmetic, line by line. */
function Worked({ call }: { call: WorkedCall }) {
  const { ticker, side, entry, exit } = call
  const { stock, market, excess } = workOut(call)
  const [one, other] = side > 0 ? [stock, market] : [market, stock]
  return (
    <Scroller label={`${ticker}, step by step`}>
      <table className="grid-table worked">
        <caption>
          <KindChip kind={side > 0 ? "buy" : "sell"} /> {ticker}
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col" className="number">
              {formatDay(entry.day)}
            </th>
            <th scope="col" className="number">
              {formatDay(exit.day)}
            </th>
            <th scope="col" className="number">
              Return
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{ticker}</th>
            <td className="number">{formatNumber(entry.close, 3)}</td>
            <td className="number">{formatNumber(exit.close, 3)}</td>
            <td className="number">
              {formatNumber(exit.close, 3)} ÷ {formatNumber(entry.close, 3)} − 1 = {formatExact(stock)}
            </td>
          </tr>
          <tr>
            <th scope="row">S&amp;P 500</th>
            <td className="number">{formatNumber(entry.index)}</td>
            <td className="number">{formatNumber(exit.index)}</td>
            <td className="number">
              {formatNumber(exit.index)} ÷ {formatNumber(entry.index)} − 1 = {formatExact(market)}
            </td>
          </tr>
          <tr>
            <th scope="row">Excess</th>
            <td colSpan={2} className="soft number">
              {side > 0 ? "stock less market" : "market less stock"}
            </td>
            <td className="number">
              {formatExact(one)} − ({formatExact(other)}) ={" "}
              <strong className={excess > 0 ? "up" : "down"}>{formatExact(excess)}</strong>
            </td>
          </tr>
        </tbody>
      </table>
    </Scroller>
  )
}
