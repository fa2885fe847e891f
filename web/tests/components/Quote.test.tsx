import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Quote } from "../../src/components/Quote"

describe("a quote", () => {
  const address = "https://www.youtube.com/watch?v=abc&t=83s"

  it("links to the second it is said at", () => {
    const shown = renderToStaticMarkup(<Quote text="Buy it." address={address} seconds={83} />)

    expect(shown).toContain('href="https://www.youtube.com/watch?v=abc&amp;t=83s"')
    expect(shown).toContain('aria-label="Watch at 1:23 on YouTube"')
    expect(shown).toContain("1:23")
  })

  it("has no link where the second is not known, and no link that is not one of the web", () => {
    expect(renderToStaticMarkup(<Quote text="Buy it." address={address} />)).not.toContain("<a")
    expect(
      renderToStaticMarkup(<Quote text="Buy it." address="javascript:alert(1)" seconds={83} />),
    ).not.toContain("<a")
  })

  it("is struck through where a person rejected it", () => {
    expect(renderToStaticMarkup(<Quote text="Buy it." isRejected />)).toContain("<s>")
  })
})
