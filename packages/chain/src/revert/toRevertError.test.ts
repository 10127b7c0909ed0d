import { describe, expect, it } from 'vitest'
import { toRevertError } from './toRevertError.ts'

const tokenOf = (symbol: string, decimals: number) =>
  ({ address: '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9', symbol, name: symbol, decimals }) as const
const [wallet, router] = [
  '0x1000000000000000000000000000000000000001',
  '0x1000000000000000000000000000000000000002',
] as const
const tokens = { tokenIn: tokenOf('tAUD', 6), tokenOut: tokenOf('tEUR', 2) }

it.each([
  [
    'StalePrice',
    ['0xabc', '1700000000', '3600'],
    'svc/stale-price',
    { updatedAt: '2023-11-14T22:13:20.000Z', maxAgeSeconds: 3600, reason: 'age' },
  ],
  [
    'InvalidPrice',
    ['0xabc', '-1'],
    'svc/stale-price',
    { oracle: '0xabc', updatedAt: '1970-01-01T00:00:00.000Z', maxAgeSeconds: 0, reason: 'invalid' },
  ],
  [
    'PriceOutOfBounds',
    ['0xabc', '651200000', '13024000', '325600000'],
    'svc/stale-price',
    { oracle: '0xabc', reason: 'bounds' },
  ],
  [
    'PriceStepTooLarge',
    ['0xabc', '112657600', '65120000', '100000000000000000'],
    'svc/stale-price',
    { oracle: '0xabc', reason: 'step' },
  ],
  [
    'ReferenceDepegged',
    ['0xabc', '97000000', '98000000', '102000000'],
    'svc/reference-depegged',
    { feed: '0xabc', answer: '0.97000000', minAnswer: '0.98000000', maxAnswer: '1.02000000' },
  ],
  ['SequencerDown', ['0xabc', '1', '1700000000', '3600'], 'svc/stale-price', { oracle: '0xabc', reason: 'sequencer' }],
  ['AboveMaxOrigin', ['2500000', '1000000'], 'svc/above-max-origin', { amountIn: '2.500000', maxAmountIn: '1.000000' }],
  ['BelowMinTarget', ['99', '100'], 'svc/below-min-target', { amountOut: '0.99', minAmountOut: '1.00' }],
  ['AboveMaxInput', ['2500001', '2500000'], 'svc/above-max-input', { amountIn: '2.500001', maxAmountIn: '2.500000' }],
  [
    'ERC20InsufficientBalance',
    [wallet, '1', '2'],
    'svc/insufficient-balance',
    { required: '0.000002', current: '0.000001' },
  ],
  [
    'ERC20InsufficientAllowance',
    [router, '0', '5'],
    'svc/insufficient-allowance',
    { required: '0.000005', current: '0.000000' },
  ],
  ['Frozen', [], 'svc/pool-frozen', {}],
  ['Error', ['Curve/unknown-reason'], 'svc/reverted', { revert: { name: 'Error', args: ['Curve/unknown-reason'] } }],
  ['DeadlinePassed', ['1'], 'svc/deadline-passed', {}],
  ['ZeroAmount', [], 'svc/amount-too-small', {}],
  ['NoPath', ['0xabc', '0xdef'], 'svc/no-route', {}],
  ['FaucetDry', ['0xabc'], 'svc/faucet-dry', { token: '0xabc' }],
  ['Panic', ['17'], 'svc/reverted', { revert: { name: 'Panic', args: ['17'] } }],
] as const)('toRevertError converts %s(%j) to %s', (name, args, code, details) => {
  expect(toRevertError({ name, args }, { ...tokens, from: wallet, to: router })).toMatchObject({ code, details })
})

it.each([
  ['UnsupportedToken', [tokens.tokenIn.address], { from: wallet }, 'svc/unsupported-token'],
  ['ERC20InsufficientBalance', [router, '1', '2'], { from: wallet, to: router }, 'svc/reverted'],
  ['ERC20InsufficientAllowance', [wallet, '1', '2'], { from: wallet, to: router }, 'svc/reverted'],
  ['ERC20InsufficientBalance', [wallet, '1', '2'], {}, 'svc/reverted'],
  ['Error', ['ERC20: transfer amount exceeds balance'], {}, 'svc/reverted'],
] as const)(
  'toRevertError(%s(%j)) with the parties %o, whose sender lacks nothing, is %s',
  (name, args, parties, code) => {
    expect(toRevertError({ name, args }, { ...tokens, ...parties })).toMatchObject({ code })
  },
)

it.each([
  ['Curve/below-min-target-amount', 'svc/below-min-target'],
  ['Any Name/below-min-target', 'svc/below-min-target'],
  ['other/above-max-origin', 'svc/above-max-origin'],
  ['Router/originswap-failure', 'svc/below-min-target'],
  ['Curve/above-max-origin-amount', 'svc/above-max-input'],
  ['Curve/upper-halt', 'svc/above-max-origin'],
  ['Curve/upper-halt-1', 'svc/above-max-origin'],
  ['Curve/upper-halt-2', 'svc/above-max-origin'],
  ['Curve/lower-halt', 'svc/above-max-origin'],
  ['Curve/swap-convergence-failed', 'svc/no-convergence'],
  ['Curve/swap-invariant-violation', 'svc/above-max-origin'],
  ['Curve/frozen-only-allowing-proportional-withdraw', 'svc/pool-frozen'],
  ['Curve/frozen-globally-only-allowing-proportional-withdraw', 'svc/pool-frozen'],
  ['Curve/emergency-only-allowing-emergency-proportional-withdraw', 'svc/pool-frozen'],
  ['Curve/tx-deadline-passed', 'svc/deadline-passed'],
  ['Curve/origin-not-supported', 'svc/unsupported-token'],
  ['Curve/target-not-supported', 'svc/unsupported-token'],
  ['Curve/deposit_below_zero', 'svc/amount-too-small'],
  ['Proportional Liquidity/amount too small!', 'svc/amount-too-small'],
  ['intakeNumeraire/zero-amount!', 'svc/amount-too-small'],
  ['Router/No-path', 'svc/no-route'],
  ['ERC20: transfer amount exceeds balance', 'svc/insufficient-balance'],
  ['ERC20: transfer amount exceeds allowance', 'svc/insufficient-allowance'],
  ['ERC20: insufficient allowance', 'svc/insufficient-allowance'],
] as const)('toRevertError converts the message "%s" to %s', (reason, code) => {
  const { message, ...error } = toRevertError({ name: 'Error', args: [reason] }, { ...tokens, from: wallet })
  expect(error).toMatchObject({ code })
  expect(message).not.toMatch(/undefined|  /)
})

