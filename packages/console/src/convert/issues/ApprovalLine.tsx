import { useAgio } from '@agio/react/internal'
import type { AgioQuoteData } from '@agio/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorNotice } from '../../errors/ErrorNotice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import type { ConnectedWallet } from '../../wallet/useWallet.ts'
import { type Settings, useConvertSettings } from '../quote/useConvertSettings.ts'
import styles from './ApprovalLine.module.css'
import { describePlan } from './explainIssue.ts'
import { toLabel, useSending } from './useSending.ts'

/** Explains a missing approval: the conversion asks for it, or the user approves in advance. */
export function ApprovalLine({ wallet, quote, isCurrent, onMined }: ApprovalLine.Props) {
  const { reader } = useAgio()
  const queryClient = useQueryClient()
  const approvalMode = useConvertSettings((settings) => settings.approval)
  const { data: plan, isPending } = usePlan(wallet, quote, approvalMode)
  const approval = useSending({
    wallet,
    onMined: async () => {
      await Promise.all([onMined(), queryClient.invalidateQueries({ queryKey: planKey })])
    },
    build: async (ownerAddress) => {
      const input = { ownerAddress, quote: quote.quote, prefer: 'approve' } as const
      const { steps } = await reader.api.approval.plan.query(input)
      const { assertApproval } = await import('./assertTransaction.ts')
      return steps.flatMap((step) => {
        if (step.kind !== 'approve' && step.kind !== 'reset') return []
        assertApproval(step, quote)
        return [{ ...step.transaction, gas: BigInt(step.transaction.gasLimit) }]
      })
    },
  })
  return (
    <>
      <div className={styles['approval']}>
        <p>{isPending ? <Skeleton width="16rem" label="Loading the approval plan" /> : describePlan(plan?.steps)}</p>
        <Button
          variant="quiet"
          size="small"
          disabled={!isCurrent}
          isBusy={approval.phase !== undefined}
          onClick={approval.send}
        >
          {toLabel(approval, 'Approve now')}
        </Button>
      </div>
      {approval.failed && <ErrorNotice {...approval.failed} />}
    </>
  )
}

export declare namespace ApprovalLine {
  type Props = {
    readonly wallet: ConnectedWallet
    readonly quote: AgioQuoteData
    /** Whether the quote matches the request and the network can be used. */
    readonly isCurrent: boolean
    /** Refreshes the data that the approval has changed. */
    readonly onMined: () => Promise<void>
  }
}

/** The start of the cache keys of all approval plans. */
export const planKey = ['approval-plan'] as const

/** Reads the approval plan. The plan does not depend on the amount, so it is read once for each token and account. */
function usePlan(
  { address: ownerAddress }: ConnectedWallet,
  { chainId, tokenIn, spender, quote }: AgioQuoteData,
  prefer: Settings['approval'],
) {
  const { reader } = useAgio()
  return useQuery({
    queryKey: [...planKey, chainId, ownerAddress, tokenIn.address, spender, prefer],
    queryFn: async ({ signal }) => {
      const input = { ownerAddress, quote, ...(prefer === 'approve' && { prefer }) }
      return await reader.api.approval.plan.query(input, { signal })
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}
