import { createPublicClient, http } from 'viem'
import { expect, it } from 'vitest'
import { serializeError } from './createLog.ts'

it('a serialized error holds the message of each cause, and never the URL of a node', async () => {
  const client = createPublicClient({ transport: http('http://127.0.0.1:9/v2/SECRET', { retryCount: 0 }) })
  const error = await client.getChainId().catch((cause: unknown) => cause)
  const text = JSON.stringify(serializeError(new Error('Cannot read the chain', { cause: error })))
  expect(text).toContain('Cannot read the chain')
  expect(text).toContain('HTTP request failed')
  expect(text).not.toContain('SECRET')
})

it('a serialized error never holds the values of a failed query', () => {
  const query = 'insert into api_keys values ($1)'
  const failed = new Error(`Failed query: ${query}\nparams: SECRET`, { cause: new Error('refused') })
  const error = Object.assign(failed, { query, params: ['SECRET'] })
  const text = JSON.stringify(serializeError(error))
  expect(text).toContain('refused')
  expect(text).not.toContain('SECRET')
})
