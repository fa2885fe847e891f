/** Failed requests, and the messages shown for them. */

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** The `Location` header: the API path of the channel that exists already. */
    readonly location: string | null = null,
    /** The stored version after a conflict, as a read would return it. */
    readonly present: unknown = null,
  ) {
    super(message)
    this.name = "ApiError"
  }
}

/** The message in an error body: `detail` is a text, or a list of validation errors. */
export function errorMessage(status: number, body: unknown): string {
  const detail = (body as { detail?: unknown } | undefined)?.detail
  if (typeof detail === "string" && status < 500) return detail
  if (Array.isArray(detail)) {
    const messages = detail.map((each: { msg?: unknown }) => String(each.msg ?? "")).filter(Boolean)
    if (messages.length) return messages.map((each) => each.replace(/^Value error, /, "")).join(". ")
  }
  if (status >= 500) return `Something went wrong on the server (${status}).`
  return `The server rejected the request (${status}).`
}

export function describeError(error: unknown): string {
  return error instanceof ApiError ? error.message : "Can’t reach the server."
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** True if the request was refused for lack of the access token. */
export function needsToken(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}

/** True if the same request may succeed when repeated. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429
}

/** The id of the channel that a new one would duplicate. */
export function existingChannelId(error: unknown): string | null {
  const path = error instanceof ApiError && error.status === 400 ? error.location : null
  return /^\/api\/channels\/([^/]+)$/.exec(path ?? "")?.[1] ?? null
}
