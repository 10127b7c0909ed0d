import type { Snapshot } from '@agio/chain'
import type { Address, Token } from '@agio/core'
import { expect, it } from 'vitest'
import { getToken } from './snapshot.ts'

const [known, disputed, other] = [1, 2, 3].map((index): Address => `0x${'0'.repeat(39)}${index}`) as [
  Address,
  Address,
  Address,
]
const token: Token = { address: known, symbol: 'tAUD', name: 'Test Australian Dollar', decimals: 6 }
const snapshot: Snapshot = {
  block: { number: 1n, hash: `0x${'a'.repeat(64)}`, timestampSeconds: 7n },
  pools: [],
  unreadablePools: [],
  tokens: new Map([[known, token]]),
  disputedTokens: new Set([disputed]),
}

it.each([
  ['a token about which the nodes disagree', 'svc/upstream-error', disputed],
  ['any other token', 'svc/unsupported-token', other],
] as const)('error: %s is %s', (_, code, address) => {
  expect(() => getToken(snapshot, address, 'tokenIn')).toThrow(expect.objectContaining({ code }))
})
