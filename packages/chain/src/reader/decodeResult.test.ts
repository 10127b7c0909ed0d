import { concatHex, encodeFunctionResult, numberToHex, parseAbi, size, slice, type Abi, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { readerAbi } from '../abi/index.ts'
import { decodeReaderResult, decodeResult, type RawPoolState } from './decodeResult.ts'

const marker = '0x066fbb4400306e39b6aaadd2e88e30de9ba9c3b0bab1a29e476d8c507aec0d0e'
const address = '0x00000000000000000000000000000000000000A1'
const price = { oracle: address, answer: 1n, updatedAt: 2n, maxAge: 3n } as const

function stateOf(baseFault: Hex, quoteFault: Hex): RawPoolState {
  return {
    pool: address,
    codeHash: marker,
    base: address,
    quote: address,
    baseReserve: 1n,
    quoteReserve: 2n,
    totalSupply: 3n,
    alpha: 4n,
    beta: 5n,
    delta: 6n,
    epsilon: 7n,
    lambda: 8n,
    frozen: true,
    basePrice: { ...price, fault: baseFault },
    quotePrice: { ...price, fault: quoteFault },
  }
}

const withoutFault = JSON.parse(JSON.stringify(readerAbi), (_, value: unknown) =>
  Array.isArray(value) ? value.filter((item) => (item as { readonly name?: string }).name !== 'fault') : value,
) as Abi

function encodeStates(states: readonly RawPoolState[], abi: Abi = readerAbi): Hex {
  const proof = { marker, chainId: 84532n } as const
  return encodeFunctionResult<Abi, string>({ abi, functionName: 'poolStates', result: [proof, 7n, states] })
}

const states = [stateOf('0x', '0x12345678'), stateOf(`0x${'ab'.repeat(132)}`, '0x')]
const withoutFaults = [stateOf('0x', '0x'), stateOf('0x', '0x')]

describe('the states of pools', () => {
  it('states with faults of any length are decoded', () => {
    const value = { timestampSeconds: 7n, items: states }
    expect(decodeReaderResult('poolStates', 2, encodeStates(states))).toEqual({ chainId: 84532, value })
  })

  it('states of a reader that returns no faults are decoded as without faults', () => {
    const value = { timestampSeconds: 7n, items: withoutFaults }
    expect(decodeReaderResult('poolStates', 2, encodeStates(withoutFaults, withoutFault))).toEqual({
      chainId: 84532,
      value,
    })
  })

  it('states of a reader that returns neither faults nor a proof are decoded', () => {
    // Offsets count from the start of the result, which is two words later without a proof.
    const abi = withoutFault.map((item) =>
      item.type === 'function' ? { ...item, outputs: item.outputs.slice(1) } : item,
    )
    const result = encodeFunctionResult<Abi, string>({ abi, functionName: 'poolStates', result: [7n, withoutFaults] })
    const value = { timestampSeconds: 7n, items: withoutFaults }
    expect(decodeReaderResult('poolStates', 2, result)).toEqual({ chainId: undefined, value })
  })

  it.each([
    ['a truncated result', slice(encodeStates(states), 0, size(encodeStates(states)) - 32)],
    ['a longer result', `${encodeStates(states)}${'0'.repeat(64)}` as Hex],
    ['a state too few', encodeStates(states.slice(1))],
  ])('%s is rejected', (_, result) => {
    expect(() => decodeReaderResult('poolStates', 2, result)).toThrow('bytes for poolStates')
  })
})

const word = (value: number): Hex => numberToHex(value, { size: 32 })

/** Encodes a list of 100 elements, each with the offset of the same content. */
function shareContent(content: Hex): Hex {
  return concatHex([word(100), ...Array.from({ length: 100 }, () => word(3200)), content])
}

describe('values that share bytes', () => {
  const bytes = concatHex([word(3200), `0x${'ab'.repeat(3200)}`])

  it('error: the result of a call whose values share bytes is not decoded', () => {
    const abi = parseAbi(['function list() view returns (bytes[])'])
    const data = concatHex([word(32), shareContent(bytes)])
    expect(() => decodeResult({ success: true, data }, abi, 'list')).toThrow('Cannot read list')
  })

  it('error: the result of the reader whose items share bytes is not decoded', () => {
    const head = concatHex([marker, word(84532), word(7), word(128)])
    const result = concatHex([head, shareContent(concatHex([word(1), word(64), bytes]))])
    expect(() => decodeReaderResult('aggregate', 100, result)).toThrow(`the node returns ${size(result)} bytes`)
  })
})
