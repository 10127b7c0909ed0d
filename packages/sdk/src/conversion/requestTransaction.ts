import { isAgioError } from '../errors/AgioError.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { countPrompt } from './prompts.ts'
import type { StepContent } from './Step.ts'

/**
 * Asks the wallet for a transaction or a batch. The state records the request before the wallet is asked. A process
 * that is killed after the user confirmed never learns the hash, and the transaction is then found by its calldata.
 *
 * @param ask returns the hash or the batch id from the wallet
 */
export async function requestTransaction(
  run: ConversionRun,
  { call, waiting, ask }: requestTransaction.Options,
): Promise<PendingRequest> {
  const { session, state, options } = run
  await session.assertUnchanged(state.chainId)
  const { number: fromBlock } = await session.readHead()
  const nonce = await session.countTransactions('latest')
  const pendingNonce = await session.countTransactions('pending')
  const pending = { ...call, fromBlock, nonce, pendingNonce }
  countPrompt(run)
  run.update({ pending })
  try {
    await run.publish(waiting)
    await session.assertUnchanged(state.chainId)
    options.signal?.throwIfAborted()
  } catch (error) {
    run.update({ pending: undefined })
    throw error
  }
  try {
    const sent = { ...pending, ...(await ask()) }
    run.update({ pending: sent })
    return sent
  } catch (error) {
    if (isRefusal(error)) run.update({ pending: undefined })
    throw error
  }
}

export declare namespace requestTransaction {
  type Options = {
    readonly call: Pick<PendingRequest, 'kind' | 'to' | 'data' | 'deadline' | 'batchId'>
    readonly waiting: StepContent
    readonly ask: () => Promise<Pick<PendingRequest, 'transactionHash' | 'batchId'>>
  }
}

/**
 * Returns whether the error of a wallet means that it has sent nothing. After any other error it may have sent the
 * transaction.
 */
export function isRefusal(error: unknown): boolean {
  if (!isAgioError(error)) return false
  if (error.code !== 'wallet/failed') return error.code === 'wallet/rejected' || error.code === 'wallet/wrong-chain'
  return error.details.walletCode !== undefined && refusals.has(error.details.walletCode)
}

// Unknown method and invalid parameters (JSON-RPC), not authorized and not supported (EIP-1193), and batches that the
// wallet does not support for the chain or the account, or cannot make atomic (EIP-5792).
const refusals: ReadonlySet<number> = new Set([-32601, -32602, 4100, 4200, 5700, 5710, 5740, 5750, 5760])
