import type { Localnet } from '@agio/localnet'
import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { signConversion } from '../harness/signConversion.ts'

type Fields = Readonly<Record<string, unknown>>

const receiver = '0x00000000000000000000000000000000000000a1'

let localnet: Localnet
let stack: AgioStack
let owner: Owner
let wallet: Awaited<ReturnType<typeof createWallet>>

beforeAll(async () => {
  // Only transactions and the tests mine blocks.
  stack = await startAgio({ finalityBlocks: 2, broadcastWaitMs: 200 })
  localnet = stack.localnet
  owner = connectOwner(localnet.chains[84532])
})

beforeEach(async () => {
  wallet = await createWallet(localnet.chains[84532])
})

afterEach(() => stack.scenarios.reset())

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe('a transaction that is mined', () => {
  it('a mined transaction is included, then safe, then finalized, each with the block that proves it', async () => {
    const { hash } = await send()
    const { number } = await owner.client.getBlock()
    const included = await track({ transactionHash: hash })
    expect(included).toMatchObject({
      chainId: 84532,
      status: 'included',
      finality: 'included',
      from: wallet.address,
      nonce: 0,
      blockNumber: Number(number),
      gasUsed: '21000',
    })
    expect(included).not.toHaveProperty('finalityProof')
    await owner.client.mine({ blocks: 2 })
    const tagged = { by: 'tag', blockNumber: Number(number) }
    expect(await track({ transactionHash: hash })).toMatchObject({
      status: 'safe',
      finality: 'safe',
      finalityProof: tagged,
    })
    await owner.client.mine({ blocks: 2 })
    const finalized = { status: 'finalized', finality: 'finalized', finalityProof: tagged }
    expect(await track({ transactionHash: hash })).toMatchObject(finalized)
    const block = await owner.client.getBlock({ blockNumber: number })
    expect(await track({ transactionHash: hash })).toMatchObject({
      blockHash: block.hash,
      blockTimestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
      finalityProof: { blockHash: block.hash },
    })
  })

  it('a transaction that reverted is failed, with the reason and how final its block is', async () => {
    const { signedTransaction } = await signConversion(localnet.chains[84532], stack.callers.REST)
    const hash = keccak256(signedTransaction)
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: -50 })
    await owner.client.sendRawTransaction({ serializedTransaction: signedTransaction })
    expect(await track({ transactionHash: hash })).toMatchObject({
      status: 'failed',
      finality: 'included',
      failure: { code: 'svc/below-min-target' },
    })
    await owner.client.mine({ blocks: 2 })
    expect(await track({ transactionHash: hash })).toMatchObject({ status: 'failed', finality: 'safe' })
  })

  it('a transaction that ran out of gas is failed with OutOfGas', async () => {
    const { address, tokens } = { address: wallet.address, tokens: localnet.chains[84532].tokens }
    const approve = {
      to: tokens['tAUD'],
      data: `0x095ea7b3${receiver.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}` as Hex,
    }
    const signed = await sign({ ...approve, value: '0', gasLimit: '23000' })
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    expect(await track({ transactionHash: keccak256(signed), from: address, nonce: 0 })).toMatchObject({
      status: 'failed',
      failure: { code: 'svc/reverted', revert: { name: 'OutOfGas', args: ['23000'] } },
    })
  })

  it('tracking over REST and over tRPC answers the same', async () => {
    const { hash } = await send()
    const input = { chainId: 84532, transactionHash: hash }
    const [rest, trpc] = await Promise.all(Object.values(stack.callers).map((call) => call('transaction.track', input)))
    expect(rest?.data).toEqual(trpc?.data)
  })
})

