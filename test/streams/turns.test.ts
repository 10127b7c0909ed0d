import { keccak256, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createWallet } from '../harness/createWallet.ts'
import { eventually } from '../harness/timeLimits.ts'
import type { OpenStream } from './openStream.ts'
import { setUpStreams } from './setUpStreams.ts'

const streaming = setUpStreams()

const [streamCount, topicCount] = [4, 20]

it('topics that wait for the turn of their key send `included` for a new block before their turn', async () => {
  await streaming.stack.scenarios.run('no-mining')
  const hashes = await sendMany(streamCount * topicCount)
  await using opened = new AsyncDisposableStack()
  const streams: OpenStream[] = []
  for (let first = 0; first < hashes.length; first += topicCount) {
    const topics = hashes
      .slice(first, first + topicCount)
      .map((transactionHash) => ({ topic: 'transaction', transactionHash }))
    streams.push(opened.use(await streaming.open(topics)))
  }
  const listStatuses = () => streams.flatMap(({ events }) => events.map(({ data }) => data['status']))
  // Twenty topics look at once. The others would have their turns within half a minute.
  await expect.poll(() => listStatuses().length, eventually).toBeGreaterThanOrEqual(topicCount)
  await streaming.stack.scenarios.run('mine')
  const countIncluded = () => listStatuses().filter((status) => status === 'included').length
  await expect.poll(countIncluded, eventually).toBe(hashes.length)
})

/** Sends transactions of one wallet, and returns their hashes. */
async function sendMany(count: number): Promise<readonly Hex[]> {
  const wallet = await createWallet(streaming.localnet.chains[84532])
  const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
  const hashes: Hex[] = []
  for (let nonce = 0; nonce < count; nonce += 1) {
    const call: Caller = async () => ({ status: 200, data: { nonce } })
    const serializedTransaction = await wallet.sign(call, transfer)
    await streaming.owner.client.sendRawTransaction({ serializedTransaction })
    hashes.push(keccak256(serializedTransaction))
  }
  return hashes
}
