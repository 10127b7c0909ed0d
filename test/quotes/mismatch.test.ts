import { exactOutRouterAbi, poolAbi, routerAbi } from '@agio/chain/abi'
import type { Address } from '@agio/core'
import type { LocalChain } from '@agio/localnet'
import { encodeFunctionData, parseUnits, type Hex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { startAgio } from '../harness/startAgio.ts'
import { createPayer } from '../harness/createPayer.ts'
import { requestQuote, type Quote } from '../harness/executeQuote.ts'
import { setUp } from '../harness/setUp.ts'

const stack = setUp(startAgio)
let chain: LocalChain
let payer: Awaited<ReturnType<typeof createPayer>>

beforeAll(async () => {
  chain = stack.localnet.chains[84532]
  const [token, spender] = [tokenOf('tAUD'), chain.deployment.router]
  payer = await createPayer(chain, { token, amountRaw: 10n ** 12n, spender })
})

const other: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const tokenOf = (symbol: string) => chain.tokens[symbol] as Address
const pair = () => ({ chainId: 84532, tokenIn: tokenOf('tAUD'), tokenOut: tokenOf('tUSD') })

/** The arguments of a conversion, in raw units. */
type Swap = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly inRaw: bigint
  readonly outRaw: bigint
  readonly deadline: bigint
}

const routerArgs = ({ tokenIn, tokenOut, inRaw, outRaw }: Swap) =>
  [tokenOf('tUSD'), tokenIn, tokenOut, inRaw, outRaw] as const

const originSwap = (swap: Swap) =>
  encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args: [...routerArgs(swap), swap.deadline] })

const targetSwap = (swap: Swap) =>
  encodeFunctionData({ abi: exactOutRouterAbi, functionName: 'targetSwap', args: [...routerArgs(swap), swap.deadline] })

const pay = (functionName: 'originSwapTo' | 'targetSwapTo', swap: Swap) =>
  encodeFunctionData({ abi: exactOutRouterAbi, functionName, args: [...routerArgs(swap), other, swap.deadline] })

/** The conversion of a quote. */
function swapOf({ tokenIn, tokenOut, expiresAt, ...amounts }: Quote): Swap {
  const { maxAmountIn = amounts.amountIn, minAmountOut = amounts.amountOut } = amounts
  return {
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    inRaw: parseUnits(maxAmountIn, tokenIn.decimals),
    outRaw: parseUnits(minAmountOut, tokenOut.decimals),
    deadline: BigInt(Date.parse(expiresAt)) / 1000n,
  }
}

/** Broadcasts a transaction beside a quote, and asserts that nothing is sent if it is refused. */
async function broadcast(quote: string, transaction: Partial<Unsigned> & { readonly data: Hex }) {
  const { client } = connectOwner(chain)
  const nonce = await client.getTransactionCount({ address: payer.address, blockTag: 'pending' })
  const common = { to: chain.deployment.router, value: '0', chainId: 84532, gasLimit: '600000' }
  const signedTransaction = await payer.sign(async () => ({ status: 200, data: { nonce } }), {
    ...common,
    ...transaction,
  })
  const [REST, tRPC] = await Promise.all(
    Object.values(stack.callers).map((call) => call('transaction.broadcastConvert', { quote, signedTransaction })),
  )
  expect(tRPC?.failure?.code).toBe(REST?.failure?.code)
  const isSent = (await client.getTransactionCount({ address: payer.address, blockTag: 'pending' })) > nonce
  expect(isSent, 'the transaction is sent').toBe(REST?.status === 200)
  return REST
}

const mismatch = (field: string) => ({
  status: 409,
  failure: { code: 'svc/quote-mismatch', action: 'fix_input', field, expected: expect.any(String) },
})

