/** Typed calls of the API: what is not in its OpenAPI document does not compile. */

import createClient, { type FetchResponse } from "openapi-fetch"
import { askForToken, storedToken } from "./access-token"
import { ApiProblem, sentenceOf } from "./problems"
import type { paths } from "./schema"

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: fetchWithToken })

/** The answer's data, or the problem as an exception. */
export async function answered<Operation extends Record<string | number, unknown>, Options>(
  request: Promise<FetchResponse<Operation, Options, "application/json">>,
) {
  const { data, error, response } = await request
  if (!response.ok) throw new ApiProblem(response.status, sentenceOf(response.status, error))
  return data
}

/**
 * A reader who has given a token sends it with reads too: only for them does the API ask a metered source of prices.
 * A change that is refused for want of a token is tried again once there is one.
 */
async function fetchWithToken(request: Request): Promise<Response> {
  let token = storedToken()
  if (request.method === "GET") return fetch(withToken(request, token))
  while (true) {
    const answer = await fetch(withToken(request.clone(), token))
    if (answer.status !== 401 && answer.status !== 403) return answer
    token = await askForToken(token !== null)
    if (!token) return answer
  }
}

function withToken(request: Request, token: string | null): Request {
  if (token) request.headers.set("Authorization", `Bearer ${token}`)
  return request
}
