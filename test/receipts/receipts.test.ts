import { poolAbi } from '@agio/chain/abi'
import { encodeFunctionData, erc20Abi, getAddress, keccak256, parseAbi, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import type { LocalChain } from '@agio/localnet'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setPrice } from '../harness/movePrice.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { mineTogether } from '../harness/mineTogether.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { submitPrice } from './submitPrice.ts'
import { eventually } from '../harness/timeLimits.ts'
import { expectSum } from '../harness/expectSum.ts'
import { encodeSwap, executeBy, fund, sendAs, submitAs, type Call, type Swap } from '../harness/swaps.ts'

const thousand = 1_000_000_000n
const initial = 65_120_000n
const recipient = getAddress('0x00000000000000000000000000000000000a610a')

let stack: ProxiedStack
let chain: LocalChain
let owner: Owner
let user: Address
let account: Address

beforeAll(async () => {
  stack = await startProxiedStack()
  chain = stack.localnet.chains[84532]
  owner = connectOwner(chain)
  user = privateKeyToAddress(generatePrivateKey())
  account = await owner.deploy('testing/BatchAccount', [])
  for (const each of [user, account]) await fund(chain, each)
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

const convert = (swap: Swap) => sendAs(chain, user, encodeSwap(chain, swap))

const read = (transactionHash: Hex, transport: 'REST' | 'tRPC' = 'REST') =>
  stack.callers[transport]('convert.receipt', { chainId: 84532, transactionHash })

async function readMined(transactionHash: Hex, transport?: 'REST' | 'tRPC'): Promise<Record<string, unknown>> {
  const { status, data } = await read(transactionHash, transport)
  expect({ status, data }).toMatchObject({ status: 200, data: { status: 'success' } })
  return data ?? {}
}

describe.each(['REST', 'tRPC'] as const)('the receipt of a conversion (%s)', (transport) => {
  it('a receipt explains a conversion by the router to the last unit, with its block and its gas', async () => {
    const transactionHash = await convert({ from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const { blockNumber, blockHash, gasUsed, effectiveGasPrice } = await owner.client.getTransactionReceipt({
      hash: transactionHash,
    })
    const { timestamp } = await owner.client.getBlock({ blockHash })
    const receipt = await readMined(transactionHash, transport)
    expectSum(receipt)
    expect(receipt).toEqual({
      transactionHash,
      status: 'success',
      mode: 'exact-in',
      payer: user,
      recipient: user,
      tokenIn: { address: chain.tokens.tAUD, symbol: 'tAUD', decimals: 6 },
      tokenOut: { address: chain.tokens.tUSD, symbol: 'tUSD', decimals: 6 },
      amountIn: '1000.000000',
      amountOut: '650.874400',
      oracleAt: 'execution',
      oracleAmountOut: '651.200000',
      parts: { priceMove: '0.000000', impact: '0.000000', fee: '0.325600', rounding: '0.000000' },
      routeFeeRate: '0.05%',
      executedRate: '0.65087440',
      oracleRate: '0.65120000',
      slippage: '0.0000%',
      blockNumber: Number(blockNumber),
      blockHash,
      blockTimestamp: new Date(Number(timestamp) * 1000).toISOString(),
      gasUsed: gasUsed.toString(),
      effectiveGasPrice: effectiveGasPrice.toString(),
      gasPaid: expect.stringMatching(/^0\.0{0,9}[1-9]\d*$/),
      confirmations: 1,
    })
    const [whole, fraction] = String(receipt['gasPaid']).split('.')
    expect(BigInt(`${whole}${fraction}`)).toBe(gasUsed * effectiveGasPrice)
  })

  it('a receipt over two pools values the first fee in the last token, and bounds what rounding took', async () => {
    const receipt = await readMined(await convert({ from: 'tAUD', to: 'tEUR', amountInRaw: thousand }), transport)
    const { roundingRaw } = expectSum(receipt)
    expect([0n, 1n, 2n]).toContain(roundingRaw)
    expect(receipt).toMatchObject({
      amountOut: '599.860730',
      oracleAmountOut: '600.461041',
      routeFeeRate: '0.099975%',
      slippage: '0.0500%',
      parts: { impact: '0.000000', fee: '0.600311' },
    })
  })
})

describe('the receipts of all ways to convert', () => {
  const ways: readonly (readonly [string, Swap, object])[] = [
    ['an exact output', { from: 'tAUD', to: 'tUSD', amountOutRaw: thousand }, { mode: 'exact-out' }],
    ['an exact output over two pools', { from: 'tEUR', to: 'tAUD', amountOutRaw: thousand }, { mode: 'exact-out' }],
    ['an exact input for a recipient', { from: 'tUSD', to: 'tEUR', amountInRaw: thousand, recipient }, { recipient }],
    [
      'an exact output over two pools for a recipient',
      { from: 'tAUD', to: 'tEUR', amountOutRaw: thousand, recipient },
      { mode: 'exact-out', recipient },
    ],
  ]

  it.each(ways)('a receipt explains %s', async (_, swap, expected) => {
    const receipt = await readMined(await convert(swap))
    const { impactRaw, priceMoveRaw, feeRaw, outRaw } = expectSum(receipt)
    expect([impactRaw, priceMoveRaw]).toEqual([0n, 0n])
    expect(feeRaw).toBeGreaterThan(0n)
    expect(receipt).toMatchObject({ mode: 'exact-in', payer: user, recipient: user, ...expected })
    expect(outRaw).toBe(swap.amountOutRaw ?? outRaw)
  })

  it.each([
    { amountInRaw: thousand, mode: 'exact-in' },
    { amountOutRaw: thousand, mode: 'exact-out' },
  ])('a receipt explains a swap in a pool without the router: $mode', async ({ mode, ...amount }) => {
    const pool = chain.pools['tEUR/tUSD']
    const receipt = await readMined(await convert({ from: 'tUSD', to: 'tEUR', pool, ...amount }))
    expectSum(receipt)
    expect(receipt).toMatchObject({ mode, payer: user, recipient: user, oracleAt: 'execution' })
  })

  it('a receipt of the smallest amounts adds up too', async () => {
    for (const amountInRaw of [4n, 7n, 19n, 101n, 1_009n]) {
      const receipt = await readMined(await convert({ from: 'tEUR', to: 'tAUD', amountInRaw }))
      expectSum(receipt)
      expect(receipt).toMatchObject({ oracleAt: 'execution' })
    }
  })

  it('a receipt has both conversions of a smart account, also if the second takes what the first paid', async () => {
    const first = encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const second = encodeSwap(chain, { from: 'tUSD', to: 'tEUR', amountInRaw: 650_874_400n })
    const receipt = await readMined(await sendAs(chain, user, executeBy(account, [first, second])))
    const { conversions, ...main } = receipt
    expect(main).toMatchObject({ amountIn: '1000.000000', amountOut: '650.874400', payer: account, recipient: account })
    expect(conversions).toMatchObject([
      { tokenIn: { symbol: 'tAUD' }, tokenOut: { symbol: 'tUSD' }, mode: 'exact-in', routeFeeRate: '0.05%' },
      { tokenIn: { symbol: 'tUSD' }, tokenOut: { symbol: 'tEUR' }, amountIn: '650.874400', payer: account },
    ])
    for (const row of conversions as readonly unknown[]) expectSum(row)
  })
})

describe('the prices of a receipt', () => {
  it.each([
    { name: 'not one that was set after it in its block', before: [], after: [70_000_000n], oracle: '651.200000' },
    { name: 'one that was set before it in its block', before: [70_000_000n], after: [], oracle: '700.000000' },
    {
      name: 'the last one before it, of several in its block',
      before: [60_000_000n, 75_000_000n],
      after: [80_000_000n, initial],
      oracle: '750.000000',
    },
  ])('the price of a receipt is $name', async ({ before, after, oracle }) => {
    await setPrice(chain, 'tAUD', initial)
    const toPush = (answer: bigint) => submitPrice(chain, 'tAUD', answer)
    const swap = submitAs(chain, user, encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand }))
    const mined = await mineTogether(chain, [...before.map(toPush), swap, ...after.map(toPush)])
    await setPrice(chain, 'tAUD', initial)
    const receipt = await readMined(mined[before.length]?.transactionHash ?? '0x')
    expectSum(receipt)
    expect(receipt).toMatchObject({ oracleAmountOut: oracle, slippage: '0.0000%', parts: { priceMove: '0.000000' } })
  })
})

describe('conversions that failed', () => {
  const impossible = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, limitRaw: 10n ** 12n } as const
  const failure = {
    code: 'svc/below-min-target',
    message: expect.stringContaining('650.874400'),
    revert: { name: 'BelowMinTarget', args: ['650874400', '1000000000000'] },
  }

  it.each(['REST', 'tRPC'] as const)(
    'the receipt of a reverted conversion is failed, with the reason (%s)',
    async (of) => {
      const [mined] = await mineTogether(chain, [submitAs(chain, user, encodeSwap(chain, impossible))])
      expect(mined?.status).toBe('reverted')
      const { data } = await read(mined?.transactionHash ?? '0x', of)
      expect(data).toMatchObject({
        status: 'failed',
        mode: 'exact-in',
        payer: user,
        tokenIn: { symbol: 'tAUD' },
        tokenOut: { symbol: 'tUSD' },
        failure,
        blockNumber: Number(mined?.blockNumber),
        gasUsed: mined?.gasUsed.toString(),
      })
      for (const field of ['amountIn', 'amountOut', 'oracleAt', 'parts']) expect(data).not.toHaveProperty(field)
    },
  )

  it('the receipt of a smart account that reverts is failed if its calldata contains a conversion', async () => {
    const call = executeBy(account, [encodeSwap(chain, impossible)])
    const [mined] = await mineTogether(chain, [submitAs(chain, user, call)])
    const { data } = await read(mined?.transactionHash ?? '0x')
    expect(data).toMatchObject({ status: 'failed', tokenIn: { symbol: 'tAUD' }, failure })
    expect(data).not.toHaveProperty('payer')
  })

  it('the receipt of a user operation that failed inside of a mined bundle is failed, with the reason', async () => {
    const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand } as const
    const bundle = await prepareBundle([encodeSwap(chain, impossible)])
    expect(await read(await sendAs(chain, user, bundle))).toMatchObject({
      status: 200,
      data: { status: 'failed', payer: account, recipient: account, failure },
    })
    const mixed = await prepareBundle([encodeSwap(chain, impossible)], [encodeSwap(chain, swap)])
    expect(await read(await sendAs(chain, user, mixed))).toMatchObject({
      data: { status: 'success', amountOut: '650.874400', conversions: [{ status: 'success' }, { status: 'failed' }] },
    })
  })
})

