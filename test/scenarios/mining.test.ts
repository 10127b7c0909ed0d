import type { LocalChain, Localnet } from '@agio/localnet'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createWallet } from '../contract/createWallet.ts'
import { validInputs } from '../contract/validInputs.ts'
import { connectOwner, type Owner } from '../stack/connectOwner.ts'
import { startTestLocalnet } from '../stack/startTestLocalnet.ts'
import { startScenarioStack, type ScenarioStack } from './startScenarioStack.ts'

let localnet: Localnet
let stack: ScenarioStack
let chain: LocalChain
let owner: Owner

beforeAll(async () => {
  localnet = await startTestLocalnet({ blockIntervalMs: 3_600_000 })
  stack = await startScenarioStack(localnet, { broadcastWaitMs: 300 })
  chain = localnet.chains[84532]
  owner = connectOwner(chain)
})

afterAll(async () => {
  await stack?.stop()
  await localnet?.stop()
})

afterEach(async () => {
  await stack.recover('convert.preview', validInputs(chain)['convert.preview'])
  await expectMining()
})

describe('no-mining', () => {
  it.each(['REST', 'tRPC'] as const)('leaves a broadcast pending, and mine gets it mined (%s)', async (transport) => {
    const signedTransaction = await signTransfer()
    await stack.scenarios.run('no-mining')
    const call = stack.callers[transport]
    const sent = await call('transaction.broadcast', { signedTransaction })
    expect(sent).toMatchObject({ status: 200, data: { status: 'pending' } })
    const { transactionHash } = sent.data ?? {}
    expect(await call('transaction.status', { transactionHash })).toMatchObject({ data: { status: 'pending' } })
    const { blockNumber } = await stack.scenarios.run('mine')
    const mined = { data: { status: 'success', blockNumber, confirmations: 1 } }
    expect(await call('transaction.status', { transactionHash })).toMatchObject(mined)
    expect(await call('transaction.broadcast', { signedTransaction: await signTransfer() })).toMatchObject({
      data: { status: 'success' },
    })
  })

  it('is ended by reset as well, and what was sent stays', async () => {
    await stack.scenarios.run('no-mining')
    const signedTransaction = await signTransfer()
    const sent = await stack.callers.REST('transaction.broadcast', { signedTransaction })
    await stack.scenarios.reset()
    const { transactionHash } = sent.data ?? {}
    const status = await stack.callers.REST('transaction.status', { transactionHash })
    expect(status).toMatchObject({ data: { status: 'success' } })
  })

  it('error: svc/invalid-request for a fault that needs a block, which would not leave it at that', async () => {
    await stack.scenarios.run('no-mining')
    await expect(stack.scenarios.run('stale-price')).rejects.toMatchObject({ code: 'svc/invalid-request' })
    await expect(stack.scenarios.run('thin-pool', { chainId: 421614 })).resolves.toMatchObject({ chainId: 421614 })
  })
})

describe('reorg', () => {
  it('replaces as many blocks as it is told to by others, and one more, and the service follows', async () => {
    const before = await owner.client.getBlockNumber({ cacheTime: 0 })
    const seen = watchBlocks([before, before + 1n, before + 2n, before + 3n, before + 4n])
    const { blockNumber } = await stack.scenarios.run('reorg', { depth: 3 })
    const hashes = await seen.stop()
    expect(BigInt(blockNumber)).toBe(before + 4n)
    expect(hashes.map(({ size }) => size)).toEqual([1, 2, 2, 2, 1])
    const { data } = await stack.callers.REST('convert.preview', validInputs(chain)['convert.preview'])
    expect(data).toMatchObject({ blockNumber })
  })

  it('takes a transaction out of its block, and mines it again', async () => {
    const signedTransaction = await signTransfer()
    await stack.scenarios.run('no-mining')
    const sent = await stack.callers.REST('transaction.broadcast', { signedTransaction })
    const { transactionHash } = sent.data ?? {}
    const before = Number(await owner.client.getBlockNumber({ cacheTime: 0 }))
    await stack.scenarios.run('reorg', { depth: 2 })
    const status = await stack.callers.REST('transaction.status', { transactionHash })
    expect(status).toMatchObject({ data: { status: 'success', blockNumber: before + 1, confirmations: 3 } })
    expect(await owner.client.getAutomine()).toBe(false)
  })
})

async function expectMining(): Promise<void> {
  expect(await owner.client.getAutomine()).toBe(true)
}

async function signTransfer(): Promise<Hex> {
  const wallet = await createWallet(chain)
  return await wallet.sign(stack.callers.REST, {
    to: '0x00000000000000000000000000000000000000a1',
    data: '0x',
    value: '1',
    chainId: 84532,
    gasLimit: '21000',
  })
}

/** Looks again and again which blocks there are, and tells in the end the hashes that each number has had. */
function watchBlocks(numbers: readonly bigint[]) {
  const hashes = numbers.map(() => new Set<Hex>())
  const look = async () => {
    const blocks = numbers.map((blockNumber) => owner.client.getBlock({ blockNumber }).catch(() => undefined))
    for (const [index, block] of (await Promise.all(blocks)).entries()) if (block) hashes[index]?.add(block.hash)
  }
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) await look()
  })()
  return {
    async stop() {
      stopping.abort()
      await watching
      await look()
      return hashes
    },
  }
}
