import type { ApprovalStep } from '@agio/sdk'

/** Says what a conversion will ask the wallet for, from the steps of its `approval/plan`; undefined while they are unknown. */
export function describePlan(steps: readonly Pick<ApprovalStep, 'kind'>[] | undefined): string {
  if (!steps) return 'The conversion will ask for a signature or an approval first.'
  const kinds = new Set(steps.map(({ kind }) => kind))
  if (kinds.has('permit') || kinds.has('permit2')) return 'The conversion will ask for one signature first.'
  if (kinds.has('reset')) return 'The conversion will ask to reset the approval, and for a new one, first.'
  return kinds.has('approve') ? 'The conversion will ask for an approval first.' : 'The token is approved by now.'
}
