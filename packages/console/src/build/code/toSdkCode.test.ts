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

it('a quote without its tokens, which agio.quote requires, is taken by the procedure', () => {
  expect(toSdkCode({ procedure: 'convert.quote', input: { amountIn: '1' } }, origin)).toContain(
    "const result = await agio.api.convert.quote.query({ amountIn: '1' })",
  )
})
