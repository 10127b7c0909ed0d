import type { Chain } from '@agio/chain'
import type { WebhookStore } from '@agio/store'
import type { Hex } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createObserver } from './createObserver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const toHash = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`

/** Starts an observer of due transactions, at nodes that answer when the test says so. */
function start(dueCount: number) {
  const due = Array.from({ length: dueCount }, (_, index) => toHash(index + 1))
  const polled: Hex[] = []
  const woken: Hex[] = []
  const answers: (() => void)[] = []
  let head = { number: 1n, hash: toHash(1000), timestampSeconds: 0n }
  const mined = toHash(999)
  const chain = {
    chainId: 84532,
    heads: { find: () => head },
    transactions: {
      async track({ hash }: { readonly hash: Hex }) {
        polled.push(hash)
        const { promise, resolve } = Promise.withResolvers<void>()
        answers.push(resolve)
        await promise
        return { state: { status: 'pending', visibility: 'hidden' }, facts: undefined }
      },
      listMined: async (since: Hex) => (since === head.hash ? [] : [mined]),
    },
  } as unknown as Chain
  const claim = async ({ limit }: { readonly limit: number }) =>
    due.splice(0, limit).map((transactionHash) => ({ transactionHash, keyId: 'key', isPollDue: true, ageMs: 0 }))
  const observations = {
    claim,
    hasPostponed: async () => true,
    wake: async (_: number, hashes: readonly Hex[]) => void woken.push(...hashes),
    record: async () => {},
    release: async () => {},
  }
  const webhooks = { observations, hasEnabled: () => true, followsPools: () => false } as unknown as WebhookStore
  const observer = createObserver({
    chains: [chain],
    webhooks,
    chargePoll: async () => {},
    now: () => 0,
    onError(error) {
      throw error
    },
  })
  return {
    polled,
    woken,
    mined,
    mine: () => (head = { ...head, number: 2n, hash: toHash(1001) }),
    answer: () => answers.splice(0).forEach((resolve) => resolve()),
    async stop() {
      const stopped = observer.stop()
      await vi.advanceTimersByTimeAsync(0)
      await stopped
    },
  }
}

it('a claim has at most eight transactions, so that the next key does not wait for more of them', async () => {
  const { polled, answer, stop } = start(20)
  await vi.advanceTimersByTimeAsync(0)
  expect(polled).toHaveLength(8)
  answer()
  await vi.advanceTimersByTimeAsync(0)
  expect(polled).toHaveLength(16)
  answer()
  await stop()
})

it('the transactions of a new block become due while observations wait for slow nodes, and once more after them', async () => {
  const { woken, mined, mine, answer, stop } = start(1)
  await vi.advanceTimersByTimeAsync(0)
  mine()
  await vi.advanceTimersByTimeAsync(500)
  expect(woken).toEqual([mined])
  // A transaction that was polled before its block has been postponed meanwhile.
  answer()
  await vi.advanceTimersByTimeAsync(500)
  expect(woken).toEqual([mined, mined])
  await stop()
})
