/**
 * Returns the error of our contracts or of ERC-6093 with the same reason as a revert message of the DFX v2 / Stabull v1
 * family or of OpenZeppelin's older tokens; undefined for another message. A message has no arguments.
 *
 * Members of the family differ in the name before the slash: `Curve/below-min-target-amount`, `<name>/stale-price`.
 */
export function findErrorName(message: string): string | undefined {
  const slash = message.indexOf('/')
  return slash > 0 ? familyReasons.get(message.slice(slash + 1)) : tokenReasons.get(message)
}

const familyReasons: ReadonlyMap<string, string> = new Map([
  ['stale-price', 'StalePrice'],
  ['below-min-target', 'BelowMinTarget'],
  ['below-min-target-amount', 'BelowMinTarget'],
  ['originswap-failure', 'BelowMinTarget'],
  ['above-max-origin', 'AboveMaxOrigin'],
  ['above-max-origin-amount', 'AboveMaxInput'],
  ['upper-halt', 'AboveMaxOrigin'],
  ['upper-halt-1', 'AboveMaxOrigin'],
  ['upper-halt-2', 'AboveMaxOrigin'],
  ['lower-halt', 'AboveMaxOrigin'],
  // These pools iterate to find the price.
  ['swap-convergence-failed', 'NoConvergence'],
  ['swap-invariant-violation', 'AboveMaxOrigin'],
  // Reverts of deposits.
  ['exceeds pool cap', 'AboveMaxOrigin'],
  ['deposit-exceeds-guard-amt', 'AboveMaxOrigin'],
  ['frozen-only-allowing-proportional-withdraw', 'Frozen'],
  ['frozen-globally-only-allowing-proportional-withdraw', 'Frozen'],
  ['emergency-only-allowing-emergency-proportional-withdraw', 'Frozen'],
  ['tx-deadline-passed', 'DeadlinePassed'],
  ['No-path', 'NoPath'],
  ['origin-not-supported', 'UnsupportedOrigin'],
  ['target-not-supported', 'UnsupportedTarget'],
  ['deposit_below_zero', 'ZeroAmount'],
  ['amount too small!', 'ZeroAmount'],
  ['zero-amount!', 'ZeroAmount'],
])

const tokenReasons: ReadonlyMap<string, string> = new Map([
  ['ERC20: transfer amount exceeds balance', 'ERC20InsufficientBalance'],
  ['ERC20: transfer amount exceeds allowance', 'ERC20InsufficientAllowance'],
  ['ERC20: insufficient allowance', 'ERC20InsufficientAllowance'],
  ['ERC20Permit: expired deadline', 'ERC2612ExpiredSignature'],
  ['ERC20Permit: invalid signature', 'ERC2612InvalidSigner'],
  ['FiatTokenV2: permit is expired', 'ERC2612ExpiredSignature'],
  ['EIP2612: invalid signature', 'ERC2612InvalidSigner'],
  ['Blacklistable: account is blacklisted', 'AccountBlocked'],
  ['Pausable: paused', 'TokenPaused'],
])
