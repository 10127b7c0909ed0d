import { Errors } from '@agio/core'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import type { FactReader, FactSource } from './createFactReader.ts'

/**
 * Creates a function that reads a fact once, for all its callers. A fact from one node of several is kept too. Once a
 * second node is healthy, the next call starts another read in the background. A fact on which the nodes disagree is
 * read again by the next call. The function throws `svc/upstream-*`.
 */
export function createFact<Value>({ facts, read, isKept = () => true }: createFact.Dependencies<Value>) {
  let kept: { readonly value: Value; readonly isConfirmed: boolean } | undefined
  let reading: Promise<Value> | undefined

  async function readNow(): Promise<Value> {
    const [fact] = await facts.read(async (source) => [await read(source)])
    if (fact === undefined || fact.state === 'disputed') {
      kept = undefined
      throw Errors.upstreamError({ action: 'read the chain', reason: 'the nodes of the chain disagree' })
    }
    const { state, value } = fact
    kept = isKept(value) ? { value, isConfirmed: state === 'confirmed' } : undefined
    return value
  }
  function share(): Promise<Value> {
    reading ??= readNow().finally(() => (reading = undefined))
    return reading
  }
  return async (): Promise<Value> => {
    if (kept && !kept.isConfirmed && facts.canConfirm()) share().catch(() => {})
    if (kept) return kept.value
    return await share().catch((error: unknown) => {
      throw toUpstreamError(error)
    })
  }
}

export declare namespace createFact {
  type Dependencies<Value> = {
    readonly facts: FactReader
    readonly read: (source: FactSource) => Promise<Value>
    /** Returns whether a value is kept; always by default. */
    readonly isKept?: ((value: Value) => boolean) | undefined
  }
}
