import { clientError } from '../errors/clientError.ts'
import { findQuoteFlaw } from '../quote/findQuoteFlaw.ts'
import type { ConversionState } from './ConversionState.ts'
import type { Step } from './Step.ts'

/**
 * Returns what to resume from a stored step.
 *
 * @throws `convert/invalid-step` for anything else, and for a step of another version of this package
 */
export function parseStep(step: Step): { readonly conversionId: string; readonly state: ConversionState } {
  const { conversionId, state } = toObject(step, 'it is not an object')
  // It marks the calldata of the conversion.
  if (typeof conversionId !== 'string' || !uuid.test(conversionId)) throw invalid('its conversionId is not a UUID')
  const { version, chainId, account, quote, fromBlock, refused, pending } = toObject(state, 'it has no state')
  if (version !== 1) throw invalid(`its version is ${String(version)}, and this version of the package reads 1`)
  if (typeof chainId !== 'number' || typeof account !== 'string') throw invalid('it has no account on a chain')
  const flaw = findQuoteFlaw(toObject(quote, 'it has no quote'))
  if (flaw !== undefined) throw invalid(`of its quote: ${flaw}`)
  if (!Number.isSafeInteger(fromBlock) || !Array.isArray(refused)) throw invalid('its state is incomplete')
  if (pending !== undefined) assertPending(toObject(pending, 'its pending request is not an object'))
  return { conversionId, state: state as ConversionState }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function assertPending({ kind, to, data, fromBlock }: Readonly<Record<string, unknown>>): void {
  if (typeof kind === 'string' && typeof to === 'string' && typeof data === 'string' && typeof fromBlock === 'number')
    return
  throw invalid('its pending request is incomplete')
}

function toObject(value: unknown, reason: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>
  throw invalid(reason)
}

function invalid(reason: string) {
  return clientError('convert/invalid-step', `Cannot resume from the step: ${reason}`, { reason })
}
