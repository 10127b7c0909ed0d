import { expect, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import type { Caller } from '../harness/Caller.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

type Row = { readonly amountIn: string; readonly amountOut?: string; readonly error?: { readonly code: string } }

suite('convert.ladder', ({ call, chain, chainId }) => {
  const { tAUD, tEUR, tUSD } = chain.tokens
  const pairs = [
    { tokenIn: tAUD, tokenOut: tUSD },
    { tokenIn: tUSD, tokenOut: tAUD },
    { tokenIn: tAUD, tokenOut: tEUR },
  ]

  it('a row below the limit has the amount at the oracles, and no impact of our pools', async () => {
    const { data } = await call('convert.ladder', validInputs(chain)['convert.ladder'])
    expect(data).toMatchObject({
      rows: [
        {
          amountIn: '1000',
          amountOut: '650.874400',
          exchangeRate: '0.65087440',
          oracleAmountOut: '651.200000',
          impact: '0.0000%',
        },
        { amountIn: '900000000', error: { code: 'svc/above-max-origin' } },
      ],
    })
    expect(rowsOf(data)[1]).not.toHaveProperty('amountOut')
  })

  it.each(pairs)(
    'the steps of a ladder go from the smallest amount that pays to the largest before the halt',
    async (pair) => {
      const { rows, largest, beyond } = await readSteps(call, { chainId, ...pair, steps: 12 })
      expect(rows).toHaveLength(12)
      for (const { amountOut } of rows) expect(Number(amountOut)).toBeGreaterThan(0)
      expect(rows.at(-1)?.amountIn).toBe(largest)
      expect(beyond).toBe('svc/above-max-origin')
      const smaller = addUnit(rows[0]?.amountIn, -1n)
      const refusal = Number(smaller) > 0 ? 'svc/amount-too-small' : 'svc/invalid-request'
      expect(await codeOf(call, { chainId, ...pair, amountIn: smaller })).toBe(refusal)
      const amountsIn = rows.map(({ amountIn }) => Number(amountIn))
      const factor = (Number(largest) / Number(rows[0]?.amountIn)) ** (1 / 11)
      for (const [index, amount] of amountsIn.slice(1).entries()) {
        expect(amount / Number(amountsIn[index])).toBeCloseTo(factor, index < 4 ? -1 : 1)
      }
    },
  )

  it('the limit of a conversion back equals the limit of the ladder in the other direction', async () => {
    const limits = await vi.waitFor(async () => {
      const [there, back] = await Promise.all(
        [
          { tokenIn: tAUD, tokenOut: tEUR },
          { tokenIn: tEUR, tokenOut: tAUD },
        ].map(async (pair) => (await call('convert.ladder', { chainId, ...pair, steps: 2 })).data),
      )
      expect(there?.['blockNumber']).toBe(back?.['blockNumber'])
      return [there?.['maxAmountIn'], back?.['maxAmountIn']] as [Record<string, string>, Record<string, string>]
    }, eventually)
    expect(limits[0]['tokenOut']).toBe(limits[1]['tokenIn'])
    expect(limits[0]['tokenIn']).toBe(limits[1]['tokenOut'])
  })

  it.each([
    [{ amounts: undefined }, 'amounts'],
    [{ steps: 5 }, 'steps'],
    [{ amounts: [] }, 'amounts'],
    [{ amounts: Array.from({ length: 51 }, () => '1') }, 'amounts'],
    [{ amounts: ['1', '2', '1.0000001'] }, 'amounts.2'],
    [{ amounts: ['1', 2] }, 'amounts.1'],
    [{ amounts: '1' }, 'amounts'],
    [{ amounts: undefined, steps: 1 }, 'steps'],
    [{ amounts: undefined, steps: 101 }, 'steps'],
    [{ amounts: undefined, steps: 2.5 }, 'steps'],
    [{ amounts: undefined, steps: null }, 'steps'],
  ])('error: svc/invalid-request for a ladder with %j', async (change, field) => {
    const outcome = await call('convert.ladder', { ...validInputs(chain)['convert.ladder'], ...change })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field } })
  })

  it('a ladder takes 50 amounts, or 100 steps', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `${index + 1}`)
    expect(rowsOf((await call('convert.ladder', { chainId, ...pairs[0], amounts: many })).data)).toHaveLength(50)
    expect(rowsOf((await call('convert.ladder', { chainId, ...pairs[0], steps: 100 })).data)).toHaveLength(100)
  })
})

/**
 * Reads the steps of a ladder, and the code of the preview of one unit more than their largest amount, until both are of the same
 * block: other tests convert over the same pools.
 */
async function readSteps(
  call: Caller,
  { steps, ...pair }: { readonly steps: number; readonly [field: string]: unknown },
) {
  return await vi.waitFor(async () => {
    const read = async () => (await call('convert.ladder', { ...pair, steps })).data
    const ladder = await read()
    const { tokenIn: largest } = ladder?.['maxAmountIn'] as Record<string, string>
    const beyond = await codeOf(call, { ...pair, amountIn: addUnit(largest, 1n) })
    expect((await read())?.['blockNumber']).toBe(ladder?.['blockNumber'])
    return { rows: rowsOf(ladder), largest, beyond }
  }, eventually)
}

function rowsOf(data: Readonly<Record<string, unknown>> | undefined): readonly Row[] {
  return (data?.['rows'] ?? []) as readonly Row[]
}

async function codeOf(call: Caller, request: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  return (await call('convert.preview', request)).failure?.code
}

/** Adds raw units to an amount of six fractional digits. */
function addUnit(amount: string | undefined, units: bigint): string {
  const raw = BigInt(String(amount).replace('.', '')) + units
  const digits = raw.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}
