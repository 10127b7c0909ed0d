import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { failWith, largeReverts } from './replays.ts'
import { setUpReceipts } from './setUpReceipts.ts'

const receipts = setUpReceipts()

afterEach(() => receipts.stack.proxies[84532].reset())

const maxReplaysInFlight = 3

// The replays keep the node busy: on a slow machine, one may take longer than the service waits for a node.
describe.each(largeReverts)('transactions that revert with as much as their gas allows: %s', (_, bytecode) => {
  it('many statuses at once do not affect the reads of other keys', async () => {
    const { read, replays } = await failWith(receipts, bytecode)
    const { url } = receipts.stack
    const { key } = await createAdminClient(url).issue()
    const readNonce = () =>
      createRestCaller({ url, apiKey: key })('transaction.nonce', { chainId: 84532, address: receipts.user })
    const statuses = Array.from({ length: 5 }, read)
    await vi.waitUntil(() => replays.mostInFlight() > 0, eventually)
    expect(await readNonce()).toMatchObject({ status: 200 })
    for (const found of await Promise.all(statuses)) {
      expect(found).toMatchObject({ status: 200, data: { status: 'failed' } })
    }
    expect(await readNonce()).toMatchObject({ status: 200 })
    expect(replays.mostInFlight()).toBeLessThanOrEqual(maxReplaysInFlight)
  })

  it('replays go on in their turns after their clients have disconnected', async () => {
    const { transactionHash, replays } = await failWith(receipts, bytecode)
    const leaving = new AbortController()
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const send = (signal: AbortSignal | null = null) =>
      fetch(`${receipts.stack.url}/api/v1/transaction/status`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ transactionHash }),
        signal,
      })
    const left = Array.from({ length: 6 }, () => send(leaving.signal).catch(() => undefined))
    await vi.waitUntil(() => replays.mostInFlight() > 0, eventually)
    leaving.abort()
    await Promise.all(left)
    const stayed = await Promise.all(Array.from({ length: 6 }, () => send()))
    expect(stayed.map(({ status }) => status)).toEqual(stayed.map(() => 200))
    expect(replays.mostInFlight()).toBeLessThanOrEqual(maxReplaysInFlight)
  })
})
