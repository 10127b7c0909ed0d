import { ServiceError, type Address } from '@agio/core'
import type { Hex } from 'viem'
import { buildApproval } from '../approval/buildApproval.ts'
import { encodeApproval } from '../call/encodeApproval.ts'
import { withMargin } from '../gas/withMargin.ts'
import { needsReset } from '../permit/needsReset.ts'
import { getCapRaw } from '../permit/permit2.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { buildConvert, type BuiltConvert } from './buildConvert.ts'

/**
 * Builds a conversion, and all calls that it needs from its sender now, each as if the ones before had run: a reset of the
 * allowance if the token demands one, an approval of exactly the most that the conversion may take if the allowance is less, and
 * the conversion. In one round trip, unless the sender has an allowance that is too low.
 *
 * @throws what `buildConvert` throws
 */
export async function buildBatch(tools: buildConvert.Tools, request: buildBatch.Request): Promise<BuiltBatch> {
  const { rpc, deployment } = tools
  const { tokenIn, userAddress: owner, pool: spender = deployment.router } = request
  const approval = { token: tokenIn.address, spender, amountRaw: getCapRaw(request) }
  // Before the allowance is known: most senders of batches have approved nothing.
  const [built, gasLimit] = await Promise.all([buildConvert(tools, request), estimateApproval(rpc, approval)])
  const convert = { kind: 'convert', to: built.to, data: built.data, gasLimit: built.gasLimit } as const
  const { allowance: allowanceRaw } = built.account
  if (allowanceRaw >= approval.amountRaw) return { ...built, calls: [convert] }
  const toCall = (kind: 'reset' | 'approve', amountRaw: bigint): BatchCall => {
    const { token: to } = approval
    // A reset costs no more than an approval of the amount from nothing, which is what was estimated.
    return { kind, to, data: encodeApproval(spender, amountRaw), gasLimit }
  }
  const approve = toCall('approve', approval.amountRaw)
  const isReset = await needsReset(rpc, { ...approval, owner, allowanceRaw })
  return { ...built, calls: isReset ? [toCall('reset', 0n), approve, convert] : [approve, convert] }
}

export declare namespace buildBatch {
  /** A conversion that an allowance pays. */
  type Request = buildConvert.Request & { readonly permit?: undefined }
}

/** A conversion, and the calls that it needs, in their order. */
export type BuiltBatch = BuiltConvert & { readonly calls: readonly BatchCall[] }

export type BatchCall = {
  readonly kind: 'reset' | 'approve' | 'convert'
  readonly to: Address
  readonly data: Hex
  /** For a transaction of its own after the ones before, with its intrinsic gas: in a batch the call needs less. */
  readonly gasLimit: bigint
}

// An approval that reverts for the account of the estimate has none. Tokens behind proxies use less than 65,000.
const approvalUpperBound = withMargin(100_000n)

async function estimateApproval(rpc: Rpc, request: buildApproval.Request): Promise<bigint> {
  try {
    return (await buildApproval(rpc, request)).gasLimit
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code.startsWith('svc/upstream-')) throw error
    return approvalUpperBound
  }
}
