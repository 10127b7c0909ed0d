import type { UnsignedConvert, WalletCall } from '../api/schemas.ts'
import { assertShape, callShape } from '../quote/assertShape.ts'
import { checkCalls } from '../checks/checkTransaction.ts'
import { getMaxAmountInRaw, toDeadline } from '../checks/ExpectedConversion.ts'
import { isAgioError, type AnyAgioError } from '../errors/AgioError.ts'
import { readAllowance } from './checkContracts.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { withTag } from './conversionTag.ts'
import { endsConversion } from './prompts.ts'
import { createEffectFinder } from './observeConversion.ts'
import { ignoreWalletFailure, isConclusive } from '../wallet/toWalletError.ts'
import { requestTransaction } from './requestTransaction.ts'
import { simulateConversion } from './simulateConversion.ts'
import { toStepError } from './Step.ts'

/** Returns whether the approval and the conversion can be sent as one batch. */
export async function canBatch({ options, state, session }: ConversionRun): Promise<boolean> {
  if (options.approval === 'approve' || state.refused.includes('batch')) return false
  return await session.canBatch(state.chainId)
}

/** Sends the approval and the conversion as one batch. If the user or the wallet rejects it, the next way is tried or the conversion ends. */
export async function sendBatch(run: ConversionRun, built: UnsignedConvert): Promise<void> {
  const { quote, account, chainId } = run.state
  const { calls: builtCalls = [] } = built
  assertShape('build.calls', builtCalls, [callShape])
  checkCalls({ quote, account }, builtCalls)
  const last = builtCalls.at(-1) as WalletCall
  const { to } = last
  const data = withTag(last.data, run)
  const calls = [...builtCalls.slice(0, -1), { ...last, data }]
  const id = toBatchId(run)
  await run.publish({ kind: 'batch', status: 'needed' })
  // Before the approval of the batch, the conversion would revert.
  if ((await readAllowance(run)) >= getMaxAmountInRaw(quote)) await simulateConversion(run, last)
  try {
    const { batchId = id } = await requestTransaction(run, {
      call: { kind: 'batch', to, data, deadline: toDeadline(quote), batchId: id },
      waiting: { kind: 'batch', status: 'waiting-for-wallet' },
      ask: async () => ({
        batchId: await run.session.sendCalls({ id, chainId, calls, capabilities: run.options.capabilities }),
      }),
      findEffect: createEffectFinder(run),
    })
    await run.publish({ kind: 'batch', status: 'sent', batchId })
  } catch (error) {
    if (!isAgioError(error)) throw error
    if (isConclusive(error)) return await refuseBatch(run, error)
    // A wallet that has sent the batch knows its id.
    if (error.code !== 'wallet/failed' || !(await ignoreWalletFailure(() => run.session.findCalls(id)))) throw error
  }
}

/**
 * Records that batches are rejected, so that the conversion continues without them.
 *
 * @throws the refusal if it ends the conversion
 */
async function refuseBatch(run: ConversionRun, error: AnyAgioError): Promise<void> {
  run.update({ pending: undefined, refused: [...run.state.refused, 'batch'] })
  if (endsConversion(run, error)) throw error
  await run.publish({ kind: 'batch', status: 'skipped', error: toStepError(error) })
}

/**
 * Returns the id of the batch of a quote. The same calls have the same id, so that a wallet does not send a batch
 * twice.
 */
export function toBatchId({ conversionId, state: { quote } }: ConversionRun): string {
  const expiry = Math.floor(Date.parse(quote.expiresAt) / 1000)
  return `0x${conversionId.replaceAll('-', '')}${expiry.toString(16).padStart(8, '0')}`
}
