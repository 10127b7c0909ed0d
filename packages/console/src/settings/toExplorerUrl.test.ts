import { expect, it } from 'vitest'
import { toExplorerUrl } from './toExplorerUrl.ts'

it.each(['https://explorer.example', 'https://explorer.example/'])('a block of %s has a page', (url) => {
  expect(toExplorerUrl({ blockExplorer: { name: 'Explorer', url } }, 'block', 7)).toBe(
    'https://explorer.example/block/7',
  )
})

it('a network without an explorer has no pages', () => {
  expect(toExplorerUrl({ blockExplorer: null }, 'tx', '0xab')).toBeUndefined()
})
