import { Tier } from '@agio/core'
import { expect, it } from 'vitest'
import { countPerBlock } from '../harness/countPerBlock.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { isHeadPoll } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { openStream, type OpenStream } from './openStream.ts'
import { setUpStreams } from './setUpStreams.ts'

const streaming = setUpStreams(() => startProxiedStack({ ownDatabase: true }))

const maxRequestsPerBlock = 20
const limits = { requests: 1000, windowSeconds: 900, burstPerSecond: 100, monthlyQuota: 10_000 }

it.each([
  ['with sender and nonce', (index: number) => ({ from: toHex(index + 1, 20), nonce: 0 })],
  ['by hash alone', () => ({})],
])(
  `200 transaction topics %s that no node knows add at most ${maxRequestsPerBlock} requests to a block`,
  async (_, identify) => {
    const quiet = await countPerBlock(streaming.stack)
    await using opened = new AsyncDisposableStack()
    for (let stream = 0; stream < 10; stream += 1) {
      const indices = Array.from({ length: 20 }, (__, topic) => 20 * stream + topic)
      opened.use(await open(indices.map((index) => ({ transactionHash: randomHash(), ...identify(index) }))))
    }
    expect((await countPerBlock(streaming.stack)) - quiet).toBeLessThanOrEqual(maxRequestsPerBlock)
  },
)

it('for topics of invented transactions whose nonce is used, the key pays for each search at least what it sends to the nodes', async () => {
  const wallet = await useNonce()
  const { key } = await createAdminClient(streaming.stack.url).issue(limits)
  const call = createRestCaller({ url: streaming.stack.url, apiKey: key })
  const used = async () => ((await call('usage.get', {})).data?.['nodeRequests'] as { readonly used: number }).used
  const { requests } = streaming.stack.proxies[84532]
  const [usedBefore, first] = [await used(), requests.length]
  const topics = Array.from({ length: 5 }, () => ({ transactionHash: randomHash(), from: wallet.address, nonce: 0 }))
  await using stream = await open(topics, key)
  await expect.poll(() => stream.events, eventually).toHaveLength(topics.length)
  expect(stream.events.map(({ data }) => data['status'])).toEqual(topics.map(() => 'replaced'))
  const sent = requests.slice(first).filter((each) => !isHeadPoll(each))
  const charged = (await used()) - usedBefore
  expect(charged).toBe(topics.length * (Tier.observationNodeRequests + Tier.searchNodeRequests))
  expect(sent.flatMap(({ calls }) => calls).length).toBeLessThanOrEqual(charged)
})

it('20 topics of invented transactions whose nonce was used long ago are read in turn, so that their searches do not reach the nodes together', async () => {
  const wallet = await useNonce()
  // The node has no state of the blocks within one call.
  for (let block = 0; block < 500; block += 1) await streaming.owner.client.mine({ blocks: 1 })
  await waitForBlock(streaming.stack.url, streaming.localnet.chains[84532])
  const { requests } = streaming.stack.proxies[84532]
  const first = requests.length
  const topics = Array.from({ length: 20 }, () => ({ transactionHash: randomHash(), from: wallet.address, nonce: 0 }))
  await using stream = await open(topics)
  await expect.poll(() => stream.events.length, eventually).toBeGreaterThan(1)
  const sent = requests.slice(first).flatMap(({ calls }) => calls)
  // A poll takes 3 requests without a search, and 20 with it.
  expect(sent.length).toBeLessThan(250)
  expect(stream.events.map(({ data }) => data['status'])).toContain('replaced')
})

function open(topics: readonly object[], key = apiKey): Promise<OpenStream> {
  return openStream(streaming.stack.url, {
    topics: topics.map((topic) => ({ topic: 'transaction', ...topic })),
    apiKey: key,
  })
}

/** Mines a transfer of a new wallet, waits until the service has its block, and returns the wallet. */
async function useNonce() {
  const { wallet } = await streaming.send()
  await waitForBlock(streaming.stack.url, streaming.localnet.chains[84532])
  return wallet
}

function randomHash(): string {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`
}

function toHex(value: number, bytes: number): string {
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`
}
