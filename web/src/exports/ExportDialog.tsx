/** Chooses the channels and format of an export. Its progress then shows in the list of exports. */

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useLocation } from "wouter"
import { describeError } from "../api/errors"
import { useBeginExport } from "../api/export-mutations"
import { allChannelsQuery } from "../api/queries"
import { Dialog } from "../components/Dialog"
import { DialogError } from "../components/DialogError"
import { namesOf } from "../domain/channels"
import { formatCount } from "../text/numbers"
import { ChannelChoice } from "./ChannelChoice"
import {
  describeOffered,
  type FileFormat,
  FORMAT_LABELS,
  FORMAT_NOTES,
  FORMATS,
  MAX_EXPORTED,
} from "./exports"
import "./ExportDialog.css"
import "../components/Dialog.css"

const TOO_MANY = `At most ${MAX_EXPORTED} channels can be chosen. Export all instead.`

interface Props {
  /** The ids of the channels to offer; without them any can be chosen. */
  channels?: readonly string[]
  onClose: () => void
}

export default function ExportDialog({ channels: offered, onClose }: Props) {
  const [, navigate] = useLocation()
  const channels = useQuery(allChannelsQuery())
  const [isAll, setAll] = useState(!offered)
  const [chosen, choose] = useState<readonly string[]>(offered ?? [])
  const [format, setFormat] = useState<FileFormat>("csv")
  const { begin, isPending, error } = useBeginExport()
  const isTooMany = !isAll && chosen.length > MAX_EXPORTED
  const all = {
    label: `All${channels.data ? ` ${formatCount(channels.data.length)}` : ""}`,
    all: true,
  }
  const choices = offered
    ? [{ label: describeOffered(offered, namesOf(channels.data)), all: false }, all]
    : [all, { label: "Some", all: false }]
  return (
    <Dialog title="Export" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isPending) return
          begin({ format, ...(isAll ? {} : { channel_ids: [...chosen] }) }, () => {
            onClose()
            navigate("/exports")
          })
        }}
      >
        <p className="soft">
          A zip with everything behind the figures, a description of each column, and a script that computes
          the scores again.
        </p>
        <fieldset className="choice">
          <legend className="field-label">Channels</legend>
          <div className="segments export-channels">
            {choices.map(({ label, all }, index) => (
              <label key={String(all)}>
                <input
                  type="radio"
                  name="channels"
                  checked={isAll === all}
                  data-initial-focus={index === 0 ? true : undefined}
                  onChange={() => setAll(all)}
                />
                <span>
                  <bdi>{label}</bdi>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {!isAll && !offered && (
          <ChannelChoice channels={channels.data ?? []} chosen={chosen} onChoose={choose} />
        )}
        <fieldset className="choice">
          <legend className="field-label">Format</legend>
          <div className="segments">
            {FORMATS.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="format"
                  checked={format === each}
                  onChange={() => setFormat(each)}
                />
                <span>{FORMAT_LABELS[each]}</span>
              </label>
            ))}
          </div>
          <p className="field-help">{FORMAT_NOTES[format]}</p>
        </fieldset>
        <DialogError sentence={error ? describeError(error) : isTooMany ? TOO_MANY : null} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={isPending || isTooMany || (!isAll && !chosen.length)}
          >
            {isPending ? "Starting…" : "Start export"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
