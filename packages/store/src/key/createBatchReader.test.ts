import { expect, it } from 'vitest'
import { createBatchReader } from './createBatchReader.ts'

/** A source whose reads answer when they are told to, in the order of the reads. */
function createSource() {
  const reads: { readonly ids: readonly string[]; readonly answered: PromiseWithResolvers<void> }[] = []
  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const answered = Promise.withResolvers<void>()
    reads.push({ ids, answered })
    await answered.promise
    return new Map(ids.filter((id) => !id.startsWith('unknown')).map((id) => [id, `value of ${id}`]))
  }
  return { read, reads, answer: (index: number) => reads[index]?.answered.resolve() }
}

it('a batch reader has one read in flight, and ids that are requested meanwhile share the next one', async () => {
  const { read, reads, answer } = createSource()
  const find = createBatchReader(read)
  const first = find('a')
  const later = [find('b'), find('unknown'), find('c')]
  expect(reads.map(({ ids }) => ids)).toEqual([['a']])
  answer(0)
  expect(await first).toBe('value of a')
  await expect.poll(() => reads.map(({ ids }) => ids)).toEqual([['a'], ['b', 'unknown', 'c']])
  answer(1)
  expect(await Promise.all(later)).toEqual(['value of b', undefined, 'value of c'])
})

it('a batch reader reads an id once for concurrent requests, and again for later ones', async () => {
  const { read, reads, answer } = createSource()
  const find = createBatchReader(read)
  const requests = [find('a'), find('a'), find('b'), find('b')]
  answer(0)
  await requests[0]
  await expect.poll(() => reads).toHaveLength(2)
  answer(1)
  expect(await Promise.all(requests)).toEqual(['value of a', 'value of a', 'value of b', 'value of b'])
  void find('a')
  expect(reads.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['a']])
})

it('a value that is requested behind a flood of unknown ids is found after as many reads as the ids before it fill', async () => {
  const { read, reads, answer } = createSource()
  const find = createBatchReader(read, 100)
  const flood = Array.from({ length: 1000 }, (_, index) => find(`unknown ${index}`))
  const valid = find('valid')
  for (let index = 0; index < 11; index += 1) {
    await expect.poll(() => reads.length).toBe(index + 1)
    answer(index)
  }
  expect(await valid).toBe('value of valid')
  expect(new Set(await Promise.all(flood))).toEqual(new Set([undefined]))
  expect(reads.map(({ ids }) => ids.length)).toEqual([1, ...Array(10).fill(100)])
})

it('requests that wait for a read that fails are rejected with its error, and the next request is read again', async () => {
  const { read, reads, answer } = createSource()
  const find = createBatchReader(read)
  const requests = [find('a'), find('b')].map((request) => request.catch((error: unknown) => error))
  const failure = new Error('unreachable')
  reads[0]?.answered.reject(failure)
  expect(await Promise.all(requests)).toEqual([failure, failure])
  const next = find('b')
  answer(1)
  expect(await next).toBe('value of b')
})
