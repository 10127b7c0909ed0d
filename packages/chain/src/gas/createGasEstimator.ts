import type { Address } from '@agio/core'
import { BaseError, encodeFunctionData, numberToHex, type Hex } from 'viem'
import { gasMeterAbi, gasMeterCode } from '../abi/index.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { findTokenSlots, type TokenSlots } from './findTokenSlots.ts'
import { intrinsicGas } from './intrinsicGas.ts'

/**
 * How a gas figure was found: by `eth_estimateGas` or by a metered `eth_call`, both as if balance and allowance were in
 * place; by a plain `eth_estimateGas` on the wallet as it is; or not at all, so that an upper bound stands in.
 */
type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate' | 'upper-bound'

export type GasEstimate = { readonly gas: bigint; readonly source: GasEstimateSource }

// Our own costliest conversion, over two pools, takes 252,000 with its intrinsic gas; pools of the family take more.
const upperBoundGas = 600_000n

/**
 * Estimates the gas of a transaction as if its sender held the tokens that it takes and had approved it, in the best way
 * that the node can. A method that the node says it does not have is not tried again; any other fault counts for this one
 * request.
 */
export function createGasEstimator(rpc: Rpc): GasEstimator {
  const slots = new Map<Address, Promise<TokenSlots>>()
  const unsupported = new Set<GasEstimateSource>()

  async function slotsOf(token: Address): Promise<TokenSlots> {
    const known = slots.get(token) ?? findTokenSlots(rpc, token)
    slots.set(token, known)
    try {
      const found = await known
      // What could not be found out is asked again.
      if (!found.isComplete) slots.delete(token)
      return found
    } catch (error) {
      slots.delete(token)
      throw error
    }
  }
  return {
    async estimate(request) {
      const overrides = overridesOf(await slotsOf(request.token), request)
      for (const [source, run] of estimators) {
        if (unsupported.has(source) || (source !== 'estimate' && !overrides)) continue
        try {
          return { gas: await run(rpc, request.transaction, overrides ?? {}), source }
        } catch (error) {
          if (!isInconclusive(error, request.transaction, source)) throw error
          if (source !== 'estimate' && isUnsupported(error)) unsupported.add(source)
        }
      }
      return { gas: upperBoundGas, source: 'upper-bound' }
    },
  }
}

export type GasEstimator = {
  /** @throws the revert that the node answered, if it is for another reason than a missing allowance or balance; `svc/upstream-*` */
  estimate(request: GasEstimator.Request): Promise<GasEstimate>
}

export declare namespace GasEstimator {
  type Transaction = { readonly from: Address; readonly to: Address; readonly data: Hex }
  type Request = {
    readonly transaction: Transaction
    /** The token that the transaction takes from its sender. */
    readonly token: Address
    /** Raw units that it takes. */
    readonly amountRaw: bigint
  }
}

type Overrides = Readonly<Record<Address, { readonly code?: Hex; readonly stateDiff?: Readonly<Record<Hex, Hex>> }>>

type Estimate = (rpc: Rpc, transaction: GasEstimator.Transaction, overrides: Overrides) => Promise<bigint>

const estimators: readonly (readonly [GasEstimateSource, Estimate])[] = [
  [
    'estimate-as-if',
    async ({ client }, transaction, overrides) =>
      BigInt(await client.request({ method: 'eth_estimateGas', params: [transaction, 'latest', overrides] })),
  ],
  [
    'call-as-if',
    async ({ client }, { from, to, data }, overrides) => {
      const metered = encodeFunctionData({ abi: gasMeterAbi, functionName: 'measure', args: [to, data] })
      const gasUsed = await client.request({
        method: 'eth_call',
        params: [{ from, to: from, data: metered }, 'latest', { ...overrides, [from]: { code: gasMeterCode } }],
      })
      return BigInt(gasUsed) + intrinsicGas(data)
    },
  ],
  [
    'estimate',
    async ({ client }, transaction) =>
      BigInt(await client.request({ method: 'eth_estimateGas', params: [transaction] })),
  ],
]

function overridesOf(slots: TokenSlots, request: GasEstimator.Request): Overrides | undefined {
  const { from, to } = request.transaction
  const [balanceKey, allowanceKey] = [slots.balanceOf(from), slots.allowance(from, to)]
  if (!balanceKey || !allowanceKey) return undefined
  // More than the amount: a slot that is emptied refunds gas, and the estimate must not count on it.
  const value = numberToHex(request.amountRaw < 2n ** 255n ? request.amountRaw * 2n : request.amountRaw, { size: 32 })
  return { [request.token]: { stateDiff: { [balanceKey]: value, [allowanceKey]: value } } }
}

const lacking: ReadonlySet<string> = new Set(['svc/insufficient-allowance', 'svc/insufficient-balance'])

/**
 * Whether a failure says nothing about the transaction: the method or its overrides do not work, or the sender lacks
 * something. By overrides of `eth_call` the slots were found: where these are in place, a sentence that names nobody is not
 * about the sender.
 */
function isInconclusive(error: unknown, { from, to }: GasEstimator.Transaction, source: GasEstimateSource): boolean {
  const data = findRevertData(error)
  if (data === undefined) return toUpstreamError(error).code === 'svc/upstream-error'
  const revert = decodeRevert(data)
  if (source === 'call-as-if' && revert.name === 'Error') return false
  return lacking.has(toRevertError(revert, { from, to }).code)
}

/** Whether a node says that it does not have a method or a parameter (JSON-RPC -32601, -32602, -32004), or ignores overrides. */
function isUnsupported(error: unknown): boolean {
  if (findRevertData(error) !== undefined) return true
  if (!(error instanceof BaseError)) return false
  const refusal = error.walk((cause) => [-32601, -32602, -32004].includes((cause as { code?: number }).code ?? 0))
  return refusal !== null
}
