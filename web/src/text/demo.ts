/** The demo's fictional channels, which say so in their names. */

export const DEMO_CHANNELS = [
  {
    name: "The Patient Value Investor",
    url: "https://www.youtube.com/@DemoValueInvestor",
    style: "Buys the dips, sells the rallies",
  },
  {
    name: "Rico Trades Momentum",
    url: "https://www.youtube.com/@DemoMomentumTrader",
    style: "Chases highs, sells in panic at the lows",
  },
  {
    name: "Market Talk",
    url: "https://www.youtube.com/@DemoMarketTalk",
    style: "News and commentary; its guests make the calls",
  },
] as const

export function isDemo(channel: { name: string; url: string }): boolean {
  return channel.name.includes("(demo)") || DEMO_CHANNELS.some(({ url }) => url === channel.url)
}

export function withoutDemoSuffix(name: string): string {
  return name.replace(/\s*\(demo\)\s*/, " ").trim()
}
