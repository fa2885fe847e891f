import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App"
import { isTransient } from "./api/errors"
import { pollInterval } from "./api/queries"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/components.css"
import "./styles/channels.css"
import "./styles/channel.css"
import "./styles/stock.css"
import "./styles/score.css"

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
