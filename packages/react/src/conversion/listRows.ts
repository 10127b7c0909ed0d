import type { Step } from '@agio/sdk'

/** A row of the step list: the newest step of one action of the conversion. */
export type StepRow = {
  /** Index of its first step. */
  readonly key: number
  readonly step: Step
}

/**
 * Groups the steps of a conversion into rows. Consecutive steps of the same action, such as `needed` and `sent`, share
 * a row.
 */
export function listRows(steps: readonly Step[]): readonly StepRow[] {
  const rows: StepRow[] = []
  for (const [key, step] of steps.entries()) {
    const last = rows.at(-1)
    if (last && isSame(last.step, step)) rows[rows.length - 1] = { ...last, step }
    else if (!last || last.step.status !== 'needed') rows.push({ key, step })
    // The needed action did not happen, so the next step replaces its row.
    else rows[rows.length - 1] = { key, step }
  }
  return rows
}

function isSame(first: Step, second: Step): boolean {
  if (first.kind !== second.kind || first.status === 'done' || first.status === 'failed') return false
  return first.kind !== 'approve' || second.kind !== 'approve' || first.purpose === second.purpose
}
