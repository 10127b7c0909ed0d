import { toOutlook } from '@agio/react/internal'
import type { PageConversion } from '../convert/conversions/conversions.ts'
import { toBadge } from '../convert/conversions/toBadge.ts'

/** The filters of the list, each with its label. */
export const filters = { all: 'All states', open: 'Unfinished', done: 'Done', failed: 'Failed' } as const

/** A filter of the list. */
export type Filter = keyof typeof filters

/** Returns whether a filter lists a conversion. */
export function isListed(conversion: PageConversion, filter: Filter): boolean {
  const { kind } = toOutlook(conversion)
  return filter === 'all' || (kind === 'done' || kind === 'failed' ? kind : 'open') === filter
}

/** Returns the hash of the transaction of a conversion, or undefined while it has none. */
export function findHash({ steps }: Pick<PageConversion, 'steps'>): `0x${string}` | undefined {
  const step = steps.at(-1)
  return step?.kind === 'confirm' ? step.transactionHash : undefined
}

/** Returns the conversions as a table of texts with a header. Times are in ISO 8601, and missing values are empty. */
export function toActivityRows(conversions: readonly PageConversion[]): readonly (readonly string[])[] {
  const header = ['Time', 'Chain id', 'Paid', 'Token', 'Received', 'Token', 'State', 'Transaction', 'Account', 'Id']
  return [header, ...conversions.map(toRow)]
}

function toRow(conversion: PageConversion): readonly string[] {
  const { id, quote, steps } = conversion
  const outlook = toOutlook(conversion)
  const step = steps.at(-1)
  const { amountIn, amountOut } = outlook.kind === 'done' ? outlook.receipt : {}
  const amounts = [amountIn ?? '', quote.tokenIn.symbol, amountOut ?? '', quote.tokenOut.symbol]
  const { text } = toBadge(outlook)
  return [
    step?.at ?? '',
    String(quote.chainId),
    ...amounts,
    text,
    findHash(conversion) ?? '',
    step?.state.account ?? '',
    id,
  ]
}
