/** Line icons in the colour of their text. They repeat the label beside them, so screen readers skip them. */

const PATHS = {
  add: "M10 4v12M4 10h12",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4",
  moon: "M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z",
  again: "M15.5 7A6.5 6.5 0 1 0 16.5 11M16 3v4h-4",
  read: "M3 5.5c3-1 5-.7 7 .8 2-1.5 4-1.8 7-.8V15c-3-1-5-.7-7 .8-2-1.5-4-1.8-7-.8ZM10 6.3v9.5",
  stop: "M6 6h8v8H6Z",
  price: "M3 14l4-5 4 3 6-7M13 5h4v4",
  bin: "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6M8.5 9v4.5M11.5 9v4.5",
  out: "M8 5H5v10h10v-3M11 4h5v5M16 4l-7 7",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4",
  warning: "M10 3.2 17.5 16h-15ZM10 8v3.6M10 13.6v.2",
  info: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M10 9v4.5M10 6.4v.2",
  right: "M8 5l5 5-5 5",
  left: "M12 5l-5 5 5 5",
  close: "M5 5l10 10M15 5L5 15",
  done: "M4 10.5l4 4 8-9",
  pencil: "M4 16l.8-3.4L13.5 4l2.5 2.5-8.6 8.7ZM11.5 6l2.5 2.5",
  undo: "M8 5 4 9l4 4M4 9h7.5a4.5 4.5 0 0 1 0 9H9",
  copy: "M7 7h9v9H7ZM4 13V4h9",
  feed: "M4 4a12 12 0 0 1 12 12M4 9.5a6.5 6.5 0 0 1 6.5 6.5M4.8 15.2h.1",
  download: "M10 3v9M6.5 8.5 10 12l3.5-3.5M4 16h12",
  star: "M10 2.6l2.3 4.7 5.2.7-3.8 3.6.9 5.1L10 14.3l-4.6 2.4.9-5.1L2.5 8l5.2-.7Z",
  news: "M3 4h11v12H5a2 2 0 0 1-2-2ZM14 7h3v7a2 2 0 0 1-2 2M6 7h5M6 10h5M6 13h3",
  file: "M5 3h6l4 4v10H5ZM11 3v4h4M10 15v-5M8 12l2-2 2 2",
} as const

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
