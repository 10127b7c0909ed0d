/** The meaning of each `reason` of `svc/stale-price`. */
export const priceRefusals = {
  age: 'The price is older than its maximum age, or was never set',
  invalid: 'The answer of the oracle is zero or negative',
  bounds: 'The answer of the oracle is outside of the bounds within which the pool accepts it, so it is probably wrong',
  step: 'The answer of the oracle differs from the answer of the round before by more than the pool accepts. The next round that is close to it confirms it',
  sequencer:
    'The sequencer of the network is down, or has restarted so recently that oracles may not have been updated. `oracle` is its uptime feed',
} as const satisfies Record<string, string>

/** The reason why a pool does not convert at a price, until the price changes. */
export type PriceRefusal = keyof typeof priceRefusals
