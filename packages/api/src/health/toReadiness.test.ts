import { expect, it } from 'vitest'
import { toReadiness } from './toReadiness.ts'

const ok = { chainId: 84532, status: 'ok', available: ['previews', 'transactions'] } as const
const unreachable = { chainId: 421614, status: 'unreachable', available: [] } as const

function readinessOf(...chains: readonly (typeof ok | typeof unreachable)[]) {
  const listed = chains.map(({ available, ...chain }) => ({ ...chain, available: [...available] }))
  return toReadiness({ chains: listed }, false).status
}

it('a process is ready while an operation of one chain is available, and unavailable while none of any chain is', () => {
  expect(readinessOf(ok, ok)).toBe('ready')
  expect(readinessOf(ok, unreachable)).toBe('ready')
  expect(readinessOf(unreachable, unreachable)).toBe('unavailable')
})
