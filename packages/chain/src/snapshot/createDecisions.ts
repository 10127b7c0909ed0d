import { Async, type Address, type Pool } from '@agio/core'
import type { Fact, FactReader, FactSource } from '../reader/createFactReader.ts'
import type { Probe } from '../reader/createReader.ts'
import type { RawPoolState } from '../reader/decodeResult.ts'
import type { Tokens } from '../token/createTokens.ts'
import { chooseProbe } from './chooseProbe.ts'
import { codeOf, hasPenalty, judgeReading, keyOf, toCurveState } from './judgeReading.ts'
import { probePools, type ProbedBlock } from './probePools.ts'
import { readPoolStates, type PoolReading } from './readPoolStates.ts'
import { toPoolState } from './toPoolState.ts'

// A read of the pools waits this long for the nodes that decide. Until they have decided, a pool is priced on chain.
const patienceMs = 2000

// A sample makes an eighth of the unconfirmed decisions again, but at least 8. Its requests are few, and no pool waits long.
const [leastPerSample, samplesForAll] = [8, 8]

// A lying node may return other parameters at each block. A decision that was removed is made again.
const maxDecisions = 10_000

/**
 * Decides how pools are priced. If several nodes are healthy, a decision is confirmed once two of them agree. A pool on
 * which no two nodes agree is priced on chain. A decision that no second node has confirmed is made again at sampled blocks.
 */
export function createDecisions({ reader, facts, tokens, onDisproven }: createDecisions.Dependencies) {
  const records = createRecords(onDisproven)
  const { find } = records
  const deciding = new Map<string, Promise<void>>()
  async function elect(readings: readonly PoolReading[], block: ProbedBlock): Promise<void> {
    const pools = readings.map(({ raw }) => raw.pool)
    const found = await facts.read((source) => readPricings(source, pools, { block, tokens }), {
      readAny: () => findPricings(reader, readings, block),
      isVote: ({ lacksGas }) => !lacksGas,
    })
    for (const [index, { raw }] of readings.entries()) records.record(raw, found[index] ?? disputed)
  }
  /** Callers at all blocks share an election of several nodes, and do not wait long for it. */
  async function share(readings: readonly PoolReading[], block: ProbedBlock): Promise<void> {
    if (readings.length === 0) return
    if (!facts.canConfirm()) return await elect(readings, block)
    const keys = readings.map(({ raw }) => keyOf(raw))
    const electing = elect(readings, block).finally(() => {
      for (const key of keys) deciding.delete(key)
    })
    const waiting = Async.waitAtMost(patienceMs, electing)
    for (const key of keys) deciding.set(key, waiting)
    await waiting
  }
  /** Returns the pools of which a single node can prove something now, out of pools whose views proved nothing before. */
  async function filterProvable(readings: readonly PoolReading[], block: ProbedBlock): Promise<readonly PoolReading[]> {
    if (readings.length === 0 || !facts.canConfirm()) return readings
    const findings = await findPricings(reader, readings, block)
    return readings.filter((_, index) => findings[index]?.pricing !== undefined)
  }
  async function electDisproof(disagreements: readonly Disagreement[], block: ProbedBlock): Promise<void> {
    const probes = disagreements.map(({ probe }) => probe)
    const found = await facts.read((source) => readVerdicts(source, probes, { block, tokens }), {
      readAny: () => Promise.resolve(disagreements.map(({ reading }) => disagreementOf(reading.raw))),
    })
    for (const [index, { reading }] of disagreements.entries())
      records.recordVerdict(reading.raw, found[index] ?? disputed)
  }
  return {
    /** Returns how a pool is priced; undefined if that is not decided. */
    find,
    /** Lists the pools whose views differ from the curve that they return. */
    listDisproven: records.listDisproven,
    /** Decides about pools that are not decided. @throws the error of the nodes if none answers */
    async decide(readings: readonly PoolReading[], block: ProbedBlock): Promise<void> {
      const undecided = readings.filter(({ raw }) => find(raw) === undefined)
      if (undecided.length === 0) return
      const waited = undecided.map(({ raw }) => deciding.get(keyOf(raw)))
      const free = undecided.filter((_, index) => waited[index] === undefined)
      const fresh = free.filter(({ raw }) => !records.has(raw))
      const provable = filterProvable(
        free.filter((reading) => !fresh.includes(reading)),
        block,
      )
      const sharing = [share(fresh, block), provable.then((some) => share(some, block))]
      await Promise.all([...waited, ...sharing])
    },
    /** Decides again, in the background, about some pools on which no two nodes have agreed. */
    reconsider(readings: readonly PoolReading[], block: ProbedBlock): void {
      if (!facts.canConfirm()) return
      const byKey = new Map(readings.map((reading) => [keyOf(reading.raw), reading]))
      const unconfirmed = records.listUnconfirmed().flatMap((key) => {
        const reading = byKey.get(key)
        return reading && !deciding.has(key) ? [reading] : []
      })
      const count = Math.max(leastPerSample, Math.ceil(unconfirmed.length / samplesForAll))
      share(unconfirmed.slice(0, count), block).catch(ignore)
    },
    /**
     * Asks the nodes about probes that disagree at a block. A pool is disproven if two nodes confirm it, or if the chain has one
     * node. Its decision is kept if the nodes contradict the disagreement, and otherwise the pool is priced on chain.
     */
    async disprove(disagreements: readonly Disagreement[], block: ProbedBlock): Promise<void> {
      if (disagreements.length === 0) return
      const disproving = electDisproof(disagreements, block)
      await (facts.canConfirm() ? Async.waitAtMost(patienceMs, disproving) : disproving)
    },
  }
}

