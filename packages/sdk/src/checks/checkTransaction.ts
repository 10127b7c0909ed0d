import * as Decimal from '../quote/Decimal.ts'
import {
  toExpectedSwap,
  toQuoteDigest,
  getMaxAmountInRaw,
  type ExpectedConversion,
  type ExpectedSwap,
} from './ExpectedConversion.ts'
import { assertEqual, mismatch, formatValue, parseAmount } from '../quote/mismatch.ts'
import { decodeCalldata, type CalldataField, type ConversionCalldata } from './decodeCalldata.ts'
import type { WalletCall, WalletTransaction } from '../api/schemas.ts'

/**
 * Asserts that a transaction executes only the conversion of a quote: its contract, tokens, limits, recipient,
 * deadline, and the signature in its calldata.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkTransaction(expected: ExpectedConversion, transaction: CheckedTransaction): void {
  const { quote, account } = expected
  checkEnvelope(quote.spender, transaction)
  const call = decodeCalldata(transaction.data)
  if (call === undefined)
    throw mismatch('data', { expected: 'a conversion', actual: formatValue(transaction.data).slice(0, 10) })
  const swap = toExpectedSwap(expected)
  checkFunction(expected, swap, call)
  const values = toExpectedFields(expected, swap)
  for (const [field, actual] of withRecipient(call, account)) {
    const { accepted, format } = values[field]
    const [first = 0n] = accepted
    if (!accepted.includes(actual)) throw mismatch(field, { expected: format(first), actual: format(actual) })
  }
  if (expected.permit) assertEqual('permit.signature', expected.permit.signature, call.signature)
}

/** A call, in one of the two forms that the service returns. */
export type CheckedTransaction = {
  readonly to: string
  readonly data: string
  /** Wei, decimal or hex. */
  readonly value: string
}

/** Asserts that a transaction calls a contract and sends no native currency. @throws `convert/mismatch` */
export function checkEnvelope(expected: string, { to, value }: CheckedTransaction): void {
  assertEqual('to', expected, to)
  if (!/^(?:0|0x0+)$/.test(value)) throw mismatch('value', { expected: '0', actual: formatValue(value) })
}

/**
 * Asserts that a transaction for the wallet names its account and its network, and is of type EIP-1559.
 *
 * @throws `convert/mismatch` with `from`, `chainId` or `type`
 */
export function checkSender(
  expected: { readonly account: string; readonly chainId: number },
  { from, chainId, type }: Pick<WalletTransaction, 'from' | 'chainId' | 'type'>,
): void {
  assertEqual('from', expected.account, from)
  assertEqual('chainId', String(expected.chainId), parseChainId(chainId))
  assertEqual('type', '0x2', type)
}

/** Parses a chain id in hex. Returns any other value unchanged, for the error. */
function parseChainId(value: unknown): unknown {
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : value
}

function checkFunction({ quote, permit }: ExpectedConversion, swap: ExpectedSwap, call: ConversionCalldata): void {
  assertEqual('permit', permit?.kind ?? 'none', call.permit ?? 'none')
  if (!swap.executions.includes(call.execution)) {
    throw mismatch('execution', { expected: swap.executions[0] ?? '', actual: call.execution })
  }
  const pools = quote.route.map((hop) => hop.address.toLowerCase())
  const isPool = pools.length === 1 && pools[0] === quote.spender.toLowerCase()
  if (isPool === (call.target === 'pool')) return
  throw mismatch('to', { expected: isPool ? 'a router' : 'the pool of the quote', actual: quote.spender })
}

/** Returns the fields with a recipient: a call without one pays its sender. */
function withRecipient({ fields }: ConversionCalldata, account: string): ConversionCalldata['fields'] {
  const hasRecipient = fields.some(([field]) => field === 'recipient')
  return hasRecipient ? fields : [...fields, ['recipient', BigInt(account)]]
}

type ExpectedField = {
  readonly accepted: readonly bigint[]
  format(value: bigint): string
}

