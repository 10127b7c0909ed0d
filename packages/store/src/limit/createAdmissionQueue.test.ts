import { expect, it } from 'vitest'
import { createAdmissionQueue, type Requests } from './createAdmissionQueue.ts'
import type { Admission } from './Limiter.ts'

const rate = { name: 'rate', limit: 100, lengthMs: 600_000 }
const burst = { name: 'burst', limit: 10, lengthMs: 1000 }

/** Queues requests for a store that answers when it is told to. Its nth answer reports the costs n, in thousands. */
function startQueue() {
  const sent: Requests[] = []
  const answers: { readonly succeed: () => void; readonly fail: () => void }[] = []
  const admit = createAdmissionQueue(async (requests) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Admission[]>()
    const number = sent.push({ ...requests, costs: [...requests.costs] })
    answers.push({
      succeed: () =>
        resolve(requests.costs.map(([cost = 0]) => toAdmission(1000 * number + cost, requests.windows.length))),
      fail: () => reject(new Error(`Cannot admit group ${number}`)),
    })
    return await promise
  })
  const next = async (answer: 'succeed' | 'fail') => {
    answers.shift()?.[answer]()
    await Promise.resolve()
  }
  return { admit, sent, next }
}

const toAdmission = (used: number, windows = 1): Admission => ({
  isAdmitted: true,
  states: Array.from({ length: windows }, () => ({ used, endsInMs: 1000 })),
})
const costsOf = (sent: readonly Requests[]) => sent.map(({ costs }) => costs.map(([cost]) => cost))

it('the requests of one turn are sent together, and those that arrive meanwhile together once these are answered', async () => {
  const { admit, sent, next } = startQueue()
  const first = [5, 6].map(async (cost) => await admit('a', [rate], [cost]))
  await Promise.resolve()
  expect(costsOf(sent)).toEqual([[5, 6]])
  const meanwhile = [1, 2, 3].map(async (cost) => await admit('a', [rate], [cost]))
  await next('succeed')
  await expect
    .poll(() => costsOf(sent))
    .toEqual([
      [5, 6],
      [1, 2, 3],
    ])
  await next('succeed')
  expect(await Promise.all([...first, ...meanwhile])).toEqual(
    [1005, 1006, 2001, 2002, 2003].map((used) => toAdmission(used)),
  )
  const later = admit('a', [rate], [4])
  await Promise.resolve()
  expect(costsOf(sent)).toEqual([[5, 6], [1, 2, 3], [4]])
  await next('succeed')
  expect(await later).toEqual(toAdmission(3004))
})

it('subjects do not wait for each other', async () => {
  const { admit, sent } = startQueue()
  for (const subject of ['a', 'b', 'a']) void admit(subject, [rate], [1])
  await Promise.resolve()
  expect(sent.map(({ subject, costs }) => [subject, costs])).toEqual([
    ['a', [[1], [1]]],
    ['b', [[1]]],
  ])
})

it('requests for other windows, or by other limits, are sent apart and in their order', async () => {
  const { admit, sent, next } = startQueue()
  const kinds = [[rate], [rate], [burst, rate], [burst, rate], [{ ...rate, limit: 50 }], [rate]]
  const admissions = kinds.map(async (windows) => await admit('a', windows, [1]))
  for (let group = 1; group <= 4; group += 1) {
    await expect.poll(() => sent.length).toBe(group)
    await next('succeed')
  }
  expect(sent.map(({ windows, costs }) => [windows, costs])).toEqual([
    [[rate], [[1], [1]]],
    [
      [burst, rate],
      [[1], [1]],
    ],
    [[{ ...rate, limit: 50 }], [[1]]],
    [[rate], [[1]]],
  ])
  expect(await Promise.all(admissions)).toEqual(
    [1001, 1001, 2001, 2001, 3001, 4001].map((used) => toAdmission(used, used > 2000 && used < 3000 ? 2 : 1)),
  )
})

it('requests that lack the last windows of others are sent together with them, and get the states of their own windows', async () => {
  const { admit, sent, next } = startQueue()
  const admissions = [[rate], [rate, burst], [rate], [rate, { ...burst, limit: 5 }]].map(
    async (windows) => await admit('a', windows, [1, 4].slice(0, windows.length)),
  )
  for (let group = 1; group <= 2; group += 1) {
    await expect.poll(() => sent.length).toBe(group)
    await next('succeed')
  }
  expect(sent.map(({ windows, costs }) => [windows.length, costs])).toEqual([
    [2, [[1], [1, 4], [1]]],
    [2, [[1, 4]]],
  ])
  const expected = [toAdmission(1001), toAdmission(1001, 2), toAdmission(1001), toAdmission(2001, 2)]
  expect(await Promise.all(admissions)).toEqual(expected)
})

it('a failure rejects the requests that were sent together, and the next requests are sent', async () => {
  const { admit, sent, next } = startQueue()
  const admitOne = async () => await admit('a', [rate], [1]).catch(String)
  const first = admitOne()
  await Promise.resolve()
  const outcomes = [first, admitOne(), admitOne()]
  await next('succeed')
  await expect.poll(() => sent.length).toBe(2)
  await next('fail')
  const failed = 'Error: Cannot admit group 2'
  expect(await Promise.all(outcomes)).toEqual([toAdmission(1001), failed, failed])
  const later = admit('a', [rate], [1])
  await Promise.resolve()
  expect(sent).toHaveLength(3)
  await next('succeed')
  expect(await later).toEqual(toAdmission(3001))
})
