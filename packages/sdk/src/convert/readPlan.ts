import type { ApprovalPlan } from '../api/schemas.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { createPolls } from './createPolls.ts'

const maxReads = 20

/**
 * Returns the signatures and transactions that are required before the conversion. The plan is at least as new as the
 * previous transactions.
 */
export async function readPlan(run: ConversionRun): Promise<ApprovalPlan> {
  const { service, state, options, line } = run
  const isApproved = options.approval === 'approve' || state.refused.includes('permit')
  const input = {
    quote: state.quote.quote,
    ownerAddress: state.account,
    ...(isApproved && { prefer: 'approve' as const }),
  }
  const { signal } = options
  const polls = createPolls(run)
  let plan = await service.api.approval.plan.query(input, { signal })
  for (let reads = 1; reads < maxReads && isBefore(plan, line.minBlock); reads++) {
    await polls.pause({ isMined: false })
    plan = await service.api.approval.plan.query(input, { signal })
  }
  return plan
}

function isBefore({ blockNumber }: ApprovalPlan, minBlock: number): boolean {
  return blockNumber !== undefined && blockNumber < minBlock
}
