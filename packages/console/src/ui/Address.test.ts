import { expect, it } from 'vitest'
import { parseHash } from './Address.tsx'

const hash = `0x${'ab'.repeat(32)}`

it.each([hash, ` ${hash}\n`, `0x${'AB'.repeat(32)}`, `https://explorer.example/tx/${hash}?tab=logs`])(
  'the hash in "%s" is found',
  (text) => {
    expect(parseHash(text)).toBe(hash)
  },
)

it.each(['', '0xab', hash.slice(2), hash.slice(0, -1), `${hash}0`])('"%s" has no hash', (text) => {
  expect(parseHash(text)).toBeUndefined()
})
