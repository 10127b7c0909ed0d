import { describe, expect, it } from 'vitest'
import { codeOf, useUpstreams } from './startUpstreams.ts'

const upstreams = useUpstreams()

/** Makes the first node refuse calls at the hash of a block, as nodes without EIP-1898 do. Counts what is called at a number. */
function refuseHashes(error: object) {
  const counts = { hashes: 0, numbers: 0 }
  upstreams.answerCalls(upstreams.first, async (call, callNode) => {
    const block = call.method === 'eth_call' ? call.params?.[1] : undefined
    if (typeof block === 'string' && block.startsWith('0x')) counts.numbers += 1
    if (typeof block !== 'object') return await callNode(call)
    counts.hashes += 1
    return { id: call.id, error }
  })
  return counts
}

describe.each([
  ['invalid argument 1: argument must be a hex string', -32_602],
  ['Invalid block parameter', -32_602],
  ['Parse error', -32_700],
  ['words that no table knows', -32_000],
])('a lone node that refuses the hash of a block with: %s', (message, code) => {
  it(`the pools are read by the number of the block, and the hash is tried once: ${message}`, async () => {
    const counts = refuseHashes({ code, message })
    const chain = upstreams.open([upstreams.first.url])
    const expected = await upstreams.open([upstreams.second.url]).pools.getSnapshot()
    const { block, pools } = await chain.pools.getSnapshot()
    expect(block.hash).toBe(expected.block.hash)
    expect(pools.map(({ base, quote }) => [base.reserve, quote.reserve])).toEqual(
      expected.pools.map(({ base, quote }) => [base.reserve, quote.reserve]),
    )
    expect(counts.hashes).toBeLessThanOrEqual(2)
    expect(counts.numbers).toBeGreaterThan(0)
  })
})

it('error: the pools are not read at the number of a block if another block has this number', async () => {
  refuseHashes({ code: -32_602, message: 'invalid argument 1' })
  const chain = upstreams.open([upstreams.first.url])
  const missing = `0x${'12'.repeat(32)}` as const
  expect(await codeOf(chain.pools.getSnapshotAt({ number: 1n, hash: missing }))).toBe('svc/upstream-error')
})
