/** Says after a build how much a first visit loads, compressed, and refuses a build that has grown too large. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Plugin } from "vite"

export function firstLoad(limit: number): Plugin {
  return {
    name: "first-load",
    apply: "build",
    writeBundle({ dir }, bundle) {
      const size = (file: string) => gzipSync(readFileSync(join(dir ?? "dist", file))).length
      const linked = [
        ...readFileSync(join(dir ?? "dist", "index.html"), "utf8").matchAll(
          /(?:src|href)="\/([^"]+\.[^"]+)"/g,
        ),
      ]
      const first = ["index.html", ...new Set(linked.map(([, file]) => file ?? ""))]
      const total = first.reduce((sum, file) => sum + size(file), 0)
      const later = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file) && !first.includes(file))
      for (const file of later) this.info(`later: ${kilobytes(size(file))} ${file}`)
      this.info(
        `first load: ${kilobytes(total)} compressed in ${first.length} files (limit ${kilobytes(limit)})`,
      )
      if (total > limit) this.error(`The first load is larger than ${kilobytes(limit)}`)
    },
  }
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
