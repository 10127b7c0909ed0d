/**
 * Decodes the calldata of a conversion: any conversion function of a router or a pool.
 *
 * @returns undefined for any other function, and for data that Solidity would encode differently: missing bytes, extra
 * bytes, or other offsets
 */
export function decodeCalldata(data: string): ConversionCalldata | undefined {
  if (!/^0x[0-9a-f]{8}(?:[0-9a-f]{64})+$/i.test(data)) return undefined
  const lowerCase = data.toLowerCase()
  const form = forms.get(lowerCase.slice(0, 10))
  const words = lowerCase.slice(10).match(/.{64}/g) ?? []
  if (form === undefined || words.length < form.layout.length) return undefined
  const values = words.map((word) => BigInt(`0x${word}`))
  const hasExpectedOffsets = form.layout.every(
    (item, index) => typeof item === 'string' || values[index] === BigInt(item),
  )
  const signature = decodeBytes(words.slice(form.layout.length))
  if (
    !hasExpectedOffsets ||
    (form.permit === undefined ? words.length > form.layout.length : signature === undefined)
  ) {
    return undefined
  }
  const fields = form.layout.flatMap((item, index) =>
    typeof item === 'string' ? [[item, values[index] ?? 0n] as const] : [],
  )
  const { name, target, execution, permit } = form
  return { name, target, execution, fields, permit, ...(permit && { signature }) }
}

/** The decoded calldata of a conversion. */
export type ConversionCalldata = Omit<Form, 'layout'> & {
  /** The arguments in their order: addresses and hashes as numbers, amounts in raw units, times in Unix seconds. */
  readonly fields: readonly (readonly [CalldataField, bigint])[]
  /** The signature of the permit, hex. */
  readonly signature?: string | undefined
}

/** The name of an argument of a conversion function. */
export type CalldataField = (typeof originSwap)[number] | (typeof targetSwap)[number] | (typeof permitFields)[number]

type Form = {
  /** Name of the function. */
  readonly name: string
  readonly target: 'router' | 'pool'
  readonly execution: 'origin-swap' | 'target-swap'
  /** The kind of signature that replaces an allowance. */
  readonly permit?: 'permit' | 'permit2' | undefined
  /** One entry for each word: an argument, or the expected offset of dynamic data. The signature follows. */
  readonly layout: readonly (CalldataField | number)[]
}

const originSwap = ['quoteToken', 'tokenIn', 'tokenOut', 'amountIn', 'minAmountOut', 'recipient', 'deadline'] as const
const targetSwap = ['quoteToken', 'tokenIn', 'tokenOut', 'maxAmountIn', 'amountOut', 'recipient', 'deadline'] as const
const permitFields = ['permit.amount', 'permit.deadline', 'permit.quoteDigest'] as const

const permitLayout = [0x100, 'permit.amount', 'permit.deadline', 0x60] as const
const permit2Layout = ['permit.quoteDigest', 0x120] as const

/** The functions of `IRouter`, `IExactOutRouter`, `IPermitRouter` and `IPool`, by selector. */
const forms: ReadonlyMap<string, Form> = new Map([
  ...listForms(originSwap, {
    name: 'originSwap',
    execution: 'origin-swap',
    selectors: ['0x0b2583c8', '0x9d73b325', '0x640d1266', '0xdabb9bf9', '0x8990bcd6'],
  }),
  ...listForms(targetSwap, {
    name: 'targetSwap',
    execution: 'target-swap',
    selectors: ['0x72b4129a', '0x7dc47a18', '0x30c036aa', '0x7818ef14', '0xd0b34b45'],
  }),
])

function listForms(swap: readonly CalldataField[], { name, execution, selectors }: Swap): readonly [string, Form][] {
  const without = (...names: readonly CalldataField[]) => swap.filter((field) => !names.includes(field))
  const router = { target: 'router', execution } as const
  const all: readonly Form[] = [
    { name, target: 'pool', execution, layout: without('quoteToken', 'recipient') },
    { name, ...router, layout: without('recipient') },
    { name: `${name}To`, ...router, layout: swap },
    { name: `${name}WithPermit`, ...router, permit: 'permit', layout: [...swap, ...permitLayout] },
    { name: `${name}WithPermit2`, ...router, permit: 'permit2', layout: [...swap, ...permit2Layout] },
  ]
  return all.map((form, index) => [selectors[index] ?? '', form])
}

/**
 * Lists the conversions that are readable in calldata at any depth: the input token of each, and the 32 hex digits that
 * follow its arguments, where the SDK writes the id of a conversion.
 */
export function listConversions(data: string): readonly { readonly tokenIn: bigint; readonly suffix: string }[] {
  return [...data.matchAll(selectorPattern)].flatMap(({ index, 0: selector }) => {
    const { layout = [], permit } = forms.get(`0x${selector}`) ?? {}
    const start = index + selector.length
    const word = (position: number) => data.slice(start + 64 * position, start + 64 * (position + 1))
    const end = layout.length + (permit ? 1 + Math.ceil(Number(`0x${word(layout.length)}`) / 32) : 0)
    const tokenIn = word(layout.indexOf('tokenIn'))
    const suffix = data.slice(start + 64 * end, start + 64 * end + 32)
    return index % 2 === 0 && tokenIn.length === 64 ? [{ tokenIn: BigInt(`0x${tokenIn}`), suffix }] : []
  })
}

const selectorPattern = new RegExp([...forms.keys()].map((selector) => selector.slice(2)).join('|'), 'g')

type Swap = Pick<Form, 'name' | 'execution'> & {
  /** The selectors for: a pool, the router, the router with a recipient, with a permit, and with Permit2. */
  readonly selectors: readonly string[]
}

/** Decodes bytes as Solidity encodes them: the length, then words padded with zeros. */
function decodeBytes([length, ...words]: readonly string[]): string | undefined {
  const end = Number(`0x${length ?? ''}`) * 2
  const digits = words.join('')
  if (words.length !== Math.ceil(end / 64) || /[^0]/.test(digits.slice(end))) return undefined
  return `0x${digits.slice(0, end)}`
}
