import { Icon } from "./Icon"

interface Props {
  /** The path of the API that the table shows. */
  path: string
  /** The filters that are set; those without a value are left out. */
  filter?: Record<string, string | null>
  label: string
}

/** Saves a table as a file that spreadsheets open, with the filters that are set. */
export function CsvLink({ path, filter = {}, label }: Props) {
  const set = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  // The mark at its beginning tells Excel that the file is UTF-8.
  const search = new URLSearchParams([...set, ["format", "csv"], ["bom", "true"]])
  return (
    <a className="touch csv-link" href={`${path}?${search}`} download aria-label={label} title={label}>
      <Icon name="download" />
      CSV
    </a>
  )
}
