import { poolAbi, tokenAbi } from '@agio/chain/abi'
import { encodeErrorResult, parseAbi, type Hex } from 'viem'

const otherAccount = '0x00000000000000000000000000000000000000A1'
const standard = parseAbi(['error Error(string)', 'error Panic(uint256)', 'error NotOurs(uint256)'])

const toErrorData = (reason: string) => encodeErrorResult({ abi: standard, errorName: 'Error', args: [reason] })
const unknown = encodeErrorResult({ abi: standard, errorName: 'NotOurs', args: [7n] })

/** Every kind of revert, and the failure that the service returns for it, for 1,000 tAUD to at least 650 tUSD. */
export const kinds: readonly Kind[] = [
  {
    kind: 'an error of our pools with its values',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'StalePrice', args: [otherAccount, 1_700_000_000n, 3600n] }),
    code: 'svc/stale-price',
    details: { oracle: otherAccount, updatedAt: '2023-11-14T22:13:20.000Z', maxAgeSeconds: 3600 },
    revert: { name: 'StalePrice', args: [otherAccount, '1700000000', '3600'] },
    message: /0{37}A1.*3600 s/,
  },
  {
    kind: 'an error of our pools in raw units',
    data: encodeErrorResult({ abi: poolAbi, errorName: 'AboveMaxOrigin', args: [1_000_000_000n, 999_999_999n] }),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000', maxAmountIn: '999.999999' },
    revert: { name: 'AboveMaxOrigin', args: ['1000000000', '999999999'] },
    message: /1000\.000000.*999\.999999/,
  },
  {
    kind: 'an error of ERC-6093',
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InvalidReceiver', args: [otherAccount] }),
    ...raw('ERC20InvalidReceiver', [otherAccount]),
  },
  {
    kind: "another account's insufficient balance",
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InsufficientBalance', args: [otherAccount, 1n, 2n] }),
    ...raw('ERC20InsufficientBalance', [otherAccount, '1', '2']),
  },
  {
    kind: "another spender's insufficient allowance",
    data: encodeErrorResult({ abi: tokenAbi, errorName: 'ERC20InsufficientAllowance', args: [otherAccount, 1n, 2n] }),
    ...raw('ERC20InsufficientAllowance', [otherAccount, '1', '2']),
  },
  {
    kind: 'a panic',
    data: encodeErrorResult({ abi: standard, errorName: 'Panic', args: [18n] }),
    ...raw('Panic', ['18']),
  },
  {
    kind: 'a known revert message of the pool family',
    data: toErrorData('Curve/lower-halt'),
    code: 'svc/above-max-origin',
    details: { amountIn: '1000.000000' },
    revert: { name: 'Error', args: ['Curve/lower-halt'] },
    message: /1000\.000000/,
  },
  {
    kind: 'an unknown revert message',
    data: toErrorData('insufficient funds, nonce too low'),
    ...raw('Error', ['insufficient funds, nonce too low']),
  },
  { kind: 'an unknown selector', data: unknown, ...raw('Unknown', [unknown]) },
  { kind: 'no data', data: '0x', ...raw('Revert', []) },
]

type Kind = {
  readonly kind: string
  /** The revert data. */
  readonly data: Hex
  readonly code: string
  /** The details, in addition to those of every failure. */
  readonly details: object
  readonly revert: Revert
  /** A part of the message. */
  readonly message: RegExp
}

type Revert = { readonly name: string; readonly args: readonly string[] }

/** A revert without its own code. */
function raw(name: string, args: readonly string[]): Omit<Kind, 'kind' | 'data'> {
  const revert = { name, args }
  return { code: 'svc/reverted', details: { revert }, revert, message: new RegExp(name) }
}
