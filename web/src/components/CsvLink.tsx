/** Saves a table as a file that spreadsheets open, with the filters that are set. */

import { useMutation } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { fetchFile } from "../api/client"
import { describeError } from "../api/errors"
import { Icon } from "./Icon"
import { notify } from "./notices"
import "./CsvLink.css"

interface Props {
  /** The path of the API that the table shows. */
  path: string
  /** The filters that are set; those without a value are left out. */
  filter?: Record<string, string | null>
  label: string
}

export function CsvLink({ path, filter = {}, label }: Props) {
  const [, navigate] = useLocation()
  const set = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  // The mark at its beginning tells Excel that the file is UTF-8.
  const address = `${path}?${new URLSearchParams([...set, ["format", "csv"], ["bom", "true"]])}`
  const save = useMutation({
    mutationFn: () => fetchFile(address),
    onSuccess: ({ name, content }) => {
      const link = document.createElement("a")
      link.href = URL.createObjectURL(content)
      link.download = name
      link.click()
      URL.revokeObjectURL(link.href)
    },
    // A table that is too long for one response is part of an export.
    onError: (error) =>
      notify(describeError(error), {
        isError: true,
        action: { label: "Exports", run: () => navigate("/exports") },
      }),
  })
  return (
    <a
      className="touch csv-link"
      href={address}
      aria-label={label}
      title={label}
      onClick={(event) => {
        // With a modifier it is a link like any other.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        if (!save.isPending) save.mutate()
      }}
    >
      <Icon name="download" />
      CSV
    </a>
  )
}
