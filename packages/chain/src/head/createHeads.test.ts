import { expect, it, onTestFinished } from 'vitest'
import { createHeads, type Head } from './createHeads.ts'

const headOf = (number: bigint): Head => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestampSeconds: number,
})

function start(read: () => Promise<Head>, now: () => number) {
  const heads = createHeads({ read, maxAgeMs: 10_000, now })
  onTestFinished(() => heads.stop())
  return heads
}

it('shares one question among all who ask at once', async () => {
  let reads = 0
  const heads = start(
    () => Promise.resolve(headOf(BigInt(++reads))),
    () => 0,
  )
  const found = await Promise.all([heads.get(), heads.get(), heads.refresh()])
  expect(found).toEqual([headOf(1n), headOf(1n), headOf(1n)])
})

it('uses a head for as long as it may be unconfirmed, and not a moment longer', async () => {
  let [reads, nowMs] = [0, 0]
  const heads = start(
    () => Promise.resolve(headOf(BigInt(++reads))),
    () => nowMs,
  )
  await heads.get()
  nowMs = 10_000
  expect(await heads.get()).toEqual(headOf(1n))
  nowMs = 10_001
  expect(await heads.get()).toEqual(headOf(2n))
})

it('error: svc/upstream-error rather than an old head', async () => {
  let [isUp, nowMs] = [true, 0]
  const heads = start(
    () => (isUp ? Promise.resolve(headOf(1n)) : Promise.reject(new Error('down'))),
    () => nowMs,
  )
  await heads.get()
  isUp = false
  nowMs = 10_001
  await expect(heads.get()).rejects.toMatchObject({ code: 'svc/upstream-error' })
})

it('wakes who waits at a new head, not at the same one again', async () => {
  let number = 1n
  const heads = start(
    () => Promise.resolve(headOf(number)),
    () => 0,
  )
  await heads.get()
  let woken = false
  const waiting = heads.next(60_000, headOf(1n).hash).then(() => (woken = true))
  await heads.refresh()
  expect(woken).toBe(false)
  number = 2n
  await heads.refresh()
  await waiting
  expect(woken).toBe(true)
})
