import { expect, it } from 'vitest'
import { createHeadPace } from './createHeadPace.ts'

const minute = 60_000

/** Observes a chain on a fake monotonic clock. `run` lets it pass, with a block every two seconds of that clock. */
function start({ blockSeconds = 2, firstSeconds = 1_000_000 } = {}) {
  let [nowMs, timeSeconds] = [0, firstSeconds]
  const pace = createHeadPace({ now: () => nowMs })
  const block = () => ({ timestampSeconds: BigInt(timeSeconds) })
  return {
    /** The age of the newest block in seconds. */
    age: () => {
      const ageMs = pace.findAgeMs(block())
      return ageMs === undefined ? undefined : Math.round(ageMs / 1000)
    },
    pass: (ms: number) => (nowMs += ms),
    /** Mines blocks whose times advance by `blockSeconds` each, or by another step. */
    run(ms: number, { step = blockSeconds, lateMs = (_: number): number => 0 } = {}) {
      const untilMs = nowMs + ms
      for (let count = 0; nowMs < untilMs; count += 1) {
        nowMs += blockSeconds * 1000
        timeSeconds += step
        nowMs += lateMs(count)
        pace.observe(block())
        nowMs -= lateMs(count)
      }
    },
    jump: (seconds: number) => (timeSeconds += seconds),
  }
}

it('blocks that are found late do not count against the chain', () => {
  const chain = start()
  // Every third block is found on time.
  chain.run(2 * minute, { lateMs: (count) => (count % 3 === 0 ? 0 : 1900) })
  expect(chain.age()).toBe(0)
})

it('a chain without blocks, or with too few of them, is not in step', () => {
  const chain = start()
  expect(chain.age()).toBeUndefined()
  chain.pass(10 * minute)
  expect(chain.age()).toBeUndefined()
  const slow = start({ blockSeconds: 30 })
  slow.run(10 * minute)
  expect(slow.age()).toBeUndefined()
})

it.each([3, 4, 60])('a node that catches up, with blocks of %i s every two seconds, is not in step', (step) => {
  const chain = start()
  chain.run(10 * minute, { step })
  expect(chain.age()).toBeUndefined()
})

it('a chain whose time advances more slowly than the clock is not in step', () => {
  const chain = start()
  chain.run(10 * minute, { step: 1 })
  expect(chain.age()).toBeUndefined()
})

it('a chain that stood still and catches up keeps its former delay until it is judged anew', () => {
  const chain = start()
  chain.run(minute)
  chain.pass(100_000)
  chain.run(10_000, { step: 12 })
  expect(chain.age()).toBe(50)
  chain.run(10_000, { step: 12 })
  chain.run(minute)
  expect(chain.age()).toBe(0)
})

it('a change to a node that is ahead by ten minutes ends the step, until its blocks are observed for a minute', () => {
  const chain = start()
  chain.run(minute)
  chain.jump(600)
  chain.run(minute / 2)
  expect(chain.age()).toBeUndefined()
  chain.run(2 * minute)
  expect(chain.age()).toBe(0)
})
