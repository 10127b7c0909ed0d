import { withSignal } from '../client/withSignal.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { Turn } from './createTurns.ts'
import { whileConnected } from './ensureChain.ts'
import { takeLock, type Release } from './takeLock.ts'

/** Creates the turn of a conversion from its turn in this client. */
export function createConversionTurn(run: ConversionRun, { key, turn }: Options) {
  const { signal } = run.options
  const lockName = `agio:${key}`
  let unlock: Release = async () => {}
  let [hasWaited, isReleased] = [false, false]
  const onWait = async () => {
    if (hasWaited) return
    hasWaited = true
    await run.publish({ kind: 'queue', status: 'needed' })
  }
  return {
    /** Waits for the turn. Publishes steps if it has to wait. */
    async take(): Promise<void> {
      if (!turn.isNext) await onWait()
      await withSignal(signal, () => turn.begin)
      unlock = await takeLock(lockName, { signal, onWait })
      if (!hasWaited) return
      // The allowance and the nonce of a permit are older at older blocks.
      const head = await ignoreWalletFailure(() => whileConnected(run, () => run.session.readHead()))
      run.line.minBlock = Math.max(run.line.minBlock, head?.number ?? 0)
      await run.publish({ kind: 'queue', status: 'done' })
    },
    /** Takes the lock if no other page has it, so that other pages wait. */
    async takeIfFree(): Promise<void> {
      unlock = await takeLock(lockName)
    },
    /** Ends the turn, so that the next one begins. */
    async release(): Promise<void> {
      if (isReleased) return
      isReleased = true
      turn.end()
      await unlock()
    },
  }
}

type Options = { readonly key: string; readonly turn: Turn }

/**
 * The turn of a conversion among those that use the same allowance and permit nonce: in this client, and in other pages
 * of the origin, by a lock. It lasts until `release`.
 */
export type ConversionTurn = ReturnType<typeof createConversionTurn>
