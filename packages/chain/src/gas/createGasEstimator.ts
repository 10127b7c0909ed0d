import type { Address } from '@agio/core'
import { BaseError, numberToHex, type Hex } from 'viem'
import { encodeApproval } from '../call/encodeApproval.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { estimateGas, intrinsicGas, isPlausibleGas } from './estimateGas.ts'
import { findTokenSlots, type TokenSlots } from './findTokenSlots.ts'
import { measureCalls, type Overrides } from './measureCalls.ts'

/**
 * The method of a gas estimate. `estimate-as-if` is an `eth_estimateGas`, and `call-as-if` is a metered `eth_call`. Both
 * presume that the sender has the balance and the allowance. `estimate` is an `eth_estimateGas` on the unchanged
 * account. `upper-bound` is used if no method works.
 */
type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate' | 'upper-bound'

/** The gas that a conversion uses, and how it was determined. */
export type GasEstimate = { readonly gas: bigint; readonly source: GasEstimateSource }

/**
 * The gas of a conversion that cannot be estimated. Our most expensive conversion has an exact output over two pools
 * and a permit. It uses 312,000 gas, including the intrinsic gas. Pools of the DFX family use more.
 */
export const gasUpperBound: GasEstimate = { gas: 600_000n, source: 'upper-bound' }

// A node may have been wrong about a method or the slots of a token.
const retryAfterMs = 600_000

/** A search of the slots of a token. */
type Search = {
  readonly slots: Promise<TokenSlots>
  readonly startedAtMs: number
  /** Whether the slots were found, and the last estimate did not contradict them. */
  isUseful: boolean
  /** Whether the next estimate repeats the search, because a node lacked the state. A repeated search is not repeated soon. */
  isRepeatedSoon: boolean
  /** When a method reverted although the presumed state was complete, by method. */
  readonly revertedAtMs: Map<Method, number>
}

/**
 * Estimates the gas of a transaction as if its sender held the transferred tokens and had approved them. It uses the
 * best method that the nodes support. A method that the nodes report as unsupported is tried again after ten minutes. The
 * slots of a token that were not found or do not work are searched again, at most once in ten minutes, and once at the next
 * estimate if a node lacked the state. Any other error affects only one request. An estimate that is not plausible does not
 * count.
 */
export function createGasEstimator(rpc: Rpc, { now = () => performance.now() }: { readonly now?: () => number } = {}) {
  const searches = new Map<Address, Search>()
  const refusedAtMs = new Map<Method, number>()
  const isOld = (atMs = -Infinity) => now() - atMs >= retryAfterMs

  function searchSlots(token: Address): Search {
    const last = searches.get(token)
    if (last && (last.isUseful || !(last.isRepeatedSoon || isOld(last.startedAtMs)))) return last
    const slots = findTokenSlots(rpc, token)
    const state = { isUseful: true, isRepeatedSoon: false, revertedAtMs: new Map<Method, number>() }
    const search: Search = { slots, startedAtMs: now(), ...state }
    searches.set(token, search)
    const judge = ({ areFound, isInterrupted }: TokenSlots): void => {
      search.isUseful = areFound
      search.isRepeatedSoon = isInterrupted && last?.isRepeatedSoon !== true
    }
    slots.then(judge, () => searches.get(token) === search && searches.delete(token))
    return search
  }
  /** Returns the gas by a method; undefined if the method does not work. */
  async function findGas(source: Method, { clientRpc, request, presumed, search }: Attempt) {
    if (!isOld(refusedAtMs.get(source)) || !isOld(search.revertedAtMs.get(source))) return undefined
    const presumesFunds = source !== 'estimate' && presumed.isComplete
    try {
      const gas = await estimators[source](clientRpc, request, presumed)
      if (presumesFunds) search.isUseful = true
      return gas
    } catch (error) {
      const data = findRevertData(error)
      const revert = data === undefined ? undefined : decodeRevert(data)
      const contradictsSlots = presumesFunds && revert !== undefined && isMissingFunds(revert, request)
      if (contradictsSlots) search.isUseful = false
      if (!isInconclusive(error, revert, { source, request, presumed })) throw error
      // A call with a signature may revert because of the signature, which shows nothing about the method.
      if (contradictsSlots && request.allowance === undefined) search.revertedAtMs.set(source, now())
      if (source !== 'estimate' && revert === undefined && isRefused(error)) refusedAtMs.set(source, now())
      return undefined
    }
  }
  return {
    /** Forgets the storage of the tokens. */
    forget: () => searches.clear(),
    /**
     * @param clientRpc makes the reads that no other estimate shares. By default, the RPC of the estimator makes them
     * @throws the node's revert, unless its reason is a missing allowance or balance; `svc/upstream-*`
     */
    async estimate(request: GasEstimator.Options, clientRpc: Rpc = rpc): Promise<GasEstimate> {
      const search = searchSlots(request.token)
      const presumed = presume(await search.slots, request)
      for (const source of listSources(request, presumed)) {
        const gas = await findGas(source, { clientRpc, request, presumed, search })
        if (gas !== undefined) return { gas, source }
      }
      return gasUpperBound
    },
  }
}

