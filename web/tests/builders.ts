/** API objects for tests, with defaults for everything a test does not set. */

import type { ChannelStock, ChannelStocks, Log, Mention, Video } from "../src/api/types"

export function aVideo(day: string, changes: Partial<Video> = {}): Video {
  return {
    id: `video-${day}`,
    channel_id: "channel",
    youtube_video_id: "abcdefghijk",
    title: `Video of ${day}`,
    url: "https://www.youtube.com/watch?v=abcdefghijk",
    published_at: day,
    published_time: null,
    transcript_status: "fetched",
    analysis_status: "completed",
    created_at: "2024-01-01T00:00:00.000Z",
    ...changes,
  }
}

export function aMention(ticker: string, changes: Partial<Mention> = {}): Mention {
  return {
    id: `${ticker}-${changes.video?.published_at ?? ""}-${changes.sentiment ?? "buy"}`,
    video_id: "video",
    ticker,
    sentiment: "buy",
    price_at_mention: 100,
    confidence_score: 0.9,
    context_snippet: `I am buying ${ticker}.`,
    possible_sentiment: null,
    created_at: "2024-01-01T00:00:00.000Z",
    video: null,
    ...changes,
  }
}

export function aStock(ticker: string, changes: Partial<ChannelStock> = {}): ChannelStock {
  return {
    ticker,
    name: `${ticker} Inc.`,
    first_mention_date: "2024-01-02",
    first_mention_video_id: "video",
    first_mention_video_title: "A video",
    price_at_first_mention: 100,
    current_price: 110,
    price_change_percent: 10,
    buy_count: 1,
    hold_count: 0,
    sell_count: 0,
    mentioned_count: 0,
    total_mentions: 1,
    yahoo_finance_url: `https://finance.yahoo.com/quote/${ticker}`,
    ...changes,
  }
}

export function aRecord(
  coverage: Partial<ChannelStocks["coverage"]> = {},
  summary: Partial<ChannelStocks["summary"]> = {},
): ChannelStocks {
  const none = { calls: 0, priced: 0, hits: 0 }
  return {
    channel_id: "channel",
    stocks: [],
    coverage: {
      videos: 0,
      read: 0,
      without_transcript: 0,
      failed: 0,
      with_mentions: 0,
      unpriced: 0,
      ...coverage,
    },
    summary: {
      buys: none,
      sells: none,
      first_buys: { stocks: 0, priced: 0, mean_change_percent: null, median_change_percent: null },
      first_mentions: {},
      prices_as_of: null,
      ...summary,
    },
  }
}

export function aLog(id: number): Log {
  return {
    id,
    channel_id: "channel",
    log_level: "info",
    message: `Line ${id}`,
    created_at: "2024-01-01T00:00:00.000Z",
  }
}
