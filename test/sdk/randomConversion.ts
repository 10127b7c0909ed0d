import { Amount, Network, type Address } from '@agio/core'
import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import type { CallPermit, ConversionCall } from '../../packages/chain/src/call/ConversionCall.ts'
import type { PermitSwap } from '../../packages/chain/src/permit/permit2.ts'
import { toQuoteDigest } from '../../packages/sdk/src/checks/ExpectedConversion.ts'
import type { AgioQuoteData, SignedPermit } from '../../packages/sdk/src/index.ts'

/** A quote that an account accepted, and the call that executes it. */
export type RandomConversion = {
  readonly form: Form
  readonly quote: AgioQuoteData
  readonly account: Address
  /** The signature that pays, as it was sent to the service. */
  readonly permit?: SignedPermit
  readonly call: ConversionCall
  /** The same for typed data. */
  readonly swap: PermitSwap
}

/** The functions of routers and pools. */
export const forms = (['origin-swap', 'target-swap'] as const).flatMap((execution) =>
  (['pool', 'router', 'recipient', 'permit', 'permit2'] as const).map((by) => ({ execution, by })),
)

export type Form = (typeof forms)[number]

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => getAddress(toHex(bytes)))
const addresses = fc.uniqueArray(address, { minLength: 8, maxLength: 8 })
const raw = fc.bigInt({ min: 1n, max: 2n ** 200n })

const seeds = fc.record({
  addresses,
  chainId: fc.constantFrom(...Network.chainIds),
  hops: fc.constantFrom(1, 2),
  isReferenceIn: fc.boolean(),
  isExactOut: fc.boolean(),
  hasRecipient: fc.boolean(),
  decimals: fc.tuple(fc.nat(18), fc.nat(18)),
  first: raw,
  second: raw,
  tolerance: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  deadlineSeconds: fc.integer({ min: 1, max: 4_102_444_800 }),
  text: fc.stringMatching(/^[\w-]{1,40}\.[\w-]{1,200}\.[\w-]{43}$/),
  // The signature of an account with code has any length.
  signature: fc.oneof(fc.uint8Array({ minLength: 65, maxLength: 65 }), fc.uint8Array({ minLength: 0, maxLength: 200 })),
})

type Seed = typeof seeds extends fc.Arbitrary<infer Value> ? Value : never

/** Conversions that a function executes. */
export function randomConversions(form: Form): fc.Arbitrary<RandomConversion> {
  return seeds.map((seed) => toConversion(form, seed))
}

function toConversion(form: Form, seed: Seed): RandomConversion {
  const [account, recipient, tokenIn, tokenOut, between, router, ...pools] = seed.addresses as unknown as Eight
  const hops = form.by === 'pool' ? 1 : seed.hops
  const isRecipientSet = form.by === 'recipient' || (form.by.startsWith('permit') && seed.hasRecipient)
  const [decimalsIn, decimalsOut] = seed.decimals
  const token = (of: Address, decimals = 6) => ({ address: of, symbol: 'T', decimals })
  const middle = hops === 1 ? [] : [between]
  const path = [tokenIn, ...middle, tokenOut]
  const route = path.slice(1).map((out, index) => ({
    address: pools[index] as Address,
    tokenIn: token(path[index] as Address),
    tokenOut: token(out),
    fee: '0.05%',
  }))
  // Of a single pool, the reference dollar is either token.
  const quoteToken = hops === 2 ? between : seed.isReferenceIn ? tokenIn : tokenOut
  const amounts = toAmounts(form, seed)
  const deadlineSeconds = BigInt(seed.deadlineSeconds)
  const capRaw = amounts.call.mode === 'exact-in' ? amounts.call.amountInRaw : amounts.call.maxAmountInRaw
  const signed = toPermit(form, seed, capRaw)
  const swap = { ...amounts.call, tokenIn, tokenOut, quoteToken, deadlineSeconds, recipient: account }
  const paid = isRecipientSet ? { ...swap, recipient } : swap
  const quote = {
    quote: seed.text,
    chainId: seed.chainId,
    expiresAt: new Date(seed.deadlineSeconds * 1000).toISOString(),
    mode: amounts.mode,
    ...toTexts(amounts, decimalsIn, decimalsOut),
    tokenIn: token(tokenIn, decimalsIn),
    tokenOut: token(tokenOut, decimalsOut),
    spender: form.by === 'pool' ? pools[0] : router,
    route,
    request: { chainId: seed.chainId, tokenIn, tokenOut, ...(isRecipientSet && { recipient }) },
  } as unknown as AgioQuoteData
  const { recipient: _, quoteToken: __, ...direct } = swap
  const { recipient: ___, ...routed } = swap
  const isPaid = form.by === 'recipient' || signed !== undefined
  const call: ConversionCall =
    form.by === 'pool'
      ? { target: 'pool', ...direct }
      : { target: 'router', ...(isPaid ? paid : routed), permit: signed?.call }
  return { form, quote, account, call, swap: paid, ...(signed && { permit: signed.permit }) }
}

type Eight = readonly [Address, Address, Address, Address, Address, Address, Address, Address]

/** The amounts of a quote with the amounts of the call: an exact output is swapped as an exact input where no contract can do it. */
function toAmounts({ execution }: Form, { isExactOut, first, second, tolerance }: Seed) {
  if (execution === 'target-swap') {
    const call = { mode: 'exact-out', maxAmountInRaw: first + tolerance, amountOutRaw: second } as const
    return { mode: 'exact-out', amountInRaw: first, limitRaw: first + tolerance, amountOutRaw: second, call } as const
  }
  const call = { mode: 'exact-in', amountInRaw: first, minAmountOutRaw: second } as const
  return isExactOut
    ? ({ mode: 'exact-out', amountInRaw: first, limitRaw: first, amountOutRaw: second, call } as const)
    : ({ mode: 'exact-in', amountInRaw: first, limitRaw: second, amountOutRaw: second + tolerance, call } as const)
}

function toTexts({ mode, amountInRaw, amountOutRaw, limitRaw }: ReturnType<typeof toAmounts>, ...decimals: number[]) {
  const [decimalsIn = 0, decimalsOut = 0] = decimals
  return {
    amountIn: Amount.format(amountInRaw, decimalsIn),
    amountOut: Amount.format(amountOutRaw, decimalsOut),
    ...(mode === 'exact-in' && { minAmountOut: Amount.format(limitRaw, decimalsOut) }),
    ...(mode === 'exact-out' && { maxAmountIn: Amount.format(limitRaw, decimalsIn) }),
  }
}

function toPermit(
  { by }: Form,
  seed: Seed,
  amountRaw: bigint,
): { readonly call: CallPermit; readonly permit: SignedPermit } | undefined {
  const signature = toHex(seed.signature)
  const deadline = seed.deadlineSeconds
  if (by === 'permit') {
    const call = { kind: by, amountRaw, deadlineSeconds: BigInt(deadline), signature } as const
    const amount = Amount.format(amountRaw, seed.decimals[0])
    return { call, permit: { kind: by, deadline, amount, nonce: '0', signature } }
  }
  if (by !== 'permit2') return undefined
  const quoteDigest = toQuoteDigest(seed.text)
  return { call: { kind: by, quoteDigest, signature }, permit: { kind: by, deadline, signature } }
}

function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
