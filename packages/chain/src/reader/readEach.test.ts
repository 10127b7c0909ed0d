import { RpcRequestError } from 'viem'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readEach, type CallSize } from './createReader.ts'

const outOfGas = new RpcRequestError({
  body: {},
  error: { code: -32_000, message: 'out of gas' },
  url: 'http://127.0.0.1',
})

/** Reads numbers from a node that refuses calls for which it has too little gas. */
async function readNumbers(count: number, lacksGas: (numbers: readonly number[]) => boolean, size?: CallSize) {
  const calls: number[] = []
  const numbers = Array.from({ length: count }, (_, index) => index)
  const results = await readEach(
    numbers,
    async (some) => {
      calls.push(some.length)
      if (lacksGas(some)) throw outOfGas
      return some
    },
    size,
  )
  return { numbers, results, calls }
}

it('readEach reads at most 100 items with one call, and returns the results of all calls in order', async () => {
  for (const [count, expected] of [
    [100, [100]],
    [101, [100, 1]],
    [1000, Array.from({ length: 10 }, () => 100)],
  ] as const) {
    const { numbers, results, calls } = await readNumbers(count, () => false)
    expect(calls).toEqual(expected)
    expect(results).toEqual(numbers)
  }
})

it('readEach finds the only item that uses up all gas with a few calls, and reads all other items', async () => {
  const { numbers, results, calls } = await readNumbers(100, (some) => some.includes(77))
  expect(results).toEqual(numbers.map((number) => (number === 77 ? undefined : number)))
  expect(calls.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(100)))
})

it('readEach learns the size of a call that a node has gas for, and not from a single item that uses up all gas', async () => {
  const size = { maxItems: 200 }
  await readNumbers(1000, (some) => some.includes(77), size)
  expect(size).toEqual({ maxItems: 200 })
  await readNumbers(1000, (some) => some.length > 160, size)
  const { calls } = await readNumbers(1000, (some) => some.length > 160, size)
  expect(calls).toEqual(Array.from({ length: 10 }, () => 100))
})

it('readEach tries the larger size again after ten minutes, since a node with more gas may answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const size = { maxItems: 200 }
  const readWith = async (maxItems: number) => (await readNumbers(400, (some) => some.length > maxItems, size)).calls
  await readWith(100)
  vi.advanceTimersByTime(599_000)
  expect(await readWith(200)).toEqual([100, 100, 100, 100])
  vi.advanceTimersByTime(1000)
  expect(await readWith(200)).toEqual([200, 200])
})
