import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurnQueue, queueFetch } from './createTurnQueue.ts'

it('the tasks of one turn of the event loop run together at its end, in their order', async () => {
  const addTask = createTurnQueue()
  const events: string[] = []
  addTask(() => events.push('first'))
  addTask(() => events.push('second'))
  await Promise.resolve()
  events.push('end of the turn')
  await nextTurn()
  expect(events).toEqual(['end of the turn', 'first', 'second'])
})

it('tasks take their steps in turn, each the first step before any takes the second', async () => {
  const addTask = createTurnQueue()
  const steps: string[] = []
  for (const name of ['a', 'b', 'c']) {
    addTask(() => {
      steps.push(`${name}1`)
      void Promise.resolve().then(() => steps.push(`${name}2`))
    })
  }
  await nextTurn()
  await nextTurn()
  expect(steps).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

it('a queue runs 32 tasks a turn, and those that are added meanwhile run after the ones that waited', async () => {
  const addTask = createTurnQueue()
  const ran: number[] = []
  for (let index = 0; index < 70; index += 1) {
    addTask(() => {
      ran.push(index)
      if (index === 0) addTask(() => ran.push(70))
    })
  }
  const counts: number[] = []
  while (ran.length < 71) {
    await nextTurn()
    if (ran.length !== counts.at(-1)) counts.push(ran.length)
  }
  expect(counts).toEqual([32, 64, 71])
  expect(ran).toEqual(Array.from({ length: 71 }, (_, index) => index))
})

const batch = Array.from({ length: 10 }, () => 'convert.preview')

it.each([
  ['a batch counts as its calls', `/trpc/${batch.join()}?batch=1&input=1,2`, 4],
  ['a batch with encoded commas counts as its calls', `/trpc/${batch.join('%2C')}?batch=1`, 4],
  ['a path of tRPC with commas that is no batch counts as one call', `/trpc/${batch.join()}`, 32],
  ['a path of REST with commas counts as one call', `/api/v1/pools/${batch.join()}?batch=1`, 32],
])('%s, so that a group has about 32 calls', async (_, target, inGroup) => {
  const addTask = createTurnQueue()
  const ran: string[] = []
  const fetch = queueFetch(async ({ url }) => {
    ran.push(url)
    return new Response()
  }, addTask)
  for (let index = 0; index < 40; index += 1) void fetch(new Request(`http://a${target}`), '')
  await nextTurn()
  expect(ran).toHaveLength(inGroup)
  await nextTurn()
  expect(ran).toHaveLength(Math.min(2 * inGroup, 40))
})

it('a batch above the size of a group runs alone', async () => {
  const addTask = createTurnQueue()
  const ran: string[] = []
  addTask(() => ran.push('first'), 100)
  addTask(() => ran.push('second'))
  await nextTurn()
  expect(ran).toEqual(['first'])
  await nextTurn()
  expect(ran).toEqual(['first', 'second'])
})

it('a fetch that waits in a queue returns the response, and rejects as its service does', async () => {
  const addTask = createTurnQueue()
  const addresses: string[] = []
  const fetch = queueFetch(async ({ url }, address) => {
    addresses.push(address)
    if (url.endsWith('/fails')) throw new Error('failed')
    return new Response(url)
  }, addTask)
  const answered = fetch(new Request('http://a/b'), '192.0.2.1')
  const failed = fetch(new Request('http://a/fails'), '192.0.2.2')
  expect(addresses).toEqual([])
  await expect(failed).rejects.toThrow('failed')
  expect(await (await answered).text()).toBe('http://a/b')
  expect(addresses).toEqual(['192.0.2.1', '192.0.2.2'])
})
