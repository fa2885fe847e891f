/** Videos that were removed from YouTube. */

import { formatDay } from "../text/dates"

export function describeRemoved(removedAt: string, locale?: string): string {
  const day = formatDay(removedAt.slice(0, 10), locale)
  return `Removed from YouTube on ${day}; what was said stays in the record`
}
