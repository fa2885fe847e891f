/** Says that a part of the page could not be loaded or drawn. Without it React takes the whole page away. */

import { Component, type ReactNode } from "react"
import { Dialog } from "./Dialog"
import { Icon } from "./Icon"
import "./States.css"

interface Props {
  /** Where the reader is: elsewhere the part is tried again. */
  at?: string
  /** Given by what opens in a dialog. */
  onClose?: () => void
  isPage?: boolean
  children: ReactNode
}

export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate(before: Props) {
    if (this.state.hasFailed && before.at !== this.props.at) this.setState({ hasFailed: false })
  }

  override render() {
    const { children, onClose, isPage } = this.props
    if (!this.state.hasFailed) return children
    if (onClose) {
      return (
        <Dialog title="This couldn’t be opened" onClose={onClose}>
          <Failed />
        </Dialog>
      )
    }
    return (
      <div className={isPage ? "wide page" : ""}>
        <Failed title={isPage ? "This page couldn’t be shown" : "This tab couldn’t be shown"} />
      </div>
    )
  }
}

function Failed({ title }: { title?: string }) {
  return (
    <div className="state failed" role="alert">
      {title && (
        <p className="state-title">
          <Icon name="warning" />
          {title}
        </p>
      )}
      <p>The server couldn’t be reached, or the dashboard was updated since you opened it.</p>
      {/* Until then the browser does not ask again for a part that it could not load. */}
      <button type="button" className="button" onClick={() => window.location.reload()}>
        <Icon name="again" />
        Reload the page
      </button>
    </div>
  )
}
