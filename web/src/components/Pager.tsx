import { Link } from "wouter"
import { counted, formatCount } from "../text/numbers"
import { Icon } from "./Icon"
import "./Pager.css"

interface Props {
  page: number
  perPage: number
  total: number
}

export function Pager({ page, perPage, total }: Props) {
  const pages = Math.max(1, Math.ceil(total / perPage))
  if (pages === 1 && page === 1) return null
  return (
    <nav className="pager" aria-label="Pagination">
      <Step to={page - 1} pages={pages} label="Newer" />
      <span className="soft" aria-current="page">
        Page {formatCount(page)} of {formatCount(pages)} · {counted(total, "channel", "channels")}
      </span>
      <Step to={page + 1} pages={pages} label="Older" />
    </nav>
  )
}

function Step({ to, pages, label }: { to: number; pages: number; label: "Newer" | "Older" }) {
  const content = label === "Newer" ? ["left", label] : [label, "right"]
  const inside = content.map((part) =>
    part === "left" || part === "right" ? <Icon key={part} name={part} /> : <span key={part}>{part}</span>,
  )
  if (to < 1 || to > pages) {
    return (
      <span className="button" aria-disabled="true">
        {inside}
      </span>
    )
  }
  return (
    <Link
      className="button"
      href={to === 1 ? "/channels" : `/channels?page=${to}`}
      rel={label === "Newer" ? "prev" : "next"}
    >
      {inside}
    </Link>
  )
}