describe('the transaction of a quote', () => {
  it('the transaction that a quote describes is sent, also if the service has not built it', async () => {
    const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '1' })
    expect(await broadcast(quoted.quote, { data: originSwap(swapOf(quoted)) })).toMatchObject({ status: 200 })
    const exactOut = await requestQuote(stack.callers.REST, { ...pair(), amountOut: '1' })
    expect(await broadcast(exactOut.quote, { data: targetSwap(swapOf(exactOut)) })).toMatchObject({ status: 200 })
  })

  it('an earlier deadline than the expiry of the quote is accepted', async () => {
    const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '1' })
    const swap = swapOf(quoted)
    const data = originSwap({ ...swap, deadline: swap.deadline - 10n })
    expect(await broadcast(quoted.quote, { data })).toMatchObject({ status: 200, data: { status: 'success' } })
  })

  const changes: readonly (readonly [field: string, change: (swap: Swap) => Partial<Swap>])[] = [
    ['tokenIn', () => ({ tokenIn: tokenOf('tEUR') })],
    ['tokenOut', () => ({ tokenOut: tokenOf('tEUR') })],
    ['deadline', ({ deadline }) => ({ deadline: deadline + 1n })],
  ]

  it.each([
    ...changes,
    ['amountIn', ({ inRaw }: Swap) => ({ inRaw: inRaw + 1n })],
    ['minAmountOut', ({ outRaw }: Swap) => ({ outRaw: outRaw - 1n })],
    ['minAmountOut', ({ outRaw }: Swap) => ({ outRaw: outRaw + 1n })],
  ] as typeof changes)(
    'error: svc/quote-mismatch for a different %s than in an exact-input quote',
    async (field, change) => {
      const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '2' })
      const swap = swapOf(quoted)
      const data = originSwap({ ...swap, ...change(swap) })
      expect(await broadcast(quoted.quote, { data })).toMatchObject(mismatch(field))
    },
  )

  it.each([
    ...changes,
    ['maxAmountIn', ({ inRaw }: Swap) => ({ inRaw: inRaw + 1n })],
    ['amountOut', ({ outRaw }: Swap) => ({ outRaw: outRaw - 1n })],
  ] as typeof changes)(
    'error: svc/quote-mismatch for a different %s than in an exact-output quote',
    async (field, change) => {
      const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountOut: '2' })
      const swap = swapOf(quoted)
      const data = targetSwap({ ...swap, ...change(swap) })
      expect(await broadcast(quoted.quote, { data })).toMatchObject(mismatch(field))
    },
  )

  it('error: svc/quote-mismatch for the other kind of swap', async () => {
    const exactIn = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '2' })
    expect(await broadcast(exactIn.quote, { data: targetSwap(swapOf(exactIn)) })).toMatchObject(mismatch('mode'))
    const exactOut = await requestQuote(stack.callers.REST, { ...pair(), amountOut: '2' })
    expect(await broadcast(exactOut.quote, { data: originSwap(swapOf(exactOut)) })).toMatchObject(mismatch('mode'))
  })

  it('error: svc/quote-mismatch for a recipient that the quote does not have, and without the recipient of the quote', async () => {
    const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '2' })
    const paid = { data: pay('originSwapTo', swapOf(quoted)) }
    expect(await broadcast(quoted.quote, paid)).toMatchObject(mismatch('recipient'))
    const toOther = await requestQuote(stack.callers.REST, { ...pair(), amountOut: '2', recipient: other })
    expect(await broadcast(toOther.quote, { data: targetSwap(swapOf(toOther)) })).toMatchObject(mismatch('recipient'))
    expect(await broadcast(toOther.quote, { data: pay('targetSwapTo', swapOf(toOther)) })).toMatchObject({
      status: 200,
    })
  })

  it('error: svc/quote-mismatch for another contract, other calldata, native currency, and another chain', async () => {
    const quoted = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '2' })
    const data = originSwap(swapOf(quoted))
    const refuse = async (transaction: Partial<Unsigned>, field: string) =>
      expect(await broadcast(quoted.quote, { data, ...transaction }), field).toMatchObject(mismatch(field))
    await refuse({ to: chain.pools['tAUD/tUSD'] }, 'to')
    await refuse({ value: '1' }, 'value')
    await refuse({ data: '0x' }, 'data')
    await refuse({ data: `${data}00` }, 'data')
    const args = [chain.deployment.router, 1n] as const
    await refuse({ data: encodeFunctionData({ abi: poolAbi, functionName: 'transfer', args }) }, 'data')
    await refuse({ chainId: 421614 }, 'chainId')
    const { tokenIn, tokenOut, inRaw, outRaw, deadline } = swapOf(quoted)
    const through = [tokenOf('tEUR'), tokenIn, tokenOut, inRaw, outRaw, deadline] as const
    await refuse(
      { data: encodeFunctionData({ abi: routerAbi, functionName: 'originSwap', args: through }) },
      'quoteToken',
    )
  })

  it('error: svc/quote-mismatch for a wallet that differs from the quote, in the build and in the broadcast', async () => {
    const { data } = await stack.callers.REST('convert.quote', { ...pair(), amountIn: '2', userAddress: other })
    const quoted = data as unknown as Quote
    const expected = { ...mismatch('userAddress').failure, expected: other, actual: payer.address }
    const built = await stack.callers.REST('transaction.buildConvert', {
      quote: quoted.quote,
      userAddress: payer.address,
    })
    expect(built).toMatchObject({ status: 409, failure: expected })
    expect(await broadcast(quoted.quote, { data: originSwap(swapOf(quoted)) })).toMatchObject({ failure: expected })
  })
})

describe('a request with a quote', () => {
  it.each([
    ['transaction.buildConvert', 'tokenIn', other],
    ['transaction.buildConvert', 'tokenOut', other],
    ['transaction.buildConvert', 'amountIn', '1'],
    ['transaction.buildConvert', 'minAmountOut', '1'],
    ['transaction.buildConvert', 'deadline', 4_102_444_800],
    ['transaction.broadcastConvert', 'tokenIn', other],
    ['transaction.broadcastConvert', 'tokenOut', other],
    ['transaction.broadcastConvert', 'amountIn', '1'],
    ['transaction.broadcastConvert', 'expectedAmountOut', '1'],
  ])('%s with a quote refuses %s beside it', async (operation, field, value) => {
    const { quote } = await requestQuote(stack.callers.REST, { ...pair(), amountIn: '2' })
    const subject =
      operation === 'transaction.buildConvert' ? { userAddress: payer.address } : { signedTransaction: '0x02' }
    const outcome = await stack.callers.tRPC(operation, { quote, ...subject, [field]: value })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field, value } })
  })

  it('a build with a quote uses the chain of the quote by default', async () => {
    const { tokens } = stack.localnet.chains[421614]
    const input = { chainId: 421614, tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '2' }
    const { quote } = await requestQuote(stack.callers.REST, input)
    const built = await stack.callers.REST('transaction.buildConvert', { quote, userAddress: payer.address })
    expect(built).toMatchObject({ status: 200, data: { chainId: 421614, transaction: { chainId: '0x66eee' } } })
  })
})
