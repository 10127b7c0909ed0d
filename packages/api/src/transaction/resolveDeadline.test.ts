import { expect, it } from 'vitest'
import { resolveDeadline } from './resolveDeadline.ts'

it('the default deadline is five minutes after the later of block and wall clock', () => {
  expect(resolveDeadline(undefined, 1_000n, 5_000_000)).toBe(5_300n)
  expect(resolveDeadline(undefined, 9_000n, 5_000_000)).toBe(9_300n)
})

it('a given deadline after the newest block is used unchanged', () => {
  expect(resolveDeadline(1_001, 1_000n, 0)).toBe(1_001n)
})

it('error: svc/deadline-passed for a deadline at the time of the newest block', () => {
  expect(() => resolveDeadline(1_000, 1_000n, 0)).toThrow(expect.objectContaining({ code: 'svc/deadline-passed' }))
})