type Attempt = {
  readonly clientRpc: Rpc
  readonly request: GasEstimator.Options
  readonly presumed: Presumed
  readonly search: Search
}

/** Estimates the gas of conversions. */
export type GasEstimator = ReturnType<typeof createGasEstimator>

export declare namespace GasEstimator {
  type Transaction = { readonly from: Address; readonly to: Address; readonly data: Hex }
  type Options = {
    readonly transaction: Transaction
    /** The token that the transaction transfers from its sender. */
    readonly token: Address
    /** Raw units that the transaction transfers. */
    readonly amountRaw: bigint
    /**
     * The allowance that a transaction with a signature of its sender needs: the spender that the sender must have
     * approved, or `none` if the signature sets the allowance. Undefined without a signature. The spender is then the
     * called contract.
     */
    readonly allowance?: { readonly spender: Address } | 'none' | undefined
  }
}

/** The state that an estimate presumes: the balance and the allowance of the sender, if their slots were found. */
type Presumed = {
  readonly overrides: Overrides
  /** Whether both the balance and the allowance are in place. */
  readonly isComplete: boolean
}

type Estimate = (rpc: Rpc, options: GasEstimator.Options, presumed: Presumed) => Promise<bigint | undefined>

type Method = Exclude<GasEstimateSource, 'upper-bound'>

const estimators: Readonly<Record<Method, Estimate>> = {
  'estimate-as-if': (rpc, request, { overrides }) => estimateGas(rpc, [toParams(request), 'latest', overrides]),
  'call-as-if': async (rpc, request, presumed) => {
    const gas = await (presumed.isComplete ? measure : measureApproved)(rpc, request, presumed)
    return gas !== undefined && isPlausibleGas(gas, request.transaction.data) ? gas : undefined
  },
  estimate: (rpc, request) => estimateGas(rpc, [toParams(request)]),
}

// The signature may run the code of the sender (ERC-1271). Without a bound, this code occupies some nodes for many
// seconds.
const maxSignedGas = 10_000_000n

function toParams({ transaction, allowance }: GasEstimator.Options) {
  return allowance === undefined ? transaction : { ...transaction, gas: numberToHex(maxSignedGas) }
}

/**
 * Returns the methods to try, the best method first.
 *
 * The code of a wallet may verify a signature. A measured call does not run this code, so it misses its gas. With a
 * signature, `estimate` therefore comes before `call-as-if`. The same order holds for a token whose slots were not
 * found: an existing allowance gives a better estimate than a measured approval.
 */
function listSources({ allowance }: GasEstimator.Options, { isComplete }: Presumed): readonly Method[] {
  if (!isComplete) return allowance === 'none' ? ['estimate'] : ['estimate', 'call-as-if']
  return allowance === undefined
    ? ['estimate-as-if', 'call-as-if', 'estimate']
    : ['estimate-as-if', 'estimate', 'call-as-if']
}

// A measured call does not recover the sender's key, which costs 3,000 gas plus the call of the precompile.
const recoveryGas = 3_500n

