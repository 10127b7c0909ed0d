import { errorCatalogue, errorCodes } from '@agio/core'
import { readFileSync } from 'node:fs'
import {
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  maxUint256,
  pad,
  parseUnits,
  zeroAddress,
  zeroHash,
  type Hex,
} from 'viem'
import { toErrorAnswer, type Answer, type Json } from './createTamperingFetch.ts'

/** A change of one value of an answer, with a name for reports. It returns `missing` to remove the value. */
export type ValueChange = {
  readonly name: string
  /** `first` is the first answer of the procedure in the run. */
  readonly apply: (value: Json, first: Answer) => unknown
}

export const missing = Symbol('missing')

/** What a hostile service knows of the world, to replace values with plausible ones. */
export type World = {
  /** Addresses that the attacker controls: one with code, and one without. */
  readonly attackers: readonly Hex[]
  /** Other addresses that the chain knows: tokens, pools and contracts. */
  readonly addresses: readonly Hex[]
  /** Hashes of transactions that other accounts have sent. */
  readonly hashes: readonly Hex[]
}

/** Lists the changes that apply to a value, by its form. `field` is the name of its field. */
export function listChanges(value: Json, field: string, world: World): readonly ValueChange[] {
  const others = foreignValues.filter(({ name }) => name !== typeof value)
  if (Array.isArray(value)) return [...listArrayChanges(), ...others]
  if (typeof value === 'object' && value !== null) return [...listObjectChanges(value), set('{}', {}), ...others]
  if (typeof value === 'string') return [...listTextChanges(value, world), set('empty', ''), ...others]
  if (typeof value === 'number') return [...listNumberChanges(value, field), set('text', `${value}`), ...others]
  if (typeof value === 'boolean') return [{ name: 'not', apply: (flag: boolean) => !flag }, ...others]
  return others
}

function set(name: string, value: unknown): ValueChange {
  return { name, apply: () => value }
}

/** Values of other types than any field has. */
const foreignValues: readonly ValueChange[] = [
  set('missing', missing),
  set('null', null),
  set('number', 5),
  set('fraction', 54.5),
  set('list', [[null]]),
  set('object', { toString: null, length: 2 ** 40 }),
  set('long text', '.'.repeat(100_000)),
]

function listArrayChanges(): readonly ValueChange[] {
  return [
    set('[]', []),
    { name: 'doubled', apply: (items: Json[]) => [...items, ...items] },
    { name: 'reversed', apply: (items: Json[]) => items.toReversed() },
    { name: 'shortened', apply: (items: Json[]) => items.slice(0, -1) },
  ]
}

/** Both fees of a transaction must rise, because a tip above the fee is invalid. */
function listObjectChanges(value: Json): readonly ValueChange[] {
  if (!('maxPriorityFeePerGas' in value)) return []
  const fees = { maxFeePerGas: '0xe8d4a51000', maxPriorityFeePerGas: '0xe8d4a51000' }
  return [{ name: '1,000 gwei per gas', apply: (transaction: Json) => ({ ...transaction, ...fees }) }]
}

function listTextChanges(value: string, world: World): readonly ValueChange[] {
  if (/^0x[0-9a-f]{40}$/i.test(value)) return listAddressChanges(value, world)
  if (/^0x[0-9a-f]{64}$/i.test(value)) return listHashChanges(world)
  if (/^0x[0-9a-f]{65,}$/i.test(value)) return listDataChanges(world)
  if (/^0x[0-9a-f]*$/i.test(value)) return listQuantityChanges()
  if (/^\d+(?:\.\d+)?$/.test(value)) return listAmountChanges()
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return listTimeChanges()
  return listWordChanges(value)
}

function listAddressChanges(value: string, { attackers, addresses }: World): readonly ValueChange[] {
  const others = [...attackers, ...addresses, zeroAddress].filter(
    (other) => other.toLowerCase() !== value.toLowerCase(),
  )
  return others.map((other) => set(other, other))
}

function listHashChanges({ hashes }: World): readonly ValueChange[] {
  return [`0x${'ab'.repeat(32)}`, zeroHash, ...hashes].map((hash) => set(hash, hash))
}

/** Replaces whole calldata. `listWords` lists the words of calldata as values of their own. */
function listDataChanges({ attackers: [attacker = zeroAddress] }: World): readonly ValueChange[] {
  const calls = {
    approve: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [attacker, maxUint256] }),
    transfer: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [attacker, 10n ** 9n] }),
  }
  return [
    ...Object.entries(calls).map(([name, data]) => set(name, data)),
    { name: 'appended', apply: (data: string) => `${data}${'00'.repeat(31)}ff` },
    { name: 'shortened', apply: (data: string) => data.slice(0, -64) },
    { name: 'selector', apply: (data: string) => `0x095ea7b3${data.slice(10)}` },
  ]
}

