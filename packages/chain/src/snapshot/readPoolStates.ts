import type { Address, Token } from '@agio/core'
import { keccak256, stringify, zeroAddress, zeroHash } from 'viem'
import type { FactReader, FactSource } from '../reader/createFactReader.ts'
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
 * pools, further calls read their metadata. If a node says that a contract is not a pool, and `facts` are given, the other
 * nodes are asked.
 *
 * @throws the error of a node that could not answer
 */
export async function readPoolStates(
  reader: StateReader,
  probes: readonly Probe[],
  { at, tokens, facts }: readPoolStates.Options,
): Promise<PoolStates> {
  const read = await readAnswers(reader, probes, at)
  const answers = facts ? await replaceFlawed(read, { probes, at, facts }) : read
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
    /** Asks the other nodes about contracts that are not pools. Without it, the first node is believed. */
    readonly facts?: FactReader | undefined
  }
}

type StateReader = Pick<Reader, 'poolStates' | 'size'>

/** The state of a pool at a block; undefined if the pool uses up the gas of a call. */
type Answer = { readonly timestampSeconds: bigint; readonly probed: ProbedState } | undefined

async function readAnswers(reader: StateReader, probes: readonly Probe[], at: BlockAt): Promise<readonly Answer[]> {
  const read = async (some: readonly Probe[]) => {
    const { timestampSeconds, states } = await reader.poolStates(some, at)
    return states.map((probed) => ({ timestampSeconds, probed }))
  }
  return await readEach(probes, read, reader.size)
}

/**
 * Returns the answers. For a contract that is not a pool by its answer, returns the answer on which two other nodes agree, or
 * the answer of the only node that has one. If two nodes agree that it is not a pool, or no two nodes agree on its state,
 * returns the first answer.
 */
async function replaceFlawed(
  answers: readonly Answer[],
  { probes, at, facts }: { readonly probes: readonly Probe[]; readonly at: BlockAt; readonly facts: FactReader },
): Promise<readonly Answer[]> {
  const isFlawed = (answer: Answer) => answer !== undefined && findFlaw(answer.probed.state) !== undefined
  const flawed = probes.filter((_, index) => isFlawed(answers[index]))
  if (flawed.length === 0 || !facts.canConfirm()) return answers
  const byVote = new Map<string, Answer>()
  const readVotes = async (source: FactSource) => {
    const read = await readAnswers(source, flawed, at)
    return read.map((answer) => {
      if (!answer || isFlawed(answer)) return undefined
      const vote = toVote(answer, at)
      byVote.set(vote, answer)
      return vote
    })
  }
  // A node whose newest block is older may not have a new pool yet.
  const isVote = (vote: string | undefined) => at !== 'latest' || vote !== undefined
  const found = await facts.read(readVotes, { isVote }).catch(() => [])
  const findOther = (probe: Probe) => {
    const fact = found[flawed.indexOf(probe)]
    return fact === undefined || fact.state === 'disputed' ? undefined : byVote.get(fact.value ?? '')
  }
  return probes.map((probe, index) => findOther(probe) ?? answers[index])
}

/** Returns the whole answer. At the newest block, which differs between nodes, returns what does not change. */
function toVote(answer: NonNullable<Answer>, at: BlockAt): string {
  const { pool, codeHash, base, quote } = answer.probed.state
  return at === 'latest' ? [pool, codeHash, base, quote].join() : stringify(answer)
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
  return `token ${missing} has no valid symbol or no valid decimals`
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
