export function Footer() {
  return (
    <footer className="wide foot">
      <p>
        What a channel said, and what prices did. It is no advice, and what went well before need not go well
        again.
      </p>
      <p>
        <a href="/docs">API documentation</a>
      </p>
    </footer>
  )
}
