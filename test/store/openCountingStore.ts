import type { CountingStore } from '@agio/store/testing'
import { expect } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'

export const minuteMs = 60_000

/** The window that the tests fill. */
export const rate = { name: 'rate', limit: 10, lengthMs: minuteMs, knownUsed: 0 }

/** The only place of a subject. */
export const hold = { subject: 'a', member: '1', limit: 1, ttlMs: minuteMs }

/** A server that holds the counts of several processes, and fails on demand. */
export type CountingServer = AsyncDisposable & {
  /** Creates the store of one more process. */
  createStore(): CountingStore
  /** Starts it again, without any counts, at the same address. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Suspends it, with all its connections open. */
  pause(): void
  resume(): void
}

type CountingRequest = Parameters<CountingStore['admit']>[0]
type Numbered = ReturnType<typeof withNumbers>

/** Numbers the requests of a store, which are for one call of `a` unless they say otherwise. */
export function withNumbers(store: CountingStore) {
  let last = 0
  const admit = async (request: Partial<CountingRequest> = {}) => {
    last += 1
    const { windows = [rate] } = request
    const numbered = { subject: 'a', windows, costs: [1], number: last, ...request }
    return (await store.admit(numbered)).admissions
  }
  return { store, admit }
}

/** Opens the store of one process. */
export async function open(server: CountingServer): Promise<Numbered & Disposable> {
  const store = server.createStore()
  await store.connect(() => {})
  return { ...withNumbers(store), [Symbol.dispose]: () => store.close() }
}

/** Requests an admission until the store is open, and returns it. */
export async function admitOnceOpen(one: Numbered, request?: Partial<CountingRequest>) {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Numbered['admit']>>>()
  await expect.poll(async () => await one.admit(request).then(resolve), eventually).toBeUndefined()
  return await promise
}

/** Expects that a store rejects requests, also while its server does not respond. */
export async function expectRejected({ store, admit }: Numbered): Promise<void> {
  const requests = [admit(), store.hold(hold), store.release(hold)]
  expect(await Promise.allSettled(requests)).toMatchObject(requests.map(() => ({ status: 'rejected' })))
}

/** Returns the use of each window after each request. */
export function toUsed(admissions: Awaited<ReturnType<Numbered['admit']>>): readonly (readonly number[])[] {
  return admissions.map(({ states }) => states.map(({ used }) => used))
}
