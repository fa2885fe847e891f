import { useCancelPlan } from "../api/activity-mutations"
import { describeError } from "../api/errors"
import type { Plan } from "../api/types"
import { Dialog } from "../components/Dialog"
import { DialogError } from "../components/DialogError"
import "../components/Dialog.css"

export function CancelPlanDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { cancel, error, isPending } = useCancelPlan(plan.id)
  return (
    <Dialog title="Cancel this plan?" onClose={onClose}>
      <p>
        Tasks that have not begun will not be. What has begun runs to its end, and what is done stays done.
      </p>
      <DialogError sentence={error && describeError(error)} />
      <div className="dialog-actions">
        <button type="button" className="button" data-initial-focus onClick={onClose}>
          Keep it running
        </button>
        <button
          type="button"
          className="button primary danger"
          disabled={isPending}
          onClick={() => cancel(onClose)}
        >
          {isPending ? "Cancelling…" : "Cancel plan"}
        </button>
      </div>
    </Dialog>
  )
}
