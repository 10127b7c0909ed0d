import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { Errors } from '@agio/core'
import { resolveResponse } from '@trpc/server/http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Context } from '../../procedure/Context.ts'
import { router } from '../../procedure/procedure.ts'
import type { StreamItem } from '../Streams.ts'
import { watch } from './watch.ts'

let unhandled: unknown[] = []
const record = (error: unknown) => void unhandled.push(error)
beforeEach(() => {
  unhandled = []
  process.on('unhandledRejection', record)
})
afterEach(() => void process.off('unhandledRejection', record))

const event = { id: '1.', topic: 'health', data: {} }

it.each([
  ['the process stops', { id: '1.', topic: 'reconnect', data: {} }],
  ['its key is revoked', { id: '1.', topic: 'end', data: {}, refusal: Errors.keyRevoked() }],
])('a subscription whose client reads slowly leaves no unhandled rejection when %s', async (_, last) => {
  const { body } = await subscribe([event, event, event, last])
  for await (const _chunk of body ?? []) {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate()
  }
  expect(unhandled).toEqual([])
})

/** Returns the response to a subscription with these events, whose body is not read yet. */
async function subscribe(items: readonly StreamItem[]): Promise<Response> {
  const streams = {
    async *open() {
      yield* items
    },
  }
  const input = JSON.stringify({ topics: [{ topic: 'health' }] })
  return await resolveResponse({
    router: router({ watch }),
    req: new Request(`http://service/watch?input=${encodeURIComponent(input)}`),
    path: 'watch',
    error: null,
    createContext: async () => ({ streams, chains: {}, exchange: {} }) as unknown as Context,
  })
}
