import { toSafeText } from '@agio/core'
import { decodeErrorResult, type Hex } from 'viem'
import { exactOutRouterAbi, faucetAbi, permit2Abi, poolAbi, rateReaderAbi, routerAbi, tokenAbi } from '../abi/index.ts'

const abi = [
  ...poolAbi,
  ...routerAbi,
  ...exactOutRouterAbi,
  ...permit2Abi,
  ...faucetAbi,
  ...rateReaderAbi,
  ...tokenAbi,
] as const

// The called contract may return any data, and choose its text.
const maxLength = 2000

/**
 * A contract's revert: the name and arguments of an error, `Error` with a message, `Panic` with a code, or raw data.
 */
export type Revert = {
  readonly name: string
  /** The arguments as strings, in the error's order. */
  readonly args: readonly string[]
}

/**
 * Decodes revert data as an error of our contracts, of Permit2 or of ERC-6093, a revert message or a panic. Other data
 * becomes the argument of `Unknown`.
 */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { name: 'Revert', args: [] }
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return { name: errorName, args: (args ?? []).map((arg) => toSafeText(String(arg), maxLength)) }
  } catch {
    return { name: 'Unknown', args: [toSafeText(data, maxLength)] }
  }
}
