import { expect, it } from 'vitest'
import { toSdkCode } from './toSdkCode.ts'

const origin = 'http://127.0.0.1:3000'

it('a quote without its tokens, which agio.quote requires, is taken by the procedure', () => {
  expect(toSdkCode({ procedure: 'convert.quote', input: { amountIn: '1' } }, origin)).toContain(
    "const result = await agio.api.convert.quote.query({ amountIn: '1' })",
  )
})
