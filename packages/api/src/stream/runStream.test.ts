import { expect, it } from 'vitest'
import { createStreamNotifier } from './createStreamNotifier.ts'
import { runStream } from './runStream.ts'
import type { TopicSource } from './TopicSource.ts'

it('a slow reader gets each topic in turn, also where all of them change all the time', async () => {
  const createSource = (topic: string): TopicSource => ({
    topic,
    chain: undefined,
    isDue: () => true,
    read: async () => [{ data: {} }],
  })
  const options = { request: { requestId: 'a' }, notifier: createStreamNotifier(), onFailure: () => {} }
  const counts = new Map<string, number>()
  let left = 40
  for await (const item of runStream(['a', 'b', 'c', 'd'].map(createSource), options)) {
    if (item === 'heartbeat') continue
    counts.set(item.topic, (counts.get(item.topic) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 1))
    if ((left -= 1) === 0) break
  }
  expect([...counts.values()]).toEqual([10, 10, 10, 10])
})
