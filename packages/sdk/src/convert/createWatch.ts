import { isAgioError, type AgioErrorDetails } from '../errors/AgioError.ts'
import type { BlockTransaction } from '../wallet/WalletSession.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { SentRequest } from './ConversionState.ts'
import { whileConnected } from './ensureChain.ts'
import { isRequested } from './conversionTag.ts'
import { createFinder } from './findTransaction.ts'

/**
 * Polls the node of the wallet for a transaction. The node learns of replacements that the service does not see. A
 * replacement has another hash, so the node is asked by nonce.
 *
 * It never prompts the user. The fate is unknown while the wallet is on another chain or has another account.
 */
export function createWatch(run: ConversionRun, sent: SentRequest): () => Promise<Fate> {
  const { session } = run
  const { transactionHash, deadline } = sent
  const find = createFinder(run, sent)
  const isOwn = isRequested(run, sent)
  let nonce: number | undefined

  async function look(): Promise<Fate> {
    const { timestamp } = await session.getHead()
    const known = await session.getTransaction(transactionHash)
    if (known?.blockNumber !== undefined) return { kind: 'mined' }
    // Another account may send for an account with code, with its own nonce.
    if (known?.from === session.account.toLowerCase()) nonce = known.nonce
    const winner = await find((found) => (nonce === undefined ? isOwn(found) : found.nonce === nonce))
    if (winner?.hash === transactionHash) return { kind: 'mined' }
    if (winner && isOwn(winner)) return { kind: 'sped-up', transactionHash: winner.hash }
    if (winner) return { kind: 'replaced', by: winner.hash, ...(isCancel(winner) && { as: 'cancel' }) }
    return deadline !== undefined && timestamp > deadline ? { kind: 'dropped' } : { kind: 'pending' }
  }

  return async () => {
    try {
      return (await whileConnected(run, look)) ?? { kind: 'unknown' }
    } catch (error) {
      // The service is polled as well.
      if (isAgioError(error) && error.code === 'wallet/failed') return { kind: 'unknown' }
      throw error
    }
  }
}

function isCancel({ from, to, input }: BlockTransaction): boolean {
  return to === from && input === '0x'
}

/** The fate of a transaction, as far as the node of the wallet or the service knows. */
export type Fate =
  | { readonly kind: 'pending' | 'mined' | 'dropped' | 'unknown' }
  | { readonly kind: 'sped-up'; readonly transactionHash: `0x${string}` }
  | {
      readonly kind: 'replaced'
      readonly by: `0x${string}`
      /** The kind of the other transaction. Undefined if unknown. */
      readonly as?: AgioErrorDetails<'convert/replaced'>['kind']
    }
