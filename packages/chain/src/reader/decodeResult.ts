import { ServiceError } from '@agio/core'
import { decodeFunctionResult, type Abi, type ContractFunctionName, type DecodeFunctionResultReturnType } from 'viem'
import type { Result } from './createReader.ts'

/**
 * Reads what one call of an `aggregate` returned.
 *
 * @throws `svc/upstream-error` if it failed or returned something else: the deployment names a contract that is none of ours
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
    throw new ServiceError(
      'svc/upstream-error',
      `Cannot read ${functionName}: a contract of the deployment did not answer`,
      { cause },
    )
  }
}
