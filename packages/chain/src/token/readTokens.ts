import { Errors, type Address, type Token } from '@agio/core'
import { encodeFunctionData, hexToString, size } from 'viem'
import { tokenAbi } from '../abi/index.ts'
import { type Reader, readEach } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import { type Result, decodeResult } from '../reader/decodeResult.ts'

const fields = ['symbol', 'name', 'decimals'] as const

/**
 * Reads the symbol, name and decimals of each token, in one call.
 *
 * @throws `svc/upstream-error` that names the first token without a valid symbol or decimals
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
    throw Errors.upstreamError({ action, reason: 'it has no valid symbol or no valid decimals' })
  })
}

/**
 * Reads the symbol, name and decimals of each token, in one call. Returns undefined for a contract that returns no valid
 * symbol or no valid decimals. ERC-20 does not require a name, so a token without a valid name gets its symbol as name. A
 * symbol or a name is valid if it has 1 to 200 characters, and contains no control characters and no bytes that are not text.
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

// A token can return any text, and each response about its pools contains the text. The decoder replaces bytes that are not
// text by U+FFFD. Older tokens return zeros at the end.
const validText = /^([^\p{Cc}\uFFFD]{1,200})\0*$/u

/**
 * Decodes a string, or the bytes32 that older tokens return. Every encoded string is longer than a bytes32. Returns
 * undefined for other data, and for text that is not valid.
 */
function findText(result: Result | undefined, functionName: 'symbol' | 'name'): string | undefined {
  try {
    const isBytes32 = result?.success === true && size(result.data) === wordSize
    const text = isBytes32 ? hexToString(result.data) : decodeResult(result, tokenAbi, functionName)
    return validText.exec(text)?.[1]
  } catch {
    return undefined
  }
}

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
