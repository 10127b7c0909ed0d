import { expect, it } from 'vitest'
import type { Context } from '../../procedure/Context.ts'
import { openTopics } from './openTopics.ts'

it('error: a network that is not served is svc/unsupported-chain that names its topic', async () => {
  const context = { chains: {}, streams: {} } as unknown as Context
  const topics = [{ topic: 'health' }, { topic: 'prices', chainId: 421614 }] as const
  const opening = openTopics(context, { topics, lastEventId: undefined, signal: new AbortController().signal })
  const details = { field: 'topics.1.chainId', value: 421614 }
  await expect(opening).rejects.toMatchObject({ code: 'svc/unsupported-chain', details })
})
