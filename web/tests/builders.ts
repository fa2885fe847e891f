/** API objects for tests, with everything filled in that a test does not care about. */

import type { ChannelStock, Log, Mention, TimelineEntry, Video } from "../src/api/types"

export function aVideo(day: string, changes: Partial<Video> = {}): Video {
  return {
    id: `video-${day}`,
    channel_id: "channel",
    youtube_video_id: "abcdefghijk",
    title: `Video of ${day}`,
    url: "https://www.youtube.com/watch?v=abcdefghijk",
    published_at: day,
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
    created_at: "2024-01-01T00:00:00.000Z",
    video: null,
    ...changes,
  }
}

export function anEntry(day: string, ...mentions: Mention[]): TimelineEntry {
  return { video: aVideo(day), mentions }
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

export function aLog(id: number): Log {
  return {
    id,
    channel_id: "channel",
    log_level: "info",
    message: `Line ${id}`,
    created_at: "2024-01-01T00:00:00.000Z",
  }
}
