import { keccak256, type Hex } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { createWallet } from '../harness/createWallet.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { advanceClock } from '../harness/advanceClock.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream, type OpenStream } from './openStream.ts'
import { setUpStreams } from './setUpStreams.ts'

const streaming = setUpStreams()
const { sign, open, send } = streaming

describe('the topic of a transaction', () => {
  it('a pending transaction whose nonce another one claims is told as contested, without a block', async () => {
    await using proxied = await startProxiedStack()
    const { client } = connectOwner(proxied.localnet.chains[84532])
    const { requests } = proxied.proxies[84532]
    await proxied.scenarios.run('no-mining')
    const wallet = await createWallet(proxied.localnet.chains[84532])
    const { hash: transactionHash, signed } = await sign({}, wallet)
    await client.sendRawTransaction({ serializedTransaction: signed })
    await using stream = await openStream(proxied.url, { topics: [{ topic: 'transaction', transactionHash }], apiKey })
    await stream.waitFor(({ data }) => data['status'] === 'pending')
    // The service polls it twice at the same block.
    const countPolls = () => requests.filter(({ body }) => body.includes(transactionHash)).length
    const polls = countPolls()
    await travelUntil(() => countPolls() > polls)
    const other = await sign({ value: '3', maxFeePerGas: '90000000000', maxPriorityFeePerGas: '9000000000' }, wallet)
    await client.sendRawTransaction({ serializedTransaction: other.signed })
    await travelUntil(() => stream.events.some(({ data }) => data['contested'] === true))
    await proxied.scenarios.run('mine')
  })

  it('error: an invalid cursor is an event with the error, and other topics go on', async () => {
    const transaction = { topic: 'transaction', transactionHash: `0x${'1'.repeat(64)}`, cursor: 'abc' }
    await using stream = await open([transaction, { topic: 'health' }])
    const { data } = await stream.waitForTopic('transaction')
    expect(data).toMatchObject({ error: { code: 'svc/invalid-request', field: 'cursor' } })
    await stream.waitForTopic('health')
  })

  it('a transaction is told from pending to finalized, each transition once and in order', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    await using stream = await open([{ topic: 'transaction', transactionHash }])
    await stream.waitFor(({ data }) => data['status'] === 'pending')
    await streaming.stack.scenarios.run('mine')
    for (const status of ['included', 'safe', 'finalized']) {
      await stream.waitFor(({ data }) => data['status'] === status)
      await streaming.owner.client.mine({ blocks: 2 })
    }
    expect(listStatuses(stream.events)).toEqual(['pending', 'included', 'safe', 'finalized'])
  })

  it('a client that was cut off gets every transition since, by the id of its last event', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    const topics = [{ topic: 'transaction', transactionHash }]
    const first = await open(topics)
    const { id } = await first.waitFor(({ data }) => data['status'] === 'pending')
    await first.close()
    await streaming.stack.scenarios.run('mine')
    for (let count = 0; count < 5; count += 1) await streaming.owner.client.mine({ blocks: 1 })
    await using second = await open(topics, id)
    await second.waitFor(({ data }) => data['status'] === 'finalized')
    expect(listStatuses(second.events)).toEqual(['included', 'safe', 'finalized'])
    const [included, safe] = second.events.map(({ data }) => data)
    expect(included).not.toHaveProperty('finalityProof')
    expect(safe).toMatchObject({ finality: 'safe', finalityProof: { by: 'tag' } })
    await using third = await open(topics, second.events[0]?.id)
    await third.waitFor(({ data }) => data['status'] === 'finalized')
    expect(listStatuses(third.events)).toEqual(['safe', 'finalized'])
    // The current state comes at once in any case.
    await using fourth = await open(topics, second.events.at(-1)?.id)
    await fourth.waitFor(({ data }) => data['status'] === 'finalized')
  })

  it('a transaction whose nonce another one takes is told as replaced, also to a client that was away', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash, wallet } = await send()
    const topics = [{ topic: 'transaction', transactionHash }]
    const first = await open(topics)
    const { id } = await first.waitFor(({ data }) => data['status'] === 'pending')
    await first.close()
    const { hash: winner } = await send(
      { value: '3', maxFeePerGas: '90000000000', maxPriorityFeePerGas: '9000000000' },
      wallet,
    )
    await streaming.stack.scenarios.run('mine')
    await using second = await open(topics, id)
    const replaced = await second.waitFor(({ data }) => data['status'] === 'replaced')
    expect(replaced.data).toMatchObject({ replacement: { transactionHash: winner, kind: 'other' } })
  })

  it('a transaction that leaves its block is told as reorged, and then where it is', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await send()
    await streaming.stack.scenarios.run('mine')
    await using stream = await open([{ topic: 'transaction', transactionHash }])
    await stream.waitFor(({ data }) => data['status'] === 'included')
    await streaming.stack.scenarios.run('reorg', { transactionHash, outcome: 'moved' })
    await stream.waitFor(({ data }) => data['status'] === 'reorged')
    await expect.poll(() => listStatuses(stream.events).slice(0, 3)).toEqual(['included', 'reorged', 'included'])
  })

  it('error: a hash that no node has is an event with the error, and is followed once a node has it', async () => {
    const { hash: transactionHash, signed } = await sign()
    await using stream = await open([{ topic: 'transaction', transactionHash }])
    const { data } = await stream.waitForTopic('transaction')
    expect(data).toMatchObject({ index: 0, error: { code: 'svc/transaction-not-found' } })
    await streaming.owner.client.sendRawTransaction({ serializedTransaction: signed })
    await stream.waitFor((event) => event.data['status'] === 'included')
  })

  it('topics that wait for the turn of their key send `included` for a new block before their turn', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const hashes = await sendMany(80)
    await using opened = new AsyncDisposableStack()
    const streams: OpenStream[] = []
    for (let first = 0; first < hashes.length; first += 20) {
      const topics = hashes
        .slice(first, first + 20)
        .map((transactionHash) => ({ topic: 'transaction', transactionHash }))
      streams.push(opened.use(await open(topics)))
    }
    const list = () => streams.flatMap(({ events }) => listStatuses(events))
    // Twenty topics poll at once. While its clock stands still, the service grants no further turn.
    await expect.poll(() => list().length, eventually).toBeGreaterThanOrEqual(20)
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    await streaming.stack.scenarios.run('mine')
    const countIncluded = () => list().filter((status) => status === 'included').length
    await expect.poll(countIncluded, eventually).toBe(hashes.length)
    advanceClock(0)
  })
})

/** Moves the clock ahead again and again, because each poll that finds no change doubles the time until the next one. */
async function travelUntil(isDone: () => boolean): Promise<void> {
  const travel = () => {
    if (!isDone()) advanceClock(6000)
    return isDone()
  }
  await vi.waitUntil(travel, { ...eventually, interval: 1000 })
}

/** Sends transactions of one wallet, and returns their hashes. */
async function sendMany(count: number): Promise<readonly Hex[]> {
  const wallet = await createWallet(streaming.localnet.chains[84532])
  const hashes: Hex[] = []
  for (let nonce = 0; nonce < count; nonce += 1) {
    const transfer = { to: wallet.address, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' } as const
    const serializedTransaction = await wallet.sign(async () => ({ status: 200, data: { nonce } }), transfer)
    await streaming.owner.client.sendRawTransaction({ serializedTransaction })
    hashes.push(keccak256(serializedTransaction))
  }
  return hashes
}

function listStatuses(events: readonly { readonly data: Readonly<Record<string, unknown>> }[]): readonly unknown[] {
  return events.map(({ data }) => data['status'])
}
