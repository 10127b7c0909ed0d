import { once } from 'node:events'
import type { Hex } from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { scenarioStacks } from './scenarioStacks.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUp } from '../harness/setUp.ts'

describe.each(scenarioStacks)('on $name', ({ start }) => {
  const subject = setUp(() => start({ broadcastWaitMs: 300 }))

  afterEach(async () => {
    await subject.recover('convert.preview', subject.inputs['convert.preview'])
    await expectMining()
  })

  describe('reorg', () => {
    // The first depth exceeds the length of a new chain and of a new fork: earlier blocks stay.
    it.each([64, 3])('a reorg of depth %d replaces exactly that many blocks, by one more', async (depth) => {
      const before = Number(await subject.owner.client.getBlockNumber({ cacheTime: 0 }))
      using blocks = await recordBlocks(subject.chain.rpcUrl)
      const { blockNumber } = await subject.run('reorg', { depth })
      expect(blockNumber).toBe(before + depth + 1)
      const numbers = Array.from({ length: depth + 1 }, (_, index) => before + 1 + index)
      const counts = numbers.map((number) => [number, number < blockNumber ? 2 : 1])
      const countHashes = () => [...blocks.hashes].map(([number, { size }]) => [number, size])
      await expect.poll(countHashes, eventually).toEqual(counts)
      for (const call of Object.values(subject.callers)) {
        expect(await call('convert.preview', subject.inputs['convert.preview'])).toMatchObject({
          data: { blockNumber },
        })
      }
      const { timestamp } = await subject.owner.client.getBlock()
      expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    })

    it('a reorg removes a transaction from its block, and mines it again', async () => {
      const signedTransaction = await signTransfer()
      await subject.run('no-mining')
      const { transactionHash } = await broadcast('REST', signedTransaction)
      const before = Number(await subject.owner.client.getBlockNumber({ cacheTime: 0 }))
      await subject.run('reorg', { depth: 2 })
      const mined = { status: 'success', blockNumber: before + 1, confirmations: 3 }
      expect(await readStatus('REST', transactionHash)).toMatchObject(mined)
      expect(await subject.owner.client.getAutomine()).toBe(false)
    })

    it('error: a reorg of an invalid depth is svc/invalid-request, and mines no block', async () => {
      const before = await subject.owner.client.getBlockNumber({ cacheTime: 0 })
      for (const depth of [0, 65, 1e9]) {
        const refused = { code: 'svc/invalid-request', details: { field: 'depth', value: depth } }
        await expect(subject.run('reorg', { depth })).rejects.toMatchObject(refused)
      }
      expect(await subject.owner.client.getBlockNumber({ cacheTime: 0 })).toBe(before)
    })
  })

  describe('no-mining', () => {
    it('broadcasts stay pending during no-mining, and mine mines them', async () => {
      const transports = ['REST', 'tRPC'] as const
      const signed = [await signTransfer(), await signTransfer()] as const
      await subject.run('no-mining')
      const sent = await Promise.all(transports.map((transport, index) => broadcast(transport, signed[index]!)))
      expect(sent).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
      const readAll = () => transports.map((transport, index) => readStatus(transport, sent[index]!.transactionHash))
      expect(await Promise.all(readAll())).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
      const { blockNumber } = await subject.run('mine')
      const mined = { status: 'success', blockNumber, confirmations: 1 }
      expect(await Promise.all(readAll())).toMatchObject([mined, mined])
      expect(await broadcast('REST', await signTransfer())).toMatchObject({ status: 'success' })
    })

    it('error: a fault that needs a block is svc/invalid-request during no-mining', async () => {
      const { chainId } = subject.other
      await subject.run('no-mining')
      for (const name of ['stale-price', 'thin-pool', 'pool-frozen', 'dry-faucet'] as const) {
        await expect(subject.run(name)).rejects.toMatchObject({ code: 'svc/invalid-request' })
      }
      await expect(subject.run('thin-pool', { chainId })).resolves.toMatchObject({ chainId })
    })
  })

  async function broadcast(transport: 'REST' | 'tRPC', signedTransaction: Hex) {
    const { chainId } = subject.chain
    const sent = await subject.callers[transport]('transaction.broadcast', { chainId, signedTransaction })
    expect(sent).toMatchObject({ status: 200 })
    return sent.data as { readonly transactionHash: Hex; readonly status: string }
  }

  async function readStatus(transport: 'REST' | 'tRPC', transactionHash: Hex): Promise<unknown> {
    const { chainId } = subject.chain
    return (await subject.callers[transport]('transaction.status', { chainId, transactionHash })).data
  }

  async function signTransfer(): Promise<Hex> {
    const wallet = await createWallet(subject.chain)
    return await wallet.sign(subject.callers.REST, {
      to: '0x00000000000000000000000000000000000000a1',
      data: '0x',
      value: '1',
      chainId: subject.chain.chainId,
      gasLimit: '21000',
    })
  }

  async function expectMining(): Promise<void> {
    expect(await subject.owner.client.getAutomine()).toBe(true)
  }
})

/** Records the hashes that each block number of a chain gets from now on, by a subscription at its node. */
async function recordBlocks(rpcUrl: string) {
  const hashes = new Map<number, Set<string>>()
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'))
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  await once(socket, 'message')
  socket.addEventListener('message', ({ data }) => {
    const { result } = (JSON.parse(String(data)) as { params: { result: { number: Hex; hash: Hex } } }).params
    const number = Number(result.number)
    hashes.set(number, (hashes.get(number) ?? new Set()).add(result.hash))
  })
  return { hashes, [Symbol.dispose]: () => socket.close() }
}
