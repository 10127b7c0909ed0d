import { afterEach, expect, it, vi } from 'vitest'
import { createRunAlone } from './runAlone.ts'

const runAlone = createRunAlone()

afterEach(() => vi.unstubAllGlobals())

it('functions of one name run one after the other, and their results and errors arrive at once', async () => {
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

it('a wait for this tab does not call `onWait`', async () => {
  const onWait = vi.fn<() => void>()
  await runAlone('own', async (linger) => linger())
  await runAlone('own', async () => {}, onWait)
  expect(onWait).not.toHaveBeenCalled()
})

it('other tabs wait a moment longer for stored values', async () => {
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

it('without locks, or if they are rejected, it runs at once', async () => {
  vi.stubGlobal('navigator', {})
  expect(await runAlone('one', async () => 'alone')).toBe('alone')
  const request = async () => await Promise.reject(new DOMException('Denied', 'SecurityError'))
  vi.stubGlobal('navigator', { locks: { request } })
  expect(await runAlone('sandboxed', async () => 'alone')).toBe('alone')
})
