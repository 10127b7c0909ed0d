import { isAgioError, clientError, type AgioError } from '../errors/AgioError.ts'
import { decodeCalldata } from '../checks/decodeCalldata.ts'
import { toExpectedSwap } from '../checks/ExpectedConversion.ts'
import * as Decimal from '../quote/Decimal.ts'
import { mismatch } from '../quote/mismatch.ts'
import type { Hex } from '../wallet/Wallet.ts'
import type { NodeCall } from '../wallet/WalletSession.ts'
import { parseWord } from './checkContracts.ts'
import type { ConversionRun } from './ConversionRun.ts'
import { withTag } from './conversionTag.ts'
import { createPolls } from './createPolls.ts'

// A node may lag behind the approval that the call needs.
const maxLagMs = 15_000

/**
 * Calls at the node exactly what the wallet will sign, and asserts that it pays at least the minimum of the quote, or
 * takes at most its maximum. A call that reverts is repeated for 15 seconds.
 *
 * @param data calldata without the id of the conversion
 * @param onRevert called after the first revert. It throws if the service knows the reason
 * @throws `convert/mismatch` with `simulation`; `convert/simulation-failed`; `wallet/cannot-read`
 */
export async function simulateConversion(
  run: ConversionRun,
  { to, data }: Omit<NodeCall, 'from'>,
  onRevert?: () => Promise<void>,
): Promise<void> {
  const { session, state } = run
  const call = { from: state.account, to, data: withTag(data, run) }
  const polls = createPolls(run)
  const startedAtMs = Date.now()
  let hasReverted = false
  for (;;) {
    try {
      return assertResult(run, data, parseWord(await session.call(call)))
    } catch (error) {
      if (!isAgioError(error) || error.code !== 'wallet/failed') throw error
      if (!hasReverted) await onRevert?.()
      hasReverted = true
      if (Date.now() - startedAtMs >= maxLagMs) throw toSimulationError(error)
    }
    await polls.pause({ isMined: false })
  }
}

/** Asserts that a conversion returns an amount within the limit of its quote: its output, or the input of a target swap. */
function assertResult({ state }: ConversionRun, data: Hex, resultRaw: bigint | undefined): void {
  const { quote } = state
  const { capRaw, leastRaw } = toExpectedSwap(state)
  const isOutput = decodeCalldata(data)?.execution === 'origin-swap'
  const [limitRaw, { decimals }] = isOutput ? [leastRaw, quote.tokenOut] : [capRaw, quote.tokenIn]
  if (resultRaw !== undefined && (isOutput ? resultRaw >= limitRaw : resultRaw <= limitRaw)) return
  const expected = `${isOutput ? 'at least' : 'at most'} ${Decimal.format(limitRaw, decimals)}`
  const actual = resultRaw === undefined ? 'missing' : Decimal.format(resultRaw, decimals)
  throw mismatch('simulation', { expected, actual })
}

function toSimulationError(cause: AgioError): AgioError {
  const reason = cause.message
  return clientError('convert/simulation-failed', `Cannot convert: the node reports that the transaction would fail`, {
    reason,
    cause,
  })
}
