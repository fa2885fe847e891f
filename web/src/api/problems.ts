/** What went wrong with a request, as a sentence for the reader. */

export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence)
    this.name = "ApiProblem"
  }
}

/** The sentence in an error body: `detail` is a text, or a list of what is invalid. */
export function sentenceOf(status: number, body: unknown): string {
  const detail = (body as { detail?: unknown } | undefined)?.detail
  if (typeof detail === "string" && status < 500) return detail
  if (Array.isArray(detail)) {
    const sentences = detail.map((each: { msg?: unknown }) => String(each.msg ?? "")).filter(Boolean)
    if (sentences.length) return sentences.map((each) => each.replace(/^Value error, /, "")).join(". ")
  }
  if (status >= 500) return `The server had a problem (${status}). Try again in a moment.`
  return `The server refused the request (${status}).`
}

export function explain(problem: unknown): string {
  if (problem instanceof ApiProblem) return problem.message
  return "The server could not be reached. Check the connection and try again."
}

export function isMissing(problem: unknown): boolean {
  return problem instanceof ApiProblem && problem.status === 404
}

/** Whether the same request may well succeed a moment later. */
export function isPassing(problem: unknown): boolean {
  return !(problem instanceof ApiProblem) || problem.status >= 500 || problem.status === 429
}
