import { Link } from "wouter"
import { useHeadingFocus, useTitle } from "../components/navigation"

export function NotFoundPage() {
  useTitle("Page not found")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  return (
    <div className="wide page">
      <h1 ref={heading} tabIndex={-1}>
        Page not found
      </h1>
      <p className="soft">There’s nothing at this address.</p>
      <p className="page-link">
        <Link className="button" href="/">
          Leaderboard
        </Link>
      </p>
    </div>
  )
}
