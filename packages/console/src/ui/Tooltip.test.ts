import { expect, it } from 'vitest'
import { placeBeside } from './Tooltip.tsx'

const page = { width: 360, height: 640 }
const size = { width: 100, height: 30 }

it('a tooltip is centred below its element', () => {
  expect(placeBeside({ left: 100, top: 50, width: 60, height: 20 }, size, page)).toEqual({ left: 80, top: 70 })
})

it.each([
  ['left', 0, 8],
  ['right', 340, 252],
])('a tooltip stays within the page at its %s edge', (_, left, expected) => {
  expect(placeBeside({ left, top: 50, width: 20, height: 20 }, size, page).left).toBe(expected)
})

it('a tooltip is above an element at the bottom of the page', () => {
  expect(placeBeside({ left: 100, top: 600, width: 60, height: 20 }, size, page).top).toBe(570)
})
