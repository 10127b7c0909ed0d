import { wait } from '../client/withSignal.ts'
import { isAgioError } from '../errors/AgioError.ts'
import { isConclusive } from '../wallet/toWalletError.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { ConversionRun } from './ConversionRun.ts'
import type { PendingRequest } from './ConversionState.ts'
import { readEarlierPayments } from './findPayment.ts'
import { countPrompt } from './prompts.ts'
import type { StepContent } from './Step.ts'

/**
 * Asks the wallet for a transaction or a batch. The state records the request before the wallet is asked. A process
 * that is killed after the user confirmed never learns the hash, and the chain then decides what was sent.
 *
 * @param ask returns the hash or the batch id from the wallet
 * @param findEffect looks on the chain for what was requested, for a wallet that sends it and never answers
 */
export async function requestTransaction(
  run: ConversionRun,
  { call, waiting, ask, findEffect }: requestTransaction.Options,
): Promise<PendingRequest> {
  const { session, state, options } = run
  await session.assertUnchanged(state.chainId)
  const head = await session.readHead()
  const nonce = await session.countTransactions('latest')
  const pendingNonce = await session.countTransactions('pending')
  // A node that lags would show the previous conversion as this one.
  const fromBlock = Math.max(head.number, run.line.minBlock)
  const isPaying = call.deadline !== undefined && head.number === fromBlock
  const earlier = isPaying ? await readEarlierPayments(run, head) : undefined
  const pending = { ...call, fromBlock, ...earlier, nonce, pendingNonce }
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
    const answer = await raceAnswer(ask(), () => findEffect(pending))
    const found = typeof answer === 'string' ? { transactionHash: answer } : answer
    const sent: PendingRequest = { ...pending, ...run.state.pending, answer: 'accepted', ...found }
    run.update({ pending: sent })
    return sent
  } catch (error) {
    if (isAgioError(error) && isConclusive(error)) run.update({ pending: undefined })
    // Whatever a wallet throws, it may have sent the transaction. An aborted wait and a decision of the chain are not its answer.
    else if (!isAgioError(error) || !error.code.startsWith('convert/'))
      run.update({ pending: { ...pending, ...run.state.pending, answer: 'failed' } })
    throw error
  }
}

export declare namespace requestTransaction {
  type Options = {
    readonly call: Pick<PendingRequest, 'kind' | 'to' | 'data' | 'deadline' | 'batchId'>
    readonly waiting: StepContent
    readonly ask: () => Promise<Answer>
    readonly findEffect: (pending: PendingRequest) => Promise<Answer>
  }
  /** The hash or the batch id that the wallet returned or the chain has; undefined if the wallet returned no hash. */
  type Answer = Hex | Pick<PendingRequest, 'transactionHash' | 'batchId'> | undefined
}

const pollMs = 4000

/** Returns the answer of a wallet, or what the chain shows while the wallet does not answer. */
async function raceAnswer(
  asked: Promise<requestTransaction.Answer>,
  findEffect: () => Promise<requestTransaction.Answer>,
): Promise<requestTransaction.Answer> {
  const answered = new AbortController()
  const watch = async () => {
    for (;;) {
      await wait(pollMs, answered.signal)
      // The answer counts while the chain cannot be read.
      const effect = await findEffect().catch(ignoreUnlessDecided)
      if (effect) return effect
    }
  }
  try {
    return await Promise.race([asked, watch()])
  } finally {
    answered.abort()
  }
}

function ignoreUnlessDecided(error: unknown): undefined {
  if (isAgioError(error) && (error.code === 'convert/dropped' || error.action === 'resume')) throw error
}
