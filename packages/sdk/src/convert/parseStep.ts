import { clientError } from '../errors/clientError.ts'
import { isObject } from '../errors/isObject.ts'
import { findQuoteFlaw } from '../quote/findQuoteFlaw.ts'
import type { Step, StepKind, StepStatus } from './Step.ts'

/**
 * Validates and returns a stored step, which another version of the page may have stored.
 *
 * @throws `convert/invalid-step` for any other value, and for a step of an incompatible version of this package
 *
 * @example
 * const step = parseStep(JSON.parse(localStorage.getItem('conversion') ?? 'null'))
 */
export function parseStep(value: unknown): Step {
  const { conversionId, at, kind, status, error, state } = toObject(value, 'it is not an object')
  // The id is appended to the calldata of the conversion.
  if (typeof conversionId !== 'string' || !uuid.test(conversionId)) throw invalid('its conversionId is not a UUID')
  const { version, chainId, account, quote, fromBlock, refused, pending } = toObject(state, 'it has no state')
  if (version !== 1) throw invalid(`its version is ${String(version)}, and this version of the package reads 1`)
  if (typeof chainId !== 'number' || typeof account !== 'string') throw invalid('it has no account on a chain')
  const flaw = findQuoteFlaw(toObject(quote, 'it has no quote'))
  if (flaw !== undefined) throw invalid(`of its quote: ${flaw}`)
  if (!Number.isSafeInteger(fromBlock) || !Array.isArray(refused)) throw invalid('its state is incomplete')
  if (pending !== undefined) assertPending(toObject(pending, 'its pending request is not an object'))
  if (!kinds.has(kind) || !statuses.has(status) || typeof at !== 'string') throw invalid('its content is unknown')
  if (status === 'failed') toObject(error, 'it has no error')
  return value as Step
}

const kinds: ReadonlySet<unknown> = new Set<StepKind>([
  'quote',
  'switch-chain',
  'approve',
  'permit',
  'batch',
  'convert',
  'confirm',
])
const statuses: ReadonlySet<unknown> = new Set<StepStatus>([
  'needed',
  'waiting-for-wallet',
  'sent',
  'done',
  'skipped',
  'failed',
])

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function assertPending({ kind, to, data, fromBlock }: Readonly<Record<string, unknown>>): void {
  if (typeof kind === 'string' && typeof to === 'string' && typeof data === 'string' && typeof fromBlock === 'number')
    return
  throw invalid('its pending request is incomplete')
}

function toObject(value: unknown, reason: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value
  throw invalid(reason)
}

function invalid(reason: string) {
  return clientError('convert/invalid-step', `Cannot resume from the step: ${reason}`, { reason })
}