it.each([
  ['SignatureExpired', ['1700000000'], 'deadline'],
  ['InvalidNonce', [], 'nonce'],
  ['InvalidAmount', ['5'], 'amount'],
  ['InvalidSigner', [], 'signer'],
  ['InvalidSignature', [], 'signer'],
  ['InvalidSignatureLength', [], 'signer'],
  ['InvalidContractSignature', [], 'signer'],
  ['ERC2612ExpiredSignature', ['1700000000'], 'deadline'],
  ['ERC2612InvalidSigner', [router, wallet], 'signer'],
  ['Error', ['ERC20Permit: expired deadline'], 'deadline'],
  ['Error', ['ERC20Permit: invalid signature'], 'signer'],
] as const)('toRevertError converts %s(%s) to svc/invalid-permit with the reason %s', (name, args, reason) => {
  expect(toRevertError({ name, args }, tokens)).toMatchObject({ code: 'svc/invalid-permit', details: { reason } })
})

it('toRevertError converts a failed transfer of Permit2 to svc/insufficient-allowance, of a conversion that it pays only', () => {
  const revert = { name: 'Error', args: ['TRANSFER_FROM_FAILED'] }
  const conversion = { ...tokens, from: wallet, amountInRaw: 2_500_000n }
  expect(toRevertError(revert, { ...conversion, permit: { kind: 'permit2' } })).toMatchObject({
    code: 'svc/insufficient-allowance',
    details: { required: '2.500000' },
    message: 'Cannot convert: the allowance of the wallet for Permit2, or its balance, is less than 2.500000 tAUD',
  })
  for (const permit of [undefined, { kind: 'permit' } as const]) {
    expect(toRevertError(revert, { ...conversion, permit })).toMatchObject({ code: 'svc/reverted' })
  }
})

it('the cooldown of a faucet is counted from the newest block, at any time of the wall clock', () => {
  const revert = { name: 'CooldownActive', args: ['1700003600'] }
  const error = toRevertError(revert, { blockSeconds: 1_700_003_000n })
  expect(error).toMatchObject({
    code: 'svc/faucet-cooldown',
    details: { nextClaimAt: '2023-11-14T23:13:20.000Z', retryAfterSeconds: 600 },
  })
})

describe('the amounts of a revert', () => {
  const conversion = { ...tokens, from: wallet, amountInRaw: 2_500_000n, minAmountOutRaw: 100n }
  const convert = (...args: readonly string[]) => toRevertError({ name: 'Error', args }, conversion)

  it('the amounts of a revert at a limit are omitted for an exact output by a router, as either pool may report them', () => {
    const exactOut = { ...tokens, maxAmountInRaw: 2_500_000n }
    const limit = { name: 'AboveMaxOrigin', args: ['2400000', '1000000'] }
    expect(toRevertError(limit, { ...exactOut, target: 'router' }).details).toEqual({})
    const direct = toRevertError(limit, { ...exactOut, target: 'pool' })
    expect(direct.details).toEqual({ amountIn: '2.400000', maxAmountIn: '1.000000' })
  })

  it('the amounts of a revert name the pool as the spender of a conversion by a pool', () => {
    const revert = { name: 'ERC20InsufficientAllowance', args: [router, '1', '2'] }
    const { message } = toRevertError(revert, { ...tokens, from: wallet, to: router, target: 'pool' })
    expect(message).toBe('Cannot convert: the pool may spend 0.000001 tAUD and needs 0.000002 tAUD')
  })

  it('the amounts of a revert come from the conversion where a revert message has none', () => {
    expect(convert('Curve/below-min-target-amount').details).toEqual({ minAmountOut: '1.00' })
    expect(convert('ERC20: transfer amount exceeds balance').details).toEqual({ required: '2.500000' })
    expect(convert('Curve/origin-not-supported').details).toEqual({ field: 'tokenIn', value: tokens.tokenIn.address })
  })

  it('a revert has the amounts of the first pool when the second charges more than its view returned', () => {
    const exactOut = { ...tokens, maxAmountInRaw: 2_500_000n }
    const { details, message } = toRevertError({ name: 'AboveMaxInput', args: ['777', '776'] }, exactOut)
    expect(details).toEqual({ maxAmountIn: '2.500000' })
    expect(message).toBe('Cannot convert: the input is above the requested maximum 2.500000 tAUD')
    const foreign = toRevertError({ name: 'Error', args: ['Curve/above-max-origin-amount'] }, exactOut)
    expect(foreign.details).toEqual({ maxAmountIn: '2.500000' })
  })

  it('the amounts of a revert are omitted if neither the revert nor the conversion has them', () => {
    const { details } = toRevertError({ name: 'Error', args: ['Curve/lower-halt'] })
    expect(details).toEqual({})
  })
})
