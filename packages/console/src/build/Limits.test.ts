import { expect, it } from 'vitest'
import { toWindowState } from './Limits.tsx'

const window = { name: 'standard', limit: 100, windowSeconds: 900, remaining: 40, resetSeconds: 90 }

it('a window counts down to its reset', () => {
  expect(toWindowState(window, 0)).toEqual({ remaining: 40, resetsInSeconds: 90 })
  expect(toWindowState(window, 30_400)).toEqual({ remaining: 40, resetsInSeconds: 60 })
})

it('a window is full after its reset', () => {
  expect(toWindowState(window, 90_000)).toEqual({ remaining: 100 })
})

it('a window that no call has used has no reset', () => {
  expect(toWindowState({ ...window, remaining: 100 }, 0)).toEqual({ remaining: 100 })
})