export declare namespace createDecisions {
  type Dependencies = {
    readonly reader: FactSource
    readonly facts: FactReader
    readonly tokens: Tokens
    /** Called once for a pool whose views differ from the curve that it returns. */
    readonly onDisproven: (pool: Address) => void
  }
}

/** A pool whose probe disagrees. */
type Disagreement = { readonly reading: PoolReading; readonly probe: Probe }

/** Holds the decisions about pools. */
function createRecords(onDisproven: (pool: Address) => void) {
  const decisions = new Map<string, Decision>()
  const disproven = new Map<string, Address>()

  function set(key: string, decision: Decision): void {
    // The decision becomes the last one, so that all decisions are made again in turn.
    decisions.delete(key)
    decisions.set(key, decision)
    for (const oldest of decisions.keys()) if (decisions.size > maxDecisions) decisions.delete(oldest)
  }
  function setDisproven(raw: RawPoolState): void {
    set(keyOf(raw), { state: 'confirmed', pricing: 'on-chain' })
    if (disproven.has(codeOf(raw))) return
    disproven.set(codeOf(raw), raw.pool)
    onDisproven(raw.pool)
  }
  return {
    find: (raw: RawPoolState) => (disproven.has(codeOf(raw)) ? 'on-chain' : decisions.get(keyOf(raw))?.pricing),
    has: (raw: RawPoolState) => decisions.has(keyOf(raw)),
    /** Lists the keys of the decisions that no two nodes have confirmed, oldest first. */
    listUnconfirmed: () => [...decisions].flatMap(([key, { state }]) => (state === 'unconfirmed' ? [key] : [])),
    listDisproven: (): readonly Address[] => [...new Set(disproven.values())],
    record(raw: RawPoolState, fact: Fact<Finding>): void {
      const key = keyOf(raw)
      const previous = decisions.get(key)
      // The state that is used may be the one of a node that the others contradict.
      if (fact.state === 'disputed' || fact.value.key !== key) return set(key, unconfirmedOnChain)
      const { pricing, isDisproof } = fact.value
      if (fact.state === 'confirmed' && isDisproof) return setDisproven(raw)
      // A single node, or a pool that is frozen meanwhile, does not change an earlier decision.
      const isKept = previous?.pricing !== undefined && (fact.state === 'unconfirmed' || pricing === undefined)
      if (isKept) set(key, previous)
      else set(key, pricing === undefined ? { state: 'unproven' } : { state: fact.state, pricing })
    },
    /** Records the verdict of the nodes about a probe that disagrees at one of them. */
    recordVerdict(raw: RawPoolState, fact: Fact<string>): void {
      const isDecided = decisions.has(keyOf(raw))
      const isDisproof = fact.state !== 'disputed' && fact.value === disagreementOf(raw)
      if (isDisproof && fact.state === 'confirmed') setDisproven(raw)
      else if (isDisproof || fact.state === 'disputed' || !isDecided) set(keyOf(raw), unconfirmedOnChain)
    },
  }
}

