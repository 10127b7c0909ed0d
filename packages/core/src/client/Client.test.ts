import { expect, it } from 'vitest'
import { getEventListeners } from 'node:events'
import * as Client from './Client.ts'

const left = expect.objectContaining({ code: 'svc/invalid-request' })

it('a client that stays gets the result or the error of the work, and its signal keeps no listener', async () => {
  const { signal } = new AbortController()
  expect(await Client.untilAborted(Promise.resolve(7), { signal })).toBe(7)
  await expect(Client.untilAborted(Promise.reject(new Error('failed')), { signal })).rejects.toThrow('failed')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('a client that disconnects no longer waits, also if the work fails later', async () => {
  const closing = new AbortController()
  const { promise: work, reject } = Promise.withResolvers<never>()
  const waiting = Client.untilAborted(work, closing)
  Client.assertConnected(closing)
  closing.abort()
  await expect(waiting).rejects.toEqual(left)
  expect(getEventListeners(closing.signal, 'abort')).toEqual([])
  reject(new Error('too late'))
  await expect(Client.untilAborted(new Promise(() => {}), closing)).rejects.toEqual(left)
  expect(() => Client.assertConnected(closing)).toThrow(left)
})
