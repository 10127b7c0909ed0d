import { listConversions } from '../checks/decodeCalldata.ts'
import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'

/**
 * Returns calldata with the id of the conversion after the arguments, where contracts do not read it. The id
 * distinguishes equal conversions, and finds the transaction independently of its quote, signature or batch.
 */
export function withTag(data: `0x${string}`, { conversionId }: Pick<ConversionRun, 'conversionId'>): `0x${string}` {
  return `${data}${toTag(conversionId)}`
}

/** Returns a predicate for transactions that make a conversion, directly or in a batch, by the id in their calldata. */
export function isTagged({ conversionId }: Pick<ConversionRun, 'conversionId'>) {
  const tag = toTag(conversionId)
  return ({ input }: Pick<BlockTransaction, 'input'>): boolean => input.includes(tag)
}

/** Counts the readable calls in calldata that convert a token and have the id of another conversion. */
export function countOtherTags(input: string, tokenIn: string, run: Pick<ConversionRun, 'conversionId'>): number {
  const isOther = (tag: string) => uuid.test(tag) && tag !== toTag(run.conversionId)
  return listConversions(input).filter((call) => call.tokenIn === BigInt(tokenIn) && isOther(call.suffix)).length
}

// Version 4, variant 1 (RFC 9562).
const uuid = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/

/**
 * Returns a predicate for the requested transaction, at any fees. A conversion is identified by its id, an approval by
 * its call.
 */
export function isRequested(
  run: ConversionRun,
  { kind, to, data }: PendingRequest,
): (found: BlockTransaction) => boolean {
  if (kind === 'convert' || kind === 'batch') return isTagged(run)
  return (found) => found.to === to.toLowerCase() && found.input === data.toLowerCase()
}

/** Returns the 16 bytes of the id, a UUID, as hex. */
function toTag(conversionId: string): string {
  return conversionId.replaceAll('-', '').toLowerCase()
}
