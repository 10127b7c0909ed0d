/**
 * The revert messages of the DFX v2 / Stabull v1 family and of OpenZeppelin's older tokens. Each message maps to the
 * error of our contracts or of ERC-6093 for the same reason. A message has no arguments.
 */
export const dfxRevertReasons: ReadonlyMap<string, string> = new Map([
  ['Curve/below-min-target-amount', 'BelowMinTarget'],
  ['Router/originswap-failure', 'BelowMinTarget'],
  ['Curve/above-max-origin-amount', 'AboveMaxInput'],
  ['Curve/upper-halt', 'AboveMaxOrigin'],
  ['Curve/upper-halt-1', 'AboveMaxOrigin'],
  ['Curve/upper-halt-2', 'AboveMaxOrigin'],
  ['Curve/lower-halt', 'AboveMaxOrigin'],
  // These pools iterate to find the price.
  ['Curve/swap-convergence-failed', 'NoConvergence'],
  ['Curve/swap-invariant-violation', 'AboveMaxOrigin'],
  // Reverts of deposits.
  ['curve/exceeds pool cap', 'AboveMaxOrigin'],
  ['curve/deposit-exceeds-guard-amt', 'AboveMaxOrigin'],
  ['Curve/frozen-only-allowing-proportional-withdraw', 'Frozen'],
  ['Curve/frozen-globally-only-allowing-proportional-withdraw', 'Frozen'],
  ['Curve/emergency-only-allowing-emergency-proportional-withdraw', 'Frozen'],
  ['Curve/tx-deadline-passed', 'DeadlinePassed'],
  ['Router/No-path', 'NoPath'],
  ['Curve/origin-not-supported', 'UnsupportedOrigin'],
  ['Curve/target-not-supported', 'UnsupportedTarget'],
  ['Curve/deposit_below_zero', 'ZeroAmount'],
  ['Proportional Liquidity/amount too small!', 'ZeroAmount'],
  ['intakeNumeraire/zero-amount!', 'ZeroAmount'],
  ['ERC20: transfer amount exceeds balance', 'ERC20InsufficientBalance'],
  ['ERC20: transfer amount exceeds allowance', 'ERC20InsufficientAllowance'],
  ['ERC20: insufficient allowance', 'ERC20InsufficientAllowance'],
  ['ERC20Permit: expired deadline', 'ERC2612ExpiredSignature'],
  ['ERC20Permit: invalid signature', 'ERC2612InvalidSigner'],
])
