import { Link } from "wouter"
import "./Breadcrumb.css"

/** The way back to the pages above this one. */
export function Breadcrumb({ to }: { to: readonly { href: string; label: string }[] }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {to.map(({ href, label }) => (
        <Link key={href} href={href}>
          <bdi>{label}</bdi>
        </Link>
      ))}
    </nav>
  )
}
