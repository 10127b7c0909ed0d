import { vi } from 'vitest'
import type { CountingStore } from '../src/limit/CountingStore.ts'
import { createFailoverLimiter } from '../src/limit/createFailoverLimiter.ts'
import { createTestServer } from './createTestServer.ts'
import type { Limiter } from '../src/limit/Limiter.ts'

/** A window that does not end during a test. */
export const rate = { name: 'rate', limit: 100, lengthMs: 600_000 }

/** The messages of the log when the store fails, and when it works again. */
export const unavailable = 'Test store is unavailable: each process admits its share of the remaining calls'
export const available = 'Test store is available again: limits are shared'

/** How long a process needs to find by a probe that its store works again. */
export const returnMs = 250

/** Creates a server that counts in memory, and the store of each process that is opened. */
export function createStore() {
  const { createStore: store, received: calls, set, used } = createTestServer()
  return { store, calls, set, used: () => used('a', rate) }
}

/** Opens the limiter of one more process, with the messages of its log. */
export async function openProcess(connect: () => CountingStore, countProcesses?: () => number) {
  const messages: string[] = []
  const write = (_: object, message: string) => void messages.push(message)
  const log = { info: write, error: write }
  return { limiter: await createFailoverLimiter(connect(), { log, countProcesses }), log: messages }
}

/** Returns how many of some requests are admitted. */
export async function admitMany(limiter: Limiter, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit('a', [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

/** Advances the time, and returns what a promise resolves to meanwhile. */
export async function elapse<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(ms)
  return await promise
}
