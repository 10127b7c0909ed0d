import type { Step } from '@agio/sdk'

/** A line of the list of steps: the newest step of one thing that the conversion does. */
export type StepRow = {
  /** The position of its first step. */
  readonly key: number
  readonly step: Step
}

/** Lists what a conversion does, in order. Steps that follow each other and do the same, as `needed` and `sent`, are one row. */
export function listRows(steps: readonly Step[]): readonly StepRow[] {
  const rows: StepRow[] = []
  for (const [key, step] of steps.entries()) {
    const last = rows.at(-1)
    if (last && isSame(last.step, step)) rows[rows.length - 1] = { ...last, step }
    else if (!last || last.step.status !== 'needed') rows.push({ key, step })
    // What was next and did not come is no part of what happened.
    else rows[rows.length - 1] = { key, step }
  }
  return rows
}

function isSame(one: Step, other: Step): boolean {
  if (one.kind !== other.kind || one.status === 'done' || one.status === 'failed') return false
  return one.kind !== 'approve' || other.kind !== 'approve' || one.purpose === other.purpose
}
