import type { Address, Token } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { tokenAbi } from '../abi/index.ts'
import type { BlockAt, Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'

const fields = ['symbol', 'name', 'decimals'] as const

/** Reads the symbol, name and decimals of each token, in one call. */
export async function readTokens(
  reader: Reader,
  addresses: readonly Address[],
  at: BlockAt,
): Promise<readonly Token[]> {
  const calls = addresses.flatMap((target) =>
    fields.map((functionName) => ({ target, data: encodeFunctionData({ abi: tokenAbi, functionName }) })),
  )
  const { results } = await reader.aggregate(calls, at)
  return addresses.map((address, index) => {
    const [symbol, name, decimals] = results.slice(index * fields.length)
    return {
      address,
      symbol: decodeResult(symbol, tokenAbi, 'symbol'),
      name: decodeResult(name, tokenAbi, 'name'),
      decimals: decodeResult(decimals, tokenAbi, 'decimals'),
    }
  })
}
