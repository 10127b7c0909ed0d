import { isInChain, nameFinality, toFailure, type Finality, type Outlook } from '@agio/react/internal'
import type { Tone } from '../../ui/Notice.tsx'

/** The text and the color of a badge. */
type StateBadge = { readonly text: string; readonly tone: Tone }

/** Returns the badge of a conversion, and of a receipt that the chain has removed. It says that a transaction may have been sent only if one may have been. */
export function toBadge(outlook: Outlook, finality?: Finality): StateBadge {
  if (finality && !isInChain(finality)) return { text: nameFinality(finality), tone: 'warning' }
  if (outlook.kind === 'running') {
    return outlook.isAsking
      ? { text: 'Confirm in your wallet', tone: 'warning' }
      : { text: 'In progress', tone: 'accent' }
  }
  if (outlook.kind === 'following') return { text: outlook.isSent ? 'In progress' : 'Searching', tone: 'accent' }
  if (outlook.kind === 'paused') {
    return outlook.isSettled ? { text: 'Paused', tone: 'neutral' } : { text: 'May have been sent', tone: 'warning' }
  }
  return outlook.kind === 'failed' ? toFailureBadge(outlook) : badges[outlook.kind]
}

const badges = {
  elsewhere: { text: 'In another tab', tone: 'neutral' },
  done: { text: 'Done', tone: 'positive' },
} as const satisfies Readonly<Record<string, StateBadge>>

function toFailureBadge({ code, error, ...outlook }: Extract<Outlook, { kind: 'failed' }>): StateBadge {
  if (!outlook.isSettled) return { text: 'May have been sent', tone: 'warning' }
  if (code === 'svc/below-min-target' || code === 'svc/above-max-input')
    return { text: 'Price changed', tone: 'warning' }
  if (code === 'wallet/rejected') return { text: 'Rejected', tone: 'neutral' }
  if (code === 'convert/replaced' && toFailure(error).details['kind'] === 'cancel')
    return { text: 'Cancelled', tone: 'neutral' }
  if (code === 'convert/aborted') return { text: 'Stopped', tone: 'neutral' }
  return { text: 'Failed', tone: 'danger' }
}
