import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { headOf, startHeads } from '../../test/startHeads.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { parseReceipt, waitForReceipt } from './readReceipt.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const hash = numberToHex(7, { size: 32 })

/** Waits for a receipt on a chain with a block every 250 ms, over a node that has it after a number of reads. */
async function startWait(timeoutMs: number, minedAfter = Infinity) {
  const { heads, node, pass } = startHeads()
  await pass(0)
  const readAtMs: number[] = []
  const startedAtMs = performance.now()
  const receipt = { status: '0x1', blockNumber: '0x1', blockHash: hash, gasUsed: '0x5208', logs: [] }
  const request = async () => {
    readAtMs.push(performance.now() - startedAtMs)
    return readAtMs.length > minedAfter ? receipt : null
  }
  const closing = new AbortController()
  const client = { signal: closing.signal }
  const waiting = waitForReceipt({ client: { request } } as unknown as Rpc, hash, { heads, timeoutMs, client })
  const outcome = waiting.then(
    (found) => ({ found, tookMs: performance.now() - startedAtMs }),
    (error: unknown) => ({ error }),
  )
  let number = 1n
  const passBlocks = async (count: number) => {
    for (let block = 0; block < count; block += 1) {
      await pass(250)
      node.notify(headOf((number += 1n)))
    }
    await pass(0)
  }
  return { heads, outcome, readAtMs, passBlocks, abort: () => closing.abort() }
}

it('the address of a log is the text of the node, because a checksum of each of 70,000 addresses takes seconds', () => {
  const log = { address: '0x9a676e781a523b5d0c0e43731313a708cb607508', topics: [], data: '0x', logIndex: '0x7' }
  const receipt = { status: '0x1', blockNumber: '0x1', blockHash: hash, gasUsed: '0x5208', logs: [log] }
  expect(parseReceipt(receipt).logs).toEqual([{ ...log, logIndex: 7 }])
})

describe('the wait for a receipt on a chain with a block every 250 ms', () => {
  it.each([200, 15_000, 600_000])(
    'the receipt is read at most 32 times in %i ms, the last time at the end of the wait',
    async (timeoutMs) => {
      const { outcome, readAtMs, passBlocks } = await startWait(timeoutMs)
      await passBlocks(Math.ceil(timeoutMs / 250) + 1)
      expect(await outcome).toMatchObject({ found: undefined })
      expect(readAtMs.length).toBeLessThanOrEqual(32)
      expect(readAtMs.at(-1)).toBeGreaterThanOrEqual(timeoutMs)
      expect(readAtMs.at(-1)).toBeLessThan(timeoutMs + 5)
    },
  )

  it('the receipt is read now and at each of eight blocks, and later at most every 652 ms on average', async () => {
    const { readAtMs, passBlocks } = await startWait(15_000)
    await passBlocks(8)
    expect(readAtMs).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000])
    await passBlocks(32)
    expect(readAtMs.length).toBe(1 + 8 + Math.floor(10_000 / 652))
  })

  it('a receipt is found at the block in which the transaction is mined', async () => {
    const { outcome, readAtMs, passBlocks } = await startWait(15_000, 2)
    await passBlocks(2)
    expect(await outcome).toMatchObject({ found: { status: 'success' }, tookMs: 500 })
    expect(readAtMs.length).toBe(3)
  })

  it('a wait between two reads ends when the service stops, and when the client disconnects', async () => {
    const [stopped, aborted] = [await startWait(600_000), await startWait(600_000)]
    for (const { passBlocks } of [stopped, aborted]) await passBlocks(10)
    stopped.heads.stop()
    aborted.abort()
    expect(await stopped.outcome).toMatchObject({ found: undefined })
    expect(await aborted.outcome).toMatchObject({ error: { code: 'svc/invalid-request' } })
  })
})