describe('transactions that are not conversions', () => {
  const notAConversion = { status: 422, failure: { code: 'svc/not-a-conversion', retryable: false } }

  it.each(['REST', 'tRPC'] as const)(
    'error: svc/not-a-conversion for a transfer and for a deposit (%s)',
    async (of) => {
      const transfer = { abi: erc20Abi, functionName: 'transfer', args: [recipient, 1n] } as const
      const moved = { target: chain.tokens.tUSD, data: encodeFunctionData(transfer) }
      expect(await read(await sendAs(chain, user, moved), of)).toMatchObject(notAConversion)
      const args = [10n ** 18n, 0n, 0n, 10n ** 12n, 10n ** 12n, 10n ** 12n] as const
      const deposit = encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
      const deposited = await sendAs(chain, user, { target: chain.pools['tAUD/tUSD'], data: deposit })
      expect(await read(deposited, of)).toMatchObject(notAConversion)
    },
  )

  it('error: svc/not-a-conversion for a transaction that fails and calls no conversion', async () => {
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [recipient, 10n ** 30n] } as const
    const call = { target: chain.tokens.tUSD, data: encodeFunctionData(transfer) }
    const [mined] = await mineTogether(chain, [submitAs(chain, user, call)])
    expect(await read(mined?.transactionHash ?? '0x')).toMatchObject(notAConversion)
  })

  it('events of other contracts do not count, by themselves or next to a conversion', async () => {
    const forger = await owner.deploy('testing/EventForger', [])
    const args = [chain.deployment.router, chain.tokens.tAUD, chain.tokens.tUSD, thousand, 999_000_000n] as const
    const abi = parseAbi(['function forgeConversion(address, address, address, uint256, uint256)'])
    const forged = { target: forger, data: encodeFunctionData({ abi, functionName: 'forgeConversion', args }) }
    expect(await read(await sendAs(chain, user, forged))).toMatchObject(notAConversion)
    const real = encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const receipt = await readMined(await sendAs(chain, user, executeBy(account, [forged, real, forged])))
    expect(receipt).toMatchObject({ amountOut: '650.874400', payer: account, recipient: account })
    expect(receipt).not.toHaveProperty('conversions')
  })

  it('an unfinished user operation of another contract than an entry point does not count', async () => {
    const fake = await owner.deploy('testing/TestEntryPoint', [])
    const impossible = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, limitRaw: 10n ** 12n } as const
    const { data } = await prepareBundle([encodeSwap(chain, impossible)])
    expect(await read(await sendAs(chain, user, { target: fake, data }))).toMatchObject(notAConversion)
  })
})

