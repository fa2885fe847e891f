import { describe, expect, it } from "vitest"
import { refusalOf } from "../../src/domain/roles"

describe("a refusal", () => {
  it("names who may, and the reader's own role", () => {
    expect(refusalOf("editor", "reader")).toBe("Only editors and admins may do this. Your role is reader.")
    expect(refusalOf("admin", "editor")).toBe("Only admins may do this. Your role is editor.")
  })

  it("is left to the server where the role isn't known", () => {
    expect(refusalOf("admin", undefined)).toBeNull()
  })

  it("isn't given to those who may", () => {
    expect(refusalOf("editor", "editor")).toBeNull()
    expect(refusalOf("reader", "admin")).toBeNull()
  })
})
