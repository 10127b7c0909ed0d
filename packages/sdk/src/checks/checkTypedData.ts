import type { PermitKind, PermitTerms, TypedData, TypedDataField } from '../api/schemas.ts'
import * as Decimal from '../quote/Decimal.ts'
import { toExpectedSwap, toQuoteDigest, type ExpectedConversion, type ExpectedSwap } from './ExpectedConversion.ts'
import { assertEqual, mismatch, formatValue } from '../quote/mismatch.ts'

/**
 * Asserts that typed data pays only for the conversion of a quote. An EIP-2612 permit lets the contract of the quote
 * take at most the largest input, until the quote expires. A Permit2 signature names the whole conversion and the
 * digest of the quote.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkTypedData(expected: ExpectedTypedData, typedData: TypedData): void {
  if (typeof typedData !== 'object' || typedData === null) {
    throw mismatch('typedData', { expected: 'typed data', actual: formatValue(typedData) })
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

type ExpectedTypedData = Omit<ExpectedConversion, 'permit'> & {
  readonly chainId: number
  readonly kind: PermitKind
  /** The terms that are sent to the service with the signature. */
  readonly terms?: PermitTerms | undefined
}

type Signed = { readonly expected: ExpectedTypedData; readonly capRaw: bigint; readonly typedData: TypedData }

/** Asserts that the given terms match the signed typed data. */
function checkTerms(terms: PermitTerms, { expected: { kind, quote }, capRaw, typedData: { message } }: Signed): void {
  assertEqual('permit.kind', kind, terms.kind)
  assertEqual('permit.deadline', formatValue(message['deadline']), terms.deadline)
  assertEqual('permit.nonce', formatValue(message['nonce']), terms.nonce)
  assertEqual('permit.amount', Decimal.format(capRaw, quote.tokenIn.decimals), terms.amount)
}

/** Asserts that two JSON values are equal. The order of fields does not matter. */
function assertSame(path: string, expected: unknown, actual: unknown): void {
  if (typeof expected !== 'object' || expected === null) return assertEqual(path, String(expected), actual)
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual) !== Array.isArray(expected)) {
    throw mismatch(path, { expected: formatValue(expected), actual: formatValue(actual) })
  }
  const [wanted, found] = [toFields(expected), toFields(actual)]
  for (const [key, value] of wanted) assertSame(`${path}.${key}`, value, found.get(key))
  for (const [key, value] of found) {
    if (!wanted.has(key)) throw mismatch(`${path}.${key}`, { expected: 'missing', actual: formatValue(value) })
  }
}

function toFields(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, field]) => field !== undefined))
}

/**
 * Returns the EIP-2612 permit that pays for a quote. The name, the version and the nonce come from the given data,
 * because only the token knows them.
 */
function toPermitTypedData({ quote, account, chainId, swap }: SignedSwap, given: TypedData): Wanted {
  const domain = {
    ...pickTexts(given.domain, ['name', 'version']),
    ...toNetwork(chainId, given.domain),
    verifyingContract: quote.tokenIn.address,
  }
  return {
    domain,
    types: { EIP712Domain: listDomainFields(domain), Permit: permitFields },
    primaryType: 'Permit',
    message: {
      owner: account,
      spender: quote.spender,
      value: swap.capRaw.toString(),
      nonce: getNonce(given),
      deadline: swap.deadlineSeconds.toString(),
    },
  }
}

/**
 * Returns the Permit2 transfer that pays for a quote, with the conversion as its witness. The given data decides which
 * witness struct is used.
 */
