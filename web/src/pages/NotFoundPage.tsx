import { Link } from "wouter"
import { useArrival, useTitle } from "../parts/arrival"

export function NotFoundPage() {
  useTitle("No such page")
  const heading = useArrival<HTMLHeadingElement>()
  return (
    <div className="wide page">
      <h1 ref={heading} tabIndex={-1}>
        No such page
      </h1>
      <p className="soft">There is nothing at this address.</p>
      <p>
        <Link className="button" href="/">
          All channels
        </Link>
      </p>
    </div>
  )
}
