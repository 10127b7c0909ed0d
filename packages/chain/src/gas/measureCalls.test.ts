import { concatHex, encodeFunctionResult, numberToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { gasMeterAbi } from '../abi/index.ts'
import { measureCalls } from './measureCalls.ts'

const marker = '0x066fbb4400306e39b6aaadd2e88e30de9ba9c3b0bab1a29e476d8c507aec0d0e'
const [from, to] = [1, 2].map((value) => numberToHex(value, { size: 20 })) as [Hex, Hex]

/** Measures two calls with the result of a node. */
async function measure(result: Hex) {
  const call = { to, data: '0x' } as const
  return await measureCalls(
    { read: async ({ decode }) => await Promise.resolve(decode(result, {}).value) },
    { from, calls: [call, call] },
  )
}

function encode(gasUsed: readonly bigint[], success: boolean, revertData: Hex = '0x'): Hex {
  const proof = { marker, chainId: 84532n } as const
  return encodeFunctionResult({
    abi: gasMeterAbi,
    functionName: 'measureAll',
    result: [proof, gasUsed, success, revertData],
  })
}

it('the gas of each call is returned, and the revert of the last one', async () => {
  expect(await measure(encode([1n, 2n], true))).toEqual({ gasUsed: [1n, 2n], revert: undefined })
  const reverted = await measure(encode([1n], false, '0x12345678'))
  expect(reverted).toMatchObject({ gasUsed: [1n], revert: { data: '0x12345678' } })
})

const word = (value: number): Hex => numberToHex(value, { size: 32 })
const head = (gasOffset: number, revertOffset: number) =>
  concatHex([marker, word(84532), word(gasOffset), word(1), word(revertOffset)])

it.each([
  ['of more calls than were made', encode([1n, 2n, 3n], true)],
  ['of fewer calls than were made', encode([1n], true)],
  ['of no call', encode([], false)],
  ['of a million calls', concatHex([head(160, 192), word(1_000_000), word(0)])],
  ['at another offset', concatHex([head(192, 160), word(0), word(2), word(1), word(2)])],
  ['without a proof', `0x${'0'.repeat(64 * 9)}`],
  ['that is empty', '0x'],
] as const)('error: gas %s is not used', async (_, result) => {
  await expect(measure(result)).rejects.toThrow('the node returns no gas')
})
