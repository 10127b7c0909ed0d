import { Errors, type Address, type Token } from '@agio/core'
import { encodeFunctionData, hexToBytes, size } from 'viem'
import { tokenAbi } from '../abi/index.ts'
import { type Reader, readEach } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import { type Result, decodeResult } from '../reader/decodeResult.ts'

const fields = ['symbol', 'name', 'decimals'] as const

/**
 * Reads the symbol, name and decimals of each token, in one call.
 *
 * @throws `svc/upstream-error` that names the first token without symbol or decimals
 */
export async function readTokens(
  reader: Pick<Reader, 'aggregate'>,
  addresses: readonly Address[],
  at: BlockAt,
): Promise<readonly Token[]> {
  const tokens = await findTokens(reader, addresses, at)
  return tokens.map((token, index) => {
    if (token) return token
    const action = `read token ${addresses[index]}`
    throw Errors.upstreamError({ action, reason: 'it has no symbol or no decimals' })
  })
}

/**
 * Reads the symbol, name and decimals of each token, in one call. Returns undefined for a contract that returns no
 * symbol or no decimals. ERC-20 does not require a name, so a token without a name gets its symbol as name.
 */
export async function findTokens(
  reader: Pick<Reader, 'aggregate'>,
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
  const symbolText = findText(symbol, 'symbol')
  const digits = findDecimals(decimals)
  if (symbolText === undefined || digits === undefined) return undefined
  return { address, symbol: symbolText, name: findText(name, 'name') ?? symbolText, decimals: digits }
}

const wordSize = 32

/**
 * Decodes a string, or the bytes32 that older tokens return. Every encoded string is longer than a bytes32. Returns
 * undefined for other data.
 */
function findText(result: Result | undefined, functionName: 'symbol' | 'name'): string | undefined {
  try {
    if (result?.success !== true || size(result.data) !== wordSize) return decodeResult(result, tokenAbi, functionName)
    const bytes = hexToBytes(result.data)
    const text = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1)
    return text.length > 0 ? utf8.decode(text) : undefined
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

// In ERC-20, decimals are a uint8. The decoder does not check this range.
const maxDecimals = 255

function findDecimals(result: Result | undefined): number | undefined {
  try {
    const decimals = decodeResult(result, tokenAbi, 'decimals')
    return decimals <= maxDecimals ? decimals : undefined
  } catch {
    return undefined
  }
}
