import type { Address, Token } from '@agio/core'
import { keccak256, zeroAddress, zeroHash } from 'viem'
import type { BlockAt, RawPoolState, Reader } from '../reader/createReader.ts'
import { readEach } from '../reader/readEach.ts'
import { findTokens } from '../token/readTokens.ts'

/** A pool's state with its tokens. */
export type PoolReading = { readonly raw: RawPoolState; readonly base: Token; readonly quote: Token }

/**
 * Reads pools in one call, and the metadata of their tokens that `tokens` lacks in another, and adds these to it.
 *
 * @throws the error of a node that could not answer
 */
export async function readPoolStates(
  reader: Reader,
  addresses: readonly Address[],
  { at, tokens }: readPoolStates.Options,
): Promise<PoolStates> {
  const answers = await readEach(addresses, async (some) => {
    const { timestampSeconds, states } = await reader.poolStates(some, at)
    return states.map((raw) => ({ timestampSeconds, raw }))
  })
  const known = answers.flatMap((answer) => (answer && findFlaw(answer.raw) === undefined ? [answer.raw] : []))
  await addTokens(reader, known, { at, tokens })
  const timestampSeconds = answers.find((answer) => answer)?.timestampSeconds ?? 0n
  const readings = new Map(addresses.map((pool, index) => [pool, toReading(answers[index]?.raw, tokens)]))
  return { timestampSeconds, readings }
}

export declare namespace readPoolStates {
  type Options = {
    readonly at: BlockAt
    /** The tokens read so far, by address. */
    readonly tokens: Map<Address, Token>
  }
}

type PoolStates = {
  readonly timestampSeconds: bigint
  /** Each pool, or the reason why it cannot be read. */
  readonly readings: ReadonlyMap<Address, PoolReading | string>
}

async function addTokens(
  reader: Reader,
  states: readonly RawPoolState[],
  { at, tokens }: readPoolStates.Options,
): Promise<void> {
  const sides = states.flatMap(({ base, quote }) => [base, quote])
  const unknown = [...new Set(sides)].filter((address) => !tokens.has(address))
  if (unknown.length === 0) return
  for (const token of await findTokens(reader, unknown, at)) if (token) tokens.set(token.address, token)
}

function toReading(raw: RawPoolState | undefined, tokens: ReadonlyMap<Address, Token>): PoolReading | string {
  if (!raw) return 'it uses up the gas of a call'
  const flaw = findFlaw(raw)
  if (flaw !== undefined) return flaw
  const [base, quote] = [tokens.get(raw.base), tokens.get(raw.quote)]
  if (base && quote) return { raw, base, quote }
  return `token ${base ? raw.quote : raw.base} has no symbol or no decimals`
}

// The hashes of the code of an account without code, and of an address without an account.
const withoutCode: ReadonlySet<string> = new Set([keccak256('0x'), zeroHash])

/** Why a contract cannot be a pool of the family, which has two tokens and a halt. */
function findFlaw({ codeHash, base, quote, alpha }: RawPoolState): string | undefined {
  if (withoutCode.has(codeHash)) return 'it has no code'
  const isPool = base !== zeroAddress && quote !== zeroAddress && base !== quote && alpha > 0n
  return isPool ? undefined : 'it is not a pool of the supported family'
}