describe('transactions that nodes do not know yet', () => {
  it.each(['REST', 'tRPC'] as const)(
    'error: svc/transaction-not-found for an unknown hash, which may be retried (%s)',
    async (of) => {
      expect(await read(keccak256('0x12'), of)).toMatchObject({
        status: 404,
        failure: { code: 'svc/transaction-not-found', retryable: true, error: expect.stringContaining('a moment') },
      })
    },
  )

  it.each(['REST', 'tRPC'] as const)('a receipt is pending until its transaction is mined (%s)', async (of) => {
    await owner.client.setAutomine(false)
    try {
      const submit = submitAs(chain, user, encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand }))
      const hash = await submit({ maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n })
      expect(await read(hash, of)).toEqual({ status: 200, data: { transactionHash: hash, status: 'pending' } })
      await owner.client.mine({ blocks: 1 })
      expect(await read(hash, of)).toMatchObject({ data: { status: 'success' } })
    } finally {
      await owner.client.setAutomine(true)
    }
  })

  it('a receipt waits for a transaction that the node is given a moment later', async () => {
    const signed = await signSwap()
    const hash = keccak256(signed)
    const waiting = read(hash)
    await vi.waitUntil(() => stack.proxies[84532].requests.some(({ body }) => body.includes(hash)), eventually)
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    expect(await waiting).toMatchObject({ status: 200 })
  })
})

