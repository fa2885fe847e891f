/** The roles, and the sentences that explain them. */

import type { Role } from "../api/types"

const RANKS: readonly Role[] = ["reader", "editor", "admin"]

const MAY: Record<Role, string> = {
  reader: "You may read, and keep settings, a watchlist, alerts and exports of your own.",
  editor: "You may also add and process channels, review calls, and write notes and plans.",
  admin: "You may do everything.",
}

export function describeRole(role: Role): string {
  return MAY[role]
}

/** Null where the role allows it, or isn't known. */
export function refusalOf(needed: Role, role: Role | undefined): string | null {
  if (!role || RANKS.indexOf(role) >= RANKS.indexOf(needed)) return null
  return `Only ${needed === "admin" ? "admins" : "editors and admins"} may do this. Your role is ${role}.`
}
