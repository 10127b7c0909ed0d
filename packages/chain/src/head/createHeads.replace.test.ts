import { expect, it, onTestFinished } from 'vitest'
import { headOf } from '../../test/startHeads.ts'
import { createHeads } from './createHeads.ts'
import type { Head } from './Head.ts'

const forkOf = (number: bigint): Head => headOf(number, 1)

it('a head that was published before its data was read is replaced by the head of another node', async () => {
  const [wrong, right] = [{ ...headOf(2n), parentHash: headOf(1n).hash }, headOf(1n)]
  const unreadable: bigint[] = []
  const heads = createHeads({
    read: () => Promise.resolve(wrong),
    async onUnreadable({ number }) {
      unreadable.push(number)
      return right
    },
    maxAgeMs: 10_000,
    now: () => 0,
  })
  onTestFinished(() => heads.stop())
  expect(await heads.get()).toBe(wrong)
  expect(await Promise.all([heads.replace(wrong), heads.replace(wrong)])).toEqual([right, right])
  expect(heads.findFresh()).toBe(right)
  expect(unreadable).toEqual([2n])
})

it('the head of another node is returned, although the first node announces another head meanwhile', async () => {
  const [wrong, wrongAgain, right] = [forkOf(2n), forkOf(3n), headOf(2n)]
  let announced = wrong
  const heads = createHeads({
    read: () => Promise.resolve(announced),
    async onUnreadable() {
      announced = wrongAgain
      await heads.refresh()
      return right
    },
    maxAgeMs: 10_000,
    now: () => 0,
  })
  onTestFinished(() => heads.stop())
  expect(await heads.get()).toBe(wrong)
  expect(await heads.replace(wrong)).toBe(right)
})

it.each([
  ['of a reorganisation', forkOf(2n)],
  ['before it', headOf(1n)],
])(
  'a head that no node has is replaced by the block %s, although a read that began earlier returns it',
  async (_, next) => {
    const removed = { ...headOf(2n), parentHash: headOf(1n).hash }
    const answers: ((head: Head) => void)[] = []
    const read = () => new Promise<Head>((resolve) => answers.push(resolve))
    const heads = createHeads({ read, maxAgeMs: 10_000, now: () => 0 })
    onTestFinished(() => heads.stop())
    const got = heads.get()
    answers[0]?.(removed)
    expect(await got).toBe(removed)
    const polling = heads.refresh()
    const replacing = heads.replace(removed)
    await new Promise(setImmediate)
    answers[1]?.(removed)
    await polling
    await new Promise(setImmediate)
    for (const answer of answers) answer(next)
    expect(await replacing).toBe(next)
  },
)
