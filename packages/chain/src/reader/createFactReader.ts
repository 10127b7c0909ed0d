import { stringify } from 'viem'
import type { Doubts } from '../health/createDoubts.ts'
import type { NodeReader } from './createNodeReader.ts'
import type { Reader } from './createReader.ts'

/**
 * Creates reads of facts that never change, such as the decimals of a token. All healthy nodes are asked. A fact is
 * confirmed if two nodes return it, or if the chain has one node. It is disputed if several nodes answer, and no two of
 * them agree. Nodes that contradict others are doubted.
 */
export function createFactReader({ nodes, reader, doubts }: createFactReader.Dependencies): FactReader {
  const listHealthy = () => nodes.filter(({ state }) => state() === 'healthy')

  async function readFromEach<Value>(read: ReadFacts<Value>): Promise<readonly (readonly Vote<Value>[])[]> {
    const answers = await Promise.all(
      listHealthy().map(async ({ position, reader: source }) => {
        const values = await read(source).catch(() => undefined)
        return values?.map((value) => ({ position, value, text: stringify([value]) }))
      }),
    )
    return answers.filter((votes) => votes !== undefined)
  }
  async function readFromAny<Value>(read: ReadFacts<Value>): Promise<readonly Fact<Value>[]> {
    const state = nodes.length > 1 ? 'unconfirmed' : 'confirmed'
    return (await read(reader)).map((value) => ({ state, value }))
  }
  const canConfirm = () => listHealthy().length > 1
  return {
    canConfirm,
    async read(read) {
      const answers = canConfirm() ? await readFromEach(read) : []
      if (!answers[0]) return await readFromAny(read)
      const elections = answers[0].map((_, index) => elect(answers.flatMap((votes) => votes[index] ?? [])))
      const doubted = new Set(elections.flatMap(({ contradicting }) => contradicting))
      for (const position of doubted) doubts.add({ subject: 'state', position })
      return elections.map(({ fact }) => fact)
    },
  }
}

export declare namespace createFactReader {
  type Dependencies = {
    /** In order of preference. */
    readonly nodes: readonly NodeReader[]
    /** Reads from the first node that answers. */
    readonly reader: FactSource
    readonly doubts: Pick<Doubts, 'add'>
  }
}

/** What facts are read with. */
export type FactSource = Pick<Reader, 'aggregate'>

/** Reads a list of facts. */
type ReadFacts<Value> = (source: FactSource) => Promise<readonly Value[]>

/** A fact by the nodes. An unconfirmed fact is from one node of several. No two nodes agree on a disputed fact. */
type Fact<Value> =
  | { readonly state: 'confirmed' | 'unconfirmed'; readonly value: Value }
  | { readonly state: 'disputed' }

/** Reads facts that never change. */
export type FactReader = {
  /** Returns whether several nodes are healthy, so that a read can confirm facts. */
  canConfirm(): boolean
  /** Reads facts from all healthy nodes. @throws the error of the nodes if none answers */
  read<Value>(read: ReadFacts<Value>): Promise<readonly Fact<Value>[]>
}

type Vote<Value> = { readonly position: number; readonly value: Value; readonly text: string }

type Election<Value> = {
  readonly fact: Fact<Value>
  /** The positions of the nodes that contradict the fact, or each other. */
  readonly contradicting: readonly number[]
}

/** Returns the first fact that two nodes return. */
function elect<Value>(votes: readonly Vote<Value>[]): Election<Value> {
  const listAgainst = ({ text }: Vote<Value>) => votes.filter((vote) => vote.text !== text)
  const elected = votes.find((vote) => votes.length - listAgainst(vote).length > 1)
  const [only] = votes
  if (only && votes.length === 1) return { fact: { state: 'unconfirmed', value: only.value }, contradicting: [] }
  const contradicting = (elected ? listAgainst(elected) : votes).map(({ position }) => position)
  if (!elected) return { fact: { state: 'disputed' }, contradicting }
  return { fact: { state: 'confirmed', value: elected.value }, contradicting }
}
