import { Hop, PoolMath, type Pool } from '@agio/core'
import { decodeFunctionData, getAddress, numberToHex, zeroHash } from 'viem'
import { expect, it } from 'vitest'
import { poolAbi } from '../abi/index.ts'
import type { Call } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeResult.ts'
import { probePools } from './probePools.ts'

const block = { number: 1n, hash: zeroHash, timestampSeconds: 1_800_000_000n } as const
const pool: Pool.Pool = {
  address: addressOf(1),
  base: sideOf(10, 'tAUD', { answer: 65_120_000n, reserve: 1_535_626_535_627n }),
  quote: sideOf(11, 'tUSD', { answer: 100_000_000n, reserve: 1_000_000_000_000n }),
  totalSupply: 2_000_000n * 10n ** 18n,
  alpha: 5n * 10n ** 17n,
  epsilon: 5n * 10n ** 14n,
  frozen: false,
  pricing: 'on-chain',
}

// Six inputs and six outputs in each of two directions.
const probeCount = 24

it.each(Array.from({ length: probeCount }, (_, index) => index))(
  'a pool whose answer deviates only for probe %d is priced on chain',
  async (deviating) => {
    const { pricing } = await probe((call, index) => {
      const answer = answerByMaths(call)
      if (index !== deviating) return answer
      return answer.success ? returned(BigInt(answer.data) + 1n) : returned(0n)
    })
    expect(pricing).toBe('on-chain')
  },
)

it.each([
  ['some views fail without a reason', '0x', true],
  ['some views fail with a reason', '0x08c379a0', false],
] as const)(
  'a node may lack gas only if the views that differ fail without a reason: %s',
  async (_, data, lacksGas) => {
    const answer = (call: Call, index: number) => (index % 6 === 3 ? { success: false, data } : answerByMaths(call))
    expect(await probe(answer)).toMatchObject({ pricing: 'on-chain', lacksGas })
  },
)

it('a node whose views also return other amounts does not lack gas', async () => {
  const answer = (_: Call, index: number) =>
    index % 2 === 0 ? returned(3n) : ({ success: false, data: '0x' } as const)
  expect(await probe(answer)).toMatchObject({ pricing: 'on-chain', lacksGas: false })
})

it('a pool that returns more than one word is priced on chain', async () => {
  const { pricing } = await probe((call) => {
    const { success, data } = answerByMaths(call)
    return { success, data: success ? `${data}00` : data }
  })
  expect(pricing).toBe('on-chain')
})

it('nothing is decided of a pool that refuses every probe, as our maths does', async () => {
  const frozen = { ...pool, frozen: true }
  const { pricing, results } = await probe((call) => answerByMaths(call, frozen), frozen)
  expect(results.every(({ success }) => !success)).toBe(true)
  expect(pricing).toBeUndefined()
})

it('nothing is decided of a pool that returns an input for an output, but no output for any probed input', async () => {
  // The halt accepts 25 units of one token, the least that buys something. The pool has 26 units of the other token.
  const state = {
    ...pool,
    base: sideOf(10, 'tAUD', { answer: 100_000_000n, reserve: 10n ** 13n }),
    quote: { ...pool.quote, reserve: 26n },
    alpha: 10n ** 18n - 1n,
    epsilon: 96n * 10n ** 16n,
  }
  const { pricing, results } = await probe((call) => answerByMaths(call, state), state)
  expect(results.filter(({ success }) => success)).not.toEqual([])
  expect(pricing).toBeUndefined()
})

type Answer = (call: Call, index: number) => Result

/** Probes a pool whose node gives these answers. */
async function probe(answer: Answer, state = pool) {
  let results: readonly Result[] = []
  const [probed] = await probePools(
    {
      async aggregate(calls) {
        results = calls.map(answer)
        return { timestampSeconds: block.timestampSeconds, results }
      },
    },
    [{ pool: state, isPenaltyFree: true, curve: undefined }],
    block,
  )
  return { ...probed, results }
}

function answerByMaths({ data }: Call, state: Pool.Pool = pool): Result {
  const { functionName, args } = decodeFunctionData({ abi: poolAbi, data })
  const [tokenIn, tokenOut, amountRaw] = args as readonly [Pool.Pool['address'], Pool.Pool['address'], bigint]
  try {
    const hop = Hop.from(state, tokenIn, tokenOut)
    return functionName === 'viewOriginSwap'
      ? returned(PoolMath.priceExactIn(hop, amountRaw, block.timestampSeconds).amountOutRaw)
      : returned(PoolMath.priceExactOut(hop, amountRaw, block.timestampSeconds))
  } catch {
    return { success: false, data: '0x' }
  }
}

function returned(value: bigint): Result {
  return { success: true, data: numberToHex(value, { size: 32 }) }
}

function sideOf(index: number, symbol: string, { answer, reserve }: { answer: bigint; reserve: bigint }) {
  const price = { oracle: null, answer, updatedAtSeconds: block.timestampSeconds, maxAgeSeconds: 3600n }
  return { token: { address: addressOf(index), symbol, name: symbol, decimals: 6 }, reserve, price }
}

function addressOf(index: number): Pool.Pool['address'] {
  return getAddress(numberToHex(index, { size: 20 }))
}
