import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { countPerBlock } from '../harness/countPerBlock.ts'
import { createWallet } from '../harness/createWallet.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { openStream, type OpenStream } from './openStream.ts'

let stack: ProxiedStack
let owner: Owner

beforeAll(async () => {
  stack = await startProxiedStack()
  owner = connectOwner(stack.localnet.chains[84532])
})

afterAll(() => stack?.[Symbol.asyncDispose]())

const maxRequestsPerBlock = 20

describe('the node requests of 200 transaction topics that no node knows', () => {
  it.each([
    ['with sender and nonce', (index: number) => ({ from: toHex(index + 1, 20), nonce: 0 })],
    ['by hash alone', () => ({})],
  ])(`topics %s add at most ${maxRequestsPerBlock} requests to a block`, async (_, identify) => {
    const quiet = await countPerBlock(stack)
    await using opened = new AsyncDisposableStack()
    for (let stream = 0; stream < 10; stream += 1) {
      const indices = Array.from({ length: 20 }, (__, topic) => 20 * stream + topic)
      opened.use(await open(indices.map((index) => ({ transactionHash: randomHash(), ...identify(index) }))))
    }
    expect((await countPerBlock(stack)) - quiet).toBeLessThanOrEqual(maxRequestsPerBlock)
  })
})

describe('a transaction that no node has', () => {
  it('is told in the block that contains it, although the nodes are rarely asked about it', async () => {
    const wallet = await createWallet(stack.localnet.chains[84532])
    const call = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const serializedTransaction = await wallet.sign(stack.callers.REST, call)
    const transactionHash = keccak256(serializedTransaction)
    await using stream = await open([{ transactionHash }])
    await stream.waitFor(({ data }) => 'error' in data)
    await owner.client.sendRawTransaction({ serializedTransaction })
    // The node reports each block as finalized.
    await stream.waitFor(({ data }) => data['status'] === 'finalized')
  })
})

function open(topics: readonly object[]): Promise<OpenStream> {
  return openStream(stack.url, { topics: topics.map((topic) => ({ topic: 'transaction', ...topic })), apiKey })
}

function randomHash(): string {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
}

function toHex(value: number, bytes: number): string {
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`
}
