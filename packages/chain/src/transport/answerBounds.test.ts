import { describe, expect, it } from 'vitest'
import { createJsonCheck, maxResponseBytes, OversizedError } from './answerBounds.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** Checks a text in chunks of one byte each, and in one chunk. Returns the error, which must be the same. */
function check(text: string, maxBytes = 4096): unknown {
  const outcomes = [[...encode(text)].map((byte) => new Uint8Array([byte])), [encode(text)]].map((chunks) => {
    const { add } = createJsonCheck(maxBytes)
    try {
      for (const chunk of chunks) add(chunk)
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

  it('a text with one value per 32 bytes of its maximum size is accepted, and one with more values is refused', () => {
    expect(check(`[${'0,'.repeat(126)}0]`)).toBeUndefined()
    expect(check(`[${'0,'.repeat(128)}0]`)).toBeInstanceOf(OversizedError)
    expect(check('{}'.repeat(129))).toBeInstanceOf(OversizedError)
  })

  it('brackets, commas and escaped quotes inside strings do not count', () => {
    expect(check(`["${'[{,'.repeat(200)}", "\\"${'['.repeat(100)}\\\\"]`)).toBeUndefined()
    expect(check(`["\\\\"${'['.repeat(100)}`)).toBeInstanceOf(OversizedError)
  })
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
