import { gzipSync } from 'node:zlib'
import { numberToHex, pad, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { compressed, text, trickle } from '../harness/answers.ts'
import { connectOwner } from '../harness/connectOwner.ts'
import type { Answer } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { anyAccount, codeOf, useUpstreams } from './startUpstreams.ts'

const megabyte = 2 ** 20

/** Returns a body of 100 kB that is 100 MB of JSON after decompression. */
const createBomb = () => gzipSync(`"${'0'.repeat(100 * megabyte)}"`)

/** Answers that no honest node gives, each in less than 16 MB except for the bomb. */
const answers: readonly (readonly [string, () => Answer])[] = [
  ['100 MB of JSON, compressed to 100 kB', () => compressed(createBomb())],
  ['100 MB of JSON, compressed twice', () => twice(gzipSync(createBomb()))],
  ['17 MB of JSON', () => text(`"${'0'.repeat(17 * megabyte)}"`)],
  ['JSON with 100,000 levels', () => text(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['an error with 100,000 levels', () => text(toDeepError(100_000))],
  ['five million empty objects in 15 MB', () => text(`[${'{},'.repeat(5_000_000)}{}]`)],
]

const upstreams = useUpstreams()

describe('a response beyond a bound', () => {
  it.each(answers)(
    'the first node is unavailable after one answer of %s, and the next node answers',
    async (_, answer) => {
      const { first, open } = upstreams
      const chain = open()
      await chain.read()
      first.setAnswer(answer())
      expect(await codeOf(chain.read())).toBe('ok')
      expect(chain.nodes.list()[0]?.state).toBe('unavailable')
      const answered = first.requests.length
      expect(await codeOf(chain.read())).toBe('ok')
      // Probes send no reads.
      expect(first.requests.slice(answered).flatMap(({ calls }) => calls.map(({ method }) => method))).not.toContain(
        'eth_getTransactionCount',
      )
    },
  )

  it('a lone node that answers beyond a bound is read once per request, and is svc/upstream-error', async () => {
    const { first, open } = upstreams
    const chain = open([first.url], { nodeTimeoutMs: eventually.timeout })
    await chain.read()
    first.setAnswer(compressed(createBomb()))
    const reads = () => first.requests.filter(({ body }) => body.includes('eth_getTransactionCount')).length
    const before = reads()
    expect(await codeOf(chain.read())).toBe('svc/upstream-error')
    expect(reads()).toBe(before + 1)
  })

  it('the time limit of a response covers its whole body: a body that trickles is svc/upstream-timeout', async () => {
    const { first, open } = upstreams
    const chain = open([first.url])
    await chain.read()
    first.setAnswer(trickle)
    expect(await codeOf(chain.read())).toBe('svc/upstream-timeout')
  })
})

describe('a full block beyond a bound', () => {
  it.each([
    ['100,000 distinct keys', () => `{${join(100_000, (id) => `"k${id}":0.5`)}}`],
    ['100,000 small transactions', toBlock],
  ])('the first node is unavailable after one block of %s, and the next node answers', async (_, toResult) => {
    const { chain, first, open } = upstreams
    const opened = open()
    const { block } = await opened.pools.getSnapshot()
    const { client } = connectOwner(chain)
    const { parentHash, transactions } = await client.getBlock({ blockHash: block.hash })
    const result = toResult({ ...block, parentHash })
    first.setAnswer(async ({ body, calls: [call] }, response, callNode) => {
      const isBlock = call?.method === 'eth_getBlockByHash'
      const reply = isBlock ? toReply(call.id, result) : await callNode()
      response.end(isBlock && body.startsWith('[') ? `[${reply}]` : reply)
    })
    expect(await opened.transactions.listMined(parentHash)).toEqual(transactions)
    expect(opened.reports[0]).toMatchObject({ position: 1, state: 'unavailable' })
  })
})

describe('a WebSocket message beyond a bound', () => {
  it.each([
    ['more than 4 MB', (id: number) => toReply(id, `"0x${'0'.repeat(4 * megabyte)}"`)],
    ['more than 64 levels', (id: number) => toReply(id, `${'['.repeat(100)}${']'.repeat(100)}`)],
  ])('the next node answers after a message of %s, and the connection is replaced', async (_, answer) => {
    const chain = upstreams.open([upstreams.socket.url, upstreams.second.url])
    await chain.read()
    let sent = 0
    upstreams.socket.setAnswer((method, id) => {
      if (method !== 'eth_getTransactionCount') return undefined
      sent += 1
      return answer(id)
    })
    expect(await codeOf(chain.read())).toBe('ok')
    expect(sent).toBeGreaterThan(0)
    expect(chain.nodes.list()[0]?.state).toBe('unavailable')
  })
})

function twice(body: Uint8Array): Answer {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }
  return (_, response) => void response.writeHead(200, headers).end(body)
}

function toReply(id: number, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

function toDeepError(levels: number): string {
  const data = `${'{"data":'.repeat(levels)}"0x"${'}'.repeat(levels)}`
  return `{"jsonrpc":"2.0","id":null,"error":{"code":3,"message":"no","data":${data}}}`
}

function join(count: number, toItem: (id: number) => string): string {
  return Array.from({ length: count }, (_, id) => toItem(id)).join(',')
}

/** Returns a valid block of 100,000 valid transactions. */
function toBlock({ number, hash, parentHash }: Identity): string {
  const transactions = join(100_000, (id) => {
    const fields = { hash: toWord(id), from: anyAccount, nonce: '0x1', value: '0x0', gas: '0x1', input: '0x' }
    return JSON.stringify(fields)
  })
  const header = JSON.stringify({ number: numberToHex(number), hash, parentHash, timestamp: '0x1' })
  return `${header.slice(0, -1)},"transactions":[${transactions}]}`
}

function toWord(value: number): string {
  return pad(numberToHex(value), { size: 32 })
}

type Identity = { readonly number: bigint; readonly hash: Hex; readonly parentHash: Hex }
