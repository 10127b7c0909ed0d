import type { Answer, Change, Json, TamperedCall } from './createTamperingFetch.ts'
import {
  listAnswerChanges,
  listChanges,
  listWordOfDataChanges,
  missing,
  type ValueChange,
  type World,
} from './listChanges.ts'

/** An answer that an honest service gave, with its call. */
export type Recorded = { readonly call: TamperedCall; readonly answer: Answer }

/** A value in the answers of a procedure: in all answers, or in all but the first. */
export type Leaf = {
  readonly procedure: string
  /** The index of the first call whose answer has it: 0, or 1 for all later calls. */
  readonly fromIndex: number
  /** The names of fields. Empty for the whole answer. `#2` is the third word of calldata. */
  readonly path: readonly string[]
  readonly value: Json
}

/** A change of a leaf. */
export type Tampering = Leaf & {
  readonly change: ValueChange
  /** The index of the last call whose answer is changed. */
  readonly toIndex?: number | undefined
}

/** Returns the text that identifies a leaf. */
export function keyOf({ procedure, fromIndex, path }: Omit<Leaf, 'value'>): string {
  return `${procedure}${fromIndex === 0 ? '' : ` from ${fromIndex}`} ${path.join('.')}`
}

/** Lists the leaves of recorded answers, each once. */
export function listLeaves(recorded: readonly Recorded[]): readonly Leaf[] {
  const leaves = new Map<string, Leaf>()
  for (const { call, answer } of recorded) {
    const fromIndex = call.index === 0 ? 0 : 1
    for (const { path, value } of listValues(answer, [])) {
      const leaf: Leaf = { procedure: call.procedure, fromIndex, path, value }
      leaves.set(keyOf(leaf), leaf)
    }
  }
  return [...leaves.values()]
}

type Value = Pick<Leaf, 'path' | 'value'>

function listValues(value: Json, path: readonly string[]): readonly Value[] {
  const own = { path, value }
  if (typeof value === 'string' && /^0x[0-9a-f]{73,}$/i.test(value)) return [own, ...listWords(value, path)]
  if (typeof value !== 'object' || value === null) return [own]
  return [own, ...Object.entries(value as object).flatMap(([name, member]) => listValues(member, [...path, name]))]
}

function listWords(data: string, path: readonly string[]): readonly Value[] {
  const words = data.slice(10).match(/.{64}/g) ?? []
  return words.map((word, index) => ({ path: [...path, `#${index}`], value: word }))
}

/** Lists the changes that apply to a leaf. */
export function listTamperings(leaf: Leaf, { world, recorded }: listTamperings.Context): readonly Tampering[] {
  const { value } = leaf
  const field = leaf.path.at(-1)
  const changes =
    field === undefined
      ? listAnswerChanges(listResults(leaf.procedure, recorded))
      : field.startsWith('#')
        ? listWordOfDataChanges(world)
        : listChanges(value, field, world)
  return changes.map((change) => ({ ...leaf, change }))
}

/** Lists results of a procedure, one of each form. */
function listResults(procedure: string, recorded: readonly Recorded[]): readonly Answer[] {
  const results = new Map<string, Answer>()
  for (const { call, answer } of recorded) {
    if (call.procedure !== procedure || !('result' in answer)) continue
    const { status, replacement, mode } = (answer.result.data ?? {}) as Readonly<Record<string, Json>>
    results.set(JSON.stringify([status, replacement?.kind, mode]), answer)
  }
  return [...results.values()]
}

export declare namespace listTamperings {
  type Context = {
    readonly world: World
    /** Answers to other accounts. */
    readonly recorded: readonly Recorded[]
  }
}

/** Returns the text that identifies a tampering in reports. */
export function formatTampering({ change, toIndex, ...leaf }: Tampering): string {
  return `${keyOf(leaf)}${toIndex === undefined ? '' : ` to ${toIndex}`} → ${change.name}`
}

/** Creates the change of answers that makes all tamperings, one after the other. */
export function createChange(tamperings: readonly Tampering[]): Change {
  const firsts = new Map<string, Answer>()
  return async (given, { procedure, index }) => {
    const first = firsts.get(procedure) ?? given
    firsts.set(procedure, first)
    let answer = given
    for (const tampering of tamperings) {
      const { fromIndex, toIndex = Number.POSITIVE_INFINITY, path } = tampering
      if (tampering.procedure !== procedure || index < fromIndex || index > toIndex) continue
      answer = (await applyAt(answer, path, { ...tampering, first })) as Answer
    }
    return answer
  }
}

type Applied = Tampering & { readonly first: Answer }

/** Returns a copy of a value that is changed at a path. Without a value at the path, it returns the value. */
function applyAt(value: Json, [name, ...rest]: readonly string[], tampering: Applied): Json {
  // The value may have another form in another answer.
  if (name === undefined)
    return typeof value === typeof tampering.value ? tampering.change.apply(value, tampering.first) : value
  if (name.startsWith('#')) return applyAtWord(value, Number(name.slice(1)), tampering)
  if (typeof value !== 'object' || value === null || !(name in value)) return value
  const changed = applyAt((value as Record<string, Json>)[name], rest, tampering)
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => (`${index}` === name ? (changed === missing ? [] : [changed]) : [item]))
  }
  const { [name]: _, ...others } = value as Record<string, Json>
  return changed === missing ? others : { ...(value as object), [name]: changed }
}

function applyAtWord(data: Json, index: number, { change: { apply }, first }: Applied): Json {
  const at = 10 + 64 * index
  if (typeof data !== 'string' || data.length < at + 64) return data
  return `${data.slice(0, at)}${String(apply(data.slice(at, at + 64), first))}${data.slice(at + 64)}`
}
