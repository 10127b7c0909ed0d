import type { Finality, Outlook } from '@agio/react/internal'
import type { Step } from '@agio/sdk'
import { useState } from 'react'
import { useFinality } from '../../service/useFinality.ts'

// Chains do not remove older blocks.
const followedMs = 3_600_000

/** Follows the receipt of a conversion that is done to its finality. */
export function useFinalityOf(step: Step | undefined, outlook: Outlook): Finality | undefined {
  const [openedAt] = useState(() => Date.now())
  const isFollowed = step && outlook.kind === 'done' && openedAt - Date.parse(step.at) < followedMs
  const { finality } = useFinality(
    isFollowed ? { chainId: step.state.chainId, transactionHash: outlook.receipt.transactionHash } : undefined,
  )
  return finality
}
