import type { Address, Token } from '@agio/core'
import { decodeFunctionData, getAddress, type Hex } from 'viem'
import { routerAbi } from '../abi/index.ts'
import type { toRevertError } from '../revert/toRevertError.ts'

/**
 * The sender and receiver of a transaction, and the tokens and amounts of a conversion through the router, which explain its
 * revert.
 *
 * @param tokens the deployment's tokens, for the decimals of the amounts
 */
export function findConversion(
  { from, to, data }: findConversion.Transaction,
  tokens: ReadonlyMap<Address, Token>,
): toRevertError.Conversion {
  const parties = { from: getAddress(from), to: to ? getAddress(to) : undefined }
  try {
    const { functionName, args } = decodeFunctionData({ abi: routerAbi, data })
    if (functionName !== 'originSwap') return parties
    const [, origin, target, amountInRaw, minAmountOutRaw] = args
    return { ...parties, tokenIn: tokens.get(origin), tokenOut: tokens.get(target), amountInRaw, minAmountOutRaw }
  } catch {
    return parties
  }
}

export declare namespace findConversion {
  type Transaction = { readonly from: Hex; readonly to?: Hex | null | undefined; readonly data: Hex }
}
