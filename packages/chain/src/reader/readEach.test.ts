import { RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { readEach } from './createReader.ts'

const outOfGas = new RpcRequestError({
  body: {},
  error: { code: -32_000, message: 'out of gas' },
  url: 'http://127.0.0.1',
})

/** Reads numbers from a node that refuses calls for which it has too little gas. */
async function readNumbers(count: number, lacksGas: (numbers: readonly number[]) => boolean) {
  const calls: number[] = []
  const numbers = Array.from({ length: count }, (_, index) => index)
  const results = await readEach(numbers, async (some) => {
    calls.push(some.length)
    if (lacksGas(some)) throw outOfGas
    return some
  })
  return { numbers, results, calls }
}

it('readEach reads at most 200 items with one call, and returns the results of all calls in order', async () => {
  for (const [count, expected] of [
    [200, [200]],
    [201, [200, 1]],
    [1000, [200, 200, 200, 200, 200]],
  ] as const) {
    const { numbers, results, calls } = await readNumbers(count, () => false)
    expect(calls).toEqual(expected)
    expect(results).toEqual(numbers)
  }
})

it('readEach finds the only item that uses up all gas with a few calls, and reads all other items', async () => {
  const { numbers, results, calls } = await readNumbers(200, (some) => some.includes(77))
  expect(results).toEqual(numbers.map((number) => (number === 77 ? undefined : number)))
  expect(calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(200)))
})

it('readEach reads all items of a node with little gas, with as many calls as this gas needs', async () => {
  const { numbers, results, calls } = await readNumbers(1000, (some) => some.length > 50)
  expect(results).toEqual(numbers)
  expect(calls.filter((length) => length <= 50)).toHaveLength(20)
})
