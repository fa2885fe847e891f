/** Two calls of the demo, computed step by step. A test compares the prices with the demo's own. */

export interface WorkedCall {
  channel: string
  video: string
  published: string
  ticker: string
  company: string
  side: 1 | -1
  entry: { day: string; close: number; index: number }
  /** 63 sessions after the entry. */
  exit: { day: string; close: number; index: number }
}

export const BUY: WorkedCall = {
  channel: "The Patient Value Investor",
  video: "The Oil Scare, Round Three",
  published: "2022-07-16",
  ticker: "CVX",
  company: "Chevron",
  side: 1,
  entry: { day: "2022-07-18", close: 134.739, index: 3830.85 },
  exit: { day: "2022-10-14", close: 155.991, index: 3583.07 },
}

export const SELL: WorkedCall = {
  channel: "The Patient Value Investor",
  video: "The Big Tech Review",
  published: "2021-09-18",
  ticker: "AAPL",
  company: "Apple",
  side: -1,
  entry: { day: "2021-09-20", close: 141.496, index: 4357.73 },
  exit: { day: "2021-12-17", close: 169.658, index: 4620.64 },
}

/** In percent, signed by the side. */
export function workOut({ side, entry, exit }: WorkedCall) {
  const stock = (exit.close / entry.close - 1) * 100
  const market = (exit.index / entry.index - 1) * 100
  return { stock, market, excess: side * (stock - market) }
}
