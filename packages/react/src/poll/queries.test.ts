import type { Agio } from '@agio/sdk'
import { expect, it } from 'vitest'
import { queries } from './queries.ts'

it.each([
  [undefined, 50_000],
  [600, 590_000],
  [12, 6000],
])('a quote that is valid for %s seconds is renewed after %d ms, before it expires', (validForSeconds, renewalMs) => {
  const request = { chainId: 84_532, tokenIn: '0x1', tokenOut: '0x2', amountIn: '1', validForSeconds } as const
  expect(queries.quote({} as Agio, request).refetchInterval).toBe(renewalMs)
})