async function measure(rpc: Rpc, { transaction, allowance }: GasEstimator.Options, { overrides }: Presumed) {
  const { from, data } = transaction
  const { gasUsed, revert } = await measureCalls(rpc, { from, calls: [transaction], overrides })
  if (revert) throw revert
  return (gasUsed[0] ?? 0n) + intrinsicGas(data) + (allowance === undefined ? 0n : recoveryGas)
}

/**
 * Measures a transaction after the approval that it needs. If the token demands it, a reset of the allowance comes
 * first. Returns undefined if the token accepts neither.
 *
 * The gas of the approval is added. The approval warms the slots and accounts that the transaction uses. This costs the
 * approval more than the transaction saves. A cold account costs 2,600 and saves 2,500; a cold slot costs 2,100 and saves 2,000;
 * the first write of a slot costs 2,900 or more and saves 2,800, since a separate transaction would find an allowance
 * that is not zero. So the sum also covers a separate transaction.
 */
async function measureApproved(rpc: Rpc, options: GasEstimator.Options, { overrides }: Presumed) {
  const { transaction, token, amountRaw, allowance } = options
  const { from, to, data } = transaction
  const spender = typeof allowance === 'object' ? allowance.spender : to
  const approve = (amount: bigint) => ({ to: token, data: encodeApproval(spender, amount) })
  for (const approvals of [[approve(amountRaw)], [approve(0n), approve(amountRaw)]]) {
    const calls = [...approvals, transaction]
    const { gasUsed, revert } = await measureCalls(rpc, { from, calls, overrides })
    if (gasUsed.length < calls.length) continue
    if (revert) throw revert
    const signature = allowance === undefined ? 0n : recoveryGas
    return gasUsed.reduce((sum, gas) => sum + gas, intrinsicGas(data) + signature)
  }
  return undefined
}

function presume(slots: TokenSlots, options: GasEstimator.Options): Presumed {
  const { from, to } = options.transaction
  const { token, amountRaw, allowance } = options
  const spender = typeof allowance === 'object' ? allowance.spender : to
  const allowanceKey = allowance === 'none' ? undefined : slots.findAllowanceSlot(from, spender)
  const keys = [slots.findBalanceSlot(from), allowanceKey].filter((key) => key !== undefined)
  // This is more than the amount: emptying a slot refunds gas, which the estimate must not include.
  const value = numberToHex(amountRaw < 2n ** 255n ? amountRaw * 2n : amountRaw, { size: 32 })
  const stateDiff = Object.fromEntries(keys.map((key) => [key, value])) as Readonly<Record<Hex, Hex>>
  return {
    overrides: keys.length === 0 ? {} : { [token]: { stateDiff } },
    isComplete: keys.length === (allowance === 'none' ? 1 : 2),
  }
}

const missingFundsCodes: ReadonlySet<string> = new Set(['svc/insufficient-allowance', 'svc/insufficient-balance'])

/**
 * Returns whether an error is not about the transaction: the method or its overrides do not work, or the sender lacks
 * balance or allowance.
 *
 * The slots were found by overrides of `eth_call`, so a metered call with all overrides has the balance and the
 * allowance. If it reverts with a plain message, the error is about the transaction.
 */
function isInconclusive(
  error: unknown,
  revert: Revert | undefined,
  { source, request, presumed }: Pick<Attempt, 'request' | 'presumed'> & { readonly source: Method },
): boolean {
  if (!revert) return toUpstreamError(error).code === 'svc/upstream-error'
  if (source === 'call-as-if' && presumed.isComplete && revert.name === 'Error') return false
  return isMissingFunds(revert, request)
}

/** Returns whether a revert reports that the sender lacks balance or allowance. */
function isMissingFunds(revert: Revert, { transaction: { from, to }, allowance }: GasEstimator.Options): boolean {
  const permit = typeof allowance === 'object' ? ({ kind: 'permit2' } as const) : undefined
  return missingFundsCodes.has(toRevertError(revert, { from, to, permit }).code)
}

/** Returns whether a node reports a method or a parameter as unsupported (JSON-RPC -32601, -32602, -32004). */
function isRefused(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const refusal = error.walk((cause) => [-32601, -32602, -32004].includes((cause as { code?: number }).code ?? 0))
  return refusal !== null
}
