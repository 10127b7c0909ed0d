import { Errors } from '@agio/core'
import { numberToHex, type Hex } from 'viem'
import { expect, it } from 'vitest'
import type { Rpc } from '../selection/createRpc.ts'
import { createTokenPermits } from './createTokenPermits.ts'

const none = { domain: undefined }

it('what a token accepts is read once in ten minutes, also for concurrent callers', async () => {
  const { finder, reads, advance } = start()
  expect(await Promise.all([finder.get(toToken(1)), finder.get(toToken(1))])).toEqual([none, none])
  advance(599_999)
  await finder.get(toToken(1))
  expect(reads).toHaveLength(1)
  advance(2)
  await finder.get(toToken(1))
  expect(reads).toHaveLength(2)
})

it('what a token accepts is read again after a read that failed', async () => {
  const { finder, reads, fail } = start()
  fail(Errors.upstreamTimeout({ action: 'read the chain', reason: 'it is late' }))
  await expect(finder.get(toToken(1))).rejects.toMatchObject({ code: 'svc/upstream-timeout' })
  fail(undefined)
  expect(await finder.get(toToken(1))).toEqual(none)
  expect(reads).toHaveLength(2)
})

it('a hundred tokens are remembered, and the token that was read first is forgotten', async () => {
  const { finder, reads } = start()
  for (let token = 0; token <= 100; token++) await finder.get(toToken(token))
  expect(finder.list()).toHaveLength(100)
  await finder.get(toToken(100))
  expect(reads).toHaveLength(101)
  await finder.get(toToken(0))
  expect(reads).toHaveLength(102)
})

/** Finds permits of tokens that have none, over a clock and a reader of the test. */
function start() {
  let [nowMs, failure] = [1, undefined as Error | undefined]
  const reads: unknown[] = []
  const finder = createTokenPermits({
    // A token without a domain is not called.
    rpc: {} as Pick<Rpc, 'client' | 'read'>,
    reader: {
      async aggregate(calls) {
        reads.push(calls)
        if (failure) throw failure
        return { timestampSeconds: 1n, results: calls.map(() => ({ success: false, data: '0x' })) }
      },
    },
    chainId: 84532,
    router: toToken(9),
    now: () => nowMs,
  })
  return {
    finder,
    reads,
    advance: (ms: number) => (nowMs += ms),
    fail: (error: Error | undefined) => (failure = error),
  }
}

function toToken(number: number): Hex {
  return numberToHex(number, { size: 20 })
}
