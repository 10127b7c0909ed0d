import { expect, it } from 'vitest'
import { createTopicHub } from './createTopicHub.ts'
import { SharedSource } from './SharedSource.ts'
import type { StreamHandlers, StreamTopic, TopicEvent } from './StreamTopic.ts'

const prices: StreamTopic = { topic: 'prices', chainId: 84532 }
const health: StreamTopic = { topic: 'health' }

/** Starts tabs that share a source. Returns the topic lists that were set, and a function that sends an event. */
function startTabs() {
  const name = `test ${crypto.randomUUID()}`
  const lists: (readonly StreamTopic[])[] = []
  let source: StreamHandlers | undefined
  return {
    lists,
    send(topic: StreamTopic, id: string) {
      source?.onEvent({ topic, id, data: { topic: topic.topic, index: 0 } as never })
    },
    open: () =>
      createTopicHub(
        (handlers) =>
          new SharedSource(name, handlers, (sourceHandlers) => {
            source = sourceHandlers
            return { setTopics: (topics) => void lists.push(topics) }
          }),
      ),
  }
}

function listen() {
  const ids: string[] = []
  return { ids, onEvent: ({ id }: TopicEvent) => void ids.push(id), onInterrupt: () => {}, onEnd: () => {} }
}

it('tabs that watch the same topic share its state at once, and the connection stays unchanged', async () => {
  const { open, lists, send } = startTabs()
  const [leader, other, third] = [open(), open(), open()]
  const leave = [leader.watch(prices, listen())]
  await expect.poll(() => lists.at(-1)).toHaveLength(1)
  const ofOther = listen()
  leave.push(other.watch({ ...health }, ofOther))
  await expect.poll(() => lists.at(-1)).toHaveLength(2)
  send(health, 'one')
  await expect.poll(() => ofOther.ids).toEqual(['one'])
  const listBefore = lists.at(-1)
  const ofLeader = listen()
  leave.push(leader.watch({ ...health }, ofLeader))
  await expect.poll(() => ofLeader.ids).toEqual(['one'])
  const ofThird = listen()
  leave.push(third.watch({ ...health }, ofThird))
  await expect.poll(() => ofThird.ids).toEqual(['one'])
  // Other topic objects would reopen the connection.
  for (const [index, topic] of lists.at(-1)?.entries() ?? []) expect(topic).toBe(listBefore?.[index])
  for (const end of leave.toReversed()) end()
})

it('the state of a topic without a watch is forgotten', async () => {
  const { open, lists, send } = startTabs()
  const [leader, other] = [open(), open()]
  const leave = leader.watch(prices, listen())
  const kept = other.watch({ topic: 'prices', chainId: 421614 }, listen())
  const leaveHealth = other.watch(health, listen())
  await expect.poll(() => lists.at(-1)).toHaveLength(3)
  send(health, 'old')
  leaveHealth()
  await expect.poll(() => lists.at(-1)).toHaveLength(2)
  const late = listen()
  const leaveLate = other.watch(health, late)
  await expect.poll(() => lists.at(-1)).toHaveLength(3)
  send(health, 'new')
  await expect.poll(() => late.ids).toEqual(['new'])
  for (const end of [leaveLate, kept, leave]) end()
})
