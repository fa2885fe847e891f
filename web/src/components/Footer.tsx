export function Footer() {
  return (
    <footer className="wide foot">
      <p>
        What channels said and what prices did. Not investment advice; past results don’t predict future ones.
      </p>
      <p>
        <a className="touch" href="/docs">
          API documentation
        </a>
      </p>
    </footer>
  )
}
