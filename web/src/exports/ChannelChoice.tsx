import type { Channel } from "../api/types"
import { withoutDemoSuffix } from "../text/demo"
import "./ExportDialog.css"

interface Props {
  channels: readonly Channel[]
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
}

export function ChannelChoice({ channels, chosen, onChoose }: Props) {
  return (
    <fieldset className="channel-choice">
      <legend className="visually-hidden">Channels to export</legend>
      {channels.map(({ id, name }) => (
        <label key={id} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) =>
              onChoose(event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
          <bdi>{withoutDemoSuffix(name)}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
