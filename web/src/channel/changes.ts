/** Labels for the entries of the change log. */

import type { ChangeKind } from "../api/types"

export const CHANGE_LABELS: Record<ChangeKind, string> = {
  reviewed: "Reviewed by a person",
  reread: "Read again",
  handed_in: "Transcript uploaded",
  restated: "Prices restated",
  redated: "Date changed",
  removed: "Removed from YouTube",
}
