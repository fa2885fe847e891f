import { Icon } from "../parts/Icon"

export function DemoBanner() {
  return (
    <p className="banner">
      <Icon name="info" />
      <span>
        Demo data: the channel and every word it says are made up. The prices are real, up to the demo’s last
        day.
      </span>
    </p>
  )
}
