import { expect, it } from 'vitest'
import { createHeadReader } from './createHeadReader.ts'
import type { Head } from './Head.ts'

const head: Head = { number: 1n, hash: `0x${'1'.repeat(64)}`, timestampSeconds: 1n }

/** Creates a reader with its own clock, and requests that the test answers. */
function start() {
  let nowMs = 0
  const reader = createHeadReader({
    read: () => Promise.resolve(head),
    accept: (answer) => answer,
    getSlowMs: () => 1500,
    now: () => nowMs,
  })
  return {
    reader,
    pass: (ms: number) => (nowMs += ms),
    begin() {
      const { promise, resolve, reject } = Promise.withResolvers<Head>()
      const reading = reader.read(() => promise).catch(() => undefined)
      return {
        answer: async () => (resolve(head), await reading),
        fail: async () => (reject(new Error('broken')), await reading),
      }
    },
  }
}

it('the state of a head reader names the oldest unanswered read, until that is answered', async () => {
  const { reader, pass, begin } = start()
  expect(reader.state().pendingSinceMs).toBeUndefined()
  pass(10)
  const first = begin()
  pass(10)
  const second = begin()
  expect(reader.state().pendingSinceMs).toBe(10)
  await first.answer()
  expect(reader.state().pendingSinceMs).toBe(20)
  await second.answer()
  expect(reader.state().pendingSinceMs).toBeUndefined()
})

it('a read of the head that ends after a later one does not change the outcome', async () => {
  const { reader, pass, begin } = start()
  const early = begin()
  pass(10)
  await begin().answer()
  await early.fail()
  expect(reader.state()).toMatchObject({ error: undefined, pendingSinceMs: undefined, lastReadMs: 0 })
})
