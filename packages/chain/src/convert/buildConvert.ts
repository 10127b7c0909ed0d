import type { Address, Token } from '@agio/core'
import type { Hex } from 'viem'
import { listTokenQuestions, toParties } from '../account/tokenRefusal.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import { readAccount, type Account } from '../account/readAccount.ts'
import { type CallPermit, type ConversionAmounts, encodeConversionCall } from '../call/ConversionCall.ts'
import type { Deployment } from '../deployment/Deployment.ts'
import { gasUpperBound, type GasEstimate, type GasEstimator } from '../gas/createGasEstimator.ts'
import { withEstimateMargin, withMargin } from '../gas/estimateGas.ts'
import { toUnsignedBytes } from '../gas/l1DataFee.ts'
import type { FeeCeilings } from '../gas/createFeeCeilings.ts'
import { readFees, type Fees } from '../gas/readFees.ts'
import { permit2Address } from '../permit/permit2.ts'
import type { Reader } from '../reader/createReader.ts'
import { toCallError } from '../revert/toRevertError.ts'
import type { Rpc } from '../selection/createRpc.ts'

/**
 * Builds the call of a conversion, estimates its gas, and reads its sender's balances and allowance, in one round trip.
 * A permit is encoded without a check: `Chain.permits.verify` verifies it.
 *
 * @throws `svc/recipient-unsupported` for a pool and a recipient or a permit
 * @throws `svc/pool-frozen` if a token has blocked the router or a pool
 * @throws the error of a revert, unless its reason is a missing allowance or balance, or the refusal of a token
 */
export async function buildConvert(
  dependencies: buildConvert.Dependencies,
  options: buildConvert.Options,
): Promise<BuiltConvert> {
  const { reader, estimator, deployment, snapshots } = dependencies
  const { userAddress: from, tokenIn, permit } = options
  const { to, data } = toCall(deployment, options)
  const parties = { ...options, tokenIn: tokenIn.address, tokenOut: options.tokenOut.address, sender: from }
  const questions = listTokenQuestions(toParties({ ...deployment, pools: snapshots.findPools() }, parties))
  const token = tokenIn.address
  const serialized = toUnsignedBytes({ to, data })
  const spender = permit?.kind === 'permit2' ? permit2Address : to
  const [account, fees, estimated] = await Promise.all([
    readAccount(reader, { owner: from, token, spender, serialized, questions }),
    readFees(dependencies),
    options.gas === 'upper-bound'
      ? gasUpperBound
      : estimator
          .estimate({
            transaction: { from, to, data },
            token,
            amountRaw: getSpentRaw(options),
            allowance: permit && (permit.kind === 'permit2' ? { spender } : 'none'),
          })
          .catch((error: unknown) => ({ error })),
  ]).catch(rethrowUpstream)
  const { refusal } = account
  if (refusal?.code === 'svc/pool-frozen') throw refusal
  if ('error' in estimated && refusal === undefined) {
    const quoteToken = deployment.referenceToken
    throw toCallError(estimated.error, { ...options, target: targetOf(options), quoteToken })
  }
  // A conversion that its tokens refuse has no estimate. It is built, and the account has the refusal.
  const { gas, source } = 'error' in estimated ? gasUpperBound : estimated
  const addMargin = source === 'estimate' || source === 'estimate-as-if' ? withEstimateMargin : withMargin
  return { to, data, gasLimit: addMargin(gas), gasEstimateSource: source, account, ...fees }
}

export declare namespace buildConvert {
  type Dependencies = {
    readonly rpc: Rpc
    readonly feeCeilings: FeeCeilings
    readonly reader: Reader
    readonly snapshots: Pick<Snapshots, 'findPools'>
    readonly deployment: Deployment
    readonly estimator: GasEstimator
  }
  type Options = ConversionAmounts & {
    /** The account that sends the transaction and pays. */
    readonly userAddress: Address
    readonly tokenIn: Token
    readonly tokenOut: Token
    readonly deadlineSeconds: bigint
    /** The account that is paid; the sender by default. The router must support it: `Chain.getRouterFeatures`. */
    readonly recipient?: Address | undefined
    /** A pool to call instead of the router. A pool pays only the sender. */
    readonly pool?: Address | undefined
    /** The signature that pays instead of an allowance for the router. The router must support it. */
    readonly permit?: CallPermit | undefined
    /** `upper-bound` for a conversion that would revert now, which a node cannot estimate; `estimate` by default. */
    readonly gas?: 'estimate' | 'upper-bound' | undefined
  }
}

/** A call without nonce and signature, and the account that sends it. */
export type BuiltConvert = Fees & {
  /** The router or the pool. Except with Permit2, this contract is also the spender of the sender's allowance. */
  readonly to: Address
  readonly data: Hex
  readonly gasLimit: bigint
  readonly gasEstimateSource: GasEstimate['source']
  /** The sender's balances, and its allowance for the called contract, or for Permit2 if Permit2 pays. */
  readonly account: Account
}

function toCall({ router, referenceToken }: Deployment, options: buildConvert.Options) {
  const { userAddress, pool, recipient, tokenIn, tokenOut, gas: _, ...swap } = options
  // A call with a permit always names its recipient. A plain call names it only if it differs from the sender.
  const isPlain = swap.permit === undefined && (recipient === undefined || recipient === userAddress)
  const data = encodeConversionCall({
    ...swap,
    target: targetOf(options),
    quoteToken: referenceToken,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    recipient: isPlain ? undefined : (recipient ?? userAddress),
  })
  return { to: pool ?? router, data }
}

function targetOf({ pool }: buildConvert.Options): 'router' | 'pool' {
  return pool === undefined ? 'router' : 'pool'
}

// Tokens do not reduce an unlimited allowance, which would make the estimate too low. This value is larger than any
// balance.
const maxSpentRaw = 2n ** 254n

/** Returns the largest amount that a conversion can take from its sender, in raw units. */
function getSpentRaw(options: buildConvert.Options): bigint {
  if (options.mode === 'exact-in') return options.amountInRaw
  return options.maxAmountInRaw < maxSpentRaw ? options.maxAmountInRaw : maxSpentRaw
}
