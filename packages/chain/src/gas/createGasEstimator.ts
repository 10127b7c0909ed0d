import type { Address } from '@agio/core'
import { BaseError, decodeFunctionResult, encodeFunctionData, numberToHex, RpcRequestError, size, type Hex } from 'viem'
import { gasMeterAbi, gasMeterCode } from '../abi/index.ts'
import { findProvenChainId } from '../proof/findProvenChainId.ts'
import type { Proven } from '../proof/ProvenRead.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { findTokenSlots, type TokenSlots } from './findTokenSlots.ts'
import { intrinsicGas } from './intrinsicGas.ts'

/**
 * The method of a gas estimate: `eth_estimateGas` or a metered `eth_call`, both as if balance and allowance were in place;
 * a plain `eth_estimateGas` on the account as it is; or an upper bound, if no method works.
 */
type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate' | 'upper-bound'

export type GasEstimate = { readonly gas: bigint; readonly source: GasEstimateSource }

/**
 * The gas of a conversion that cannot be estimated. Our costliest one, for an exact output over two pools, uses 271,000 with its
 * intrinsic gas; pools of the DFX family use more.
 */
export const gasUpperBound: GasEstimate = { gas: 600_000n, source: 'upper-bound' }

/**
 * Estimates the gas of a transaction as if its sender held the tokens that it transfers and had approved it, by the best
 * method that the node supports. A method that the node reports as unsupported is not tried again; any other error affects one
 * request only.
 */
export function createGasEstimator(rpc: Rpc): GasEstimator {
  const slots = new Map<Address, Promise<TokenSlots>>()
  const unsupported = new Set<GasEstimateSource>()

  async function slotsOf(token: Address): Promise<TokenSlots> {
    const known = slots.get(token) ?? findTokenSlots(rpc, token)
    slots.set(token, known)
    try {
      const found = await known
      // Slots whose read failed are searched again.
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
      return gasUpperBound
    },
  }
}

export type GasEstimator = {
  /** @throws the node's revert, unless its reason is a missing allowance or balance; `svc/upstream-*` */
  estimate(request: GasEstimator.Request): Promise<GasEstimate>
}

export declare namespace GasEstimator {
  type Transaction = { readonly from: Address; readonly to: Address; readonly data: Hex }
  type Request = {
    readonly transaction: Transaction
    /** The token that the transaction transfers from its sender. */
    readonly token: Address
    /** Raw units that it transfers. */
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
    async ({ read }, { from, to, data }, overrides) => {
      const metered = encodeFunctionData({ abi: gasMeterAbi, functionName: 'measure', args: [to, data] })
      const params = [{ from, to: from, data: metered }, 'latest', { ...overrides, [from]: { code: gasMeterCode } }]
      const request = { method: 'eth_call', params }
      const { gasUsed, revert } = await read({ request, canFail: true, lacksProof: false, decode: decodeMeasured })
      if (revert) throw revert
      return gasUsed + intrinsicGas(data)
    },
  ],
  [
    'estimate',
    async ({ client }, transaction) =>
      BigInt(await client.request({ method: 'eth_estimateGas', params: [transaction] })),
  ],
]

type Measured = { readonly gasUsed: bigint; readonly revert: RpcRequestError | undefined }

// The proof, the gas, the success, and the offset and the length of the revert data.
const measuredWords = 6

function decodeMeasured(result: Hex): Proven<Measured> {
  const data = decodeFunctionResult({ abi: gasMeterAbi, functionName: 'measure', data: result })
  const [, gasUsed, success, revertData] = data
  const expectedSize = 32 * (measuredWords + Math.ceil(size(revertData) / 32))
  const chainId = findProvenChainId(result)
  if (chainId === undefined || size(result) !== expectedSize) throw new Error('the node returns no gas')
  return { chainId, value: { gasUsed, revert: success ? undefined : toRevert(revertData) } }
}

/** The error that a node returns for a reverted call. */
function toRevert(data: Hex): RpcRequestError {
  return new RpcRequestError({ body: {}, url: '', error: { code: 3, message: 'execution reverted', data } })
}

function overridesOf(slots: TokenSlots, request: GasEstimator.Request): Overrides | undefined {
  const { from, to } = request.transaction
  const [balanceKey, allowanceKey] = [slots.balanceOf(from), slots.allowance(from, to)]
  if (!balanceKey || !allowanceKey) return undefined
  // More than the amount: emptying a slot refunds gas, which the estimate must not include.
  const value = numberToHex(request.amountRaw < 2n ** 255n ? request.amountRaw * 2n : request.amountRaw, { size: 32 })
  return { [request.token]: { stateDiff: { [balanceKey]: value, [allowanceKey]: value } } }
}

const missingFundsCodes: ReadonlySet<string> = new Set(['svc/insufficient-allowance', 'svc/insufficient-balance'])

/**
 * Whether an error does not concern the transaction: the method or its overrides do not work, or the sender lacks balance or
 * allowance. The slots were found by overrides of `eth_call`: with these in place, a revert message without an account is not
 * about the sender.
 */
function isInconclusive(error: unknown, { from, to }: GasEstimator.Transaction, source: GasEstimateSource): boolean {
  const data = findRevertData(error)
  if (data === undefined) return toUpstreamError(error).code === 'svc/upstream-error'
  const revert = decodeRevert(data)
  if (source === 'call-as-if' && revert.name === 'Error') return false
  return missingFundsCodes.has(toRevertError(revert, { from, to }).code)
}

/** Whether a node reports a method or a parameter as unsupported (JSON-RPC -32601, -32602, -32004), or ignores overrides. */
function isUnsupported(error: unknown): boolean {
  if (findRevertData(error) !== undefined) return true
  if (!(error instanceof BaseError)) return false
  const refusal = error.walk((cause) => [-32601, -32602, -32004].includes((cause as { code?: number }).code ?? 0))
  return refusal !== null
}