/** A decision about the pools of one code and parameters. */
type Decision =
  | { readonly state: 'confirmed' | 'unconfirmed'; readonly pricing: Pool.Pricing }
  /** The views of the pool prove nothing yet. */
  | { readonly state: 'unproven'; readonly pricing?: undefined }

const unconfirmedOnChain: Decision = { state: 'unconfirmed', pricing: 'on-chain' }
const disputed = { state: 'disputed' } as const

/** Reads pools with their probes from one node, and returns the verdict about each probe, with the code of the pool. */
async function readVerdicts(
  source: FactSource,
  probes: readonly Probe[],
  { block, tokens }: ReadOptions,
): Promise<readonly string[]> {
  const { readings } = await readPoolStates(source, probes, { at: block.hash, tokens: withoutLoading(tokens) })
  return probes.map(({ pool }) => {
    const reading = readings.get(pool)
    return typeof reading === 'object' ? `${codeOf(reading.raw)} ${judgeReading(reading)}` : `${pool} is unreadable`
  })
}

function disagreementOf(raw: RawPoolState): string {
  return `${codeOf(raw)} disagrees`
}

function ignore(): void {}

/** How a pool is priced, by the views of one node. */
type Finding = {
  /** The code and parameters of the pool at the node. */
  readonly key: string
  /** Undefined if the views prove nothing, for example because the pool is frozen. */
  readonly pricing: Pool.Pricing | undefined
  /** Whether the views of the pool differ from the curve that the pool returns. */
  readonly isDisproof: boolean
  /** Whether the node may have granted too little gas for the views. */
  readonly lacksGas: boolean
}

/**
 * Reads the states and the views of pools from one node, and returns how each pool is priced. The views of a node are
 * compared with the states of the same node, so a node cannot change how another node is judged.
 *
 * @throws the error of a node that could not answer
 */
async function readPricings(
  source: FactSource,
  pools: readonly Address[],
  { block, tokens }: ReadOptions,
): Promise<readonly Finding[]> {
  const probes = pools.map((pool) => chooseProbe(pool, block.hash, undefined))
  const { readings } = await readPoolStates(source, probes, { at: block.hash, tokens: withoutLoading(tokens) })
  const readable = pools.map((pool) => readings.get(pool)).filter((reading) => typeof reading === 'object')
  const findings = await findPricings(source, readable, block)
  const byPool = new Map(readable.map(({ raw }, index) => [raw.pool, findings[index]]))
  return pools.map((pool) => byPool.get(pool) ?? { key: `${pool} is unreadable`, ...nothing })
}

type ReadOptions = { readonly block: ProbedBlock; readonly tokens: Tokens }

/** Returns how pools are priced, by the views of a node and the states that it returned. @throws the errors of the node */
async function findPricings(
  source: FactSource,
  readings: readonly PoolReading[],
  block: ProbedBlock,
): Promise<readonly Finding[]> {
  const subjects = readings.map((reading) => {
    const { raw, curve } = reading
    // The view in the comparison enforces the pool's own maximum ages.
    const pool = toPoolState(reading, {
      pricing: 'on-chain',
      toFeedTerms: ({ maxAge }) => ({ maxAgeSeconds: maxAge }),
    })
    return { pool, isPenaltyFree: !hasPenalty(raw), curve: toCurveState(raw, curve) }
  })
  const probed = await probePools(source, subjects, block)
  return readings.map(({ raw, curve }, index) => {
    const { pricing, lacksGas } = probed[index] ?? nothing
    const isOnChain = pricing === 'on-chain'
    // Without a probe, it is unknown whether the curve fits the pool.
    if (isOnChain && curve?.amount === 0n) return { key: keyOf(raw), ...nothing }
    return { key: keyOf(raw), pricing, isDisproof: isOnChain && curve?.isReadable === true, lacksGas }
  })
}

const nothing = { pricing: undefined, isDisproof: false, lacksGas: false } as const

/** A node may return tokens that do not exist. Only the reads of all pools load tokens. */
function withoutLoading(tokens: Tokens): Tokens {
  return { ...tokens, load: () => Promise.resolve() }
}
