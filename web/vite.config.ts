import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"
import { firstLoad } from "./build/first-load.ts"

const API = process.env.API ?? "http://127.0.0.1:3000"
const served = ["/api", "/docs", "/openapi.json", "/health"]

export default defineConfig({
  plugins: [react(), firstLoad(250_000)],
  // What is small enough to be written into the page would break the content security policy.
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
  server: { port: 5173, strictPort: true, proxy: Object.fromEntries(served.map((path) => [path, API])) },
})
