// Before the components, whose own styles override these.
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/button.css"
import "./styles/field.css"
import "./styles/filters.css"
import "./styles/card.css"
import "./styles/chip.css"
import "./styles/table.css"
import "./styles/entry.css"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App"
import { isTransient } from "./api/errors"
import { pollInterval } from "./api/queries"

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isTransient(error),
      refetchInterval: (query) => pollInterval(query),
    },
  },
})

const root = document.getElementById("root")
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
}
