import type { Address, Token } from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { readAccount, type Account } from '../account/readAccount.ts'
import { routerAbi } from '../abi/index.ts'
import type { Deployment } from '../deployment/Deployment.ts'
import type { GasEstimate, GasEstimator } from '../gas/createGasEstimator.ts'
import { readFees, type Fees } from '../gas/readFees.ts'
import { withMargin } from '../gas/withMargin.ts'
import type { Reader } from '../reader/createReader.ts'
import { toCallError } from '../revert/toCallError.ts'
import type { Rpc } from '../selection/createRpc.ts'

/**
 * Builds the router call of a conversion, estimates its gas, and reads its sender's balances and allowance, in one round trip.
 *
 * @throws the error of a revert, unless its reason is a missing allowance or balance
 */
export async function buildConvert(tools: buildConvert.Tools, request: buildConvert.Request): Promise<BuiltConvert> {
  const { rpc, reader, deployment, estimator } = tools
  const { userAddress, tokenIn, tokenOut, amountInRaw } = request
  const data = encodeFunctionData({
    abi: routerAbi,
    functionName: 'originSwap',
    args: [
      deployment.referenceToken,
      tokenIn.address,
      tokenOut.address,
      amountInRaw,
      request.minAmountOutRaw,
      request.deadlineSeconds,
    ],
  })
  const transaction = { from: userAddress, to: deployment.router, data }
  const [account, fees, { gas, source }] = await Promise.all([
    readAccount(reader, { owner: userAddress, token: tokenIn.address, spender: deployment.router }),
    readFees(rpc),
    estimator.estimate({ transaction, token: tokenIn.address, amountRaw: amountInRaw }),
  ]).catch((error: unknown) => {
    throw toCallError(error, request)
  })
  return { to: deployment.router, data, gasLimit: withMargin(gas), gasEstimateSource: source, account, ...fees }
}

export declare namespace buildConvert {
  type Tools = {
    readonly rpc: Rpc
    readonly reader: Reader
    readonly deployment: Deployment
    readonly estimator: GasEstimator
  }
  type Request = {
    readonly userAddress: Address
    readonly tokenIn: Token
    readonly tokenOut: Token
    /** Raw units of the input token. */
    readonly amountInRaw: bigint
    /** Raw units of the output token. */
    readonly minAmountOutRaw: bigint
    readonly deadlineSeconds: bigint
  }
}

/** A router call without nonce and signature, and the account that sends it. */
export type BuiltConvert = Fees & {
  readonly to: Address
  readonly data: Hex
  readonly gasLimit: bigint
  readonly gasEstimateSource: GasEstimate['source']
  readonly account: Account
}
