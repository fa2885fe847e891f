/** A link to another site. Anything but a web address stays plain text. */

import type { ReactNode } from "react"
import { webAddress } from "../text/links"
import { Icon } from "./Icon"
import "./ExternalLink.css"

interface Props {
  address: string | null
  children: ReactNode
  className?: string
  label?: string
}

export function ExternalLink({ address, children, className, label }: Props) {
  const href = webAddress(address)
  if (!href) return <span className={className}>{children}</span>
  return (
    <a className={`out ${className ?? ""}`} href={href} target="_blank" rel="noreferrer" aria-label={label}>
      {children}
      <Icon name="out" />
    </a>
  )
}
