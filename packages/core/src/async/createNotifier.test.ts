import { expect, it } from 'vitest'
import { createNotifier } from './createNotifier.ts'

it('a notification resolves every pending wait, and none that follows', async () => {
  const { wait, notify } = createNotifier()
  const resolved: string[] = []
  const pending = ['one', 'other'].map((name) => wait().then(() => resolved.push(name)))
  notify()
  void wait().then(() => resolved.push('late'))
  await Promise.all(pending)
  expect(resolved).toEqual(['one', 'other'])
})

it('a notification that no caller waits for is lost', async () => {
  const { wait, notify } = createNotifier()
  notify()
  let isResolved = false
  const waiting = wait().then(() => (isResolved = true))
  await Promise.resolve()
  expect(isResolved).toBe(false)
  notify()
  await waiting
})
