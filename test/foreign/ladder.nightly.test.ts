import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { toDecimal } from '../harness/toPreview.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { foreignDecimals, type ForeignToken } from '../harness/deployForeignPools.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { toRequest, type Conversion } from './conversions.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { setUp } from '../harness/setUp.ts'

type Row = {
  readonly amountIn: string
  readonly amountOut?: string
  readonly oracleAmountOut?: string
  readonly impact?: string
  readonly error?: { readonly code: string }
}

const amounts = ['0.01', '1', '99.99', '31415.92', '250000', '400000', '600000', '900000000']

const pairs: readonly { readonly from: ForeignToken; readonly to: ForeignToken }[] = [
  { from: 'fEUR', to: 'fUSD' },
  { from: 'fUSD', to: 'fAUD' },
  { from: 'fSGD', to: 'fUSD' },
  { from: 'fAUD', to: 'fSGD' },
]

const stack = setUp(startForeignStack)

beforeAll(async () => {
  // The service reads facts about the pools with the first ladder.
  await requestLadder({ from: 'fEUR', to: 'fUSD' }, { steps: 2 })
})

describe.each(pairs)('ladders over foreign pools, $from to $to', ({ from, to }) => {
  it('a ladder over foreign pools equals the previews of its amounts at the same block, by one batch of calls', async () => {
    const ladder = await readLadder({ from, to }, { amounts })
    expect(ladder.requests).toEqual([expect.stringMatching(/^eth_call( eth_call)*$/)])
    for (const [index, amountIn] of amounts.entries()) {
      const preview = await requestPreview({ from, to, amountIn })
      expect(ladder.rows[index]?.amountOut).toBe(preview.data?.['amountOut'])
      expect(ladder.rows[index]?.error?.code).toBe(preview.failure?.code)
      expect([ladder.blockNumber, undefined]).toContain(preview.data?.['blockNumber'])
    }
  })

  it('the steps over foreign pools end at the largest amount that pays, and the next one of 12 digits does not', async () => {
    const { rows, maxAmountIn } = await readLadder({ from, to }, { steps: 20 })
    expect(rows.length).toBeGreaterThan(15)
    expect(rows.length).toBeLessThanOrEqual(20)
    for (const { amountOut } of rows) expect(Number(amountOut)).toBeGreaterThan(0)
    const largest = String(rows.at(-1)?.amountIn)
    expect(maxAmountIn.tokenIn).toBe(largest)
    expect((await requestPreview({ from, to, amountIn: largest })).data?.['amountOut']).toBe(rows.at(-1)?.amountOut)
    expect((await requestPreview({ from, to, amountIn: addLittle(largest, from) })).status).toBe(422)
    const back = String(maxAmountIn.tokenOut)
    expect((await requestPreview({ from: to, to: from, amountIn: back })).status).toBe(200)
    expect((await requestPreview({ from: to, to: from, amountIn: addLittle(back, to) })).status).toBe(422)
  })
})

it('a ladder of 100 steps over two foreign pools costs one batch of calls', async () => {
  const { requests } = await readLadder({ from: 'fEUR', to: 'fAUD' }, { steps: 100 })
  expect(requests).toHaveLength(1)
})

it('the impact of an amount in the flat zone is nothing, and beyond it what the curve takes', async () => {
  const ladder = await readLadder({ from: 'fEUR', to: 'fUSD' }, { amounts: ['1000', '300000', '400000'] })
  const [small, flat, steep] = ladder.rows as readonly [Row, Row, Row]
  expect([small.impact, flat.impact]).toEqual(['0.0000%', '0.0000%'])
  const [out, oracle] = [Number(steep.amountOut), Number(steep.oracleAmountOut)]
  expect(Number(steep.impact?.replace('%', ''))).toBeCloseTo((out / oracle - 1 + 0.0005) * 100, 3)
  expect(steep.impact).toMatch(/^-[1-9]/)
})

it('with a deployed reader, a ladder over two foreign pools takes a call for each, and knows no largest amount', async () => {
  await using deployed = await startForeignStack(async ({ chain, deployment }, deploymentsDir) => {
    const reader = await connectOwner(chain).deploy('Reader', [])
    await writeFile(join(deploymentsDir, '84532.json'), JSON.stringify({ ...deployment, reader }))
  })
  const { amountIn: _, ...request } = toRequest(deployed, { from: 'fEUR', to: 'fAUD', amountIn: '1' })
  const readLadder = async (sizes: object) =>
    (await deployed.callers.REST('convert.ladder', { ...request, ...sizes })).data
  const ladder = await readLadder({ amounts: ['100', '250000', '900000000'] })
  expect(ladder).toMatchObject({ maxAmountIn: {}, rows: [{}, {}, { error: { code: 'svc/no-convergence' } }] })
  for (const { amountIn, amountOut } of (ladder?.['rows'] as readonly Row[]).slice(0, 2)) {
    const preview = await deployed.callers.REST('convert.preview', { ...request, amountIn })
    expect(preview.data?.['amountOut']).toBe(amountOut)
  }
  const { rows } = (await readLadder({ steps: 10 })) as { readonly rows: readonly Row[] }
  expect(rows.length).toBeGreaterThan(5)
  for (const { amountOut } of rows) expect(Number(amountOut)).toBeGreaterThan(0)
  const requests = await recordRequests(deployed.proxy, () => readLadder({ amounts: ['1'] }))
  expect(requests).toEqual(['eth_call', 'eth_call'])
})

type Pair = Pick<Conversion, 'from' | 'to'>

type Ladder = {
  readonly rows: readonly Row[]
  readonly maxAmountIn: { readonly tokenIn?: string; readonly tokenOut?: string }
  readonly blockNumber: number
  /** The requests to the node. */
  readonly requests: readonly string[]
}

async function requestLadder(pair: Pair, sizes: object) {
  const { amountIn: _, ...request } = toRequest(stack, { ...pair, amountIn: '1' })
  return await stack.callers.REST('convert.ladder', { ...request, ...sizes })
}

async function readLadder(pair: Pair, sizes: object): Promise<Ladder> {
  let data: unknown
  const requests = await recordRequests(stack.proxy, async () => {
    ;({ data } = await requestLadder(pair, sizes))
  })
  expect(data).toBeDefined()
  return { ...(data as Omit<Ladder, 'requests'>), requests }
}

async function requestPreview(conversion: Conversion) {
  return await stack.callers.REST('convert.preview', toRequest(stack, conversion))
}

/** Adds one raw unit to an amount of a token, or one in the twelfth digit of an amount with more. */
function addLittle(amount: string, token: ForeignToken): string {
  const decimals = foreignDecimals[token]
  const raw = parseUnits(amount, decimals)
  return toDecimal(raw + 1n + (raw >> 39n), decimals)
}
