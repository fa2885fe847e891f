import { Icon } from "./Icon"
import "./WatchButton.css"

/** Beside the name of what the reader watches. */
export function WatchedMark() {
  return (
    <span className="watched-mark" title="Watched">
      <Icon name="star" />
      <span className="visually-hidden"> watched</span>
    </span>
  )
}
