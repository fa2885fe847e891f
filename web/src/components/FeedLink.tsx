/** A link to an Atom feed, which also tells feed readers of it in the head of the page. */

import { Icon } from "./Icon"
import "./FeedLink.css"

interface Props {
  href: string
  title: string
  children: string
}

export function FeedLink({ href, title, children }: Props) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={title} href={href} />
      <a className="touch feed-link" href={href} title={title}>
        <Icon name="feed" />
        {children}
      </a>
    </>
  )
}