/** Lists the changes of a word of calldata. */
export function listWordOfDataChanges({ attackers: [attacker = zeroAddress] }: World): readonly ValueChange[] {
  const change = (apply: (word: bigint) => bigint) => (word: string) =>
    BigInt.asUintN(256, apply(BigInt(`0x${word}`)))
      .toString(16)
      .padStart(64, '0')
  return [
    { name: 'attacker', apply: () => pad(attacker).slice(2) },
    { name: '0', apply: change(() => 0n) },
    { name: 'max', apply: change(() => maxUint256) },
    { name: '+1', apply: change((word) => word + 1n) },
    { name: '-1', apply: change((word) => word - 1n) },
    { name: '×1000', apply: change((word) => word * 1000n) },
    { name: '÷1000', apply: change((word) => word / 1000n) },
  ]
}

function listQuantityChanges(): readonly ValueChange[] {
  const change = (apply: (quantity: bigint) => bigint) => (text: string) =>
    `0x${apply(BigInt(text === '0x' ? 0 : text))
      .toString(16)
      .replace('-', '')}`
  return [
    ...[1n, 2n, 9n].flatMap((exponent) => [
      { name: `×10^${exponent}`, apply: change((quantity) => quantity * 10n ** exponent) },
      { name: `÷10^${exponent}`, apply: change((quantity) => quantity / 10n ** exponent) },
    ]),
    { name: '+1', apply: change((quantity) => quantity + 1n) },
    { name: '-1', apply: change((quantity) => quantity - 1n) },
    set('0x0', '0x0'),
  ]
}

function listAmountChanges(): readonly ValueChange[] {
  return [
    ...[-12, -6, -3, -1, 1, 3, 6, 12].map((exponent) => ({
      name: `×10^${exponent}`,
      apply: (text: string) => shift(text, exponent),
    })),
    { name: '+1 unit', apply: (text: string) => addUnits(text, 1n) },
    { name: '-1 unit', apply: (text: string) => addUnits(text, -1n) },
    set('0', '0'),
    { name: 'negative', apply: (text: string) => `-${text}` },
    set('exponent', '1e3'),
  ]
}

/** Moves the point of a decimal. */
const shift = (text: string, exponent: number) => formatUnits(parseUnits(text, 18), 18 - exponent)

/** Adds units of the last digit of a decimal. */
function addUnits(text: string, units: bigint): string {
  const decimals = text.split('.')[1]?.length ?? 0
  return formatUnits(parseUnits(text, decimals) + units, decimals)
}

const [minuteSeconds, yearSeconds] = [60, 31_557_600]
const shiftsSeconds = [-50, -1, 1, 50].map((years) => years * yearSeconds).concat(-10 * minuteSeconds, minuteSeconds)

function listTimeChanges(): readonly ValueChange[] {
  const move = (text: string, seconds: number) => new Date(Date.parse(text) + seconds * 1000).toISOString()
  return [
    ...shiftsSeconds.map((seconds) => ({ name: `${seconds} s`, apply: (text: string) => move(text, seconds) })),
    set('soon', 'soon'),
  ]
}

function listNumberChanges(value: number, field: string): readonly ValueChange[] {
  if (field === 'decimals') return [0, 2, 18, 255, 300].map((decimals) => set(`${decimals}`, decimals))
  const isTime = value > 1_500_000_000 && value < 5_000_000_000
  const sums = isTime ? shiftsSeconds : [1, -1]
  return [
    ...sums.map((addend) => ({ name: `${addend}`, apply: (number: number) => number + addend })),
    ...[0, -1, value * 1000, 2 ** 53, 1e300].map((number) => set(`${number}`, number)),
    ...listOthers(value).map((number) => set(String(number), number)),
  ]
}

function listWordChanges(value: string): readonly ValueChange[] {
  return ['other', ...listOthers(value)].map((text) => set(String(text), text))
}

/** All enumerations of openapi.json. */
const enumerations: (readonly unknown[])[] = []
JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'), (key, value: unknown) => {
  if (key === 'enum' && Array.isArray(value)) enumerations.push(value)
  return value
})

/** Lists the values that are in an enumeration with a value. */
function listOthers(value: unknown): readonly unknown[] {
  const others = enumerations.filter((values) => values.includes(value)).flat()
  return [...new Set(others)].filter((other) => other !== value)
}

/** Lists the changes of a whole answer: errors and failures instead of a result, and a result instead of an error. */
export function listAnswerChanges(results: readonly Answer[]): readonly ValueChange[] {
  return [
    ...errorCodes.map((code) => set(code, toCatalogueAnswer(code))),
    ...results.map((result, index) => set(`result ${index} of another account`, result)),
    { name: 'the first answer again', apply: (_, first) => first },
    set('no result', { result: {} }),
    set('null', { result: { data: null } }),
    { name: 'no answer', apply: fail },
    { name: 'no end', apply: () => new Promise(() => {}) },
  ]
}

/** Creates the answer with an error of the catalogue, with the fields that the SDK reads of any error. */
function toCatalogueAnswer(code: (typeof errorCodes)[number]): Answer {
  const { retryable, action } = errorCatalogue[code]
  return toErrorAnswer(code, {
    retryable,
    action,
    reason: 'nonce',
    expiresAt: '2026-01-01T00:00:00.000Z',
    retryAfterSeconds: 1,
  })
}

function fail(): never {
  throw new TypeError('fetch failed')
}
