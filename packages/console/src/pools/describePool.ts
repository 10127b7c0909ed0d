import type { PoolDetails } from '@agio/sdk'
import type { Tone } from '../ui/Badge.tsx'

/** The state of a pool, in words. */
export type PoolDescription = {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  /** Whether the pool converts nothing at all. */
  readonly isStopped: boolean
  /** Whether it has a curve of its own, which the service asks it for. */
  readonly isPricedOnChain: boolean
}

/** Describes whether a pool converts, and at which price. */
export function describePool({ oracles, maxAmountIn }: PoolState, curves: Curves): PoolDescription {
  if (curves.errorCodes.includes('svc/pool-frozen')) return states.frozen
  if (oracles.token0.stale || oracles.token1.stale) return states.stale
  if (maxAmountIn) return states.open
  // The curves may be those of the pool before it was frozen.
  if (curves.hasAny && !curves.wasLocal) return states.onChain
  return curves.errorCodes.length > 0 ? states.unknown : states.reading
}

type PoolState = {
  readonly oracles: { readonly [Side in keyof PoolDetails['oracles']]: { readonly stale: boolean } }
  readonly maxAmountIn?: PoolDetails['maxAmountIn']
}

type Curves = {
  /** Codes of the errors of the curves that could not be read. */
  readonly errorCodes: readonly (string | undefined)[]
  /** Whether any curve was read. */
  readonly hasAny: boolean
  /** Whether the service has priced the pool itself before. */
  readonly wasLocal: boolean
}

const isOpen = { isStopped: false, isPricedOnChain: false } as const
const isStopped = { isStopped: true, isPricedOnChain: false } as const

const states = {
  frozen: {
    name: 'Frozen',
    tone: 'danger',
    words: 'The owner of the pool has stopped all conversions. Withdrawals stay possible.',
    ...isStopped,
  },
  stale: {
    name: 'Stale price',
    tone: 'warning',
    words: 'A price is older than its maximum age, so the pool converts nothing until its oracle is updated.',
    ...isStopped,
  },
  open: {
    name: 'Open',
    tone: 'positive',
    words: 'The pool converts at the oracles’ prices less its fee, whatever the size, up to its halts.',
    ...isOpen,
  },
  onChain: {
    name: 'Open, priced on chain',
    tone: 'positive',
    words:
      'The pool has a curve of its own: the more a conversion unbalances its reserves, the less it pays. The service asks the pool for each price.',
    isStopped: false,
    isPricedOnChain: true,
  },
  reading: { name: 'Reading', tone: 'neutral', words: 'The state of the pool is being read.', ...isOpen },
  unknown: { name: 'Unknown', tone: 'neutral', words: 'Whether the pool converts could not be read.', ...isOpen },
} as const satisfies Readonly<Record<string, PoolDescription>>
