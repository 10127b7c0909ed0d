import {
  Decimal,
  explainError,
  toConversionTitle,
  toFailure,
  toOutlook,
  toStepStatus,
  toStepTitle,
} from '@agio/react/internal'
import type { PageConversion } from './conversions.ts'

/** What a user wants to know about a conversion while looking at something else. */
export type News = {
  readonly kind: 'sent' | 'confirmed' | 'failed'
  readonly title: string
  readonly text: string
  /** The page that shows more. */
  readonly href: string
}

/** Returns the news of a conversion that this tab runs or has run. Undefined before its transaction was sent. */
export function toNews(conversion: PageConversion): News | undefined {
  const { quote, steps, phase, hasRun = false } = conversion
  if (phase !== 'running' && phase !== 'following' && !hasRun) return undefined
  const text = toConversionTitle(quote)
  const toReceipt = (hash: string) => `/receipt/${hash}?chain=${quote.chainId}`
  const outlook = toOutlook(conversion)
  if (outlook.kind === 'done') {
    const { amountOut, tokenOut, transactionHash } = outlook.receipt
    const title = `Received ${Decimal.format(amountOut)} ${tokenOut.symbol}`
    return { kind: 'confirmed', title, text, href: toReceipt(transactionHash) }
  }
  if (outlook.kind === 'failed') {
    return { kind: 'failed', title: explainError(toFailure(outlook.error)).title, text, href: '/' }
  }
  const { kind, transactionHash } = steps.at(-1)?.state.pending ?? {}
  const isSent = transactionHash !== undefined && (kind === 'convert' || kind === 'batch')
  return isSent && outlook.kind !== 'paused'
    ? { kind: 'sent', title: 'Conversion sent', text, href: toReceipt(transactionHash) }
    : undefined
}

/** Returns a sentence about the last event in this tab for screen readers. Empty before the first event. */
export function announce(conversions: readonly PageConversion[]): string {
  const latest = conversions
    .filter(({ phase, hasRun }) => phase !== 'idle' || hasRun)
    .toSorted((left, right) => (right.steps.at(-1)?.at ?? '').localeCompare(left.steps.at(-1)?.at ?? ''))[0]
  return latest ? `${toConversionTitle(latest.quote)}: ${describe(latest)}` : ''
}

function describe(conversion: PageConversion): string {
  const outlook = toOutlook(conversion)
  const step = conversion.steps.at(-1)
  if (outlook.kind === 'done') {
    return `received ${Decimal.format(outlook.receipt.amountOut)} ${outlook.receipt.tokenOut.symbol}`
  }
  if (outlook.kind === 'failed') return explainError(toFailure(outlook.error)).title
  if (outlook.kind === 'paused') return 'paused'
  return step ? `${toStepTitle(step, 'its network')}. ${toStepStatus(step)}` : 'started'
}
