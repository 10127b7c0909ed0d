import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'

/**
 * Returns calldata with the id of its conversion after the arguments, where contracts do not read it. By it the transaction is told
 * from that of an equal conversion, and found whatever quote, signature or batch it was sent with.
 */
export function withTag(data: `0x${string}`, { conversionId }: Pick<ConversionRun, 'conversionId'>): `0x${string}` {
  return `${data}${toTag(conversionId)}`
}

/** Whether a transaction makes a conversion, itself or in a batch, by the id of the conversion in its calldata. */
export function isTagged({ conversionId }: Pick<ConversionRun, 'conversionId'>) {
  const tag = toTag(conversionId)
  return ({ input }: Pick<BlockTransaction, 'input'>): boolean => input.includes(tag)
}

/** Whether a transaction is the one that the wallet was asked for, at whatever fees. An approval is known by its call. */
export function isRequested(
  run: ConversionRun,
  { kind, to, data }: PendingRequest,
): (found: BlockTransaction) => boolean {
  if (kind === 'convert' || kind === 'batch') return isTagged(run)
  return (found) => found.to === to.toLowerCase() && found.input === data.toLowerCase()
}

/** The id of a conversion is a UUID, of 16 bytes. */
function toTag(conversionId: string): string {
  return conversionId.replaceAll('-', '').toLowerCase()
}
