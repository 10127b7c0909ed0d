import { array, assert, constant, constantFrom, integer, oneof, property, record, type Arbitrary } from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryCounters, createMemoryLimiter, type MemoryCounters } from './createMemoryLimiter.ts'
import type { Window, WindowState } from './Limiter.ts'

const subjects = ['a', 'b']
const rate = { name: 'rate', limit: 5, lengthMs: 100 }
const burst = { name: 'burst', limit: 3, lengthMs: 10 }
const choices = [[rate], [burst], [rate, burst], [burst, rate]]

const request = record({
  type: constant('request' as const),
  subject: constantFrom(...subjects),
  windows: constantFrom(...choices),
  cost: integer({ min: 1, max: 4 }),
})
const setState = record({
  type: constant('set' as const),
  subject: constantFrom(...subjects),
  window: constantFrom(rate, burst),
  used: integer({ min: 0, max: 7 }),
  endsInMs: integer({ min: 1, max: 120 }),
})
const timePasses = record({
  type: constant('time' as const),
  ms: oneof(integer({ min: 1, max: 12 }), constantFrom(90, 100)),
})
const step = oneof({ weight: 6, arbitrary: request }, setState, { weight: 3, arbitrary: timePasses })
const steps = array(step, { maxLength: 60 })

type Step = typeof step extends Arbitrary<infer Value> ? Value : never

type Counters = Pick<MemoryCounters, 'getWindowStates' | 'admit' | 'set'>

/** The reference model: for each window, when it ends and how many calls it has admitted. */
function createModel(now: () => number): Counters {
  const known = new Map<string, { readonly used: number; readonly endsAtMs: number }>()
  const stateOf = (subject: string, { name, lengthMs }: Window): WindowState => {
    const { used, endsAtMs } = known.get(`${subject}/${name}`) ?? { used: 0, endsAtMs: 0 }
    return now() < endsAtMs ? { used, endsInMs: endsAtMs - now() } : { used: 0, endsInMs: lengthMs }
  }
  return {
    getWindowStates: (subject, windows) => windows.map((window) => stateOf(subject, window)),
    admit(subject, windows, cost) {
      const isAdmitted = windows.every((window) => stateOf(subject, window).used + cost <= window.limit)
      for (const window of isAdmitted ? windows : []) {
        const { used, endsInMs } = stateOf(subject, window)
        this.set(subject, window, { used: used + cost, endsInMs })
      }
      return { isAdmitted, states: this.getWindowStates(subject, windows) }
    },
    set(subject, { name }, { used, endsInMs }) {
      known.set(`${subject}/${name}`, { used, endsAtMs: now() + endsInMs })
    },
  }
}

function take(step: Step, counters: Counters): unknown {
  if (step.type === 'request') return counters.admit(step.subject, step.windows, step.cost)
  return step.type === 'set' ? counters.set(step.subject, step.window, step) : undefined
}

describe('counters in memory', () => {
  it('counters in memory admit and report exactly what the reference model does, for any sequence of steps', () => {
    assert(
      property(steps, (steps) => {
        let nowMs = 1000
        const counters = createMemoryCounters(() => nowMs, 100)
        const model = createModel(() => nowMs)
        for (const step of steps) {
          if (step.type === 'time') nowMs += step.ms
          const answers = [counters, model].map((either) => take(step, either))
          expect(answers[0]).toEqual(answers[1])
          for (const subject of subjects) {
            expect(counters.getWindowStates(subject, [rate, burst])).toEqual(
              model.getWindowStates(subject, [rate, burst]),
            )
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('counters in memory evict the least recently used windows beyond their maximum number', () => {
    const counters = createMemoryCounters(() => 0, 10)
    const isKnown = (index: number) => counters.isBegun(`subject ${index}`, rate)
    counters.admit('subject 0', [rate], 1)
    for (let index = 1; index < 1000; index += 1) {
      counters.admit(`subject ${index}`, [rate], 1)
      expect(counters.admit('subject 0', [rate], 5).isAdmitted).toBe(false)
    }
    const known = Array.from({ length: 1000 }, (_, index) => index).filter(isKnown)
    expect(known).toEqual([0, 991, 992, 993, 994, 995, 996, 997, 998, 999])
  })
})

it('the earlier use of a window is read once for concurrent requests, and counted once', async () => {
  const { admit } = createMemoryLimiter(createMemoryCounters(() => 0))
  const { promise, resolve } = Promise.withResolvers<number>()
  const readUsed = vi.fn<() => Promise<number>>(() => promise)
  const quota = { name: 'quota', limit: 100, lengthMs: 1000, readUsed }
  const requested = Array.from({ length: 300 }, async () => admit('a', [quota]))
  resolve(40)
  const admissions = await Promise.all(requested)
  expect(admissions.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(60)
  expect(await admit('a', [quota])).toMatchObject({ isAdmitted: false, states: [{ used: 100 }] })
  expect(readUsed).toHaveBeenCalledTimes(1)
})

it('a request fails if the earlier use cannot be read, and the next request reads it again', async () => {
  const { admit } = createMemoryLimiter(createMemoryCounters(() => 0))
  const readUsed = vi.fn<() => Promise<number>>().mockRejectedValueOnce(new Error('Cannot read'))
  const quota = { name: 'quota', limit: 10, lengthMs: 1000, readUsed: readUsed.mockResolvedValue(4) }
  await expect(admit('a', [rate, quota])).rejects.toThrow('Cannot read')
  expect(await admit('a', [rate, quota])).toMatchObject({ isAdmitted: true, states: [{ used: 1 }, { used: 5 }] })
})

it('saved counts come back any number of times, each window with its own end', () => {
  let nowMs = 0
  const { admit, getWindowState, saveCounts } = createMemoryLimiter(createMemoryCounters(() => nowMs))
  const [short, long] = [
    { name: 'short', limit: 2, lengthMs: 1000 },
    { name: 'long', limit: 9, lengthMs: 5000 },
  ]
  const use = (subject: string) => admit(subject, [short, long])
  const read = (subject: string) => [short, long].map((window) => getWindowState(subject, window))
  void use('a')
  const restore = saveCounts?.()
  for (const elapsedMs of [400, 700]) {
    nowMs = elapsedMs
    void use('a')
    void use('b')
    restore?.()
    expect(read('a')).toEqual([
      { used: 1, endsInMs: 1000 - elapsedMs },
      { used: 1, endsInMs: 5000 - elapsedMs },
    ])
    expect(read('b').map(({ used }) => used)).toEqual([0, 0])
  }
  nowMs = 1000
  restore?.()
  expect(read('a').map(({ used }) => used)).toEqual([0, 1])
})
