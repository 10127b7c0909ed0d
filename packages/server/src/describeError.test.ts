import { createPublicClient, http } from 'viem'
import { expect, it } from 'vitest'
import { describeError } from './describeError.ts'

it('never holds the URL of a node, and keeps the sentence of each cause', async () => {
  const client = createPublicClient({ transport: http('http://127.0.0.1:9/v2/SECRET', { retryCount: 0 }) })
  const error = await client.getChainId().catch((cause: unknown) => cause)
  const text = JSON.stringify(describeError(new Error('Cannot read the chain', { cause: error })))
  expect(text).toContain('Cannot read the chain')
  expect(text).toContain('HTTP request failed')
  expect(text).not.toContain('SECRET')
})
