import { useLayoutEffect, useRef } from "react"
import { Link, useLocation } from "wouter"
import { Icon } from "./Icon"
import { SearchBox } from "./SearchBox"
import { chooseTheme, useTheme } from "./theme"
import "./Header.css"

const PAGES = [
  { href: "/", label: "Leaderboard" },
  { href: "/compare", label: "Compare" },
  { href: "/news", label: "News" },
  { href: "/activity", label: "Activity" },
  { href: "/plans", label: "Plans" },
  { href: "/alerts", label: "Alerts" },
  { href: "/exports", label: "Exports" },
  { href: "/settings", label: "Settings" },
  { href: "/how-scores-are-made", label: "Method" },
]

export function Header() {
  const [location] = useLocation()
  const links = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is found by its mark.
  useLayoutEffect(() => {
    const current = links.current?.querySelector<HTMLElement>("[aria-current]")
    // On a phone the row of links scrolls, and the page does not.
    if (links.current && current)
      links.current.scrollLeft = current.offsetLeft - links.current.clientWidth / 2
  }, [location])
  return (
    <header className="top">
      <div className="wide top-row">
        <Link href="/" className="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="8" />
            <path d="M6 22l6-7 5 4 9-11" />
            <circle cx="12" cy="15" r="2.9" />
          </svg>
          <span>Stock Track Record</span>
        </Link>
        <nav ref={links} className="top-links" aria-label="Pages">
          {PAGES.map(({ href, label }) => (
            <Link key={href} href={href} aria-current={location === href ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <SearchBox />
        <ThemeToggle />
      </div>
    </header>
  )
}

function ThemeToggle() {
  const theme = useTheme()
  const other = theme === "dark" ? "light" : "dark"
  return (
    <button
      type="button"
      className="button quiet icon-only"
      aria-label={`Switch to ${other} theme`}
      title={`Switch to ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={theme === "dark" ? "sun" : "moon"} />
    </button>
  )
}
