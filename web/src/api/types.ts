/** The API's objects, under the names the dashboard uses. All of them come from the API's own document. */

import type { components } from "./schema"

type Schemas = components["schemas"]

export type Channel = Schemas["Channel"]
export type ChannelPage = Schemas["Channels"]
export type ChannelStatus = Schemas["ChannelStatus"]
export type ChannelStock = Schemas["ChannelStock"]
export type Close = Schemas["Close"]
export type Log = Schemas["Log"]
export type Mention = Schemas["Mention"]
export type Sentiment = Schemas["Sentiment"]
export type TimelineEntry = Schemas["TimelineEntry"]
export type Video = Schemas["Video"]
