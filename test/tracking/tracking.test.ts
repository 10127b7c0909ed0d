import { keccak256, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Unsigned } from '../harness/createWallet.ts'
import { signConversion } from '../harness/signConversion.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUpTracking, receiver, type Built, empty } from './setUpTracking.ts'

const tracking = setUpTracking()
const { send, track, sign, broadcastBuilt } = tracking

describe('a transaction that no node has', () => {
  it('a pending transaction that no node has had for an hour is unseen', async () => {
    const transactionHash = keccak256(await sign())
    const first = await track({ transactionHash, from: tracking.wallet.address, nonce: 0 })
    expect(first).toMatchObject({ status: 'pending', visible: false })
    expect(first).not.toHaveProperty('unseen')
    const content = JSON.parse(Buffer.from(String(first['cursor']), 'base64url').toString()) as unknown[]
    const hourEarlier = content.toSpliced(8, 1, Number(content[8]) - 3600)
    const cursor = Buffer.from(JSON.stringify(hourEarlier)).toString('base64url')
    expect(await track({ transactionHash, cursor })).toMatchObject({ status: 'pending', visible: false, unseen: true })
  })
})

describe('a transaction that is mined', () => {
  it('a mined transaction is included, then safe, then finalized, each with the block that proves it', async () => {
    const { hash } = await send()
    const { number } = await tracking.owner.client.getBlock()
    const included = await track({ transactionHash: hash })
    expect(included).toMatchObject({
      chainId: 84532,
      status: 'included',
      finality: 'included',
      from: tracking.wallet.address,
      nonce: 0,
      blockNumber: Number(number),
      gasUsed: '21000',
      confirmations: { count: 1, required: 5 },
    })
    expect(included).not.toHaveProperty('finalityProof')
    await tracking.owner.client.mine({ blocks: 2 })
    const tagged = { by: 'tag', blockNumber: Number(number) }
    expect(await track({ transactionHash: hash })).toMatchObject({
      status: 'safe',
      finality: 'safe',
      finalityProof: tagged,
      confirmations: { count: 3, required: 5 },
    })
    await tracking.owner.client.mine({ blocks: 2 })
    const finalized = { status: 'finalized', finality: 'finalized', finalityProof: tagged }
    const last = await track({ transactionHash: hash })
    expect(last).toMatchObject(finalized)
    expect(last).not.toHaveProperty('confirmations')
    const block = await tracking.owner.client.getBlock({ blockNumber: number })
    expect(await track({ transactionHash: hash })).toMatchObject({
      blockHash: block.hash,
      blockTimestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
      finalityProof: { blockHash: block.hash },
    })
  })

  it('a transaction that reverted is failed, with the reason and how final its block is', async () => {
    const { signedTransaction } = await signConversion(tracking.localnet.chains[84532], tracking.stack.callers.REST)
    const hash = keccak256(signedTransaction)
    await tracking.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -50 })
    await tracking.owner.client.sendRawTransaction({ serializedTransaction: signedTransaction })
    expect(await track({ transactionHash: hash })).toMatchObject({
      status: 'failed',
      finality: 'included',
      failure: { code: 'svc/below-min-target' },
    })
    await tracking.owner.client.mine({ blocks: 2 })
    expect(await track({ transactionHash: hash })).toMatchObject({ status: 'failed', finality: 'safe' })
  })

  it('a transaction that ran out of gas is failed with OutOfGas', async () => {
    const { address, tokens } = { address: tracking.wallet.address, tokens: tracking.localnet.chains[84532].tokens }
    const approve = {
      to: tokens['tAUD'],
      data: `0x095ea7b3${receiver.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as Hex,
    }
    const signed = await sign({ ...approve, value: '0', gasLimit: '23000' })
    await tracking.owner.client.sendRawTransaction({ serializedTransaction: signed })
    expect(await track({ transactionHash: keccak256(signed), from: address, nonce: 0 })).toMatchObject({
      status: 'failed',
      failure: { code: 'svc/reverted', revert: { name: 'OutOfGas', args: ['23000'] } },
    })
  })
})

describe('a transaction that is not mined', () => {
  it('a pending transaction is visible, with its sender, its nonce and a cursor that finds it once it is mined', async () => {
    await tracking.stack.scenarios.run('no-mining')
    const { hash } = await send()
    const pending = await track({ transactionHash: hash })
    expect(pending).toMatchObject({ status: 'pending', visible: true, from: tracking.wallet.address, nonce: 0 })
    expect(pending).not.toHaveProperty('contested')
    await tracking.stack.scenarios.run('mine')
    expect(await track({ transactionHash: hash, cursor: pending['cursor'] })).toMatchObject({ status: 'included' })
  })

  it('a transaction that no node has is pending and invisible by its sender and nonce, or by its signed bytes', async () => {
    const signedTransaction = await sign()
    const transactionHash = keccak256(signedTransaction)
    const invisible = { status: 'pending', visible: false, contested: false, from: tracking.wallet.address, nonce: 0 }
    expect(await track({ transactionHash, from: tracking.wallet.address, nonce: 0 })).toMatchObject(invisible)
    expect(await track({ transactionHash, signedTransaction })).toMatchObject(invisible)
  })

  it('a transaction is contested while another one with its nonce is pending', async () => {
    await tracking.stack.scenarios.run('no-mining')
    const signedTransaction = await sign({ value: '2' })
    await send()
    const tracked = await track({ transactionHash: keccak256(signedTransaction), signedTransaction })
    expect(tracked).toMatchObject({ status: 'pending', visible: false, contested: true })
  })

  it('a conversion that no node has is dropped once its deadline has passed, and not before', async () => {
    const snapshot = await tracking.owner.client.snapshot()
    const { signedTransaction } = await signConversion(tracking.localnet.chains[84532], tracking.stack.callers.REST)
    const transactionHash = keccak256(signedTransaction)
    expect(await track({ transactionHash, signedTransaction })).toMatchObject({ status: 'pending', visible: false })
    const { timestamp } = await tracking.owner.client.getBlock()
    await tracking.owner.client.increaseTime({ seconds: 600 })
    await tracking.owner.client.mine({ blocks: 1 })
    await waitForBlock(tracking.stack.url, tracking.localnet.chains[84532])
    const dropped = await track({ transactionHash, signedTransaction })
    expect(dropped).toMatchObject({ status: 'dropped', deadline: expect.stringMatching(/^20/) as string })
    expect(Date.parse(String(dropped['deadline'])) / 1000).toBeGreaterThan(Number(timestamp))
    expect(await track({ transactionHash, cursor: dropped['cursor'] })).toMatchObject({ status: 'dropped' })
    await tracking.owner.client.revert({ id: snapshot })
    await tracking.owner.client.mine({ blocks: 8 })
  })
})

describe('a transaction whose nonce another one takes', () => {
  it.each([
    ['speed-up', () => ({ to: receiver.replace('a1', 'A1'), value: '1', gasLimit: '21000' })],
    ['cancel', () => ({ to: tracking.wallet.address, data: '0x', value: '0' })],
  ] as const)(
    'a transaction is replaced by a %s that the service builds, which is tracked too',
    async (kind, toBuilt) => {
      await tracking.stack.scenarios.run('no-mining')
      const { hash } = await send()
      const pending = await track({ transactionHash: hash })
      const { data: built } = await tracking.stack.callers.REST('transaction.buildReplace', {
        transactionHash: hash,
        kind,
      })
      const from = tracking.wallet.address
      expect(built).toMatchObject({ ...toBuilt(), from, nonce: 0 })
      const winner = await broadcastBuilt(built as unknown as Built)
      await tracking.stack.scenarios.run('mine')
      const replaced = await track({ transactionHash: hash, cursor: pending['cursor'] })
      expect(replaced).toMatchObject({
        status: 'replaced',
        replacement: { transactionHash: winner, kind, status: 'success', finality: 'included' },
      })
      await tracking.owner.client.mine({ blocks: 4 })
      const later = await track({ transactionHash: hash, cursor: replaced['cursor'] })
      expect(later).toMatchObject({
        status: 'replaced',
        replacement: { transactionHash: winner, finality: 'finalized' },
      })
      expect(await track({ transactionHash: winner })).toMatchObject({ status: 'finalized' })
    },
  )

  it('a conversion is replaced by one of the same intent, and by another transaction', async () => {
    const { trader, signedTransaction } = await signConversion(
      tracking.localnet.chains[84532],
      tracking.stack.callers.REST,
    )
    const call = {
      chainId: 84532,
      tokenIn: tracking.localnet.chains[84532].tokens['tAUD'],
      tokenOut: tracking.localnet.chains[84532].tokens['tUSD'],
    }
    const { data: again } = await tracking.stack.callers.REST('transaction.buildConvert', {
      ...call,
      userAddress: trader.address,
      amountIn: '1000',
      minAmountOut: '1',
    })
    const snapshot = await tracking.owner.client.snapshot()
    const other = await trader.sign(tracking.stack.callers.REST, { ...empty, to: receiver })
    const same = await trader.sign(tracking.stack.callers.REST, again as unknown as Unsigned)
    for (const [winner, kind] of [
      [same, 'same-intent'],
      [other, 'other'],
    ] as const) {
      await tracking.owner.client.sendRawTransaction({ serializedTransaction: winner })
      const tracked = await track({ transactionHash: keccak256(signedTransaction), signedTransaction })
      expect(tracked).toMatchObject({ status: 'replaced', replacement: { transactionHash: keccak256(winner), kind } })
      if (kind === 'same-intent') await tracking.owner.client.revert({ id: snapshot })
    }
  })

  it('the winner is found by only sender and nonce, many blocks later, without a kind', async () => {
    const transactionHash = keccak256(await sign({ value: '2' }))
    const { hash: winner } = await send()
    // One by one: the node has no state of the blocks within one call.
    for (let count = 0; count < 40; count += 1) await tracking.owner.client.mine({ blocks: 1 })
    const tracked = await track({ transactionHash, from: tracking.wallet.address, nonce: 0 })
    expect(tracked).toMatchObject({
      status: 'replaced',
      replacement: { transactionHash: winner, finality: 'finalized' },
    })
    expect(tracked['replacement']).not.toHaveProperty('kind')
  })

  it('a replacement offers fees at least an eighth above the pending transaction', async () => {
    await tracking.stack.scenarios.run('no-mining')
    const fees = { maxFeePerGas: '80000000000', maxPriorityFeePerGas: '8000000000' }
    const { hash } = await send(fees)
    const { data } = await tracking.stack.callers.REST('transaction.buildReplace', {
      transactionHash: hash,
      kind: 'speed-up',
    })
    expect(BigInt(String(data?.['maxFeePerGas']))).toBeGreaterThan(90_000_000_000n - 1n)
    expect(BigInt(String(data?.['maxPriorityFeePerGas']))).toBeGreaterThan(9_000_000_000n - 1n)
  })
})

describe('what the caller knows', () => {
  it.each([
    [
      'a cursor of another transaction',
      async () => ({ cursor: (await track({ transactionHash: (await send()).hash }))['cursor'] }),
      'cursor',
    ],
    ['an invalid cursor', async () => ({ cursor: 'e30' }), 'cursor'],
    [
      'a signed transaction of another hash',
      async () => ({ signedTransaction: await sign({ value: '9' }) }),
      'signedTransaction',
    ],
    ['a sender without a nonce', async () => ({ from: tracking.wallet.address }), 'nonce'],
    ['a nonce without a sender', async () => ({ nonce: 0 }), 'from'],
    ['another sender', async () => ({ from: receiver, nonce: 0 }), 'from'],
    ['another nonce', async () => ({ from: tracking.wallet.address, nonce: 1 }), 'nonce'],
    ['a cursor beside a nonce', async () => ({ cursor: 'e30', nonce: 0 }), 'nonce'],
  ] as const)('error: %s is svc/invalid-request', async (_, change, field) => {
    const changed = await change()
    const { hash } = await send()
    const outcome = await tracking.stack.callers.REST('transaction.track', {
      chainId: 84532,
      transactionHash: hash,
      ...changed,
    })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field } })
  })

  it('error: a cursor of another network than the request is svc/invalid-request, and a signed transaction svc/wrong-chain', async () => {
    const { hash: transactionHash, signed: signedTransaction } = await send()
    const { cursor } = await track({ transactionHash })
    const request = (known: object) =>
      tracking.stack.callers.REST('transaction.track', { chainId: 421614, transactionHash, ...known })
    const invalid = { status: 400, failure: { code: 'svc/invalid-request', field: 'cursor' } }
    expect(await request({ cursor })).toMatchObject(invalid)
    const wrong = { status: 400, failure: { code: 'svc/wrong-chain' } }
    expect(await request({ signedTransaction })).toMatchObject(wrong)
  })
})
