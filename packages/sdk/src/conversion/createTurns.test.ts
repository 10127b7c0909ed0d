import { afterEach, expect, it, vi } from 'vitest'
import { lockConversion } from './createTurns.ts'

afterEach(() => vi.unstubAllGlobals())

it('a conversion that runs twice at once runs one after the other', async () => {
  const log: string[] = []
  const run = (name: string) => async () => {
    log.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    log.push(`${name} ends`)
    return name
  }
  const runs = [lockConversion('one', run('a')), lockConversion('one', run('b')), lockConversion('two', run('c'))]
  expect(await Promise.all(runs)).toEqual(['a', 'b', 'c'])
  expect(log.indexOf('b begins')).toBeGreaterThan(log.indexOf('a ends'))
  expect(log.indexOf('c begins')).toBeLessThan(log.indexOf('a ends'))
})

it('the signal ends the wait for a conversion that runs elsewhere', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const first = lockConversion('one', () => end)
  const stop = new AbortController()
  const run = vi.fn<() => Promise<void>>()
  const second = lockConversion('one', run, stop.signal)
  stop.abort(new Error('closed'))
  await expect(second).rejects.toThrow('closed')
  expect(run).not.toHaveBeenCalled()
  resolve()
  await first
})

it('what the conversion throws is thrown, and it is not run again', async () => {
  const run = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('refused'))
  await expect(lockConversion('one', run)).rejects.toThrow('refused')
  expect(run).toHaveBeenCalledTimes(1)
})

it.each([
  ['without locks', {}],
  ['whose locks refuse', { locks: { request: () => Promise.reject(new Error('SecurityError')) } }],
])('a page %s runs the conversion at once', async (_, navigator) => {
  vi.stubGlobal('navigator', navigator)
  expect(await lockConversion('one', async () => 'done')).toBe('done')
})