describe('a transaction that is not mined', () => {
  it('a pending transaction is visible, with its sender, its nonce and a cursor that finds it once it is mined', async () => {
    await stack.scenarios.run('no-mining')
    const { hash } = await send()
    const pending = await track({ transactionHash: hash })
    expect(pending).toMatchObject({ status: 'pending', visible: true, from: wallet.address, nonce: 0 })
    expect(pending).not.toHaveProperty('contested')
    await stack.scenarios.run('mine')
    expect(await track({ transactionHash: hash, cursor: pending['cursor'] })).toMatchObject({ status: 'included' })
  })

  it('error: a hash that no node has and nothing else is svc/transaction-not-found', async () => {
    const signed = await sign()
    const outcome = await stack.callers.REST('transaction.track', { transactionHash: keccak256(signed) })
    expect(outcome).toMatchObject({ status: 404, failure: { code: 'svc/transaction-not-found' } })
  })

  it('a transaction that no node has is pending and invisible by its sender and nonce, or by its signed bytes', async () => {
    const signedTransaction = await sign()
    const transactionHash = keccak256(signedTransaction)
    const invisible = { status: 'pending', visible: false, contested: false, from: wallet.address, nonce: 0 }
    expect(await track({ transactionHash, from: wallet.address, nonce: 0 })).toMatchObject(invisible)
    expect(await track({ transactionHash, signedTransaction })).toMatchObject(invisible)
  })

  it('a transaction is contested while another one with its nonce is pending', async () => {
    await stack.scenarios.run('no-mining')
    const signedTransaction = await sign({ value: '2' })
    await send()
    const tracked = await track({ transactionHash: keccak256(signedTransaction), signedTransaction })
    expect(tracked).toMatchObject({ status: 'pending', visible: false, contested: true })
  })

  it('a conversion that no node has is dropped once its deadline has passed, and not before', async () => {
    const snapshot = await owner.client.snapshot()
    const { signedTransaction } = await signConversion(localnet.chains[84532], stack.callers.REST)
    const transactionHash = keccak256(signedTransaction)
    expect(await track({ transactionHash, signedTransaction })).toMatchObject({ status: 'pending', visible: false })
    const { timestamp } = await owner.client.getBlock()
    await owner.client.increaseTime({ seconds: 600 })
    await owner.client.mine({ blocks: 1 })
    const dropped = await track({ transactionHash, signedTransaction })
    expect(dropped).toMatchObject({ status: 'dropped', deadline: expect.stringMatching(/^20/) as string })
    expect(Date.parse(String(dropped['deadline'])) / 1000).toBeGreaterThan(Number(timestamp))
    expect(await track({ transactionHash, cursor: dropped['cursor'] })).toMatchObject({ status: 'dropped' })
    await owner.client.revert({ id: snapshot })
    await owner.client.mine({ blocks: 8 })
  })
})

