import type { Address } from '@agio/core'
import { encodeFunctionData, hexToBytes, numberToHex, type Hex } from 'viem'
import { gasMeterAbi, gasMeterCode } from '../abi/index.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { findRevertData } from '../revert/findRevertData.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import { toUpstreamError } from '../rpc/toUpstreamError.ts'
import { findTokenSlots, type TokenSlots } from './findTokenSlots.ts'

/**
 * How a gas figure was found: by `eth_estimateGas` or by a metered `eth_call`, both as if balance and allowance were in
 * place, or by a plain `eth_estimateGas` on the wallet as it is.
 */
type GasEstimateSource = 'estimate-as-if' | 'call-as-if' | 'estimate'

export type GasEstimate = { readonly gas: bigint; readonly source: GasEstimateSource }

/**
 * Estimates the gas of a transaction as if its sender held the tokens that it takes and had approved it, in the best way
 * that the node can. What a node cannot do is learnt once.
 */
export function createGasEstimator(rpc: Rpc): GasEstimator {
  const slots = new Map<Address, Promise<TokenSlots>>()
  let sources: readonly GasEstimateSource[] = ['estimate-as-if', 'call-as-if', 'estimate']

  function slotsOf(token: Address): Promise<TokenSlots> {
    const known = slots.get(token) ?? findTokenSlots(rpc, token)
    slots.set(token, known)
    // What could not be found out is asked again.
    known.catch(() => slots.delete(token))
    return known
  }
  return {
    async estimate(request) {
      const overrides = overridesOf(await slotsOf(request.token), request)
      let failure: unknown
      for (const source of sources) {
        if (source !== 'estimate' && !overrides) continue
        try {
          return { gas: await estimators[source](rpc, request.transaction, overrides ?? {}), source }
        } catch (error) {
          failure = error
          if (!isUnsupported(source, error)) throw error
          sources = sources.filter((other) => other !== source)
        }
      }
      throw failure
    },
  }
}

export type GasEstimator = {
  /** @throws what the node answered: a revert, or a fault of the node */
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

const estimators: Record<GasEstimateSource, Estimate> = {
  async 'estimate-as-if'({ reads }, transaction, overrides) {
    return BigInt(await reads.request({ method: 'eth_estimateGas', params: [transaction, 'latest', overrides] }))
  },
  async 'call-as-if'({ reads }, { from, to, data }, overrides) {
    const metered = encodeFunctionData({ abi: gasMeterAbi, functionName: 'measure', args: [to, data] })
    const gasUsed = await reads.request({
      method: 'eth_call',
      params: [{ from, to: from, data: metered }, 'latest', { ...overrides, [from]: { code: gasMeterCode } }],
    })
    return BigInt(gasUsed) + intrinsicGas(data)
  },
  async estimate({ reads }, transaction) {
    return BigInt(await reads.request({ method: 'eth_estimateGas', params: [transaction] }))
  },
}

/** What a transaction costs before its first instruction: 21,000, 4 for a zero byte of calldata and 16 for another. */
function intrinsicGas(data: Hex): bigint {
  return hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4n : 16n), 21_000n)
}

function overridesOf(slots: TokenSlots, request: GasEstimator.Request): Overrides | undefined {
  const { from, to } = request.transaction
  const [balanceKey, allowanceKey] = [slots.balanceOf(from), slots.allowance(from, to)]
  if (!balanceKey || !allowanceKey) return undefined
  // More than the amount: a slot that is emptied refunds gas, and the estimate must not count on it.
  const value = numberToHex(request.amountRaw < 2n ** 255n ? request.amountRaw * 2n : request.amountRaw, { size: 32 })
  return { [request.token]: { stateDiff: { [balanceKey]: value, [allowanceKey]: value } } }
}

/** Whether the node lacks the method or ignores its overrides, in contrast to a transaction that fails. */
function isUnsupported(source: GasEstimateSource, error: unknown): boolean {
  if (source === 'estimate') return false
  const revert = findRevertData(error)
  if (revert !== undefined) return /^ERC20Insufficient(Allowance|Balance)$/.test(decodeRevert(revert).name)
  return toUpstreamError(error).code === 'svc/upstream-error'
}
