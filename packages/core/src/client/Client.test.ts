import { expect, it } from 'vitest'
import { getEventListeners } from 'node:events'
import * as Client from './Client.ts'

it('a client that stays gets the result or the error of the work, and its signal keeps no listener', async () => {
  const { signal } = new AbortController()
  expect(await Client.untilAborted(Promise.resolve(7), { signal })).toBe(7)
  await expect(Client.untilAborted(Promise.reject(new Error('failed')), { signal })).rejects.toThrow('failed')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
