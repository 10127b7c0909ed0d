import type { WalletTransaction } from '../api/schemas.ts'
import { clientError } from '../errors/AgioError.ts'
import { formatValue, mismatch } from '../quote/mismatch.ts'
import { ignoreWalletFailure } from '../wallet/toWalletError.ts'
import type { FoundTransaction, MarketFees, WalletSession } from '../wallet/WalletSession.ts'

/**
 * Asserts that the gas limit of a transaction is plausible, that its fees follow the market, and that its gas costs at
 * most `maxGasCost`. Estimate and market come from the node of the wallet. Fees that the wallet chooses itself are not
 * checked.
 *
 * @throws `convert/mismatch` with `gas`, `maxFeePerGas` or `maxPriorityFeePerGas`; `convert/above-max-gas-cost`
 */
export async function checkGas(
  session: WalletSession,
  transaction: WalletTransaction,
  { maxGasCost, replaced }: Options,
): Promise<void> {
  const gas = parseWei('gas', transaction.gas)
  if (gas > (replaced?.gas ?? 0n)) await checkGasLimit(session, transaction, gas)
  const feePerGas = await readFeePerGas(session, transaction, { maxGasCost, replaced })
  if (maxGasCost === undefined || gas * feePerGas <= maxGasCost) return
  const details = { maxGasCost: `${maxGasCost}`, gasCost: `${gas * feePerGas}` }
  const message = `Cannot send the transaction: its gas may cost ${details.gasCost} wei, and maxGasCost is ${maxGasCost}`
  throw clientError('convert/above-max-gas-cost', message, details)
}

type Options = {
  /** Most that the gas may cost, in wei. */
  readonly maxGasCost?: bigint | undefined
  /** The pending transaction that this one replaces. */
  readonly replaced?: FoundTransaction | undefined
}

// Above the gas of any conversion or approval.
const unestimatedGas = 1_500_000n

async function checkGasLimit(session: WalletSession, transaction: WalletTransaction, gas: bigint): Promise<void> {
  const estimate = await session.estimateGas(transaction)
  assertAtMost('gas', estimate === undefined ? unestimatedGas : 3n * estimate, gas)
}

/** Returns the highest fee per gas that the transaction may pay, or the market's if the wallet chooses the fees. */
async function readFeePerGas(
  session: WalletSession,
  transaction: WalletTransaction,
  { maxGasCost, replaced }: Options,
): Promise<bigint> {
  if (replaced) {
    const market = await ignoreWalletFailure(() => session.readFeeMarket())
    return checkFees(transaction, market?.highest ?? { baseFeePerGas: 0n, medianTip: 0n }, replaced)
  }
  if (!session.choosesFees) return checkFees(transaction, (await session.readFeeMarket()).highest)
  if (maxGasCost === undefined) return 0n
  const { newest } = await session.readFeeMarket()
  return newest.baseFeePerGas + newest.medianTip
}

// 0.1 gwei. Idle networks have a median of zero.
const leastTipBound = 100_000_000n

/** Asserts that fees follow the market or, for a replacement, the fees of the pending transaction. Returns the highest. */
function checkFees(transaction: WalletTransaction, market: MarketFees, replaced?: FoundTransaction): bigint {
  const tip = parseWei('maxPriorityFeePerGas', transaction.maxPriorityFeePerGas)
  const highest = parseWei('maxFeePerGas', transaction.maxFeePerGas)
  const { maxPriorityFeePerGas: pendingTip, maxFeePerGas: pendingHighest } = replaced ?? {}
  assertRaised('maxPriorityFeePerGas', pendingTip, tip)
  assertRaised('maxFeePerGas', pendingHighest, highest)
  const tipBound = max(10n * market.medianTip, leastTipBound)
  assertAtMost('maxPriorityFeePerGas', max(tipBound, raise(pendingTip)), tip)
  assertAtMost('maxFeePerGas', max(4n * market.baseFeePerGas + tip, raise(pendingHighest)), highest)
  return highest
}

/** Nodes accept a replacement only with higher fees: 12.5 % suffices for all of them. */
function assertRaised(field: string, pending: bigint | undefined, fee: bigint): void {
  if (pending === undefined || 8n * fee >= 9n * pending) return
  throw mismatch(field, { expected: `at least 12.5 % above ${pending}`, actual: `${fee}` })
}

/** Returns a fee plus a quarter, rounded up. */
function raise(fee = 0n): bigint {
  return (5n * fee + 3n) / 4n + 1n
}

function assertAtMost(field: string, most: bigint, actual: bigint): void {
  if (actual > most) throw mismatch(field, { expected: `at most ${most}`, actual: `${actual}` })
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function parseWei(field: string, text: unknown): bigint {
  if (typeof text === 'string' && /^0x[0-9a-f]{1,64}$/i.test(text)) return BigInt(text)
  throw mismatch(field, { expected: 'a hex quantity', actual: formatValue(text) })
}
