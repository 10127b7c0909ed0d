import { keccak256, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { setUpTracking, empty } from './setUpTracking.ts'

const tracking = setUpTracking()
const { send, track, sign } = tracking

describe('a reorganisation', () => {
  it('a transaction whose nonce another one takes after a reorganisation is reorged and gone, then replaced', async () => {
    const snapshot = await tracking.owner.client.snapshot()
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
    ['moved', 'included', { status: 'included' }, {}],
    ['pending', 'pending', { status: 'pending', visible: true }, { visible: true }],
    ['gone', 'pending', { status: 'pending', visible: false }, { visible: false }],
  ] as const)(
    'a transaction that a reorganisation leaves %s is reorged, then %s, and others stay mined',
    async (outcome, status, next, visibility) => {
      await tracking.stack.scenarios.run('no-mining')
      const { hash: transactionHash } = await send()
      const other = keccak256(await broadcastOther())
      await tracking.stack.scenarios.run('mine')
      const before = await track({ transactionHash })
      expect(before).toMatchObject({ status: 'included' })
      await tracking.stack.scenarios.run('reorg', { transactionHash, outcome })
      const reorged = await track({ transactionHash, cursor: before['cursor'] })
      const { blockNumber, blockHash } = before
      const reorg = { outcome, status, blockNumber, blockHash }
      expect(reorged).toMatchObject({ status: 'reorged', ...visibility, reorg })
      expect(await track({ transactionHash, cursor: reorged['cursor'] })).toMatchObject(next)
      expect(await track({ transactionHash: other })).toMatchObject({ status: 'included' })
      expect(await tracking.owner.client.getAutomine()).toBe(outcome !== 'pending')
      await tracking.stack.scenarios.run('mine')
      const after = await track({ transactionHash, cursor: before['cursor'] })
      expect(after).toMatchObject({ reorg: { outcome: outcome === 'gone' ? 'gone' : 'moved' } })
    },
  )

  it('the scenario reorg takes a pending transaction through a block that the service has reported', async () => {
    await tracking.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    await tracking.stack.scenarios.run('reorg', { depth: 2, transactionHash, outcome: 'gone' })
    expect(await track({ transactionHash, from: tracking.wallet.address, nonce: 0 })).toMatchObject({
      status: 'pending',
      visible: false,
    })
  })

  it('error: the scenario reorg refuses an unknown transaction, an outcome without one, and one mined long before', async () => {
    const { hash } = await send()
    await tracking.stack.scenarios.run('no-mining')
    for (const [options, field] of [
      [{ transactionHash: keccak256(await sign()) }, 'transactionHash'],
      [{ transactionHash: hash }, 'transactionHash'],
      [{ transactionHash: 'hash' as Hex }, 'transactionHash'],
      [{ outcome: 'gone' }, 'outcome'],
    ] as const) {
      const refused = { code: 'svc/invalid-request', details: { field } }
      await expect(tracking.stack.scenarios.run('reorg', options)).rejects.toMatchObject(refused)
    }
  })

  it('a transaction of a block above the newest one after a reorganisation is reorged and gone', async () => {
    const snapshot = await tracking.owner.client.snapshot()
    await tracking.owner.client.mine({ blocks: 3 })
    const { hash } = await send()
    const before = await track({ transactionHash: hash })
    await tracking.owner.client.revert({ id: snapshot })
    // The service follows once its own newest block is lower, too.
    const isSeen = async () => {
      const { data } = await tracking.stack.callers.REST('transaction.track', {
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
    await tracking.owner.client.mine({ blocks: 5 })
  })

  it('the scenario reorg mines the other blocks although a reverted account cannot pay any more', async () => {
    await tracking.stack.scenarios.run('no-mining')
    await tracking.stack.scenarios.run('mine')
    tracking.wallet = await createWallet(tracking.localnet.chains[84532])
    const { hash: transactionHash } = await send()
    const before = await track({ transactionHash })
    await tracking.stack.scenarios.run('reorg', { transactionHash })
    expect(await track({ transactionHash, cursor: before['cursor'] })).toMatchObject({ reorg: { outcome: 'moved' } })
  })

  /** Sends a transfer of another wallet, and returns its signed bytes. */
  async function broadcastOther(): Promise<Hex> {
    const signed = await (await createWallet(tracking.localnet.chains[84532])).sign(tracking.stack.callers.REST, empty)
    await tracking.owner.client.sendRawTransaction({ serializedTransaction: signed })
    return signed
  }

  /** Returns the chain to a snapshot, and mines other blocks until the service follows it. */
  async function reorganise(id: Hex, blocks: number): Promise<void> {
    await tracking.owner.client.revert({ id })
    await tracking.owner.client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000n + BigInt(blocks) })
    await tracking.owner.client.mine({ blocks })
  }
})
