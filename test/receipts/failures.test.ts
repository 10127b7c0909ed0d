import { poolAbi } from '@agio/chain/abi'
import { encodeFunctionData, erc20Abi, keccak256, parseAbi } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { mineTogether } from '../harness/mineTogether.ts'
import { signConversion } from '../harness/signConversion.ts'
import { eventually } from '../harness/timeLimits.ts'
import { encodeSwap, executeBy, sendAs, submitAs } from '../harness/swaps.ts'
import { setUpReceipts, thousand, recipient } from './setUpReceipts.ts'

const receipts = setUpReceipts()
const { read, prepareBundle, readMined } = receipts

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
      const [mined] = await mineTogether(receipts.chain, [
        submitAs(receipts.chain, receipts.user, encodeSwap(receipts.chain, impossible)),
      ])
      expect(mined?.status).toBe('reverted')
      const { data } = await read(mined?.transactionHash ?? '0x', of)
      expect(data).toMatchObject({
        status: 'failed',
        mode: 'exact-in',
        payer: receipts.user,
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
    const call = executeBy(receipts.account, [encodeSwap(receipts.chain, impossible)])
    const [mined] = await mineTogether(receipts.chain, [submitAs(receipts.chain, receipts.user, call)])
    const { data } = await read(mined?.transactionHash ?? '0x')
    expect(data).toMatchObject({ status: 'failed', tokenIn: { symbol: 'tAUD' }, failure })
    expect(data).not.toHaveProperty('payer')
  })

  it('the receipt of a user operation that failed inside of a mined bundle is failed, with the reason', async () => {
    const swap = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand } as const
    const bundle = await prepareBundle([encodeSwap(receipts.chain, impossible)])
    expect(await read(await sendAs(receipts.chain, receipts.user, bundle))).toMatchObject({
      status: 200,
      data: { status: 'failed', payer: receipts.account, recipient: receipts.account, failure },
    })
    const mixed = await prepareBundle([encodeSwap(receipts.chain, impossible)], [encodeSwap(receipts.chain, swap)])
    expect(await read(await sendAs(receipts.chain, receipts.user, mixed))).toMatchObject({
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
      const moved = { target: receipts.chain.tokens.tUSD, data: encodeFunctionData(transfer) }
      expect(await read(await sendAs(receipts.chain, receipts.user, moved), of)).toMatchObject(notAConversion)
      const args = [10n ** 18n, 0n, 0n, 10n ** 12n, 10n ** 12n, 10n ** 12n] as const
      const deposit = encodeFunctionData({ abi: poolAbi, functionName: 'deposit', args })
      const deposited = await sendAs(receipts.chain, receipts.user, {
        target: receipts.chain.pools['tAUD/tUSD'],
        data: deposit,
      })
      expect(await read(deposited, of)).toMatchObject(notAConversion)
    },
  )

  it('error: svc/not-a-conversion for a transaction that fails and calls no conversion', async () => {
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [recipient, 10n ** 30n] } as const
    const call = { target: receipts.chain.tokens.tUSD, data: encodeFunctionData(transfer) }
    const [mined] = await mineTogether(receipts.chain, [submitAs(receipts.chain, receipts.user, call)])
    expect(await read(mined?.transactionHash ?? '0x')).toMatchObject(notAConversion)
  })

  it('events of other contracts do not count, by themselves or next to a conversion', async () => {
    const forger = await receipts.owner.deploy('testing/EventForger', [])
    const args = [
      receipts.chain.deployment.router,
      receipts.chain.tokens.tAUD,
      receipts.chain.tokens.tUSD,
      thousand,
      999_000_000n,
    ] as const
    const abi = parseAbi(['function forgeConversion(address, address, address, uint256, uint256)'])
    const forged = { target: forger, data: encodeFunctionData({ abi, functionName: 'forgeConversion', args }) }
    expect(await read(await sendAs(receipts.chain, receipts.user, forged))).toMatchObject(notAConversion)
    const real = encodeSwap(receipts.chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const receipt = await readMined(
      await sendAs(receipts.chain, receipts.user, executeBy(receipts.account, [forged, real, forged])),
    )
    expect(receipt).toMatchObject({ amountOut: '650.874400', payer: receipts.account, recipient: receipts.account })
    expect(receipt).not.toHaveProperty('conversions')
  })

  it('a conversion is explained and tracked beside 5,000 events of its own transaction and 5,000 of another', async () => {
    const forger = await receipts.owner.deploy('testing/EventForger', [])
    const abi = parseAbi(['function forgeTransfers(uint256 count)'])
    const forged = { target: forger, data: encodeFunctionData({ abi, functionName: 'forgeTransfers', args: [5000n] }) }
    const real = encodeSwap(receipts.chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand })
    const gas = 14_000_000n
    const [other, mined] = await mineTogether(receipts.chain, [
      submitAs(receipts.chain, receipts.owner.address, { ...forged, gas }),
      submitAs(receipts.chain, receipts.user, { ...executeBy(receipts.account, [forged, real]), gas }),
    ])
    expect(other?.blockNumber).toBe(mined?.blockNumber)
    expect([other?.logs.length, mined?.logs.length]).toEqual([5000, expect.any(Number)])
    expect(mined?.logs.length).toBeGreaterThan(5000)
    const transactionHash = mined?.transactionHash ?? '0x'
    expect(await readMined(transactionHash)).toMatchObject({ payer: receipts.account, amountIn: '1000.000000' })
    const track = { chainId: 84532, transactionHash }
    expect(await receipts.stack.callers.REST('transaction.track', track)).toMatchObject({
      data: { finality: 'finalized', blockNumber: Number(mined?.blockNumber) },
    })
  })

  it('an unfinished user operation of another contract than an entry point does not count', async () => {
    const fake = await receipts.owner.deploy('testing/TestEntryPoint', [])
    const impossible = { from: 'tAUD', to: 'tUSD', amountInRaw: thousand, limitRaw: 10n ** 12n } as const
    const { data } = await prepareBundle([encodeSwap(receipts.chain, impossible)])
    expect(await read(await sendAs(receipts.chain, receipts.user, { target: fake, data }))).toMatchObject(
      notAConversion,
    )
  })
})

describe('transactions that nodes do not know yet', () => {
  it.each(['REST', 'tRPC'] as const)('a receipt is pending until its transaction is mined (%s)', async (of) => {
    await receipts.owner.client.setAutomine(false)
    try {
      const submit = submitAs(
        receipts.chain,
        receipts.user,
        encodeSwap(receipts.chain, { from: 'tAUD', to: 'tUSD', amountInRaw: thousand }),
      )
      const hash = await submit({ maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n })
      expect(await read(hash, of)).toEqual({ status: 200, data: { transactionHash: hash, status: 'pending' } })
      await receipts.owner.client.mine({ blocks: 1 })
      expect(await read(hash, of)).toMatchObject({ data: { status: 'success' } })
    } finally {
      await receipts.owner.client.setAutomine(true)
    }
  })

  it('a receipt waits for a transaction that the node is given a moment later', async () => {
    const { signedTransaction } = await signConversion(receipts.chain, receipts.stack.callers.REST)
    const hash = keccak256(signedTransaction)
    const waiting = read(hash)
    await vi.waitUntil(() => receipts.stack.proxies[84532].requests.some(({ body }) => body.includes(hash)), eventually)
    await receipts.owner.client.sendRawTransaction({ serializedTransaction: signedTransaction })
    expect(await waiting).toMatchObject({ status: 200 })
  })
})
