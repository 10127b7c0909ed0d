import { describe, expect, it } from 'vitest'
import { createJsonCheck, createNoticeCheck, maxResponseBytes, OversizedError } from './answerBounds.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/**
 * Checks a text in small chunks, which have one byte each up to 4,096 bytes of text, and in one chunk. Returns the error,
 * which must be the same.
 */
function check(text: string, maxBytes = 4 * 2 ** 20): unknown {
  const bytes = encode(text)
  const outcomes = [Math.ceil(bytes.length / 4096), bytes.length].map((size) => {
    const { add } = createJsonCheck(maxBytes)
    try {
      for (let start = 0; start < bytes.length; start += size) add(bytes.subarray(start, start + size))
      return undefined
    } catch (error) {
      return error
    }
  })
  expect(outcomes[0]).toEqual(outcomes[1])
  return outcomes[0]
}

describe('createJsonCheck', () => {
  it('a text is accepted up to its maximum size, and refused beyond it', () => {
    expect(check(`"${'a'.repeat(94)}"`, 96)).toBeUndefined()
    expect(check(`"${'a'.repeat(95)}"`, 96)).toBeInstanceOf(OversizedError)
  })

  it('a text is accepted up to 64 levels, and refused beyond them', () => {
    expect(check(`${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}`)).toBeUndefined()
    expect(check(`${'['.repeat(65)}${']'.repeat(65)}`)).toBeInstanceOf(OversizedError)
  })

  it('a text with 500,000 values is accepted, and one with more values is refused', () => {
    expect(check(`[${'0,'.repeat(499_998)}0]`)).toBeUndefined()
    expect(check(`[${'0,'.repeat(500_000)}0]`)).toBeInstanceOf(OversizedError)
    expect(check('{}'.repeat(500_001))).toBeInstanceOf(OversizedError)
    expect(check(`[${'{"a":0},'.repeat(500_000)}0]`)).toBeInstanceOf(OversizedError)
  })

  it('a text with 20,000 bytes of distinct keys is accepted, and one with more is refused', () => {
    const join = (count: number, toItem: (id: number) => string) => Array.from({ length: count }, (_, id) => toItem(id))
    const key = (id: number) => `"${String.fromCharCode(0x4e00 + id)}":0`
    const [few, many] = [join(4000, key), join(12_000, key)]
    expect(check(`[${few.map((each) => `{${each}}`).join(',')}]`)).toBeUndefined()
    expect(check(`[${many.map((each) => `{${each}}`).join(',')}]`)).toBeInstanceOf(OversizedError)
    expect(check(`{${many.join(',')}}`)).toBeInstanceOf(OversizedError)
  })

  it('keys count once in each order, and values do not count as keys', () => {
    const tail = (id: number) => `${id}`.repeat(20)
    const same = Array.from({ length: 9000 }, (_, id) => `{"a":"${tail(id)}","b":["${tail(id)}",{"a":1}]}`)
    expect(check(`[${same.join(',')}]`)).toBeUndefined()
    const names = Array.from({ length: 80 }, (_, id) => `${id + 10}`)
    const pairs = names.flatMap((first) => names.map((second) => `{"${first}":0,"${second}":0}`))
    expect(check(`[${pairs.join(',')}]`)).toBeUndefined()
    const triples = pairs.flatMap((pair) => names.slice(0, 2).map((third) => `${pair.slice(0, -1)},"${third}":0}`))
    expect(check(`[${triples.join(',')}]`)).toBeInstanceOf(OversizedError)
  })

  it('brackets, commas and escaped quotes inside strings do not count', () => {
    expect(check(`["${'[{,'.repeat(200)}", "\\"${'['.repeat(100)}\\\\"]`)).toBeUndefined()
    expect(check(`["\\\\"${'['.repeat(100)}`)).toBeInstanceOf(OversizedError)
  })
})

describe('createNoticeCheck', () => {
  it.each([
    ['1,000 notices', 1000, 2000],
    ['8 MB of notices', 2, 4 * 2 ** 20],
  ])(
    '%s are accepted within ten seconds, one more is refused, and ten seconds later as many are accepted',
    (...row) => {
      const [, count, bytes] = row
      let nowMs = 5
      const { add } = createNoticeCheck(() => nowMs)
      const addAll = () => Array.from({ length: count }, () => add(bytes))
      addAll()
      nowMs += 10_000
      expect(() => add(bytes)).toThrow(OversizedError)
      nowMs += 1
      addAll()
      expect(() => add(bytes)).toThrow(OversizedError)
    },
  )
})

it('only responses with events or full blocks may have 64 MB', () => {
  const sizeOf = (method: string, ...params: unknown[]) =>
    maxResponseBytes([{ method: 'eth_chainId' }, { method, params }])
  const [small, large] = [16 * 2 ** 20, 64 * 2 ** 20]
  expect(sizeOf('eth_getLogs', {})).toBe(large)
  expect(sizeOf('eth_getBlockByNumber', '0x1', true)).toBe(large)
  expect(sizeOf('eth_getBlockByHash', '0x1', true)).toBe(large)
  expect(sizeOf('eth_getBlockByNumber', 'latest', false)).toBe(small)
  expect(sizeOf('eth_call', {}, 'latest')).toBe(small)
})