describe('a transaction whose nonce another one takes', () => {
  it('a transaction is replaced by a speed-up that the service builds, and the winner is tracked as its own', async () => {
    await stack.scenarios.run('no-mining')
    const { hash, transaction } = await send()
    const pending = await track({ transactionHash: hash })
    const { data: built } = await stack.callers.REST('transaction.buildReplace', {
      transactionHash: hash,
      kind: 'speed-up',
    })
    expect(built).toMatchObject({
      to: receiver.replace('a1', 'A1'),
      value: transaction.value,
      nonce: 0,
      gasLimit: '21000',
    })
    const winner = await broadcastBuilt(built as unknown as Built)
    await stack.scenarios.run('mine')
    const replaced = await track({ transactionHash: hash, cursor: pending['cursor'] })
    expect(replaced).toMatchObject({
      status: 'replaced',
      replacement: { transactionHash: winner, kind: 'speed-up', status: 'success', finality: 'included' },
    })
    await owner.client.mine({ blocks: 4 })
    const later = await track({ transactionHash: hash, cursor: replaced['cursor'] })
    expect(later).toMatchObject({ status: 'replaced', replacement: { transactionHash: winner, finality: 'finalized' } })
    expect(await track({ transactionHash: winner })).toMatchObject({ status: 'finalized' })
  })

  it('a transaction is replaced by a cancellation that the service builds', async () => {
    await stack.scenarios.run('no-mining')
    const { hash } = await send()
    const pending = await track({ transactionHash: hash })
    const { data: built } = await stack.callers.tRPC('transaction.buildReplace', {
      transactionHash: hash,
      kind: 'cancel',
    })
    expect(built).toMatchObject({ to: wallet.address, from: wallet.address, data: '0x', value: '0' })
    const winner = await broadcastBuilt(built as unknown as Built)
    await stack.scenarios.run('mine')
    expect(await track({ transactionHash: hash, cursor: pending['cursor'] })).toMatchObject({
      status: 'replaced',
      replacement: { transactionHash: winner, kind: 'cancel', status: 'success' },
    })
  })

  it('a conversion is replaced by one of the same intent, and by another transaction', async () => {
    const { trader, signedTransaction } = await signConversion(localnet.chains[84532], stack.callers.REST)
    const call = {
      chainId: 84532,
      tokenIn: localnet.chains[84532].tokens['tAUD'],
      tokenOut: localnet.chains[84532].tokens['tUSD'],
    }
    const { data: again } = await stack.callers.REST('transaction.buildConvert', {
      ...call,
      userAddress: trader.address,
      amountIn: '1000',
      minAmountOut: '1',
    })
    const snapshot = await owner.client.snapshot()
    const other = await trader.sign(stack.callers.REST, { ...empty, to: receiver })
    const same = await trader.sign(stack.callers.REST, again as unknown as Unsigned)
    for (const [winner, kind] of [
      [same, 'same-intent'],
      [other, 'other'],
    ] as const) {
      await owner.client.sendRawTransaction({ serializedTransaction: winner })
      const tracked = await track({ transactionHash: keccak256(signedTransaction), signedTransaction })
      expect(tracked).toMatchObject({ status: 'replaced', replacement: { transactionHash: keccak256(winner), kind } })
      if (kind === 'same-intent') await owner.client.revert({ id: snapshot })
    }
  })

  it('the winner is found by only sender and nonce, many blocks later, without a kind', async () => {
    const transactionHash = keccak256(await sign({ value: '2' }))
    const { hash: winner } = await send()
    // One by one: the node has no state of the blocks within one call.
    for (let count = 0; count < 40; count += 1) await owner.client.mine({ blocks: 1 })
    const tracked = await track({ transactionHash, from: wallet.address, nonce: 0 })
    expect(tracked).toMatchObject({
      status: 'replaced',
      replacement: { transactionHash: winner, finality: 'finalized' },
    })
    expect(tracked['replacement']).not.toHaveProperty('kind')
  })

  it('a replacement offers fees at least an eighth above the pending transaction', async () => {
    await stack.scenarios.run('no-mining')
    const fees = { maxFeePerGas: '80000000000', maxPriorityFeePerGas: '8000000000' }
    const { hash } = await send(fees)
    const { data } = await stack.callers.REST('transaction.buildReplace', { transactionHash: hash, kind: 'speed-up' })
    expect(BigInt(String(data?.['maxFeePerGas']))).toBeGreaterThan(90_000_000_000n - 1n)
    expect(BigInt(String(data?.['maxPriorityFeePerGas']))).toBeGreaterThan(9_000_000_000n - 1n)
  })

  it('error: a replacement of a mined transaction is svc/already-mined, of an unknown one svc/transaction-not-found', async () => {
    const { hash } = await send()
    const build = (transactionHash: string) =>
      stack.callers.REST('transaction.buildReplace', { transactionHash, kind: 'cancel' })
    expect(await build(hash)).toMatchObject({ status: 409, failure: { code: 'svc/already-mined' } })
    const unknown = { status: 404, failure: { code: 'svc/transaction-not-found' } }
    expect(await build(keccak256(await sign()))).toMatchObject(unknown)
  })
})

