/** The API’s objects, under the names used here. All come from its OpenAPI document. */

import type { components } from "./schema"

type Schemas = components["schemas"]

export type Channel = Schemas["Channel"]
export type ChannelPage = Schemas["Channels"]
export type ChannelStatus = Schemas["ChannelStatus"]
export type ChannelStock = Schemas["ChannelStock"]
export type ChannelStocks = Schemas["ChannelStocks"]
export type Close = Schemas["Close"]
export type Coverage = Schemas["Coverage"]
export type Log = Schemas["Log"]
export type Mention = Schemas["Mention"]
export type Prices = Schemas["Prices"]
export type Sentiment = Schemas["Sentiment"]
export type Setup = Schemas["Setup"]
export type Summary = Schemas["Summary"]
export type TimelineEntry = Schemas["TimelineEntry"]
export type TimelinePage = Schemas["TimelinePage"]
export type Video = Schemas["Video"]
