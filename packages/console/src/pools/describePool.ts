import type { PoolDetails } from '@agio/sdk'
import type { Tone } from '../ui/Badge.tsx'

/** The description of a pool's state. */
export type PoolDescription = {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  /** Whether the pool has stopped converting. */
  readonly isStopped: boolean
  /** Whether the pool has its own curve, so that the service reads its prices from the chain. */
  readonly isPricedOnChain: boolean
}

/** Describes whether a pool converts and how it prices. */
export function describePool({ oracles, maxAmountIn }: PoolState, curves: Curves): PoolDescription {
  if (curves.errorCodes.includes('svc/pool-frozen')) return states.frozen
  if (oracles.token0.stale || oracles.token1.stale) return states.unpriced
  if (maxAmountIn) return states.open
  // The curves may be from before the pool was frozen.
  if (curves.hasAny && !curves.wasLocal) return states.onChain
  return curves.errorCodes.length > 0 ? states.unknown : states.reading
}

type PoolState = {
  readonly oracles: { readonly [Side in keyof PoolDetails['oracles']]: { readonly stale: boolean } }
  readonly maxAmountIn?: PoolDetails['maxAmountIn']
}

type Curves = {
  /** Error codes of the curves that could not be read. */
  readonly errorCodes: readonly (string | undefined)[]
  /** Whether any curve was read. */
  readonly hasAny: boolean
  /** Whether the service itself has priced the pool before. */
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
  unpriced: {
    name: 'Price not accepted',
    tone: 'warning',
    words: 'A price is too old or implausible, so the pool converts nothing. The curve says why.',
    ...isStopped,
  },
  open: {
    name: 'Open',
    tone: 'positive',
    words: 'The pool converts any size up to its halts at the oracles’ prices less its fee.',
    ...isOpen,
  },
  onChain: {
    name: 'Open, priced on chain',
    tone: 'positive',
    words:
      'The pool has its own curve: the more a conversion unbalances the reserves, the less it pays. The service reads each price from the pool.',
    isStopped: false,
    isPricedOnChain: true,
  },
  reading: { name: 'Reading', tone: 'neutral', words: 'Loading the state of the pool.', ...isOpen },
  unknown: { name: 'Unknown', tone: 'neutral', words: 'The state of the pool could not be read.', ...isOpen },
} as const satisfies Readonly<Record<string, PoolDescription>>
