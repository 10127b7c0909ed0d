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
