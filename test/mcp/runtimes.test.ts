import { describe, expect, inject, it } from 'vitest'
import { connectAgent } from './connectAgent.ts'

describe.each(inject('runtimes'))('the tools on $name', ({ url, chains }) => {
  it.each([
    { era: 'older', transport: 'http' },
    { era: 'newer', transport: 'http' },
    { era: 'older', transport: 'stdio' },
    { era: 'newer', transport: 'stdio' },
  ] as const)('an agent finds and calls them with the $era protocol over $transport', async (connection) => {
    await using client = await connectAgent(url, connection)
    expect(client.tools).toHaveLength(10)
    const { tAUD: tokenIn, tUSD: tokenOut } = chains[84532].tokens
    const preview = await client.call('preview_conversion', { tokenIn, tokenOut, amountIn: '100' })
    expect(preview.text).toMatch(/^100 "tAUD" converts to \d+\.\d{6} "tUSD" now\.$/)
    const refused = await client.call('preview_conversion', { tokenIn, tokenOut: tokenIn, amountIn: '100' })
    expect(refused).toMatchObject({ isError: true, data: { code: 'svc/invalid-request', action: 'fix_input' } })
  })
})
