import { ServiceError, type Address, type Token } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { tokenAbi } from '../abi/index.ts'
import type { BlockAt, Reader, Result } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { readEach } from '../reader/readEach.ts'

const fields = ['symbol', 'name', 'decimals'] as const

/** Reads the symbol, name and decimals of each token, in one call. @throws `svc/upstream-error` that names the first token without them */
export async function readTokens(
  reader: Reader,
  addresses: readonly Address[],
  at: BlockAt,
): Promise<readonly Token[]> {
  const tokens = await findTokens(reader, addresses, at)
  return tokens.map((token, index) => {
    if (token) return token
    const message = `Cannot read token ${addresses[index]}: it has no symbol, name or decimals`
    throw new ServiceError('svc/upstream-error', message, {})
  })
}

/** Reads the symbol, name and decimals of each token, in one call; undefined for a contract that does not return all of them. */
export async function findTokens(
  reader: Reader,
  addresses: readonly Address[],
  at: BlockAt,
): Promise<readonly (Token | undefined)[]> {
  return await readEach(addresses, async (some) => {
    const calls = some.flatMap((target) =>
      fields.map((functionName) => ({ target, data: encodeFunctionData({ abi: tokenAbi, functionName }) })),
    )
    const { results } = await reader.aggregate(calls, at)
    return some.map((address, index) => toToken(address, results.slice(index * fields.length)))
  })
}

function toToken(address: Address, [symbol, name, decimals]: readonly Result[]): Token | undefined {
  try {
    return {
      address,
      symbol: decodeResult(symbol, tokenAbi, 'symbol'),
      name: decodeResult(name, tokenAbi, 'name'),
      decimals: decodeResult(decimals, tokenAbi, 'decimals'),
    }
  } catch {
    return undefined
  }
}
