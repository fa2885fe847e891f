/** The demo's channels are made up, and say so in their names. */

export const DEMO_CHANNELS = [
  {
    name: "The Patient Value Investor",
    url: "https://www.youtube.com/@DemoValueInvestor",
    manner: "Buys what has fallen, sells what has run",
  },
  {
    name: "Rico Trades Momentum",
    url: "https://www.youtube.com/@DemoMomentumTrader",
    manner: "Chases highs, sells in panic at the lows",
  },
  {
    name: "Market Talk",
    url: "https://www.youtube.com/@DemoMarketTalk",
    manner: "News and commentary, hardly ever a call",
  },
] as const

export function isDemo(channel: { name: string; url: string }): boolean {
  return channel.name.includes("(demo)") || DEMO_CHANNELS.some(({ url }) => url === channel.url)
}

export function withoutDemo(name: string): string {
  return name.replace(/\s*\(demo\)\s*/, " ").trim()
}
