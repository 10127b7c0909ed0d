import type { PermitKind, PermitTerms, TypedData } from '../api/schemas.ts'
import { formatAmount } from './amounts.ts'
import { toExpectedSwap, type ExpectedConversion } from './ExpectedConversion.ts'
import { assertEqual, mismatch, show } from './mismatch.ts'
import { toPermit2TypedData, toPermitTypedData } from './toTypedData.ts'

/**
 * Asserts that typed data pays only for the conversion of a quote. An EIP-2612 permit lets the contract of the quote
 * take at most the largest input, until the quote expires. A Permit2 signature names the whole conversion and the
 * digest of the quote.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkTypedData(expected: ExpectedTypedData, typedData: TypedData): void {
  if (typeof typedData !== 'object' || typedData === null) {
    throw mismatch('typedData', { expected: 'typed data', actual: show(typedData) })
  }
  const swap = toExpectedSwap(expected)
  const subject = { ...expected, swap }
  const wanted =
    expected.kind === 'permit' ? toPermitTypedData(subject, typedData) : toPermit2TypedData(subject, typedData)
  for (const part of ['primaryType', 'domain', 'types', 'message'] as const) {
    assertSame(part, wanted[part], typedData[part])
  }
  if (expected.terms) checkTerms(expected.terms, { expected, capRaw: swap.capRaw, typedData })
}

export type ExpectedTypedData = Omit<ExpectedConversion, 'permit'> & {
  readonly chainId: number
  readonly kind: PermitKind
  /** The terms that are sent to the service with the signature. */
  readonly terms?: PermitTerms | undefined
}

type Signed = { readonly expected: ExpectedTypedData; readonly capRaw: bigint; readonly typedData: TypedData }

/** Asserts that the given terms match the signed typed data. */
function checkTerms(terms: PermitTerms, { expected: { kind, quote }, capRaw, typedData: { message } }: Signed): void {
  assertEqual('permit.kind', kind, terms.kind)
  assertEqual('permit.deadline', show(message['deadline']), terms.deadline)
  assertEqual('permit.nonce', show(message['nonce']), terms.nonce)
  assertEqual('permit.amount', formatAmount(capRaw, quote.tokenIn.decimals), terms.amount)
}

/** Asserts that two JSON values are equal. The order of fields does not matter. */
function assertSame(path: string, expected: unknown, actual: unknown): void {
  if (typeof expected !== 'object' || expected === null) return assertEqual(path, String(expected), actual)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected)) {
    throw mismatch(path, { expected: show(expected), actual: show(actual) })
  }
  const [wanted, found] = [toFields(expected), toFields(actual)]
  for (const [key, value] of wanted) assertSame(`${path}.${key}`, value, found.get(key))
  for (const [key, value] of found) {
    if (!wanted.has(key)) throw mismatch(`${path}.${key}`, { expected: 'missing', actual: show(value) })
  }
}

function toFields(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, each]) => each !== undefined))
}
