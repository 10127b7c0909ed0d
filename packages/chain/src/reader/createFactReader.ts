import { stringify } from 'viem'
import { listVotes } from '../health/agree.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { NodeReader, Reader } from './createReader.ts'

/**
 * Creates reads of facts that rarely change, such as the decimals of a token. All healthy nodes are asked. A fact is
 * confirmed if two nodes return it, or if the chain has one node. It is disputed if several nodes return it, and no two of
 * them agree. A fact that is undefined, for example of a contract without code, needs two nodes if another node returns a
 * value. A value that is not a vote counts only if no node returns a vote, or if two nodes return it and no two votes agree.
 * Nodes that contradict others are doubted.
 */
export function createFactReader({ nodes, reader, doubts }: createFactReader.Dependencies) {
  const listHealthy = () => nodes.filter(({ state }) => state() === 'healthy')

  async function readFromEach<Value>(
    read: ReadFacts<Value>,
    isVote: (value: Value) => boolean,
  ): Promise<readonly (readonly Answer<Value>[])[]> {
    const answers = await listVotes(listHealthy(), ({ reader: source }) => read(source))
    return answers.map(({ node: { position }, vote: values }) =>
      values.map((value) => ({ position, value, text: stringify([value]), isVote: isVote(value) })),
    )
  }
  async function readFromAny<Value>(readAny: () => Promise<readonly Value[]>): Promise<readonly Fact<Value>[]> {
    const state = nodes.length > 1 ? 'unconfirmed' : 'confirmed'
    return (await readAny()).map((value) => ({ state, value }))
  }
  const canConfirm = () => listHealthy().length > 1
  return {
    /** Returns whether several nodes are healthy, so that a read can confirm facts. */
    canConfirm,
    /** Reads facts from all healthy nodes. @throws the error of the nodes if none answers */
    async read<Value>(
      read: ReadFacts<Value>,
      { readAny = () => read(reader), isVote = () => true }: ReadOptions<Value> = {},
    ): Promise<readonly Fact<Value>[]> {
      const answers = canConfirm() ? await readFromEach(read, isVote) : []
      if (!answers[0]) return await readFromAny(readAny)
      const elections = answers[0].map((_, index) => elect(answers.flatMap((values) => values[index] ?? [])))
      const doubted = new Set(elections.flatMap(({ contradicting }) => contradicting))
      for (const position of doubted) doubts.add({ subject: 'state', position })
      return elections.map(({ fact }) => fact)
    },
  }
}

export declare namespace createFactReader {
  type Dependencies = {
    readonly nodes: readonly NodeReader[]
    /** Reads from the first node that answers. */
    readonly reader: FactSource
    readonly doubts: Pick<Doubts, 'add'>
  }
}

/** What facts are read with. */
export type FactSource = Pick<Reader, 'aggregate' | 'poolStates' | 'size'>

/** Reads a list of facts. */
type ReadFacts<Value> = (source: FactSource) => Promise<readonly Value[]>

/** A fact by the nodes. An unconfirmed fact is from one node of several. No two nodes agree on a disputed fact. */
export type Fact<Value> =
  | { readonly state: 'confirmed' | 'unconfirmed'; readonly value: Value }
  | { readonly state: 'disputed' }

/** Reads facts that rarely change. */
export type FactReader = ReturnType<typeof createFactReader>

type ReadOptions<Value> = {
  /** Reads the facts if fewer than two nodes are healthy, from the first node that answers by default. */
  readonly readAny?: (() => Promise<readonly Value[]>) | undefined
  /** Returns whether a value is a vote, for example not the result of a lack of gas; always by default. */
  readonly isVote?: ((value: Value) => boolean) | undefined
}

type Answer<Value> = {
  readonly position: number
  readonly value: Value
  readonly text: string
  readonly isVote: boolean
}

type Election<Value> = {
  readonly fact: Fact<Value>
  /** The positions of the nodes that contradict the fact, or each other. */
  readonly contradicting: readonly number[]
}

function elect<Value>(answers: readonly Answer<Value>[]): Election<Value> {
  const given = answers.filter(({ isVote }) => isVote)
  const votes = given.length > 0 ? given : answers
  const agreed = findAgreed(votes)
  const contradicting = votes.length > 1 ? votes.filter(({ text }) => text !== agreed?.text) : []
  return {
    fact: toFact(votes, agreed ?? findAgreed(answers)),
    contradicting: contradicting.map(({ position }) => position),
  }
}

/** Returns the first answer that two nodes give. */
function findAgreed<Value>(answers: readonly Answer<Value>[]): Answer<Value> | undefined {
  return answers.find(({ text }) => answers.filter((other) => other.text === text).length > 1)
}

/**
 * Returns the fact that two nodes agree on, or else the fact of the only node that returns one. One node that says that a
 * contract is absent does not dispute the value of another node: a node may lag, or lie.
 */
function toFact<Value>(votes: readonly Answer<Value>[], agreed: Answer<Value> | undefined): Fact<Value> {
  if (agreed) return { state: 'confirmed', value: agreed.value }
  const present = votes.filter(({ value }) => value !== undefined)
  const [only, ...others] = present.length > 0 ? present : votes
  return !only || others.length > 0 ? { state: 'disputed' } : { state: 'unconfirmed', value: only.value }
}
