import { decodeErrorResult, type Hex } from 'viem'
import { faucetAbi, poolAbi, rateReaderAbi, routerAbi, tokenAbi } from '../abi/index.ts'

const abi = [...poolAbi, ...routerAbi, ...faucetAbi, ...rateReaderAbi, ...tokenAbi] as const

// Any contract may be called, and none must make the service's answers long.
const maxShown = 2000

/** What a contract reverted with: an error's name and arguments, `Error` with a string, `Panic` with a code, or raw data. */
export type Revert = {
  readonly name: string
  /** The arguments as text, in the error's order. */
  readonly args: readonly string[]
}

/** Decodes revert data by our contracts' errors, ERC-6093's, strings and panics; an unknown selector is shown as it is. */
export function decodeRevert(data: Hex): Revert {
  if (data === '0x') return { name: 'Revert', args: [] }
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    return { name: errorName, args: (args ?? []).map((arg) => shorten(String(arg))) }
  } catch {
    return { name: 'Unknown', args: [shorten(data)] }
  }
}

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text
}