function toPermit2TypedData({ quote, chainId, swap }: SignedSwap, given: TypedData): Wanted {
  const digest = toQuoteDigest(quote.quote)
  const domain = { name: 'Permit2', chainId, verifyingContract: permit2Address }
  const [execution = 'origin-swap'] = swap.executions
  const chosen = swap.executions.find((candidate) => structs[candidate].name in (given.types ?? {})) ?? execution
  const struct = structs[chosen]
  const { tokenIn, tokenOut } = quote
  const [cap, deadline] = [swap.capRaw.toString(), swap.deadlineSeconds.toString()]
  return {
    domain,
    types: {
      EIP712Domain: listDomainFields(domain),
      PermitWitnessTransferFrom: [...transferFields, { name: 'witness', type: struct.name }],
      [struct.name]: struct.fields,
      TokenPermissions: tokenPermissionsFields,
    },
    primaryType: 'PermitWitnessTransferFrom',
    message: {
      permitted: { token: tokenIn.address, amount: cap },
      spender: quote.spender,
      nonce: BigInt(digest).toString(),
      deadline,
      witness: {
        quote: chooseQuoteToken(swap, given),
        origin: tokenIn.address,
        target: tokenOut.address,
        [struct.amounts[0]]: cap,
        [struct.amounts[1]]: swap.leastRaw.toString(),
        recipient: swap.recipient,
        deadline,
        quoteDigest: digest,
      },
    },
  }
}

/** The expected typed data, to compare with the typed data of the service. */
type Wanted = {
  readonly domain: object
  readonly types: Readonly<Record<string, readonly TypedDataField[]>>
  readonly primaryType: string
  readonly message: object
}

type SignedSwap = Omit<ExpectedConversion, 'permit'> & { readonly chainId: number; readonly swap: ExpectedSwap }

/** Permit2 has the same address on all networks. @see https://github.com/Uniswap/permit2 */
const permit2Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const permitFields = toFieldList('address owner, address spender, uint256 value, uint256 nonce, uint256 deadline')
const transferFields = toFieldList('TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline')
const tokenPermissionsFields = toFieldList('address token, uint256 amount')
const domainFields = toFieldList(
  'string name, string version, uint256 chainId, address verifyingContract, bytes32 salt',
)

const structs = {
  'origin-swap': toStruct('OriginSwap', ['originAmount', 'minTargetAmount']),
  'target-swap': toStruct('TargetSwap', ['maxOriginAmount', 'targetAmount']),
} as const

function toStruct(name: string, amounts: readonly [string, string]) {
  const [first, second] = amounts.map((amount) => `uint256 ${amount}`)
  const route = 'address quote, address origin, address target'
  const fields = toFieldList(`${route}, ${first}, ${second}, address recipient, uint256 deadline, bytes32 quoteDigest`)
  return { name, amounts, fields }
}

function toFieldList(text: string): readonly TypedDataField[] {
  return text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })
}

function listDomainFields(domain: object): readonly TypedDataField[] {
  return domainFields.filter(({ name }) => name in domain)
}

/** Returns the fields of a domain that name its network: a chain id, or a salt instead. */
function toNetwork(chainId: number, given: TypedData['domain'] | undefined): object {
  const { salt } = given ?? {}
  if (given?.chainId === undefined && salt !== undefined) {
    return { salt: `0x${chainId.toString(16).padStart(64, '0')}` }
  }
  return { chainId, ...(typeof salt === 'string' && /^0x[0-9a-f]{64}$/i.test(salt) && { salt }) }
}

function pickTexts(values: TypedData['domain'] | undefined, names: readonly ('name' | 'version')[]) {
  const texts = names.map((name) => [name, values?.[name]] as const)
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string'))
}

function getNonce({ message }: TypedData): string {
  const nonce = message?.['nonce']
  if (typeof nonce === 'string' && /^(?:0|[1-9]\d{0,77})$/.test(nonce)) return nonce
  throw mismatch('message.nonce', { expected: 'a whole number', actual: formatValue(nonce) })
}

/** Returns the intermediate token of the given witness if the quote allows it, else the first allowed token. */
function chooseQuoteToken({ quoteTokens }: ExpectedSwap, { message }: TypedData): string {
  const { quote } = (message?.['witness'] ?? {}) as Readonly<Record<string, unknown>>
  const isGiven = (token: string) => token.toLowerCase() === String(quote).toLowerCase()
  return quoteTokens.find(isGiven) ?? quoteTokens[0] ?? ''
}