/** A bundle of one user operation for each list of calls, to an entry point at the address of version 0.7. */
async function prepareBundle(...operations: readonly (readonly Call[])[]): Promise<Call> {
  const target = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
  const code = await owner.client.getCode({ address: await owner.deploy('testing/TestEntryPoint', []) })
  await owner.client.setCode({ address: target, bytecode: code ?? '0x' })
  const abi = parseAbi([
    'struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
    'function handleOps(PackedUserOperation[] ops, address beneficiary)',
  ])
  const word: Hex = `0x${'00'.repeat(32)}`
  const empty = { initCode: '0x', paymasterAndData: '0x', signature: '0x' } as const
  const ops = operations.map((calls, index) => ({
    ...empty,
    sender: account,
    nonce: BigInt(index),
    callData: executeBy(account, calls).data,
    accountGasLimits: word,
    preVerificationGas: 0n,
    gasFees: word,
  }))
  return { target, data: encodeFunctionData({ abi, functionName: 'handleOps', args: [ops, user] }) }
}

/** A conversion that a wallet has signed, and that is not sent. */
async function signSwap(): Promise<Hex> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await fund(chain, wallet.address)
  const { target: to, data } = encodeSwap(chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
  const nonce = await owner.client.getTransactionCount({ address: wallet.address })
  const fees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
  return await wallet.signTransaction({ type: 'eip1559', chainId: 84532, to, data, gas: 1_000_000n, nonce, ...fees })
}
