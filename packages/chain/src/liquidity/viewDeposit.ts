import { Errors, type Pool, type ServiceError, Amount } from '@agio/core'
import { encodeFunctionData, maxUint256, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshot } from '../snapshot/createSnapshots.ts'
import { toPoolAmounts, toRevertedError, type PoolAmounts } from './viewWithdraw.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toRevertError } from '../revert/toRevertError.ts'

/**
 * Returns the terms of a deposit, by the pool's own view at the snapshot's block. Pools of the DFX family price LP
 * tokens differently. Their views return terms even for deposits that the pool refuses, so the deposit is also
 * simulated.
 *
 * @throws `svc/pool-frozen`, also in an emergency; `svc/above-max-origin` for a pool's cap, `svc/amount-too-small` if
 * the deposit mints no LP tokens or takes nothing of one token, `svc/stale-price` and `svc/reference-depegged` from a pool that reads its oracles
 * for a deposit (our pools do so only for the first deposit), and `svc/reverted`
 */
export async function viewDeposit(
  { reader, rpc }: viewDeposit.Dependencies,
  { block }: Snapshot,
  options: viewDeposit.Options,
): Promise<DepositTerms> {
  const { pool, valueRaw } = options
  if (pool.frozen) throw Errors.poolFrozen({ action: 'deposit into' })
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewDeposit', args: [valueRaw] })
  const isOurs = pool.pricing === 'local'
  const [{ results }, refusal] = await Promise.all([
    reader.aggregate([{ target: pool.address, data }], block.hash).catch(rethrowUpstream),
    isOurs ? undefined : findDepositRefusal(rpc, options, block.hash),
  ])
  const [result = { success: false, data: '0x' }] = results
  if (!result.success) throw toDepositError(decodeRevert(result.data), valueRaw)
  if (refusal) throw refusal
  const [lpAmountRaw, amounts] = decodeResult(result, poolAbi, 'viewDeposit')
  const terms = { lpAmountRaw, ...toPoolAmounts(amounts) }
  return isOurs ? terms : assertTakesBoth(terms)
}

export declare namespace viewDeposit {
  type Dependencies = { readonly reader: Reader; readonly rpc: Pick<Rpc, 'client'> }
  type Options = {
    readonly pool: Pool.Pool
    /** Dollars, 18 decimals. */
    readonly valueRaw: bigint
  }
}

/** The amounts of a deposit, and the LP tokens that it buys. */
export type DepositTerms = PoolAmounts & {
  /** LP tokens, 18 decimals. */
  readonly lpAmountRaw: bigint
}

/** Asserts that a deposit takes both tokens, as pools of the DFX family require. @throws `svc/amount-too-small` */
function assertTakesBoth(terms: DepositTerms): DepositTerms {
  if (terms.baseRaw > 0n && terms.quoteRaw > 0n) return terms
  throw Errors.amountTooSmall({ action: 'deposit', reason: 'the amount is too small to take both tokens' })
}

// An account that holds no tokens. Its deposit always reverts: by a limit of the pool or, after all limits, by the
// transfer.
const depositor = '0x00000000000000000000000000000000a610a610'

const limitCodes: ReadonlySet<string> = new Set(['svc/pool-frozen', 'svc/above-max-origin', 'svc/amount-too-small'])

/**
 * Finds the limit by which a pool refuses a deposit although its view returns terms, such as a cap that no view
 * returns. The deposit is simulated at a block.
 *
 * Returns undefined if no limit refuses the deposit, or if only a depositor with tokens reaches the limit.
 */
async function findDepositRefusal(
  { client }: Pick<Rpc, 'client'>,
  { pool, valueRaw }: viewDeposit.Options,
  blockHash: Hex,
): Promise<ServiceError | undefined> {
  const args = [valueRaw, 0n, 0n, maxUint256, maxUint256, maxUint256] as const
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
  const params = [{ from: depositor, to: pool.address, data }, { blockHash }] as const
  try {
    await client.request({ method: 'eth_call', params: params as never })
    return undefined
  } catch (error) {
    const revertData = findRevertData(error)
    // If the node cannot simulate the deposit, the view decides.
    if (revertData === undefined) return undefined
    const refusal = toDepositError(decodeRevert(revertData), valueRaw)
    return limitCodes.has(refusal.code) ? refusal : undefined
  }
}

/** Converts the revert of a deposit, or of its view, to an error of the service. */
function toDepositError(revert: Revert, valueRaw: bigint): ServiceError {
  const named = toRevertError(revert)
  switch (named.code) {
    case 'svc/pool-frozen':
      return Errors.poolFrozen({ action: 'deposit into' })
    case 'svc/above-max-origin':
      return aboveCap(valueRaw)
    case 'svc/amount-too-small':
      return Errors.amountTooSmall({ action: 'deposit', reason: 'the amount is too small to mint LP tokens' })
    case 'svc/stale-price':
    case 'svc/reference-depegged':
      return named
    default:
      return toRevertedError('deposit', revert)
  }
}

function aboveCap(valueRaw: bigint): ServiceError {
  const amountIn = Amount.format(valueRaw, 18)
  const reason = 'the pool would exceed its cap'
  return Errors.aboveMaxOrigin({ action: 'deposit', amountIn, symbol: 'dollars', reason })
}
