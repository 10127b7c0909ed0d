import { concatHex, encodeAbiParameters, numberToHex, parseAbiParameters, size, slice, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodesWithinSize, findEncodedSize } from './decodesWithinSize.ts'

const values = [
  [parseAbiParameters('uint256, (address, bool)'), [1n, ['0x00000000000000000000000000000000000000A1', true]]],
  [parseAbiParameters('string, bytes, uint8[]'), ['a'.repeat(40), '0x', [1, 2, 3]]],
  [
    parseAbiParameters('(bool, bytes)[]'),
    [
      [
        [true, '0x12'],
        [false, `0x${'ab'.repeat(33)}`],
      ],
    ],
  ],
  [
    parseAbiParameters('(uint256, (string, uint8[2])[2])[], bytes32[][]'),
    [
      [
        [
          1n,
          [
            ['x', [1, 2]],
            ['', [3, 4]],
          ],
        ],
      ],
      [[]],
    ],
  ],
] as const

it('the size of an encoding is the size that its values are encoded to', () => {
  for (const [types, value] of values) {
    const data = encodeAbiParameters<readonly { type: string }[]>(types, value)
    expect(findEncodedSize(types, data)).toBe(size(data))
    expect(findEncodedSize(types, concatHex([data, numberToHex(0, { size: 32 })]))).toBe(size(data))
  }
})

it('a type is analysed once, however many values of it the data contains', () => {
  let reads = 0
  const watched = {
    name: 'item',
    get type() {
      reads += 1
      return 'string[2]'
    },
  }
  const types = [{ type: 'tuple[]', components: [watched] }]
  const items = Array.from({ length: 100 }, () => ({ item: ['a', 'b'] as const }))
  const data = encodeAbiParameters(parseAbiParameters('(string[2] item)[]'), [items])
  expect(findEncodedSize(types, data)).toBe(size(data))
  expect(reads).toBeLessThan(10)
})

it('an encoding that a contract does not pad to whole words decodes within its size', () => {
  const types = parseAbiParameters('string')
  expect(decodesWithinSize(types, slice(encodeAbiParameters(types, ['abc']), 0, 67))).toBe(true)
})

const word = (value: number | bigint): Hex => numberToHex(value, { size: 32 })

describe('data that does not decode within its size', () => {
  const shared = (count: number, content: Hex) =>
    concatHex([word(32), word(count), ...Array.from({ length: count }, () => word(32 * count)), content])
  const bytes = concatHex([word(3200), `0x${'ab'.repeat(3200)}`])

  it.each([
    ['bytes that many elements share', 'bytes[]', shared(100, bytes)],
    ['tuples that many elements share', '(bool, bytes)[]', shared(100, concatHex([word(1), word(64), bytes]))],
    ['lists that many elements share', 'uint256[][]', shared(100, concatHex([word(100), bytes]))],
    ['a list of more elements than bytes', 'uint256[]', concatHex([word(32), word(2n ** 256n - 1n), word(1)])],
    ['lists that contain themselves', 'bytes[][]', shared(100, word(2n ** 255n))],
    ['an offset beyond the data', 'bytes', word(64)],
    ['an offset of 2^256 - 1', 'bytes', word(2n ** 256n - 1n)],
    ['no bytes', 'bytes', '0x'],
  ] as const)('%s', (_, type, data) => {
    expect(decodesWithinSize([{ ...parseAbiParameters([type])[0] }], data)).toBe(false)
  })
})
