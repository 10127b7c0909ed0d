import { expect, it } from 'vitest'
import { createMutex } from './createMutex.ts'

it('a mutex starts a task after the previous one has ended, in the order of the calls', async () => {
  const lock = createMutex()
  const events: string[] = []
  const first = Promise.withResolvers<string>()
  const results = [
    lock(async () => {
      events.push('first starts')
      return await first.promise
    }),
    lock(async () => {
      events.push('second starts')
      return 'second'
    }),
  ]
  await Promise.resolve()
  expect(events).toEqual(['first starts'])
  first.resolve('first')
  expect(await Promise.all(results)).toEqual(['first', 'second'])
  expect(events).toEqual(['first starts', 'second starts'])
})

it('a task of a mutex that fails rejects its own call, and the next one runs', async () => {
  const lock = createMutex()
  const failing = lock(() => Promise.reject(new Error('failed')))
  const next = lock(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
})
