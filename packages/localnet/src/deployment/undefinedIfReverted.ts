import {
  AbiDecodingDataSizeTooSmallError,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
} from 'viem'

const kinds = [ContractFunctionRevertedError, ContractFunctionZeroDataError, AbiDecodingDataSizeTooSmallError] as const

/**
 * Returns the result of a contract call; undefined if the contract reverts, or returns another type.
 *
 * @throws the error of the node
 */
export async function undefinedIfReverted<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call
  } catch (error) {
    if (isOfContract(error)) return undefined
    throw error
  }
}

function isOfContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((cause) => kinds.some((kind) => cause instanceof kind) || isOutOfGas(cause)) !== null
}

/** Whether a node, over HTTP or in this process, has answered that the contract runs out of gas. */
function isOutOfGas(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /out of gas|invalid opcode/i.test(cause.message)
}
