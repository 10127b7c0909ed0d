import { afterEach, expect, it, vi } from 'vitest'
import { runAlone } from './runAlone.ts'

afterEach(() => vi.unstubAllGlobals())

it('what is run under one name runs one after the other, and its results and errors come at once', async () => {
  const log: string[] = []
  const run = (name: string) => async () => {
    log.push(`${name} begins`)
    await Promise.resolve()
    log.push(`${name} ends`)
    return name
  }
  const failing = runAlone('one', async () => await Promise.reject(new Error('Refused')))
  await expect(failing).rejects.toThrow('Refused')
  expect(await Promise.all([runAlone('one', run('a')), runAlone('two', run('b'))])).toEqual(['a', 'b'])
  expect(log.indexOf('b begins')).toBeLessThan(log.indexOf('a begins'))
})

it('this tab does not count as another one that is waited for', async () => {
  const onWait = vi.fn<() => void>()
  await runAlone('own', async (linger) => linger())
  await runAlone('own', async () => {}, onWait)
  expect(onWait).not.toHaveBeenCalled()
})

it('other tabs wait a moment longer for what was stored', async () => {
  await runAlone('stored', async (linger) => linger())
  const isFree = async () =>
    await navigator.locks.request('stored', { ifAvailable: true }, async (lock) => lock !== null)
  expect(await isFree()).toBe(false)
  await vi.waitUntil(isFree, 2000)
})

it('another tab is waited for', async () => {
  const { promise: end, resolve } = Promise.withResolvers<void>()
  void navigator.locks.request('other', () => end)
  const onWait = vi.fn(resolve)
  expect(await runAlone('other', async () => 'mine', onWait)).toBe('mine')
  expect(onWait).toHaveBeenCalledOnce()
})

it('without locks, or where they are refused, it runs at once', async () => {
  vi.stubGlobal('navigator', {})
  expect(await runAlone('one', async () => 'alone')).toBe('alone')
  const request = async () => await Promise.reject(new DOMException('Denied', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request } })
  expect(await runAlone('sandboxed', async () => 'alone')).toBe('alone')
})
