import { poolAbi, tokenAbi } from '@agio/chain/abi'
import { encodeErrorResult, parseAbi, type Hex } from 'viem'

const someone = '0x00000000000000000000000000000000000000A1'
const standard = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error Nobody(uint256)'])

const say = (reason: string) => encodeErrorResult({ abi: standard, errorName: 'Error', args: [reason] })
const unknown = encodeErrorResult({ abi: standard, errorName: 'Nobody', args: [7n] })

/** Every kind of revert, and what the service makes of it where 1,000 tAUD are to become at least 650 tUSD. */
export const kinds: readonly Kind[] = [
  {
    kind: 'an error of ours, with its numbers',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'StalePrice', args: [someone, 1_700_000_000n, 3600n] }),
    code: 'svc/stale-price',
    details: { oracle: someone, updatedAt: '2023-11-14T22:13:20.000Z', maxAgeSeconds: 3600 },
    revert: { name: 'StalePrice', args: [someone, '1700000000', '3600'] },
    says: /0{37}A1.*3600 s/,
  },
  {
    kind: 'another one of ours',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'AboveMaxOrigin', args: [1_000_000_000n, 999_999_999n] }),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000', maxAmountIn: '999.999999' },
    revert: { name: 'AboveMaxOrigin', args: ['1000000000', '999999999'] },
    says: /1000\.000000.*999\.999999/,
  },
  {
    kind: 'an error of ERC-6093',
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InvalidReceiver', args: [someone] }),
    ...raw('ERC20InvalidReceiver', [someone]),
  },
  {
    kind: 'a balance that somebody else lacks',
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InsufficientBalance', args: [someone, 1n, 2n] }),
    ...raw('ERC20InsufficientBalance', [someone, '1', '2']),
  },
  {
    kind: 'an allowance that somebody else lacks',
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InsufficientAllowance', args: [someone, 1n, 2n] }),
    ...raw('ERC20InsufficientAllowance', [someone, '1', '2']),
  },
  {
    kind: 'a panic',
    data: encodeErrorResult({ abi: standard, errorName: 'Panic', args: [18n] }),
    ...raw('Panic', ['18']),
  },
  {
    kind: "a sentence of the family's",
    data: say('Curve/lower-halt'),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000' },
    revert: { name: 'Error', args: ['Curve/lower-halt'] },
    says: /1000\.000000/,
  },
  {
    kind: "nobody's sentence",
    data: say('insufficient funds, nonce too low'),
    ...raw('Error', ['insufficient funds, nonce too low']),
  },
  { kind: 'an unknown selector', data: unknown, ...raw('Unknown', [unknown]) },
  { kind: 'not a word', data: '0x', ...raw('Revert', []) },
]

type Kind = {
  readonly kind: string
  /** What the contract reverts with. */
  readonly data: Hex
  readonly code: string
  /** Beside those of every failure. */
  readonly details: object
  readonly revert: Revert
  /** What the sentence holds. */
  readonly says: RegExp
}

type Revert = { readonly name: string; readonly args: readonly string[] }

/** A revert without a code of its own. */
function raw(name: string, args: readonly string[]): Omit<Kind, 'kind' | 'data'> {
  const revert = { name, args }
  return { code: 'svc/reverted', details: { revert }, revert, says: new RegExp(name) }
}
