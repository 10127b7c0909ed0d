import type { Address, Token } from '@agio/core'
import { keccak256, zeroAddress, zeroHash } from 'viem'
import { type Probe, type ProbedState, type Reader, readEach } from '../reader/createReader.ts'
import type { BlockAt } from '../reader/createReaderCalls.ts'
import type { RawCurveState, RawPoolState } from '../reader/decodeResult.ts'
import type { Tokens } from '../token/createTokens.ts'

/** A pool's state with its tokens and the state of its curve. A deployed reader does not return the curve. */
export type PoolReading = {
  readonly raw: RawPoolState
  readonly curve?: RawCurveState | undefined
  readonly base: Token
  readonly quote: Token
}

/**
 * Reads pools in one call for each `reader.size`, each pool with a probe of its curve. If `tokens` lacks tokens of these
 * pools, further calls read their metadata.
 *
 * @throws the error of a node that could not answer
 */
export async function readPoolStates(
  reader: Reader,
  probes: readonly Probe[],
  { at, tokens }: readPoolStates.Options,
): Promise<PoolStates> {
  const read = async (some: readonly Probe[]) => {
    const { timestampSeconds, states } = await reader.poolStates(some, at)
    return states.map((probed) => ({ timestampSeconds, probed }))
  }
  const answers = await readEach(probes, read, reader.size)
  const known = answers.flatMap((answer) => {
    return answer && findFlaw(answer.probed.state) === undefined ? [answer.probed.state] : []
  })
  await tokens.load(
    known.flatMap(({ base, quote }) => [base, quote]),
    at,
  )
  const timestampSeconds = answers.find((answer) => answer)?.timestampSeconds ?? 0n
  const readings = new Map(probes.map(({ pool }, index) => [pool, toReading(answers[index]?.probed, tokens)]))
  return { timestampSeconds, readings }
}

export declare namespace readPoolStates {
  type Options = {
    readonly at: BlockAt
    readonly tokens: Tokens
  }
}

type PoolStates = {
  readonly timestampSeconds: bigint
  /** The reading of each pool, or the reason why the pool cannot be read. */
  readonly readings: ReadonlyMap<Address, PoolReading | string>
}

function toReading(probed: ProbedState | undefined, tokens: Tokens): PoolReading | string {
  if (!probed) return 'it uses up the gas of a call'
  const { state: raw, curve } = probed
  const flaw = findFlaw(raw)
  if (flaw !== undefined) return flaw
  const [base, quote] = [tokens.known.get(raw.base), tokens.known.get(raw.quote)]
  if (base && quote) return { raw, curve, base, quote }
  const missing = base ? raw.quote : raw.base
  if (tokens.disputed.has(missing)) return `the nodes of the chain disagree about token ${missing}`
  return `token ${missing} has no symbol or no decimals`
}

// The code hashes of an account without code, and of an address without an account.
const withoutCode: ReadonlySet<string> = new Set([keccak256('0x'), zeroHash])

/**
 * Returns why a contract cannot be a pool of the family, which has two tokens and a halt; undefined if it may be one.
 */
function findFlaw({ codeHash, base, quote, alpha }: RawPoolState): string | undefined {
  if (withoutCode.has(codeHash)) return 'it has no code'
  const isPool = base !== zeroAddress && quote !== zeroAddress && base !== quote && alpha > 0n
  return isPool ? undefined : 'it is not a pool of the supported family'
}
