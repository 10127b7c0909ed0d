import { expect, it } from 'vitest'
import * as Async from './Async.ts'

it('a task of a mutex that fails rejects its own call, and the next one runs', async () => {
  const lock = Async.createMutex()
  const failing = lock(() => Promise.reject(new Error('failed')))
  const next = lock(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('next')
})

it('a notification resolves every pending wait, and none that follows', async () => {
  const { wait, notify } = Async.createNotifier()
  const resolved: string[] = []
  const pending = ['one', 'other'].map((name) => wait().then(() => resolved.push(name)))
  notify()
  void wait().then(() => resolved.push('late'))
  await Promise.all(pending)
  expect(resolved).toEqual(['one', 'other'])
})

it('a wait of limited time ends with its promise, or with the time', async () => {
  expect(await Async.waitAtMost(60_000, Promise.resolve('ended'))).toBe('ended')
  expect(await Async.waitAtMost(1, new Promise(() => {}))).toBeUndefined()
  await expect(Async.waitAtMost(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})

it('a time limit throws its error once it has passed, or returns the result before', async () => {
  const toError = () => new Error('too late')
  expect(await Async.withTimeLimit(60_000, Promise.resolve('result'), toError)).toBe('result')
  await expect(Async.withTimeLimit(1, new Promise(() => {}), toError)).rejects.toThrow('too late')
})

it('a response that arrives during a standstill of the process is in time', async () => {
  const { promise: response, resolve } = Promise.withResolvers<string>()
  const limited = Async.withTimeLimit(200, response, () => new Error('too late'))
  setTimeout(() => {
    const startedAtMs = performance.now()
    while (performance.now() - startedAtMs < 400);
    // Node runs the timers that are due before what has arrived.
    setImmediate(resolve, 'response')
  }, 0)
  expect(await limited).toBe('response')
})

it('the items of one tick are sent together, up to the largest batch, and each gets its own result', async () => {
  const batches: (readonly number[])[] = []
  const request = Async.createBatch(async (items: readonly number[]) => {
    batches.push(items)
    return items.map((item) => (item === 2 ? { error: new Error('refused') } : { value: item * 10 }))
  }, 2)
  const results = [1, 2, 3].map((item) => request(item).catch((error: Error) => error.message))
  expect(await Promise.all(results)).toEqual([10, 'refused', 30])
  expect(batches).toEqual([[1, 2], [3]])
})

/** Sends items one batch at a time for each key, and answers each batch when it is told to. */
function startSerialBatch(maxSize?: number) {
  const sent: { readonly batch: string; readonly answered: PromiseWithResolvers<void> }[] = []
  const request = Async.createSerialBatch(async (key: string, items: readonly number[]) => {
    const answered = Promise.withResolvers<void>()
    sent.push({ batch: `${key} ${items.join(' ')}`, answered })
    await answered.promise
    return items.map((value) => ({ value }))
  }, maxSize)
  const list = () => sent.map(({ batch }) => batch)
  return { request, list, answer: (index: number) => sent[index]?.answered }
}

it('the items of a key that arrive during a batch are sent together after it, and keys do not wait for each other', async () => {
  const { request, list, answer } = startSerialBatch(3)
  const first = [request('a', 1), request('a', 2), request('b', 3)]
  await Promise.resolve()
  expect(list()).toEqual(['a 1 2', 'b 3'])
  const later = [4, 5, 6, 7].map((item) => request('a', item))
  answer(0)?.resolve()
  answer(1)?.resolve()
  expect(await Promise.all(first)).toEqual([1, 2, 3])
  await expect.poll(list).toEqual(['a 1 2', 'b 3', 'a 4 5 6'])
  answer(2)?.resolve()
  await expect.poll(list).toHaveLength(4)
  answer(3)?.resolve()
  expect(await Promise.all(later)).toEqual([4, 5, 6, 7])
})

it('items that wait for a batch that fails are rejected with its error, and the next item is sent', async () => {
  const { request, list, answer } = startSerialBatch()
  const first = request('a', 1).catch(String)
  await Promise.resolve()
  const waiting = request('a', 2).catch(String)
  answer(0)?.reject(new Error('unreachable'))
  expect(await Promise.all([first, waiting])).toEqual(['Error: unreachable', 'Error: unreachable'])
  const next = request('a', 3)
  await expect.poll(list).toEqual(['a 1', 'a 3'])
  answer(1)?.resolve()
  expect(await next).toBe(3)
})
