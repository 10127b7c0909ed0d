import { afterEach, expect, it, vi } from 'vitest'
import { takeLock } from './takeLock.ts'

afterEach(() => vi.unstubAllGlobals())

const wait = async () => {}
/** Takes a lock and releases it. */
const pass = async (...args: Parameters<typeof takeLock>) => await (await takeLock(...args))()
const never = { onWait: () => Promise.reject(new Error('it waits')) }

it('a lock is taken by one at a time, in order, and who waits says so', async () => {
  const release = await takeLock('one', never)
  const log: string[] = []
  const waiting = ['a', 'b'].map(async (name) => {
    const end = await takeLock('one', { onWait: async () => void log.push(`${name} waits`) })
    log.push(`${name} has it`)
    await end()
  })
  await pass('two', never)
  await expect.poll(() => log).toEqual(['a waits', 'b waits'])
  await release()
  await Promise.all(waiting)
  expect(log).toEqual(['a waits', 'b waits', 'a has it', 'b has it'])
})

it('a released lock is free at once', async () => {
  for (let time = 0; time < 20; time++) await pass('one', never)
})

it('without a wait, a taken lock is not taken', async () => {
  const release = await takeLock('one')
  await pass('one')
  const onWait = vi.fn(wait)
  const waiting = takeLock('one', { onWait })
  await expect.poll(() => onWait.mock.calls.length).toBe(1)
  await release()
  await (
    await waiting
  )()
})

it('the signal ends the wait', async () => {
  const release = await takeLock('one')
  const stop = new AbortController()
  const waiting = takeLock('one', { onWait: wait, signal: stop.signal })
  stop.abort(new Error('closed'))
  await expect(waiting).rejects.toThrow('closed')
  await release()
  await pass('one', never)
})

it('what the wait throws is thrown, and the lock is not requested', async () => {
  const release = await takeLock('one')
  await expect(takeLock('one', never)).rejects.toThrow('it waits')
  await release()
  await pass('one', { onWait: () => Promise.reject(new Error('it is taken')) })
})

it.each([
  ['without locks', {}],
  ['whose locks refuse', { locks: { request: () => Promise.reject(new Error('SecurityError')) } }],
])('a page %s continues at once', async (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  await takeLock('one', never)
  await pass('one', never)
})