describe('a reorganisation', () => {
  it('a transaction in another block than its cursor has is reorged and moved, and then included there', async () => {
    const snapshot = await owner.client.snapshot()
    const { hash, signed } = await send()
    const before = await track({ transactionHash: hash })
    await reorganise(snapshot, 1)
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    const moved = await track({ transactionHash: hash, cursor: before['cursor'] })
    expect(moved).toMatchObject({
      status: 'reorged',
      blockNumber: Number(before['blockNumber']) + 1,
      reorg: {
        outcome: 'moved',
        status: 'included',
        blockNumber: before['blockNumber'],
        blockHash: before['blockHash'],
      },
    })
    expect(await track({ transactionHash: hash, cursor: moved['cursor'] })).toMatchObject({ status: 'included' })
  })

  it('a transaction that a reorganisation takes back to the pool is reorged and pending', async () => {
    const snapshot = await owner.client.snapshot()
    const { hash, signed } = await send()
    const before = await track({ transactionHash: hash })
    await reorganise(snapshot, 3)
    await stack.scenarios.run('no-mining')
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    const reorged = await track({ transactionHash: hash, cursor: before['cursor'] })
    expect(reorged).toMatchObject({
      status: 'reorged',
      visible: true,
      reorg: { outcome: 'pending', status: 'pending' },
    })
    const after = await track({ transactionHash: hash, cursor: reorged['cursor'] })
    expect(after).toMatchObject({ status: 'pending', visible: true })
  })

  it('a transaction that no node has after a reorganisation is reorged and gone, then pending and invisible', async () => {
    const snapshot = await owner.client.snapshot()
    const { hash } = await send()
    const before = await track({ transactionHash: hash })
    await reorganise(snapshot, 3)
    const reorged = await track({ transactionHash: hash, cursor: before['cursor'] })
    expect(reorged).toMatchObject({ status: 'reorged', visible: false, reorg: { outcome: 'gone', status: 'pending' } })
    const after = await track({ transactionHash: hash, cursor: reorged['cursor'] })
    expect(after).toMatchObject({ status: 'pending', visible: false })
  })

  it('a transaction whose nonce another one takes after a reorganisation is reorged and gone, then replaced', async () => {
    const snapshot = await owner.client.snapshot()
    const { hash } = await send()
    const before = await track({ transactionHash: hash })
    await reorganise(snapshot, 3)
    const { hash: winner } = await send({ value: '3' })
    const reorged = await track({ transactionHash: hash, cursor: before['cursor'] })
    expect(reorged).toMatchObject({ status: 'reorged', reorg: { outcome: 'gone', status: 'replaced' } })
    const after = await track({ transactionHash: hash, cursor: reorged['cursor'] })
    expect(after).toMatchObject({ status: 'replaced', replacement: { transactionHash: winner, kind: 'other' } })
  })

  it.each([
    ['moved', { status: 'reorged', reorg: { outcome: 'moved', status: 'included' } }],
    ['pending', { status: 'reorged', visible: true, reorg: { outcome: 'pending', status: 'pending' } }],
    ['gone', { status: 'reorged', visible: false, reorg: { outcome: 'gone', status: 'pending' } }],
  ] as const)('the scenario reorg leaves a mined transaction %s, and others mined', async (outcome, expected) => {
    await stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    const other = keccak256(await broadcastOther())
    await stack.scenarios.run('mine')
    const before = await track({ transactionHash })
    expect(before).toMatchObject({ status: 'included' })
    await stack.scenarios.run('reorg', { transactionHash, outcome })
    expect(await track({ transactionHash, cursor: before['cursor'] })).toMatchObject(expected)
    expect(await track({ transactionHash: other })).toMatchObject({ status: 'included' })
    expect(await owner.client.getAutomine()).toBe(outcome !== 'pending')
    await stack.scenarios.run('mine')
    const after = await track({ transactionHash, cursor: before['cursor'] })
    expect(after).toMatchObject({ reorg: { outcome: outcome === 'gone' ? 'gone' : 'moved' } })
  })

  it('the scenario reorg takes a pending transaction through a block that the service has reported', async () => {
    await stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    await stack.scenarios.run('reorg', { depth: 2, transactionHash, outcome: 'gone' })
    expect(await track({ transactionHash, from: wallet.address, nonce: 0 })).toMatchObject({
      status: 'pending',
      visible: false,
    })
  })

  it('error: the scenario reorg refuses an unknown transaction, an outcome without one, and one mined long before', async () => {
    const { hash } = await send()
    await stack.scenarios.run('no-mining')
    for (const [options, field] of [
      [{ transactionHash: keccak256(await sign()) }, 'transactionHash'],
      [{ transactionHash: hash }, 'transactionHash'],
      [{ transactionHash: 'hash' as Hex }, 'transactionHash'],
      [{ outcome: 'gone' }, 'outcome'],
    ] as const) {
      const refused = { code: 'svc/invalid-request', details: { field } }
      await expect(stack.scenarios.run('reorg', options)).rejects.toMatchObject(refused)
    }
  })

  it('a transaction of a block above the newest one after a reorganisation is reorged and gone', async () => {
    const snapshot = await owner.client.snapshot()
    await owner.client.mine({ blocks: 3 })
    const { hash } = await send()
    const before = await track({ transactionHash: hash })
    await owner.client.revert({ id: snapshot })
    // The service follows once its own newest block is lower, too.
    const isSeen = async () => {
      const { data } = await stack.callers.REST('transaction.track', {
        transactionHash: hash,
        cursor: before['cursor'],
      })
      return data?.['status']
    }
    await expect.poll(isSeen).toBe('reorged')
    const { cursor } = before
    expect(await track({ transactionHash: hash, cursor })).toMatchObject({
      reorg: { outcome: 'gone', status: 'pending' },
    })
    await owner.client.mine({ blocks: 5 })
  })

  it('the scenario reorg mines the other blocks although a reverted account cannot pay any more', async () => {
    await stack.scenarios.run('no-mining')
    await stack.scenarios.run('mine')
    wallet = await createWallet(localnet.chains[84532])
    const { hash: transactionHash } = await send()
    const before = await track({ transactionHash })
    await stack.scenarios.run('reorg', { transactionHash })
    expect(await track({ transactionHash, cursor: before['cursor'] })).toMatchObject({ reorg: { outcome: 'moved' } })
  })

  /** Sends a transfer of another wallet, and returns its signed bytes. */
  async function broadcastOther(): Promise<Hex> {
    const signed = await (await createWallet(localnet.chains[84532])).sign(stack.callers.REST, empty)
    await owner.client.sendRawTransaction({ serializedTransaction: signed })
    return signed
  }

  /** Returns the chain to a snapshot, and mines other blocks until the service follows it. */
  async function reorganise(id: Hex, blocks: number): Promise<void> {
    await owner.client.revert({ id })
    await owner.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000n + BigInt(blocks) })
    await owner.client.mine({ blocks })
  }
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
    ['a sender without a nonce', async () => ({ from: wallet.address }), 'nonce'],
    ['a nonce without a sender', async () => ({ nonce: 0 }), 'from'],
    ['another sender', async () => ({ from: receiver, nonce: 0 }), 'from'],
    ['another nonce', async () => ({ from: wallet.address, nonce: 1 }), 'nonce'],
    ['a cursor beside a nonce', async () => ({ cursor: 'e30', nonce: 0 }), 'nonce'],
  ] as const)('error: %s is svc/invalid-request', async (_, change, field) => {
    const changed = await change()
    const { hash } = await send()
    const outcome = await stack.callers.REST('transaction.track', { chainId: 84532, transactionHash: hash, ...changed })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field } })
  })

  it('error: a cursor of another network than the request is svc/invalid-request', async () => {
    const { hash: transactionHash } = await send()
    const { cursor } = await track({ transactionHash })
    const outcome = await stack.callers.REST('transaction.track', { chainId: 421614, transactionHash, cursor })
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/invalid-request', field: 'cursor' } })
  })

  it('error: a signed transaction of another network is svc/wrong-chain', async () => {
    const signedTransaction = await sign()
    const input = { chainId: 421614, transactionHash: keccak256(signedTransaction), signedTransaction }
    const outcome = await stack.callers.REST('transaction.track', input)
    expect(outcome).toMatchObject({ status: 400, failure: { code: 'svc/wrong-chain' } })
  })
})

const empty = { to: receiver, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const

type Change = Partial<Unsigned>

async function sign(change: Change = {}): Promise<Hex> {
  return await wallet.sign(stack.callers.REST, { ...empty, ...change })
}

async function send(change: Change = {}) {
  const signed = await sign(change)
  const hash = await owner.client.sendRawTransaction({ serializedTransaction: signed })
  return { hash, signed, transaction: { ...empty, ...change } }
}

type Built = Unsigned & { readonly nonce: number }

/** Signs a transaction of the service with its nonce, and broadcasts it through the service. */
async function broadcastBuilt(built: Built): Promise<string> {
  const signedTransaction = await wallet.sign(async () => ({ status: 200, data: { nonce: built.nonce } }), built)
  const { data } = await stack.callers.REST('transaction.broadcast', { signedTransaction })
  expect(data).toMatchObject({ status: 'pending' })
  return String(data?.['transactionHash'])
}

async function track(input: Fields): Promise<Fields> {
  const outcome = await stack.callers.REST('transaction.track', input)
  expect(outcome).toMatchObject({ status: 200 })
  return outcome.data ?? {}
}
