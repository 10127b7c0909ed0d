import { expect, it, vi } from 'vitest'
import { wait, withSignal } from './withSignal.ts'

const never = () => new Promise<never>(() => {})

it('a call rejects with the reason of its signal as soon as the signal is aborted, even if the call continues', async () => {
  const { signal, abort } = createAbort()
  const calling = withSignal(signal, never)
  abort('stopped')
  await expect(calling).rejects.toThrow('stopped')
})

it('a call with its own error for an abort rejects with that error', async () => {
  const toError = ({ reason }: AbortSignal) => new Error('aborted', { cause: reason })
  const aborted = createAbort()
  const calling = withSignal(aborted.signal, never, toError)
  aborted.abort('stopped')
  await expect(calling).rejects.toMatchObject({ message: 'aborted', cause: { message: 'stopped' } })
  const called = vi.fn(never)
  await expect(withSignal(aborted.signal, called, toError)).rejects.toThrow('aborted')
  expect(called).not.toHaveBeenCalled()
})

it('a call that aborts its signal while it starts rejects', async () => {
  const { signal, abort } = createAbort()
  const calling = withSignal(signal, async (own) => {
    abort('stopped')
    expect(own.aborted).toBe(true)
    return await never()
  })
  await expect(calling).rejects.toThrow('stopped')
})

it('a call leaves no listener behind on its signal, whether it succeeds, fails or is aborted', async () => {
  const { signal, abort } = createAbort()
  const added = vi.spyOn(signal, 'addEventListener')
  const removed = vi.spyOn(signal, 'removeEventListener')
  expect(await withSignal(signal, async () => 'done')).toBe('done')
  await expect(withSignal(signal, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  const waiting = wait(60_000, signal)
  abort('stopped')
  await expect(waiting).rejects.toThrow('stopped')
  expect(added).toHaveBeenCalledTimes(3)
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener))
})

it('a call without a signal runs to its end', async () => {
  expect(await withSignal(undefined, async (own) => own.aborted)).toBe(false)
})

function createAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: (message: string) => controller.abort(new Error(message)) }
}
