import { Errors } from '@agio/core'
import { decodeFunctionResult, type Abi, type ContractFunctionName, type DecodeFunctionResultReturnType } from 'viem'
import type { Result } from './decodeReaderResult.ts'

/**
 * Returns the decoded result of one call of an `aggregate`.
 *
 * @throws `svc/upstream-error` if the call failed or returned another type, which shows that the deployment names a
 * wrong contract
 */
export function decodeResult<const abi extends Abi, name extends ContractFunctionName<abi>>(
  result: Result | undefined,
  abi: abi,
  functionName: name,
): DecodeFunctionResultReturnType<abi, name> {
  try {
    if (!result?.success) throw new Error(`${functionName} reverted`)
    return decodeFunctionResult<Abi, string>({
      abi,
      functionName,
      data: result.data,
    }) as DecodeFunctionResultReturnType<abi, name>
  } catch (cause) {
    const reason = 'a contract of the deployment reverts or returns another type'
    throw Errors.upstreamError({ action: `read ${functionName}`, reason, cause })
  }
}
