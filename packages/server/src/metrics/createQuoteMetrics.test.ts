import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createQuoteMetrics } from './createQuoteMetrics.ts'

const quoteOf = (number: number) => `secret.terms.${String(number).padStart(43, '0')}`

it('the slippage of mined quotes is a histogram of ratios, with buckets by basis points on both sides of zero', async () => {
  const registry = new Registry()
  const observe = createQuoteMetrics(registry)
  for (const [number, slippageBps] of [-7, 0, 3, 10_000].entries()) {
    observe({ event: 'mined', quote: quoteOf(number), slippageBps })
  }
  const text = await registry.metrics()
  const bucket = (le: string) =>
    Number(new RegExp(`^agio_quote_slippage_ratio_bucket{le="${le}"} (\\d+)$`, 'm').exec(text)?.[1])
  expect(['-0.001', '-0.0005', '0', '0.0002', '0.0005', '0.05', '\\+Inf'].map(bucket)).toEqual([0, 1, 2, 2, 3, 3, 4])
})

it('the memory of counted quotes is bounded', async () => {
  const registry = new Registry()
  const observe = createQuoteMetrics(registry, 2)
  for (const number of [1, 2, 2, 3, 3, 1]) observe({ event: 'built', quote: quoteOf(number) })
  expect(await registry.metrics()).toContain('agio_quotes_total{event="built"} 4')
})
