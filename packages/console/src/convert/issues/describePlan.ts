import type { ApprovalStep } from '@agio/sdk'

/**
 * Describes what a conversion asks the wallet for. `steps` come from `approval/plan` and are undefined while unknown.
 */
export function describePlan(steps: readonly Pick<ApprovalStep, 'kind'>[] | undefined): string {
  if (!steps) return 'The conversion first asks for a signature or an approval.'
  const kinds = new Set(steps.map(({ kind }) => kind))
  if (kinds.has('permit') || kinds.has('permit2')) return 'The conversion first asks for one signature.'
  if (kinds.has('reset')) return 'The conversion first asks you to reset the approval, then to approve again.'
  return kinds.has('approve') ? 'The conversion first asks for an approval.' : 'The token is now approved.'
}
