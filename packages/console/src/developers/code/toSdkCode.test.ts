import { expect, it } from 'vitest'
import { toSdkCode } from './toSdkCode.ts'

const origin = 'http://127.0.0.1:3000'
const token = `0x${'9fE46736'.repeat(5)}`

it('a quote is taken by agio.quote, and its input is in lines that are not too long', () => {
  const input = { chainId: 1, tokenIn: token, tokenOut: token, amountIn: '100' }
  expect(toSdkCode({ procedure: 'convert.quote', input }, origin)).toBe(`import { createAgio } from '@agio/sdk'

const agio = createAgio({ url: 'http://127.0.0.1:3000', apiKey: process.env.AGIO_API_KEY })
const result = await agio.quote({
  chainId: 1,
  tokenIn: '${token}',
  tokenOut: '${token}',
  amountIn: '100',
})
console.log(result)
`)
})

const lastCall = (procedure: string, input: unknown) => toSdkCode({ procedure, input }, origin).split('\n').at(-3)

it.each([
  ['chains.list', {}, 'const result = await agio.api.chains.list.query()'],
  ['chains.list', undefined, 'const result = await agio.api.chains.list.query()'],
  [
    'pools.list',
    { chainId: 1, limit: 10 },
    'const result = await agio.api.pools.list.query({ chainId: 1, limit: 10 })',
  ],
  ['convert.quote', { amountIn: '1' }, "const result = await agio.api.convert.quote.query({ amountIn: '1' })"],
  [
    'transaction.broadcast',
    { signedTransaction: '0x02' },
    "const result = await agio.api.transaction.broadcast.mutate({ signedTransaction: '0x02' })",
  ],
  ['admin.keys.revoke', { id: 'key_1' }, "const result = await admin.keys.revoke.mutate({ id: 'key_1' })"],
  ['admin.stats', { month: '2026-11' }, "const result = await admin.stats.query({ month: '2026-11' })"],
])('a call of %s with %j is %s', (procedure, input, code) => {
  expect(lastCall(procedure, input)).toBe(code)
})

it('a call of an operator uses the client of operators, with a key from the environment', () => {
  expect(toSdkCode({ procedure: 'admin.keys.list', input: {} }, origin))
    .toBe(`import { createAgioAdmin } from '@agio/sdk/admin'

const admin = createAgioAdmin({ url: 'http://127.0.0.1:3000', adminKey: process.env.AGIO_ADMIN_KEY ?? '' })
const result = await admin.keys.list.query()
console.log(result)
`)
})
