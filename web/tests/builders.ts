/** API objects for tests, with defaults for everything a test does not set. */

import type {
  Channel,
  ChannelStock,
  ChannelStocks,
  DetailedScore,
  LeaderboardEntry,
  Log,
  Mention,
  ReviewedMention,
  Run,
  ScoredCall,
  Statement,
  Task,
  Video,
} from "../src/api/types"

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
    removed_at: null,
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
    start_seconds: null,
    quote_url: null,
    analyst: "rules 2.0",
    review: null,
    read_as: null,
    review_version: null,
    statement: null,
    reason: null,
    explanation: null,
    created_at: "2024-01-01T00:00:00.000Z",
    price_problem: null,
    video: null,
    ...changes,
  }
}

export function aReviewedMention(ticker: string, changes: Partial<ReviewedMention> = {}): ReviewedMention {
  return { ...aMention(ticker, changes), statement_as_read: null, ...changes }
}

export function aStatement(changes: Partial<Statement> = {}): Statement {
  return {
    act: "recommends",
    speaker: "host",
    possible_act: null,
    company: null,
    heard: null,
    condition: null,
    horizon: null,
    target_price: null,
    conviction: null,
    sponsored: false,
    listed: true,
    second_quote: null,
    second_quote_seconds: null,
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
    price_as_of: null,
    price_problem: null,
    ...changes,
  }
}

export function aRecord(
  coverage: Partial<ChannelStocks["coverage"]> = {},
  summary: Partial<ChannelStocks["summary"]> = {},
): ChannelStocks {
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

export function aChannel(name: string): Channel {
  return {
    id: name,
    youtube_channel_id: "UC",
    name,
    url: "https://www.youtube.com/@name",
    thumbnail_url: null,
    status: "completed",
    video_count: 1,
    processed_video_count: 1,
    time_range_months: 12,
    check_every: "off",
    next_check_at: null,
    failed_runs: 0,
    is_slowed: false,
    created_at: "2024-01-01T00:00:00.000Z",
    updated_at: "2024-01-01T00:00:00.000Z",
  }
}

export function aCall(changes: Partial<ScoredCall> = {}): ScoredCall {
  return {
    video_id: "video",
    video_title: "A video",
    ticker: "AAPL",
    name: "Apple Inc.",
    sentiment: "buy",
    published_at: "2024-01-02",
    published_time: null,
    quote: "I am buying Apple.",
    quote_url: "https://www.youtube.com/watch?v=abcdefghijk",
    start_seconds: null,
    confidence: 0.9,
    review: null,
    review_version: null,
    read_as: null,
    analyst: "rules 2.0",
    removed_at: null,
    status: "scored",
    entry_date: "2024-01-03",
    entry_price: 100,
    exit_date: "2024-04-03",
    exit_price: 110,
    return_percent: 10,
    benchmark_percent: 4,
    excess_percent: 6,
    matures_on: null,
    unpriced_reason: null,
    news_before: null,
    reason: null,
    explanation: null,
    statement: null,
    own_target: null,
    ...changes,
  }
}

export function aScore(changes: Partial<DetailedScore> = {}): DetailedScore {
  const kind = { calls: 0, mean_excess_percent: null, beat_rate: null }
  return {
    horizon: "3m",
    sessions: 63,
    calls: 50,
    pending: 5,
    unpriced: 0,
    ended: 0,
    departed: 0,
    mean_return_percent: 10,
    mean_excess_percent: 6,
    median_excess_percent: 5,
    mean_excess_net_percent: 5.8,
    excess_low_percent: 2,
    excess_high_percent: 10,
    independent_calls: 25,
    flips_to_turn: 3,
    hit_rate: 0.7,
    beat_rate: 0.7,
    beat_rate_low: 0.56,
    beat_rate_high: 0.81,
    base_hit_rate: 0.6,
    base_beat_rate: 0.5,
    base_excess_percent: 1,
    placebo_p_value: 0.02,
    alpha_percent: 20,
    alpha_t: 2.2,
    beta: 0.9,
    p_value: 0.03,
    days_invested: 700,
    timing_alpha_percent: 15,
    timing_t: 2.1,
    timing_p_value: 0.036,
    expected_alpha_percent: 4,
    calls_needed: 300,
    run_up_percent: 1,
    follows_news_rate: null,
    without_best_ticker: { ticker: "XOM", mean_excess_percent: 4 },
    by_kind: { buy: kind, sell: kind },
    entry_sensitivity: {
      before_publication: 6.1,
      ours: 6,
      one_session_later: 5.9,
      five_sessions_later: 5,
    },
    reading: {
      right_rate: null,
      right_low: null,
      right_high: null,
      source: null,
      found_rate: null,
      mean_excess_corrected: null,
      mean_excess_corrected_low: null,
      mean_excess_corrected_high: null,
      tipping_excess: null,
    },
    distribution: [],
    best: [],
    worst: [],
    ...changes,
  }
}

export function anEntry(changes: Partial<LeaderboardEntry> = {}): LeaderboardEntry {
  return {
    ...aScore(),
    rank: 1,
    channel: aChannel("One"),
    joint_p_value: 0.01,
    q_value: 0.01,
    alpha_q_value: 0.01,
    right_rate: null,
    right_low: null,
    right_source: null,
    verdict: "beats_market",
    ...changes,
  }
}

export function aRun(changes: Partial<Run> = {}): Run {
  return {
    id: "01RUN",
    channel_id: "channel",
    channel_name: "A channel",
    kind: "process",
    status: "completed",
    started_by: "person",
    starter: null,
    started_at: "2026-03-01T12:00:00.000Z",
    ended_at: "2026-03-01T12:00:10.000Z",
    found: 40,
    videos: 40,
    processed: 40,
    skipped: 0,
    failed: 0,
    calls: 12,
    analyst: "rules 2.0",
    tokens_in: 0,
    tokens_out: 0,
    error: null,
    continues: null,
    continued_by: null,
    ...changes,
  }
}

export function aTask(key: string, dependsOn: string[] = []): Task {
  return {
    key,
    kind: "score",
    channel_id: null,
    url: null,
    depends_on: dependsOn,
    status: "pending",
    attempts: 0,
    started_at: null,
    ended_at: null,
    error: null,
    run_id: null,
    export_id: null,
    result: null,
  }
}
