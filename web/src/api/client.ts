/** Typed API calls: a route, field or parameter missing from the OpenAPI document does not compile. */

import createClient, { type FetchResponse } from "openapi-fetch"
import { requestToken, storedToken } from "./access-token"
import { ApiError, errorMessage, needsToken } from "./errors"
import type { paths } from "./schema"

// Some routes also have text/csv, which is saved as a file and never read here.
export const api = createClient<paths, "application/json">({
  baseUrl: window.location.origin,
  fetch: fetchWithToken,
})

/** The response's data; throws an ApiError for an error status. */
export async function unwrap<Operation extends Record<string | number, unknown>, Options>(
  request: Promise<FetchResponse<Operation, Options, "application/json">>,
) {
  const { data, error, response } = await request
  if (!response.ok) {
    const location = response.headers.get("Location")
    const present = (error as { present?: unknown } | undefined)?.present
    throw new ApiError(response.status, errorMessage(response.status, error), location, present)
  }
  return data
}

/** A file and the name it is to be saved under; throws an ApiError for an error status. */
export async function fetchFile(address: string): Promise<{ name: string; content: Blob }> {
  const response = await fetchWithToken(new Request(address))
  if (!response.ok) {
    const error = await response.json().catch(() => undefined)
    throw new ApiError(response.status, errorMessage(response.status, error))
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1]
  return { name: name ?? "table.csv", content: await response.blob() }
}

/** For what is a person's own, which needs the token to be read: asks for one where it was refused for lack of it. */
export async function withTokenAsked<Read>(read: () => Promise<Read>): Promise<Read> {
  while (true) {
    try {
      return await read()
    } catch (error) {
      if (!needsToken(error) || !(await requestToken(storedToken() !== null))) throw error
    }
  }
}

/**
 * A stored token is sent with reads too: only with one does the API query a metered price source. A change refused
 * for lack of a token is sent again once the reader has given one.
 */
async function fetchWithToken(request: Request): Promise<Response> {
  let token = storedToken()
  if (request.method === "GET") return fetch(withToken(request, token))
  while (true) {
    const response = await fetch(withToken(request.clone(), token))
    if (!(await refusesToken(response))) return response
    token = await requestToken(token !== null)
    if (!token) return response
  }
}

/** True if another token may help. The API itself gives a reason for a 403, such as the caller's role; its gateway none. */
async function refusesToken(response: Response): Promise<boolean> {
  if (response.status !== 403) return response.status === 401
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return (body as { detail?: unknown } | null)?.detail === undefined
}

function withToken(request: Request, token: string | null): Request {
  if (token) request.headers.set("Authorization", `Bearer ${token}`)
  return request
}
