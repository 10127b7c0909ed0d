import { ServiceError, type Address } from '@agio/core'
import type { Hex } from 'viem'
import { buildApproval, needsReset } from '../approval/buildApproval.ts'
import { encodeApproval } from '../call/encodeApproval.ts'
import { withMargin } from '../gas/estimateGas.ts'
import { getCapRaw } from '../permit/permit2.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { buildConvert, type BuiltConvert } from './buildConvert.ts'

/**
 * Builds a conversion and all calls that its sender needs for it now. Each call is built as if the previous calls had
 * run.
 *
 * If the token demands it, the first call resets the allowance. If the allowance is too low, the next call approves the
 * largest amount that the conversion may take. The last call is the conversion. Building the batch takes one round trip,
 * unless the sender has an allowance above zero that is too low.
 *
 * @throws the errors of `buildConvert`
 */
export async function buildBatch(
  dependencies: buildConvert.Dependencies,
  options: buildBatch.Options,
): Promise<BuiltBatch> {
  const { rpc, deployment } = dependencies
  const { tokenIn, userAddress: owner, pool: spender = deployment.router } = options
  const approval = { token: tokenIn.address, spender, amountRaw: getCapRaw(options) }
  // The gas of the approval is estimated before the allowance is known, since most senders of batches have approved
  // nothing.
  const [built, gasLimit] = await Promise.all([buildConvert(dependencies, options), estimateApproval(rpc, approval)])
  const convert = { kind: 'convert', to: built.to, data: built.data, gasLimit: built.gasLimit } as const
  const { allowanceRaw } = built.account
  if (allowanceRaw >= approval.amountRaw) return { ...built, calls: [convert] }
  const toCall = (kind: 'reset' | 'approve', amountRaw: bigint): BatchCall => {
    const { token: to } = approval
    // A reset costs at most as much as the estimated approval, which starts from an allowance of zero.
    return { kind, to, data: encodeApproval(spender, amountRaw), gasLimit }
  }
  const approve = toCall('approve', approval.amountRaw)
  const isReset = await needsReset(rpc, { ...approval, owner, allowanceRaw })
  return { ...built, calls: isReset ? [toCall('reset', 0n), approve, convert] : [approve, convert] }
}

export declare namespace buildBatch {
  /** A conversion that uses an allowance, not a permit. */
  type Options = buildConvert.Options & { readonly permit?: undefined }
}

/** A conversion, and the calls of its batch in order. The last call is the conversion. */
export type BuiltBatch = BuiltConvert & { readonly calls: readonly BatchCall[] }

/** One call of a batch, in the order of execution. */
export type BatchCall = {
  readonly kind: 'reset' | 'approve' | 'convert'
  readonly to: Address
  readonly data: Hex
  /**
   * The gas limit of a separate transaction after the previous calls, with intrinsic gas. In a batch the call needs
   * less.
   */
  readonly gasLimit: bigint
}

// The gas of an approval that reverts for the account of the estimate, or that no node can estimate. Tokens behind proxies use
// less than 65,000.
const approvalUpperBound = withMargin(100_000n)

// No node answered.
const unansweredCodes: ReadonlySet<string> = new Set(['svc/upstream-unavailable', 'svc/upstream-timeout'])

async function estimateApproval(rpc: Rpc, options: buildApproval.Options): Promise<bigint> {
  try {
    return (await buildApproval(rpc, options)).gasLimit
  } catch (error) {
    if (!(error instanceof ServiceError) || unansweredCodes.has(error.code)) throw error
    return approvalUpperBound
  }
}