function toExpectedFields(
  { quote, permit }: ExpectedConversion,
  { capRaw, leastRaw, recipient, deadlineSeconds, quoteTokens }: ExpectedSwap,
): Readonly<Record<CalldataField, ExpectedField>> {
  const { tokenIn, tokenOut } = quote
  const address = (...accepted: readonly string[]) => ({
    accepted: accepted.filter(isAddress).map(BigInt),
    format: formatAddress,
  })
  const amount = (raw: bigint, { decimals }: { readonly decimals: number }) => ({
    accepted: [raw],
    format: (value: bigint) => Decimal.format(value, decimals),
  })
  const seconds = (value: bigint | number) => ({ accepted: [BigInt(value)], format: String })
  const permitRaw =
    permit?.amount === undefined ? capRaw : parseAmount(permit.amount, tokenIn.decimals, 'permit.amount')
  return {
    quoteToken: address(...quoteTokens),
    tokenIn: address(tokenIn.address),
    tokenOut: address(tokenOut.address),
    amountIn: amount(capRaw, tokenIn),
    maxAmountIn: amount(capRaw, tokenIn),
    minAmountOut: amount(leastRaw, tokenOut),
    amountOut: amount(leastRaw, tokenOut),
    recipient: address(recipient),
    deadline: seconds(deadlineSeconds),
    'permit.amount': amount(permitRaw, tokenIn),
    'permit.deadline': seconds(permit?.deadline ?? 0),
    'permit.quoteDigest': {
      accepted: permit?.kind === 'permit2' ? [BigInt(toQuoteDigest(quote.quote))] : [],
      format: formatHash,
    },
  }
}

function isAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text)
}

function formatAddress(value: bigint): string {
  return `0x${value.toString(16).padStart(40, '0')}`
}

function formatHash(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/**
 * Asserts that a batch has the conversion of a quote as its last call. One approval of its input may come before it,
 * and one reset before the approval.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkCalls(expected: ExpectedConversion, calls: readonly WalletCall[]): void {
  const [reset, approval, conversion] = [calls.at(-3), calls.at(-2), calls.at(-1)]
  if (conversion === undefined || calls.length > 3) {
    throw mismatch('calls', { expected: 'one to three calls', actual: `${calls.length}` })
  }
  checkTransaction(expected, conversion)
  const { quote } = expected
  const common = { token: quote.tokenIn.address, spender: quote.spender }
  if (approval) checkApproval({ ...common, amountRaw: getMaxAmountInRaw(quote) }, approval)
  if (reset) checkApproval({ ...common, amountRaw: 0n }, reset)
}

/**
 * Asserts that a transaction approves exactly one amount of a token for a spender.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkApproval(expected: ExpectedApproval, transaction: CheckedTransaction): void {
  const { token, spender, amountRaw, unlimited: isUnlimited = false } = expected
  checkEnvelope(token, transaction)
  const [, spenderWord, amountWord] = pattern.exec(transaction.data) ?? []
  if (spenderWord === undefined || amountWord === undefined) {
    throw mismatch('data', { expected: 'an approval', actual: transaction.data.slice(0, 10) })
  }
  assertWord('spender', BigInt(spender), spenderWord)
  assertWord('amount', isUnlimited ? maxUint256 : amountRaw, amountWord)
}

/** An approval that a conversion needs. */
type ExpectedApproval = {
  readonly token: string
  readonly spender: string
  /** Raw units; zero for a reset. */
  readonly amountRaw: bigint
  /** Whether the approval has no limit. */
  readonly unlimited?: boolean | undefined
}

// `approve(address,uint256)` of ERC-20.
const pattern = /^0x095ea7b3([0-9a-f]{64})([0-9a-f]{64})$/i

const maxUint256 = 2n ** 256n - 1n

function assertWord(field: 'spender' | 'amount', expected: bigint, word: string): void {
  const actual = BigInt(`0x${word}`)
  if (actual === expected) return
  const format = (value: bigint) => (field === 'amount' ? `${value}` : `0x${value.toString(16).padStart(40, '0')}`)
  throw mismatch(field, { expected: format(expected), actual: format(actual) })
}
