import { readFile } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import type { Caller } from '../harness/Caller.ts'
import { findOperation } from '../harness/openApi.ts'
import { suite } from './suite.ts'
import { validInputs } from '../harness/validInputs.ts'

type Outcome = Awaited<ReturnType<Caller>>

type Documented = Readonly<Record<string, unknown>>

const text = await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as { paths: Record<string, Record<string, Documented>> }

const names = {
  'swap.preview': 'convert.preview',
  'swap.build': 'transaction.buildConvert',
  'swap.execute': 'transaction.broadcastConvert',
} as const

suite('the operations under swap.*', ({ call, chain, chainId }) => {
  const inputs = validInputs(chain)
  const { tAUD, tEUR, tUSD } = chain.tokens
  const router = chain.deployment.router

  const changes: readonly Readonly<Record<string, unknown>>[] = [
    {},
    { amountIn: '0.000001' },
    { amountIn: '00012345.678901' },
    { tokenIn: tUSD, tokenOut: tAUD, minAmountOut: '1' },
    { amountIn: '900000000' },
    { amountIn: '1.0000001' },
    { tokenIn: tEUR },
    { tokenIn: router },
    { tokenOut: tAUD },
    { tokenOut: undefined },
    { chainId: 1 },
    { more: 1 },
  ]

  it.each([
    ...changes,
    { poolAddress: undefined },
    { poolAddress: undefined, tokenOut: tEUR },
    { poolAddress: router },
    { poolAddress: chain.pools['tEUR/tUSD'] },
  ])('swap.preview returns the same as convert.preview, with %o', async (change) => {
    await expectSame(call, 'swap.preview', { ...inputs['swap.preview'], ...change })
  })

  it.each([
    ...changes,
    { tokenOut: tEUR, minAmountOut: '590' },
    { minAmountOut: '650.874401' },
    { deadline: 4_000_000_000 },
    { deadline: 1 },
    { deadline: '1' },
    { userAddress: router },
    { userAddress: '0x00000000000000000000000000000000000000aa' },
  ])('swap.build returns the same as transaction.buildConvert, with %o', async (change) => {
    await expectSame(call, 'swap.build', { ...inputs['swap.build'], ...change })
  })

  const sent = { chainId, tokenIn: tAUD, tokenOut: tUSD, amountIn: '1', expectedAmountOut: '0.65' }

  it.each([
    { signedTransaction: '0x02' },
    { signedTransaction: 'no' },
    { signedTransaction: '0x02', tokenIn: router },
    { signedTransaction: '0x02', tokenOut: tAUD },
    { signedTransaction: '0x02', amountIn: '1.0000001' },
    { signedTransaction: '0x02', expectedAmountOut: undefined },
    { signedTransaction: '0x02', chainId: 1 },
    {},
  ])('swap.execute fails like transaction.broadcastConvert, with %o', async (change) => {
    const { status } = await expectSame(call, 'swap.execute', { ...sent, ...change })
    expect(status).toBe(400)
  })
})

describe.each(Object.entries(names))('%s', (older, newer) => {
  it(`${older} is documented like ${newer}, and as its older name`, () => {
    const { operationId: _, 'x-procedure': __, tags, description, deprecated, ...documented } = operationOf(older)
    const { operationId: _id, 'x-procedure': _name, tags: _tags, description: _text, ...same } = operationOf(newer)
    expect(documented).toEqual(same)
    expect([tags, deprecated]).toEqual([['Swap'], true])
    expect(description).toContain(findOperation(newer).path.replace('/api/v1/', ''))
  })
})

/** Calls both names until both respond at the same block, and returns both responses. */
async function expectSame(call: Caller, older: keyof typeof names, input: Record<string, unknown>): Promise<Outcome> {
  return await vi.waitFor(async () => {
    const [first, second] = await Promise.all([call(older, input), call(names[older], input)])
    expect(withoutId(first)).toEqual(withoutId(second))
    return first
  }, eventually)
}

function withoutId({ failure, ...outcome }: Outcome): object {
  return { ...outcome, failure: failure && { ...failure, requestId: '' } }
}

function operationOf(procedure: string): Documented {
  const { path, method } = findOperation(procedure)
  return document.paths[path]?.[method.toLowerCase()] ?? {}
}
