import { ServiceError } from '@agio/core'
import { encodeFunctionData, zeroAddress, type Hex } from 'viem'
import { exactOutRouterAbi, poolAbi, routerAbi } from '../abi/index.ts'
import type { ConversionCall } from './ConversionCall.ts'

/**
 * Encodes the calldata of a conversion.
 *
 * @throws `svc/recipient-unsupported` for a pool and a recipient: a pool pays its caller
 */
export function encodeConversionCall(call: ConversionCall): Hex {
  return call.target === 'pool' ? encodePoolCall(call) : encodeRouterCall(call)
}

function encodePoolCall(call: ConversionCall): Hex {
  const { tokenIn, tokenOut, recipient, deadlineSeconds } = call
  if (recipient !== undefined) {
    const message = `Cannot pay ${recipient}: a pool pays the sender of the conversion`
    throw new ServiceError('svc/recipient-unsupported', message, { field: 'recipient' })
  }
  const args = [tokenIn, tokenOut, ...toLimits(call), deadlineSeconds] as const
  return encodeFunctionData({ abi: poolAbi, functionName: functionNames[call.mode], args })
}

function encodeRouterCall(call: ConversionCall): Hex {
  const { quoteToken = zeroAddress, tokenIn, tokenOut, recipient, deadlineSeconds } = call
  const swap = [quoteToken, tokenIn, tokenOut, ...toLimits(call)] as const
  const functionName = functionNames[call.mode]
  return recipient === undefined
    ? encodeFunctionData({ abi: routersAbi, functionName, args: [...swap, deadlineSeconds] })
    : encodeFunctionData({
        abi: routersAbi,
        functionName: `${functionName}To`,
        args: [...swap, recipient, deadlineSeconds],
      })
}

const routersAbi = [...routerAbi, ...exactOutRouterAbi] as const

const functionNames = { 'exact-in': 'originSwap', 'exact-out': 'targetSwap' } as const

/** The two amounts in the order of the calldata: input before output. */
function toLimits(call: ConversionCall): readonly [bigint, bigint] {
  return call.mode === 'exact-in' ? [call.amountInRaw, call.minAmountOutRaw] : [call.maxAmountInRaw, call.amountOutRaw]
}
