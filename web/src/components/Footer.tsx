import { Link } from "wouter"
import "./Footer.css"

export function Footer() {
  return (
    <footer className="wide foot">
      <p>
        What channels said and what prices did. Not investment advice; past results don’t predict future ones.
      </p>
      <p className="foot-links">
        <Link className="touch" href="/channels">
          All channels
        </Link>
        <Link className="touch" href="/compare">
          Compare
        </Link>
        <Link className="touch" href="/news">
          News
        </Link>
        <Link className="touch" href="/activity">
          Activity
        </Link>
        <Link className="touch" href="/plans">
          Plans
        </Link>
        <Link className="touch" href="/alerts">
          Alerts
        </Link>
        <Link className="touch" href="/exports">
          Exports
        </Link>
        <Link className="touch" href="/settings">
          Settings
        </Link>
        <Link className="touch" href="/how-scores-are-made">
          How scores are made
        </Link>
        <a className="touch" href="/docs">
          API documentation
        </a>
      </p>
    </footer>
  )
}
